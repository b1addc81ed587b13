// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "./Funding.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {IPerps, PerpParameters} from "./interfaces/IPerps.sol";

/// The part of Perps that runs rarely: parameters, pokes, the settlement of funding hours, leverage.
/// It exists because a contract holds at most 24,576 bytes. Perps creates it in its constructor and
/// delegates to it, so it acts on the storage of Perps and has none that matters. It trusts its
/// caller: Perps checks who calls, that the market is listed, and holds the lock.
contract PerpsDesk is PerpsState {
    uint256 private constant POKE_SECONDS = 60;
    uint256 private constant SETTLED_HOURS_MAX = 24; // per touch
    uint256 private constant LEVERAGE_MAX = 100;
    int256 private constant FEE_MAX = 10_000; // 1%
    uint16 private constant INDEX_AGE_DEFAULT = 60; // seconds
    uint16 private constant INDEX_AGE_LOWEST = 10;
    uint16 private constant INDEX_AGE_HIGHEST = 12 hours;

    constructor(IOracle oracle_) PerpsState(oracle_) {}

    /* PARAMETERS */

    /// Opens the prices and the funding of a market whose book has just been opened.
    function open(uint32 market, bytes32 asset, uint256 amountStep, PerpParameters calldata parameters) external {
        require(bytes32(bytes12(asset)) == asset, IPerps.AssetTooLong(asset));
        _atMost(amountStep, type(uint64).max);
        _pricing[market] = Pricing(bytes12(asset), uint64(amountStep), 0);
        _carries[market].time = uint32(block.timestamp - block.timestamp % Funding.HOUR);
        _carries[market].indexAgeMax = INDEX_AGE_DEFAULT;
        _activities[market].pokedAt = uint40(block.timestamp - POKE_SECONDS);
        setParameters(market, parameters);
        _activities[market].hourMark = uint128(_quoteOf(market).mark);
    }

    function setParameters(uint32 market, PerpParameters calldata parameters) public {
        (int32 makerFee, int32 takerFee) = (parameters.makerFee, parameters.takerFee);
        require(
            takerFee >= 0 && takerFee <= FEE_MAX && makerFee <= FEE_MAX && -int256(makerFee) <= takerFee,
            IPerps.FeesOutOfRange(makerFee, takerFee)
        );
        _atMost(parameters.maxNotionalValue, type(uint96).max);
        _atMost(parameters.maxOpenInterest, LOTS_MAX);
        require(
            parameters.maxLeverage != 0 && parameters.maxLeverage <= LEVERAGE_MAX,
            IPerps.LeverageOutOfRange(parameters.maxLeverage, uint16(LEVERAGE_MAX))
        );
        _limits[market] = Limits({
            maxNotionalValue: uint96(parameters.maxNotionalValue),
            maxOpenInterest: parameters.maxOpenInterest,
            makerFee: makerFee,
            takerFee: takerFee
        });
        _carries[market].maxLeverage = parameters.maxLeverage;
    }

    function setImpactLots(uint32 market, uint64 lots) external {
        _activities[market].impactLots = lots;
        emit IPerps.ImpactLotsSet(market, lots);
    }

    function setIndexAgeMax(uint32 market, uint16 ageSeconds) external {
        require(ageSeconds >= INDEX_AGE_LOWEST, IPerps.LimitOutOfRange(ageSeconds, INDEX_AGE_LOWEST));
        _atMost(ageSeconds, INDEX_AGE_HIGHEST);
        _carries[market].indexAgeMax = ageSeconds;
        emit IPerps.IndexAgeMaxSet(market, ageSeconds);
    }

    function _atMost(uint256 limit, uint256 maximum) private pure {
        require(limit <= maximum, IPerps.LimitOutOfRange(limit, maximum));
    }

    /* PRICES AND FUNDING */

    /// `mid` is half way between the best prices, 0 when they don't count.
    function poke(uint32 market, uint256 mid) external {
        Funding.Activity storage activity = _activities[market];
        uint256 elapsed = block.timestamp - activity.pokedAt;
        require(elapsed >= POKE_SECONDS, IPerps.PokeTooSoon(activity.pokedAt + POKE_SECONDS));
        Quote memory quote = settleHours(market);
        if (quote.stale || Funding.hourHasEnded(_carries[market])) return;

        Pricing storage pricing = _pricing[market];
        int256 premium = mid == 0 ? int256(0) : Funding.premiumOf(mid, quote.index);
        int256 x = mid == 0 ? int256(0) : int256(mid) - int256(quote.index);
        int256 basis = Funding.basisOf(pricing.basis, x, elapsed, quote.index);
        pricing.basis = int96(basis);
        activity.pokedAt = uint40(block.timestamp);
        activity.samples += 1;
        activity.premiumSum += int96(premium);
        emit IPerps.Marked(market, Funding.markOf(quote.index, basis), basis, premium);
    }

    /// Settles the hours of `market` that have ended and returns its prices.
    function settleHours(uint32 market) public returns (Quote memory quote) {
        quote = _quoteOf(market);
        Funding.Carry memory carry = _carries[market];
        for (uint256 i = 0; i < SETTLED_HOURS_MAX && Funding.hourHasEnded(carry); i++) {
            Funding.Activity storage activity = _activities[market];
            int256 nextRate = Funding.rateOf(activity.premiumSum, activity.samples);
            carry.cumulative += int128(carry.perSecond * int256(Funding.HOUR));
            carry.perSecond = Funding.perSecondOf(nextRate, quote.markPerLot);
            carry.time += uint32(Funding.HOUR);
            emit IPerps.FundingSettled(
                market, carry.time, activity.rate, activity.hourMark, carry.cumulative, nextRate, carry.perSecond
            );
            activity.samples = 0;
            activity.premiumSum = 0;
            activity.rate = int64(nextRate);
            activity.hourMark = uint128(quote.mark);
        }
        _carries[market] = carry;
        quote.fundingIndex = Funding.indexOf(carry);
    }

    /* MARGIN */

    function setLeverage(uint40 account, uint32 market, uint16 leverage) external {
        Quote memory quote = _quoteOf(market);
        require(leverage <= quote.maxLeverage, IPerps.LeverageOutOfRange(leverage, uint16(quote.maxLeverage)));
        Positions.Position memory position = _positions[market][account];
        bool lowers = _leverageOf(leverage, quote.maxLeverage) < _leverageOf(position.leverage, quote.maxLeverage);
        position.leverage = leverage;
        _positions[market][account].leverage = leverage;
        emit IPerps.LeverageSet(market, account, leverage);
        Holding memory holding = _holdings[account];
        if (!lowers || holding.markets & _bit(market) == 0) return;
        Health memory health = _health(account, holding, market, position, quote);
        _requireMargin(health.equity, health.initialMargin);
    }
}
