// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibBit} from "solady/utils/LibBit.sol";
import {Book} from "./Book.sol";
import {Funding} from "./Funding.sol";
import {IERC20Metadata} from "./Ledger.sol";
import {Positions} from "./Positions.sol";
import {Resting} from "./Resting.sol";
import {NO_ACCOUNT, NO_LOTS, AccountId, Lots} from "./ValueTypes.sol";
import {ILedger} from "./interfaces/ILedger.sol";
import {IOracle, PriceStatus} from "./interfaces/IOracle.sol";
import {IPerpsEvents} from "./interfaces/IPerps.sol";

/// Holds the storage that Perps, PerpsAdmin and Liquidation share, and reads prices and margins
/// from it. Variables added by one of them come after it, so that these have the same slots in all.
abstract contract PerpsState is Resting {
    using Book for Book.Order;
    using Funding for Funding.Carry;
    using Positions for Positions.Position;

    /// One slot.
    struct Holding {
        int128 collateral;
        uint64 markets; // bit n - 1: market n has a position or orders of the account
        uint40 partlyLiquidatedAt; // time of the account's last liquidation in part
        uint24 sliceClosed; // part of a slice closed by then; all ones: the whole
    }

    /// One slot. The health of an account reads it for each of its markets. A basis is a fraction
    /// of the index in units of 1e-9.
    struct Pricing {
        bytes12 asset;
        uint64 amountStep; // a copy of the book's
        int32 basis; // in force up to and in the second `pokedTime`
        int32 nextBasis; // in force after it, so a poke does not change the mark in its second
        uint32 pokedTime;
    }

    /// One slot.
    struct Limits {
        uint96 maxNotionalValue;
        uint64 maxOpenInterest;
        int32 makerFee;
        int32 takerFee;
    }

    /// Resting reduce-only lots, which are part of a position's bidLots and askLots.
    struct ReduceOnly {
        Lots bidLots;
        Lots askLots;
    }

    /// The account whose position is to close against a loser's. One slot.
    struct Nomination {
        AccountId winner;
        uint40 openedTime; // of the first in this series of nominations
        uint40 nominatedTime; // of this one
    }

    /// A loss that insurance cannot cover: until it is covered, no collateral leaves. One slot.
    struct Loss {
        AccountId account; // NO_ACCOUNT: none
        uint32 market;
        uint40 flaggedTime;
        uint40 coveredTime; // when it was seen to be covered; 0 while it is not
    }

    /// Limits of insurance's position and loss in a market. One slot.
    struct Cover {
        uint96 maxNotional; // of its position
        uint16 lossBps; // part of the fund, in 1/10,000
        int128 paid; // what its trades here have taken from its collateral; negative: brought
    }

    /// Time at which an account was seen below its maintenance margin. One slot.
    struct Sighting {
        uint40 firstTime;
        uint40 lastTime;
    }

    /// The end of a market. Two slots; the second is empty until the first position has ended.
    struct Ending {
        uint40 announcedTime; // 0: none
        uint64 changes; // of the asset's price at the store, by then
        uint120 mark; // at which all positions end
        uint96 index; // of that mark
    }

    /// A market's current prices; for an ended market, those it ended at.
    struct Quote {
        bytes32 asset;
        uint256 index;
        uint256 indexTime;
        uint256 earlier; // the last index accepted before this second
        uint256 mark;
        uint256 markPerLot;
        uint256 earlierPerLot; // at that earlier index
        int256 fundingIndex;
        uint256 maxLeverage;
        bool stale; // the index is too old, or in doubt: no risk may grow on it
        bool ended;
    }

    /// Equity and margins of an account, 18 decimals.
    struct Health {
        int256 equity;
        uint256 initialMargin;
        uint256 maintenanceMargin;
        uint256 exposureMargin; // maintenance margin of the positions that its orders may make
        uint256 notional; // of its positions
        uint256 moved; // gain or loss of its exposure by the indexes' moves of this second
        bytes32 staleAsset; // asset of a position whose index is stale; 0 when all are fresh
        uint256 staleTime;
        uint256 staleNotional; // of such positions
    }

    /// After hours without a price an asset may be worth more or less by this fraction.
    uint256 internal constant STALE_DIVISOR = 2; // 50%
    uint256 private constant SETTLED_HOURS_MAX = 24; // per call
    uint256 private constant FIRST_TICK_MIN = 100;
    uint256 private constant FIRST_TICK_MAX = uint256(type(uint24).max) / 16;
    uint256 internal constant INDEX_MAX = type(uint96).max;
    // Limit of an exposure; twice that still fits a position.
    uint256 internal constant LOTS_MAX = 1 << 62;

    AccountId internal constant INSURANCE_ACCOUNT = AccountId.wrap(1);
    AccountId internal constant FEE_ACCOUNT = AccountId.wrap(2);

    IOracle public immutable oracle;
    address public immutable collateral; // the one token

    mapping(AccountId account => Holding) internal _holdings;
    mapping(uint32 market => mapping(AccountId account => Positions.Position)) internal _positions;
    mapping(uint32 market => mapping(AccountId account => ReduceOnly)) internal _reduceOnly;
    mapping(uint32 market => Pricing) internal _pricing;
    mapping(uint32 market => Limits) internal _limits;
    mapping(uint32 market => Funding.Carry) internal _carries;
    mapping(uint32 market => Funding.Activity) internal _activities;
    mapping(uint32 market => mapping(AccountId loser => Nomination)) internal _nominations;
    mapping(uint32 market => Ending) internal _endings;
    mapping(AccountId account => Sighting) internal _sightings;
    Loss internal _loss;
    mapping(uint32 market => Cover) internal _covers;

    uint256 internal immutable SCALE; // of a raw unit of collateral

    constructor(IOracle oracle_, address collateral_) {
        (oracle, collateral) = (oracle_, collateral_);
        SCALE = 10 ** (18 - IERC20Metadata(collateral_).decimals());
    }

    /* PRICES */

    function _quoteOf(uint32 market) internal view returns (Quote memory quote) {
        Pricing memory pricing = _pricing[market];
        Funding.Carry memory carry = _carries[market];
        quote.asset = pricing.asset;
        quote.fundingIndex = carry.indexOf();
        quote.maxLeverage = carry.maxLeverage;
        if (carry.ended) {
            _quoteEnd(market, pricing.amountStep, quote);
            return quote;
        }
        PriceStatus status;
        (quote.index, quote.indexTime, quote.earlier, status) = oracle.read(quote.asset);
        require(quote.index <= INDEX_MAX, IOracle.PriceTooHigh(quote.asset, quote.index));
        int256 basis = _basisNow(pricing);
        quote.mark = Funding.markOf(quote.index, basis);
        unchecked {
            quote.stale = status != PriceStatus.ACCEPTED
                || quote.indexTime + carry.indexAgeMax < block.timestamp;
            quote.markPerLot = quote.mark * pricing.amountStep / 1e18;
            quote.earlierPerLot = quote.earlier == quote.index
                ? quote.markPerLot
                : Funding.markOf(quote.earlier, basis) * pricing.amountStep / 1e18;
        }
    }

    /// The final prices of an ended market.
    function _quoteEnd(uint32 market, uint256 amountStep, Quote memory quote) private view {
        Ending storage ending = _endings[market];
        quote.ended = true;
        (quote.index, quote.mark) = (ending.index, ending.mark);
        quote.earlier = quote.index;
        quote.markPerLot = quote.earlierPerLot = quote.mark * amountStep / 1e18;
    }

    /// Reverts when `market` is unknown or has ended.
    function _requireLive(uint32 market) internal view {
        _listed(market);
        require(!_carries[market].ended, IPerpsEvents.MarketEnded(market));
    }

    function _basisNow(Pricing memory pricing) internal view returns (int256) {
        return uint32(block.timestamp) > pricing.pokedTime ? pricing.nextBasis : pricing.basis;
    }

    /// The hour in which the funding clock of a market on `asset` starts, and the mark that it
    /// accrues at: those of the asset's first price, if the market was listed before it. Zeros
    /// while there is none. The store records them with the price, so the start cannot be delayed.
    function _clockStart(bytes32 asset) internal view returns (uint32, uint120) {
        (uint256 price, uint256 time) = oracle.first(asset);
        return (uint32(time - time % Funding.HOUR), uint120(price));
    }

    /// Reverts unless a market can still trade when its price has fallen to a hundredth of the
    /// first index, and when it has risen to 16 times that.
    function _requireRoomToMove(uint32 market, uint256 index) internal view {
        uint256 tick = index / _priceStep(_markets[market].units);
        require(
            tick >= FIRST_TICK_MIN && tick <= FIRST_TICK_MAX,
            IPerpsEvents.FirstIndexOutOfRange(tick, FIRST_TICK_MIN, FIRST_TICK_MAX)
        );
    }

    /// Settles the hours of `market` that have ended, 24 at most, and returns its prices. Before
    /// the first price no hour ends.
    function _settleHours(uint32 market) internal returns (Quote memory quote) {
        quote = _quoteOf(market);
        if (quote.ended) return quote;
        Funding.Carry memory carry = _carries[market];
        if (carry.time == 0) {
            (carry.time, _activities[market].hourMark) = _clockStart(quote.asset);
            if (carry.time == 0) return quote;
            _requireRoomToMove(market, _activities[market].hourMark);
        }
        for (uint256 i = 0; i < SETTLED_HOURS_MAX && Funding.isOver(carry.time); i++) {
            Funding.Activity storage activity = _activities[market];
            int256 nextRate = Funding.rateOf(activity.premiumSum, activity.sampledSeconds);
            carry.cumulative += int128(carry.perSecond * int256(Funding.HOUR));
            carry.perSecond = Funding.perSecondOf(nextRate, quote.markPerLot);
            carry.time += uint32(Funding.HOUR);
            emit IPerpsEvents.FundingSettled(
                market,
                carry.time,
                activity.rate,
                activity.hourMark,
                carry.cumulative,
                nextRate,
                carry.perSecond
            );
            activity.sampledSeconds = 0;
            activity.premiumSum = 0;
            activity.rate = int64(nextRate);
            activity.hourMark = uint120(quote.mark);
        }
        _carries[market] = carry;
        quote.fundingIndex = Funding.indexOf(carry);
    }

    /* POSITIONS */

    function _store(
        uint32 market,
        AccountId account,
        Positions.Position memory position,
        Holding memory holding
    ) internal {
        _positions[market][account] = position;
        if (position.isEmpty()) holding.markets &= ~_bit(market);
        else holding.markets |= _bit(market);
        _holdings[account] = holding;
    }

    /// @inheritdoc Resting
    function _release(uint32 market, Book.Order memory order, Lots lots) internal override {
        Positions.Position storage position = _positions[market][order.account];
        if (order.isBuy()) position.bidLots = position.bidLots - lots;
        else position.askLots = position.askLots - lots;
        if (order.isReduceOnly()) _unreserve(market, order, lots);
        if (position.bidLots == NO_LOTS && position.askLots == NO_LOTS && position.lots == 0) {
            _holdings[order.account].markets &= ~_bit(market);
        }
    }

    function _unreserve(uint32 market, Book.Order memory order, Lots lots) internal {
        ReduceOnly storage resting = _reduceOnly[market][order.account];
        if (order.isBuy()) resting.bidLots = resting.bidLots - lots;
        else resting.askLots = resting.askLots - lots;
    }

    /* COLLATERAL */

    function _pay(AccountId account, int256 amount) internal {
        if (amount == 0) return;
        _holdings[account].collateral = Positions.toInt128(_holdings[account].collateral + amount);
    }

    /// Pays `amount` of the payer's collateral, rounded down to raw units of the token, to the
    /// caller's account if it has one. The caller checks what the payer can spare, and keeps no
    /// holding in memory across this call.
    function _reward(AccountId payer, uint256 amount) internal {
        AccountId account = AccountId.wrap(accounts.traderAccount(msg.sender));
        uint256 raw = amount / SCALE;
        if (account == NO_ACCOUNT || account == payer || raw == 0) return;
        _pay(payer, -int256(raw * SCALE));
        _pay(account, int256(raw * SCALE));
        emit ILedger.Transferred(
            AccountId.unwrap(payer), AccountId.unwrap(account), collateral, raw
        );
    }

    /// Rewards the caller with `amount`, as far as the fee account's collateral goes. Pays nothing
    /// while that account has positions or orders, which need its collateral.
    function _rewardFromFees(uint256 amount) internal {
        Holding storage fees = _holdings[FEE_ACCOUNT];
        if (fees.markets != 0 || fees.collateral <= 0) return;
        uint256 held = uint128(fees.collateral);
        _reward(FEE_ACCOUNT, amount < held ? amount : held);
    }

    /* MARGIN */

    /// The health of `account` with `holding`, with `position` in place of the stored one in market
    /// `here`. `here` 0: all positions from storage.
    function _health(
        AccountId account,
        Holding memory holding,
        uint32 here,
        Positions.Position memory position,
        Quote memory quote
    ) internal view returns (Health memory health) {
        health.equity = holding.collateral;
        uint256 markets = holding.markets;
        if (here != 0) {
            _add(health, position, quote);
            markets &= ~uint256(_bit(here));
        }
        while (markets != 0) {
            uint32 market = uint32(LibBit.ffs(markets)) + 1;
            markets &= markets - 1;
            uint256 free = _freeMemory();
            _add(health, _positions[market][account], _quoteOf(market));
            _freeAgain(free);
        }
    }

    function _add(Health memory health, Positions.Position memory position, Quote memory quote)
        internal
        pure
    {
        uint256 lots = Positions.abs(position.lots);
        uint256 leverage = _leverageOf(position.leverage, quote.maxLeverage);
        // At most 64 markets, each within the bounds stated in Positions. Half of a quotient that
        // was rounded up, rounded up, is the quotient by twice the divisor, rounded up.
        unchecked {
            uint256 exposure = position.exposure();
            uint256 value = exposure * quote.markPerLot;
            uint256 least = Positions.divUp(value, quote.maxLeverage);
            health.initialMargin += leverage == quote.maxLeverage
                ? least
                : Positions.divUp(value, leverage);
            health.exposureMargin += (least + 1) / 2;
            if (quote.earlierPerLot != quote.markPerLot) {
                health.moved += exposure
                    * Positions.abs(int256(quote.markPerLot) - int256(quote.earlierPerLot));
            }
            if (lots == 0) return;
            health.equity += position.equity(quote.markPerLot, quote.fundingIndex);
            if (exposure != lots) {
                value = lots * quote.markPerLot;
                least = Positions.divUp(value, quote.maxLeverage);
            }
            health.maintenanceMargin += (least + 1) / 2;
            health.notional += value;
        }
        if (!quote.stale) return;
        (health.staleAsset, health.staleTime) = (quote.asset, quote.indexTime);
        health.staleNotional += lots * quote.markPerLot;
    }

    function _leverageOf(uint256 leverage, uint256 maximum) internal pure returns (uint256) {
        return leverage == 0 || leverage > maximum ? maximum : leverage;
    }

    function _requireFresh(Health memory health) internal pure {
        require(
            health.staleAsset == 0, IPerpsEvents.IndexStale(health.staleAsset, health.staleTime)
        );
    }

    /// Reverts when the index is too old, or in doubt.
    function _requireFresh(Quote memory quote) internal pure {
        require(!quote.stale, IPerpsEvents.IndexStale(quote.asset, quote.indexTime));
    }

    function _requireMargin(int256 equity, uint256 required) internal pure {
        require(equity >= int256(required), IPerpsEvents.MarginTooLow(equity, required));
    }

    /// Returns whether an account that only closes has the maintenance margin of the positions its
    /// orders may lead to plus the move of this second, or a higher ratio of equity to that margin
    /// than before. Its orders count: otherwise it could lose their backing to a colluding account,
    /// and leave worthless quotes. So does the move: otherwise it could lose equity that it has
    /// only at this second's price to a colluding account, and owe it when the price returns.
    function _isBetter(Health memory health, int256 equityBefore, uint256 marginBefore)
        internal
        pure
        returns (bool)
    {
        return health.equity >= int256(_closingMargin(health))
            || health.equity * int256(marginBefore) > equityBefore * int256(health.exposureMargin);
    }

    /// The margin required of an account that only closes.
    function _closingMargin(Health memory health) internal pure returns (uint256) {
        unchecked {
            return health.exposureMargin + health.moved; // of at most 64 markets, as in _add
        }
    }

    /// The health of an account as it is stored.
    function _storedHealth(AccountId account) internal view returns (Health memory) {
        Positions.Position memory none;
        Quote memory noQuote;
        return _health(account, _holdings[account], 0, none, noQuote);
    }

    function _bit(uint32 market) internal pure returns (uint64) {
        return uint64(1) << (market - 1);
    }

    /// Sets the limits of insurance's position and loss in a market.
    function _setCover(uint32 market, Cover memory cover) internal {
        _covers[market] = cover;
        emit IPerpsEvents.CoverSet(market, cover.maxNotional, cover.lossBps);
    }
}
