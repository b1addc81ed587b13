// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {Book} from "./Book.sol";
import {Decimals} from "./Decimals.sol";
import {Engine} from "./Engine.sol";
import {Funding} from "./Funding.sol";
import {Ledger} from "./Ledger.sol";
import {Liquidation} from "./Liquidation.sol";
import {Markets} from "./Markets.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {IPerpsDesk, PerpParameters} from "./interfaces/IPerps.sol";
import {IPerpsViews} from "./interfaces/IPerpsViews.sol";

/// All of Perps but its orders and liquidation: parameters, collateral, prices and funding, leverage,
/// reading. It exists because a contract holds at most 24,576 bytes. Perps delegates to it whatever
/// it does not know, so it acts on the storage of Perps; its own holds nothing.
contract PerpsDesk is IPerpsDesk, IPerpsViews, PerpsState, Markets, Ledger {
    using Funding for Funding.Carry;

    uint256 public constant MARKETS_MAX = 64;
    uint256 private constant AMOUNT_MAX = type(uint128).max;
    uint256 private constant LOT_TICK_MAX = 1e17; // with 2^24 ticks a lot stays below 2e24 of quote
    uint256 private constant POKE_SECONDS = 60;
    uint256 private constant LEVERAGE_MAX = 50; // a maintenance margin of 1%, twice what a book moves the mark
    /// Seconds times the square of the leverage. A price moves with the root of the time: what an index
    /// may be late by is kept small beside the margin.
    uint256 private constant LEVERAGE_AGE_MAX = 432_000; // 172 s at 50, 1,080 s at 20, 12 h at 3
    int256 private constant FEE_MAX = 10_000; // 1%
    uint16 private constant INDEX_AGE_DEFAULT = 60; // seconds
    uint16 private constant INDEX_AGE_LOWEST = 10;
    uint16 private constant INDEX_AGE_HIGHEST = 12 hours;

    address private immutable LIQUIDATION;

    /// `liquidation` decides the accounts, the oracle and the collateral.
    constructor(Liquidation liquidation)
        PerpsState(liquidation.oracle(), liquidation.collateral())
        Engine(liquidation.accounts(), address(this))
    {
        LIQUIDATION = address(liquidation);
    }

    fallback() external {
        _delegateTo(LIQUIDATION);
    }

    /// Makes the collateral known. Perps calls it once, when it is created.
    function listCollateral() external {
        _listToken(collateral);
    }

    /* MARKETS */

    /// @inheritdoc IPerpsDesk
    function list(
        bytes32 name,
        bytes32 asset,
        uint256 priceStep,
        uint256 amountStep,
        uint64 impactLots,
        PerpParameters calldata parameters
    ) external onlyOwner returns (uint32 market) {
        require(marketCount < MARKETS_MAX, TooManyMarkets());
        require(bytes32(bytes12(asset)) == asset, AssetTooLong(asset));
        market = _listBook(priceStep, amountStep, 18);
        _atMost(_markets[market].units.quotePerLotTick, LOT_TICK_MAX);
        _atMost(amountStep, type(uint64).max);
        _pricing[market] = Pricing(bytes12(asset), uint64(amountStep), 0);
        _carries[market].time = uint32(block.timestamp - block.timestamp % Funding.HOUR);
        _carries[market].indexAgeMax = INDEX_AGE_DEFAULT;
        _activities[market].pokedAt = uint40(block.timestamp - POKE_SECONDS);
        _setParameters(market, parameters);
        _activities[market].hourMark = uint128(_quoteOf(market).mark);
        emit Listed(market, name, asset, collateral, priceStep, amountStep, parameters);
        _setImpactLots(market, impactLots);
    }

    /// @inheritdoc IPerpsDesk
    function change(uint32 market, PerpParameters calldata parameters) external onlyOwner {
        _listed(market);
        _setParameters(market, parameters);
        emit Changed(market, parameters);
    }

    /// @inheritdoc IPerpsDesk
    function tighten(uint32 market, PerpParameters calldata parameters) external {
        require(msg.sender == guardian || msg.sender == owner, NotOwner(msg.sender));
        Book.State memory state = _listed(market).state;
        uint256 maximum = Decimals.unpack(state.maxOrderFloat);
        Limits memory limits = _limits[market];
        require(
            parameters.minOrderValue == Decimals.unpack(state.minOrderFloat) && parameters.maxOrderValue <= maximum
                && parameters.maxNotionalValue <= limits.maxNotionalValue
                && parameters.maxOpenInterest <= limits.maxOpenInterest
                && parameters.maxLeverage == _carries[market].maxLeverage && parameters.makerFee == limits.makerFee
                && parameters.takerFee == limits.takerFee,
            NotTighter(market)
        );
        _setParameters(market, parameters);
        emit Changed(market, parameters);
    }

    /// @inheritdoc IPerpsDesk
    function setImpactLots(uint32 market, uint64 lots) external onlyOwner {
        _listed(market);
        _setImpactLots(market, lots);
    }

    function _setParameters(uint32 market, PerpParameters calldata parameters) private {
        _setBounds(market, parameters.minOrderValue, parameters.maxOrderValue);
        (int32 makerFee, int32 takerFee) = (parameters.makerFee, parameters.takerFee);
        require(
            takerFee >= 0 && takerFee <= FEE_MAX && makerFee <= FEE_MAX && -int256(makerFee) <= takerFee,
            FeesOutOfRange(makerFee, takerFee)
        );
        _atMost(parameters.maxNotionalValue, type(uint96).max);
        _atMost(parameters.maxOpenInterest, LOTS_MAX);
        uint256 highest = FixedPointMathLib.sqrt(LEVERAGE_AGE_MAX / _carries[market].indexAgeMax);
        if (highest > LEVERAGE_MAX) highest = LEVERAGE_MAX;
        require(
            parameters.maxLeverage != 0 && parameters.maxLeverage <= highest,
            LeverageOutOfRange(parameters.maxLeverage, uint16(highest))
        );
        _limits[market] = Limits({
            maxNotionalValue: uint96(parameters.maxNotionalValue),
            maxOpenInterest: parameters.maxOpenInterest,
            makerFee: makerFee,
            takerFee: takerFee
        });
        _carries[market].maxLeverage = parameters.maxLeverage;
    }

    function _setImpactLots(uint32 market, uint64 lots) private {
        require(lots != 0, LimitOutOfRange(lots, 1));
        _atMost(lots, LOTS_MAX);
        _activities[market].impactLots = lots;
        emit ImpactLotsSet(market, lots);
    }

    /// @inheritdoc IPerpsDesk
    function setIndexAgeMax(uint32 market, uint16 ageSeconds) external onlyOwner {
        _listed(market);
        require(ageSeconds >= INDEX_AGE_LOWEST, LimitOutOfRange(ageSeconds, INDEX_AGE_LOWEST));
        uint256 leverage = _carries[market].maxLeverage;
        uint256 highest = LEVERAGE_AGE_MAX / (leverage * leverage);
        _atMost(ageSeconds, highest < INDEX_AGE_HIGHEST ? highest : INDEX_AGE_HIGHEST);
        _carries[market].indexAgeMax = ageSeconds;
        emit IndexAgeMaxSet(market, ageSeconds);
    }

    function _atMost(uint256 limit, uint256 maximum) private pure {
        require(limit <= maximum, LimitOutOfRange(limit, maximum));
    }

    /* PRICES AND FUNDING */

    /// @inheritdoc IPerpsDesk
    function poke(uint32 market) external nonReentrant {
        uint256 mid = _mid(market);
        Funding.Activity storage activity = _activities[market];
        uint256 elapsed = block.timestamp - activity.pokedAt;
        require(elapsed >= POKE_SECONDS, PokeTooSoon(activity.pokedAt + POKE_SECONDS));
        Quote memory quote = _settleHours(market);
        if (quote.stale || Funding.hourHasEnded(_carries[market])) return;

        Pricing storage pricing = _pricing[market];
        int256 premium = mid == 0 ? int256(0) : Funding.premiumOf(mid, quote.index);
        int256 x = mid == 0 ? int256(0) : int256(mid) - int256(quote.index);
        int256 basis = Funding.basisOf(pricing.basis, x, elapsed, quote.index);
        pricing.basis = int96(basis);
        activity.pokedAt = uint40(block.timestamp);
        activity.samples += 1;
        activity.premiumSum += int96(premium);
        emit Marked(market, Funding.markOf(quote.index, basis), basis, premium);
    }

    /// Half way between the best ticks when both levels are thick enough to mean something, else 0.
    function _mid(uint32 market) private view returns (uint256) {
        Book.Market storage book = _listed(market);
        Book.State memory state = book.state;
        uint64 impactLots = _activities[market].impactLots;
        if (state.bestBid == Ticks.NONE_BELOW || state.bestAsk == Ticks.NONE_ABOVE) return 0;
        if (book.levels[state.bestBid].lots < impactLots || book.levels[state.bestAsk].lots < impactLots) return 0;
        return (uint256(state.bestBid) + state.bestAsk) * _priceStep(book.units) / 2;
    }

    /// @inheritdoc IPerpsDesk
    function settleHours(uint32 market) external {
        _listed(market);
        _settleHours(market);
    }

    /* MARGIN */

    /// @inheritdoc IPerpsDesk
    function setLeverage(uint32 market, uint16 leverage) external nonReentrant {
        _listed(market);
        uint40 account = _trader();
        Quote memory quote = _quoteOf(market);
        require(leverage <= quote.maxLeverage, LeverageOutOfRange(leverage, uint16(quote.maxLeverage)));
        Positions.Position memory position = _positions[market][account];
        bool lowers = _leverageOf(leverage, quote.maxLeverage) < _leverageOf(position.leverage, quote.maxLeverage);
        position.leverage = leverage;
        _positions[market][account].leverage = leverage;
        emit LeverageSet(market, account, leverage);
        Holding memory holding = _holdings[account];
        if (!lowers || holding.markets & _bit(market) == 0) return;
        Health memory health = _health(account, holding, market, position, quote);
        _requireMargin(health.equity, health.initialMargin);
    }

    /* COLLATERAL */

    function _credit(uint40 account, address, uint256 amount) internal override {
        Holding storage holding = _holdings[account];
        holding.collateral = Positions.toInt128(holding.collateral + _scaled(amount));
    }

    /// What leaves must leave the initial margin and a tenth of the positions' notional.
    function _debit(uint40 account, address, uint256 amount) internal override {
        Holding memory holding = _holdings[account];
        int256 rest = holding.collateral - _scaled(amount);
        require(rest >= 0, BalanceTooLow(amount, holding.collateral < 0 ? 0 : uint128(holding.collateral) / SCALE));
        holding.collateral = Positions.toInt128(rest);
        _holdings[account] = holding;
        if (holding.markets == 0) return;
        Health memory health = _storedHealth(account);
        _requireFresh(health);
        uint256 tenth = Positions.divUp(health.notional, 10);
        _requireMargin(health.equity, health.initialMargin > tenth ? health.initialMargin : tenth);
    }

    /// @inheritdoc Ledger
    function _isInside(address to) internal view override returns (bool) {
        return to == address(oracle);
    }

    /// Refuses amounts whose scaled value an int256 would take for a negative one.
    function _scaled(uint256 amount) private view returns (int256) {
        _atMost(amount, AMOUNT_MAX);
        return int256(amount * SCALE);
    }

    /* READING, FOR LENSES AND TESTS */

    /// @inheritdoc IPerpsViews
    function healthOf(uint40 account) external view returns (Health memory) {
        return _storedHealth(account);
    }

    /// @inheritdoc IPerpsViews
    function holdingOf(uint40 account) external view returns (Holding memory) {
        return _holdings[account];
    }

    /// @inheritdoc IPerpsViews
    function positionOf(uint32 market, uint40 account) external view returns (Positions.Position memory) {
        return _positions[market][account];
    }

    /// @inheritdoc IPerpsViews
    function reduceOnlyOf(uint32 market, uint40 account) external view returns (ReduceOnly memory) {
        return _reduceOnly[market][account];
    }

    /// @inheritdoc IPerpsViews
    function quoteOf(uint32 market) external view returns (Quote memory) {
        return _quoteOf(market);
    }

    /// @inheritdoc IPerpsViews
    function fundingOf(uint32 market) external view returns (Funding.Carry memory, Funding.Activity memory) {
        return (_carries[market], _activities[market]);
    }
}
