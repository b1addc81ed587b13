// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibBit} from "solady/utils/LibBit.sol";
import {Book} from "./Book.sol";
import {Funding} from "./Funding.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {NO_LOTS, AccountId, Lots, Tick} from "./ValueTypes.sol";
import {OrderRequest, Reason, TimeInForce} from "./interfaces/IBook.sol";
import {IPerpsEvents} from "./interfaces/IPerps.sol";

/// The function of Perps that places an order for somebody else's account.
interface IPlaceFor {
    function placeFor(uint40 account, OrderRequest calldata request)
        external
        returns (uint40 order);
}

/// Holds what every kind of forced close shares: whether an account's margin is gone, how much of
/// its equity belongs to which lots, and trades off the book.
abstract contract Distressed is IPerpsEvents, PerpsState {
    using Book for Book.Order;
    using Positions for Positions.Position;

    /// A position that is about to be closed by force.
    struct Distress {
        AccountId account;
        uint32 market;
        int64 lots;
        Health health; // of the account, before
        Health favoured; // that decides whether it may be closed by force
        Quote quote;
        uint256 margin; // the position's part of the maintenance margin
        uint256 slice; // lots that may be closed before a pause; 0 for no limit
    }

    /// The prices that positions are valued at when their account may be below its margin.
    enum Prices {
        MARK,
        BEST, // for the position's owner: of mark and index, now and before this second
        EARLIER // the better for its owner of mark and index before this second
    }

    uint256 internal constant REWARD_MAX = 10e18;
    uint256 private constant REWARD_MILLIONTHS = 200; // 2 basis points of the notional

    /* CONDITIONS */

    /// Settles the ended hours of all the account's markets, then reads the position, so that the
    /// account's health does not depend on which markets were poked. Reverts when the position is
    /// empty or its index stale.
    function _distressOf(AccountId account, uint32 market)
        internal
        returns (Distress memory distress)
    {
        _requireLive(market);
        _settleAll(account);
        distress.account = account;
        distress.market = market;
        distress.quote = _quoteOf(market);
        distress.health = _distressHealth(account);
        distress.favoured = _favouredHealth(account);
        distress.lots = _positions[market][account].lots;
        uint256 lots = Positions.abs(distress.lots);
        require(
            lots != 0,
            NotLiquidatable(
                AccountId.unwrap(account),
                distress.health.equity,
                distress.health.maintenanceMargin
            )
        );
        require(!distress.quote.stale, IndexStale(distress.quote.asset, distress.quote.indexTime));
        distress.margin = _maintenanceOf(lots, distress.quote);
    }

    function _settleAll(AccountId account) internal {
        uint256 markets = _holdings[account].markets;
        while (markets != 0) {
            uint32 market = uint32(LibBit.ffs(markets)) + 1;
            markets &= markets - 1;
            if (Funding.hourHasEnded(_carries[market])) _settleHours(market);
        }
    }

    /// The health that amounts of a forced close are computed from: a position on a stale index
    /// counts as if its mark were 50% better for its owner, and needs no margin. A large loss stays
    /// visible. So an account in distress by this measure
    /// is so by every other, and no position in a dead asset shields those that can be closed.
    function _distressHealth(AccountId account) internal view returns (Health memory) {
        return _healthAt(account, Prices.MARK);
    }

    /// The health that decides whether an account is closed by force. Each position counts at the
    /// best for its owner of mark and index, now and before this second: several prices may be
    /// reported in one transaction, and at one that nobody else has seen nobody loses a position;
    /// nor does anybody whose margin is there at the index, whatever a thin book says.
    function _favouredHealth(AccountId account) internal view returns (Health memory) {
        return _healthAt(account, Prices.BEST);
    }

    /// The health that decides whether an account's orders count as depth. Prices of this second do
    /// not count, since a caller may bring one that keeps the orders for a single sample. A stale
    /// index does not favour its positions, since a report that is held makes an index stale at
    /// once.
    function _backingHealth(AccountId account) internal view returns (Health memory) {
        return _healthAt(account, Prices.EARLIER);
    }

    function _healthAt(AccountId account, Prices prices)
        private
        view
        returns (Health memory health)
    {
        health.equity = _holdings[account].collateral;
        uint256 markets = _holdings[account].markets;
        while (markets != 0) {
            uint32 market = uint32(LibBit.ffs(markets)) + 1;
            markets &= markets - 1;
            uint256 free = _freeMemory();
            _addAt(health, market, _positions[market][account], prices);
            _freeAgain(free);
        }
    }

    function _addAt(
        Health memory health,
        uint32 market,
        Positions.Position memory position,
        Prices prices
    ) private view {
        Quote memory quote = _quoteOf(market);
        if (prices == Prices.EARLIER) {
            (quote.index, quote.markPerLot) = (quote.earlier, quote.earlierPerLot);
        } else if (quote.stale) {
            if (position.lots != 0) health.equity += _favouredEquity(position, quote);
            return;
        }
        if (prices != Prices.MARK && !quote.ended) {
            quote.markPerLot = _bestPerLot(market, quote, position.lots > 0);
        }
        _add(health, position, quote);
    }

    /// The highest of mark and index, now and before this second, per lot; for a short the lowest.
    function _bestPerLot(uint32 market, Quote memory quote, bool long)
        internal
        view
        returns (uint256 best)
    {
        uint256 step = _pricing[market].amountStep;
        uint256[3] memory others =
            [quote.earlierPerLot, quote.index * step / 1e18, quote.earlier * step / 1e18];
        best = quote.markPerLot;
        for (uint256 i = 0; i < 3; i++) {
            if (others[i] > best == long) best = others[i];
        }
    }

    function _favouredEquity(Positions.Position memory position, Quote memory quote)
        private
        pure
        returns (int256)
    {
        uint256 favour = quote.markPerLot / STALE_DIVISOR;
        uint256 markPerLot =
            position.lots > 0 ? quote.markPerLot + favour : quote.markPerLot - favour;
        return position.equity(markPerLot, quote.fundingIndex);
    }

    /// Whether the account has no longer the maintenance margin of what its positions are once its
    /// orders have filled. Its orders are worth nothing then: they only look like depth.
    function _isBelow(Health memory health) internal pure returns (bool) {
        return health.equity < int256(health.exposureMargin);
    }

    /// Below two thirds of its maintenance margin an account's position is not offered to the book
    /// any more.
    function _isFarBelow(Health memory health) internal pure returns (bool) {
        return health.equity * 3 < int256(health.maintenanceMargin) * 2;
    }

    function _hasPosition(AccountId account) internal view returns (bool) {
        uint256 markets = _holdings[account].markets;
        while (markets != 0) {
            uint32 market = uint32(LibBit.ffs(markets)) + 1;
            markets &= markets - 1;
            if (_positions[market][account].lots != 0) return true;
        }
        return false;
    }

    /* SHARES */

    function _maintenanceOf(uint256 lots, Quote memory quote) internal pure returns (uint256) {
        return Positions.divUp(lots * quote.markPerLot, 2 * quote.maxLeverage);
    }

    /// The equity that leaves with `lots` of the position: what keeps the account's ratio of equity
    /// to margin, rounded in the account's favour.
    function _shareOf(Distress memory distress, uint256 lots) internal pure returns (int256) {
        uint256 left = _maintenanceOf(Positions.abs(distress.lots) - lots, distress.quote);
        uint256 marginLeft = distress.health.maintenanceMargin - distress.margin + left;
        return distress.health.equity - _equityKept(distress.health, marginLeft);
    }

    /// The equity that keeps the ratio of before at a margin of `marginLeft`, rounded up.
    function _equityKept(Health memory health, uint256 marginLeft) internal pure returns (int256) {
        if (marginLeft == 0) return 0; // at a mark of zero the margin of before is 0, too
        return Positions.ceilDiv(health.equity * int256(marginLeft), health.maintenanceMargin);
    }

    /* ORDERS */

    /// The lots of an order that can never trade although it has not expired: those by which the
    /// reduce-only orders of the account's side exceed what its position can close.
    function _excessOf(uint32 market, Book.Order memory order)
        internal
        view
        virtual
        returns (Lots)
    {
        if (!order.isReduceOnly()) return NO_LOTS;
        ReduceOnly storage resting = _reduceOnly[market][order.account];
        Lots reserved = order.isBuy() ? resting.bidLots : resting.askLots;
        Lots closable = _positions[market][order.account].closable(order.isBuy());
        if (reserved <= closable) return NO_LOTS;
        return reserved - closable < order.lots ? reserved - closable : order.lots;
    }

    /* TRADES */

    /// Whether an order at `tick` meets one; NONE_BELOW: none is possible.
    function _crosses(uint32 market, bool buy, Tick tick) internal view returns (bool) {
        Book.State storage state = _markets[market].state;
        return tick != Ticks.NONE_BELOW && (buy ? tick >= state.bestAsk : tick <= state.bestBid);
    }

    /// The worst tick at which a lot trades at `perLot` or better, as far as ticks go.
    function _tickWithin(uint32 market, bool buy, uint256 perLot) internal view returns (Tick) {
        uint256 unit = _markets[market].units.quotePerLotTick;
        uint256 steps = buy ? perLot / unit : Positions.divUp(perLot, unit);
        if (steps < Tick.unwrap(Ticks.NONE_ABOVE)) return Tick.wrap(uint24(steps));
        return buy ? Ticks.HIGHEST : Ticks.NONE_ABOVE;
    }

    /// Places a forced order that closes up to `lots` of the account's position, and returns how
    /// many it closed. The account's own reduce-only orders, of which any number may rest, must not
    /// reserve the position against it, so their reservation is lifted meanwhile.
    function _closeForced(uint32 market, AccountId account, Tick tick, Lots lots)
        internal
        returns (uint256)
    {
        OrderRequest memory request;
        (request.market, request.tick, request.lots) = (market, tick, lots);
        (request.timeInForce, request.reduceOnly) = (TimeInForce.IOC, true);
        int64 before = _positions[market][account].lots;
        bool buy = request.buy = before < 0;
        ReduceOnly storage resting = _reduceOnly[market][account];
        Lots reserved = buy ? resting.bidLots : resting.askLots;
        if (reserved != NO_LOTS) _reserve(resting, buy, NO_LOTS);
        IPlaceFor(address(this)).placeFor(AccountId.unwrap(account), request);
        if (reserved != NO_LOTS) _reserve(resting, buy, reserved);
        return Positions.abs(before - _positions[market][account].lots);
    }

    function _reserve(ReduceOnly storage resting, bool buy, Lots lots) private {
        if (buy) resting.bidLots = lots;
        else resting.askLots = lots;
    }

    function _signed(Distress memory distress, uint256 count) internal pure returns (int64) {
        return distress.lots > 0 ? int64(uint64(count)) : -int64(uint64(count));
    }

    /// Cancels those of `orders` that are the account's and passes over the others.
    function _cancelNamed(AccountId account, uint32 market, uint40[] calldata orders) internal {
        for (uint256 i = 0; i < orders.length; i++) {
            Book.Order memory order = _markets[market].orders[orders[i]];
            if (order.lots != NO_LOTS && order.account == account) {
                _pull(market, orders[i], order, Reason.LIQUIDATION);
            }
        }
    }

    /// Trades `lots` of the position of `between[0]` to `between[1]` at `unit` of quote each, off
    /// the book. Both pay their funding first.
    function _tradeOffBook(uint32 market, AccountId[2] memory between, int64 lots, int256 unit)
        internal
    {
        int256 fundingIndex = Funding.indexOf(_carries[market]);
        Positions.Position memory own = _positions[market][between[0]];
        Positions.Position memory other = _positions[market][between[1]];
        int256 long = own.long() + other.long();
        _storeTrade(market, between[0], own, own.fill(-int256(lots), unit, fundingIndex));
        _storeTrade(market, between[1], other, other.fill(lots, unit, fundingIndex));
        Funding.Activity storage activity = _activities[market];
        int256 change = own.long() + other.long() - long;
        activity.openInterest = uint64(uint256(int256(uint256(activity.openInterest)) + change));
    }

    /// Stores a position that a trade has changed, and what it paid.
    function _storeTrade(
        uint32 market,
        AccountId account,
        Positions.Position memory position,
        int256 cash
    ) private {
        Holding memory holding = _holdings[account];
        holding.collateral = Positions.toInt128(holding.collateral + cash);
        _store(market, account, position, holding);
    }

    /* REWARDS */

    /// What a forced trade of `notional` pays its caller at least: at most half of the fees that
    /// both sides of such a trade on the book pay, so that opening positions only to have them
    /// closed does not pay.
    function _tradeReward(uint32 market, uint256 notional) internal view returns (uint256) {
        Limits storage limits = _limits[market];
        uint256 rate = uint256(int256(limits.makerFee) + limits.takerFee) / 2;
        if (rate > REWARD_MILLIONTHS) rate = REWARD_MILLIONTHS;
        uint256 reward = notional * rate / Positions.FEE_UNIT;
        return reward < REWARD_MAX ? reward : REWARD_MAX;
    }
}
