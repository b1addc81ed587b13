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
import {NO_ACCOUNT, AccountId} from "./ValueTypes.sol";
import {IPerpsAdmin, PerpParameters} from "./interfaces/IPerps.sol";
import {IPerpsViews} from "./interfaces/IPerpsViews.sol";

/// Holds all of Perps except orders and liquidation: parameters, collateral, prices and funding,
/// leverage, views. It exists because a contract has at most 24,576 bytes. Perps delegates every
/// function it lacks to it, so it acts on the storage of Perps; its own storage stays empty.
contract PerpsAdmin is IPerpsAdmin, IPerpsViews, PerpsState, Markets, Ledger {
    using Funding for Funding.Carry;

    uint256 public constant MARKETS_MAX = 64;
    uint256 private constant AMOUNT_MAX = type(uint128).max;
    uint256 private constant LOT_TICK_MAX = 1e17; // with 2^24 ticks a lot stays below 2e24 of quote
    // A maintenance margin of 1%, twice what a book moves the mark.
    uint256 private constant LEVERAGE_MAX = 50;
    /// Seconds times the square of the leverage. A price moves with the root of the time, so this
    /// keeps the move during the permitted age of an index small beside the margin.
    uint256 private constant LEVERAGE_AGE_MAX = 432_000; // 172 s at 50, 1,080 s at 20, 12 h at 3
    /// Time to flag a loss after a price has moved far.
    uint256 private constant MOVED_SECONDS = 10;
    uint256 private constant IMPACT_LOWEST = 1_000e18;
    // The poke's depth of a side, 400 orders of the minimum value, is worth the lowest impact
    // value.
    uint256 private constant ORDER_LOWEST = IMPACT_LOWEST / 400;
    // Minimum impact value in orders of the minimum value.
    uint256 private constant IMPACT_ORDERS = 100;
    int256 private constant FEE_MAX = 10_000; // 1%
    uint16 private constant LOSS_BPS_DEFAULT = 2_000; // a fifth of the fund
    // A taker fee, in millionths, times the leverage: half of the maintenance margin. Accounts are
    // closed on the book with two thirds of that left, so the fee never takes all of it.
    uint256 private constant FEE_LEVERAGE_MAX = 250_000;
    uint16 private constant INDEX_AGE_DEFAULT = 60; // seconds
    uint16 private constant INDEX_AGE_LOWEST = 10;
    uint16 private constant INDEX_AGE_HIGHEST = 12 hours;

    address private immutable LIQUIDATION;

    /// The accounts, the oracle and the collateral are those of `liquidation`.
    constructor(Liquidation liquidation)
        PerpsState(liquidation.oracle(), liquidation.collateral())
        Engine(liquidation.accounts(), address(this))
    {
        LIQUIDATION = address(liquidation);
    }

    fallback() external {
        _delegateTo(LIQUIDATION);
    }

    /// Lists the collateral token. Called once by Perps on its creation.
    function listCollateral() external {
        _listToken(collateral);
    }

    /* MARKETS */

    /// @inheritdoc IPerpsAdmin
    function list(
        bytes32 name,
        bytes32 asset,
        uint256 priceStep,
        uint256 amountStep,
        uint128 impactValue,
        PerpParameters calldata parameters
    ) external onlyOwner returns (uint32 market) {
        require(marketCount < MARKETS_MAX, TooManyMarkets());
        require(bytes32(bytes12(asset)) == asset, AssetTooLong(asset));
        market = _listBook(priceStep, amountStep, 18);
        _atMost(_markets[market].units.quotePerLotTick, LOT_TICK_MAX);
        _atMost(amountStep, type(uint64).max);
        _pricing[market] = Pricing(bytes12(asset), uint64(amountStep), 0, 0, 0);
        _carries[market].indexAgeMax = INDEX_AGE_DEFAULT;
        _activities[market].pokedAt = uint40(block.timestamp - Funding.POKE_SECONDS);
        _activities[market].impactValue = impactValue;
        _setParameters(market, parameters);
        _startClock(market);
        emit Listed(market, name, asset, collateral, priceStep, amountStep, parameters);
        emit ImpactValueSet(market, impactValue);
        _setCover(market, Cover(uint96(parameters.maxNotionalValue), LOSS_BPS_DEFAULT, 0));
    }

    /// Starts the funding clock of a market whose asset has a price. Otherwise its first price
    /// will.
    function _startClock(uint32 market) private {
        uint256 mark = _quoteOf(market).mark;
        if (mark == 0) return;
        _requireRoomToMove(market, mark);
        _carries[market].time = uint32(block.timestamp - block.timestamp % Funding.HOUR);
        _activities[market].hourMark = uint120(mark);
    }

    /// @inheritdoc IPerpsAdmin
    function change(uint32 market, PerpParameters calldata parameters) external onlyOwner {
        _listed(market);
        _setParameters(market, parameters);
        emit Changed(market, parameters);
    }

    /// @inheritdoc IPerpsAdmin
    function tighten(uint32 market, PerpParameters calldata parameters) external {
        require(msg.sender == _guardian || msg.sender == _owner, NotOwner(msg.sender));
        Book.State memory state = _listed(market).state;
        uint256 maximum = Decimals.unpack(state.maxOrderFloat);
        Limits memory limits = _limits[market];
        require(
            parameters.minOrderValue == Decimals.unpack(state.minOrderFloat)
                && parameters.maxOrderValue <= maximum
                && parameters.maxNotionalValue <= limits.maxNotionalValue
                && parameters.maxOpenInterest <= limits.maxOpenInterest
                && parameters.maxLeverage == _carries[market].maxLeverage
                && parameters.makerFee == limits.makerFee
                && parameters.takerFee == limits.takerFee,
            NotTighter(market)
        );
        _setParameters(market, parameters);
        emit Changed(market, parameters);
    }

    /// @inheritdoc IPerpsAdmin
    function setImpactValue(uint32 market, uint128 value) external onlyOwner {
        _requireNoDust(value, Decimals.unpack(_listed(market).state.minOrderFloat));
        _activities[market].impactValue = value;
        emit ImpactValueSet(market, value);
    }

    function _setParameters(uint32 market, PerpParameters calldata parameters) private {
        _setBounds(market, parameters.minOrderValue, parameters.maxOrderValue);
        _atLeast(parameters.minOrderValue, ORDER_LOWEST);
        _requireNoDust(_activities[market].impactValue, parameters.minOrderValue);
        (int32 makerFee, int32 takerFee) = (parameters.makerFee, parameters.takerFee);
        require(
            takerFee >= 0 && takerFee <= FEE_MAX && makerFee <= FEE_MAX
                && -int256(makerFee) <= takerFee,
            FeesOutOfRange(makerFee, takerFee)
        );
        uint256 feeOfMargin = uint32(takerFee) * uint256(parameters.maxLeverage);
        require(
            feeOfMargin <= FEE_LEVERAGE_MAX, FeeTooHighForLeverage(feeOfMargin, FEE_LEVERAGE_MAX)
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
        _carries[market].maxLeverage = uint8(parameters.maxLeverage);
    }

    /// Reverts unless the impact value is far above dust.
    function _requireNoDust(uint256 value, uint256 minOrderValue) private pure {
        uint256 lowest = IMPACT_ORDERS * minOrderValue;
        if (lowest < IMPACT_LOWEST) lowest = IMPACT_LOWEST;
        _atLeast(value, lowest);
    }

    /// @inheritdoc IPerpsAdmin
    function setIndexAgeMax(uint32 market, uint16 ageSeconds) external onlyOwner {
        _listed(market);
        _atLeast(ageSeconds, INDEX_AGE_LOWEST);
        uint256 leverage = _carries[market].maxLeverage;
        uint256 highest = LEVERAGE_AGE_MAX / (leverage * leverage);
        _atMost(ageSeconds, highest < INDEX_AGE_HIGHEST ? highest : INDEX_AGE_HIGHEST);
        _carries[market].indexAgeMax = ageSeconds;
        emit IndexAgeMaxSet(market, ageSeconds);
    }

    function _atLeast(uint256 limit, uint256 minimum) private pure {
        require(limit >= minimum, LimitOutOfRange(limit, minimum));
    }

    function _atMost(uint256 limit, uint256 maximum) private pure {
        require(limit <= maximum, LimitOutOfRange(limit, maximum));
    }

    /* PRICES AND FUNDING */

    /// @inheritdoc IPerpsAdmin
    function settleHours(uint32 market) external {
        _listed(market);
        _settleHours(market);
    }

    /* MARGIN */

    /// @inheritdoc IPerpsAdmin
    function setLeverage(uint32 market, uint16 leverage) external nonReentrant {
        _listed(market);
        AccountId account = _trader();
        Quote memory quote = _quoteOf(market);
        require(
            leverage <= quote.maxLeverage, LeverageOutOfRange(leverage, uint16(quote.maxLeverage))
        );
        Positions.Position memory position = _positions[market][account];
        bool lowers = _leverageOf(leverage, quote.maxLeverage)
            < _leverageOf(position.leverage, quote.maxLeverage);
        position.leverage = leverage;
        _positions[market][account].leverage = leverage;
        emit LeverageSet(market, AccountId.unwrap(account), leverage);
        Holding memory holding = _holdings[account];
        if (!lowers || holding.markets & _bit(market) == 0) return;
        Health memory health = _health(account, holding, market, position, quote);
        _requireMargin(health.equity, health.initialMargin);
    }

    /* COLLATERAL */

    function _credit(AccountId account, address, uint256 amount) internal override {
        Holding storage holding = _holdings[account];
        holding.collateral = Positions.toInt128(holding.collateral + _scaled(amount));
    }

    /// After a large price move, and while a loss is flagged, the profit of a second account of the
    /// same person may be owed to others. Anyone may pay insurance.
    function _requireOpen(AccountId to) internal view override {
        if (to == INSURANCE_ACCOUNT) return;
        Loss memory loss = _loss;
        require(
            loss.account == NO_ACCOUNT, LossUncovered(AccountId.unwrap(loss.account), loss.market)
        );
        uint256 openTime = oracle.movedTime() + MOVED_SECONDS;
        require(block.timestamp >= openTime, PriceMoved(openTime));
    }

    /// The equity that remains must cover the initial margin and a tenth of the positions'
    /// notional.
    function _debit(AccountId account, address, uint256 amount) internal override {
        Holding memory holding = _holdings[account];
        int256 rest = holding.collateral - _scaled(amount);
        require(rest >= 0, BalanceTooLow(amount, _heldBy(account, collateral)));
        holding.collateral = Positions.toInt128(rest);
        _holdings[account] = holding;
        if (holding.markets == 0) return;
        Health memory health = _storedHealth(account);
        _requireFresh(health);
        uint256 tenth = Positions.divUp(health.notional, 10);
        _requireMargin(health.equity, health.initialMargin > tenth ? health.initialMargin : tenth);
    }

    /// @inheritdoc Ledger
    function _heldBy(AccountId account, address) internal view override returns (uint256) {
        int128 held = _holdings[account].collateral;
        return held < 0 ? 0 : uint128(held) / SCALE;
    }

    /// @inheritdoc Ledger
    function _isInside(address to) internal view override returns (bool) {
        return to == address(oracle);
    }

    /// `amount` raw units with 18 decimals. Rejects amounts that would overflow an int256 once
    /// scaled.
    function _scaled(uint256 amount) private view returns (int256) {
        _atMost(amount, AMOUNT_MAX);
        return int256(amount * SCALE);
    }

    /* READING, FOR LENSES AND TESTS */

    /// @inheritdoc IPerpsViews
    function healthOf(uint40 account) external view returns (Health memory) {
        return _storedHealth(AccountId.wrap(account));
    }

    /// @inheritdoc IPerpsViews
    function holdingOf(uint40 account) external view returns (Holding memory) {
        return _holdings[AccountId.wrap(account)];
    }

    /// @inheritdoc IPerpsViews
    function positionOf(uint32 market, uint40 account)
        external
        view
        returns (Positions.Position memory)
    {
        return _positions[market][AccountId.wrap(account)];
    }

    /// @inheritdoc IPerpsViews
    function reduceOnlyOf(uint32 market, uint40 account)
        external
        view
        returns (ReduceOnly memory)
    {
        return _reduceOnly[market][AccountId.wrap(account)];
    }

    /// @inheritdoc IPerpsViews
    function quoteOf(uint32 market) external view returns (Quote memory) {
        return _quoteOf(market);
    }

    /// @inheritdoc IPerpsViews
    function fundingOf(uint32 market)
        external
        view
        returns (Funding.Carry memory carry, Funding.Activity memory activity)
    {
        (carry, activity) = (_carries[market], _activities[market]);
        if (carry.time != 0) return (carry, activity);
        (carry.time, activity.hourMark) = _clockStart(_pricing[market].asset);
    }
}
