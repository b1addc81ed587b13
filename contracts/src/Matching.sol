// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibCall} from "solady/utils/LibCall.sol";
import {Book} from "./Book.sol";
import {Decimals} from "./Decimals.sol";
import {Resting} from "./Resting.sol";
import {Ticks} from "./Ticks.sol";
import {NO_LOTS, AccountId, Lots, Tick} from "./ValueTypes.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "./interfaces/IBook.sol";
import {IMarkets} from "./interfaces/IMarkets.sol";

/// Matches a taker order against the resting levels and rests what is left. It handles lots and
/// ticks, never money.
///
/// An engine adds the money with four hooks, called in this order during a placement:
///   _admit    once, before anything is written: refuse the order, or cut its lots (reduce-only) or
///             its reach (price band).
///   _fill     per maker met: settle `lots` between maker and taker, emit the engine's Filled,
///             release what the maker had reserved for them. The engine may fill fewer lots than
///             offered if it returns that the maker is to be dropped (its margin is gone, its
///             reduce-only part is used up): Matching then cancels the rest of the maker's order
///             with the given reason, which calls _release.
///   _release  per order or part of one that leaves the book unfilled (also on cancel, reduce,
///             sweep): give back what was reserved for `lots`. `order.lots` is what it had before.
///   _settle   once, after the book is final: charge the taker for `taking.filled` and
///             `taking.quote` (or do so in each _fill), reserve for the `rested` lots, then check
///             margin last.
/// Hooks must not change the book and must make no external calls except to trusted views. So the
/// external functions here need no lock of their own; they only refuse to run inside a token's
/// callback.
abstract contract Matching is IBook, Resting {
    using Book for Book.Market;
    using Book for Book.Order;
    using Ticks for Ticks.Set;

    /// The maximum number of makers that a placement fills, or drops for lack of margin, which
    /// costs as much as a fill.
    uint256 public constant FILLS_MAX = 100;
    /// The maximum number of orders that a placement drops on sight because they cannot trade:
    /// expired ones, the taker's own, and reduce-only ones without a position. One more ends the
    /// placement. They have a separate limit, so that they do not keep a taker from the orders
    /// behind them.
    uint256 internal constant DROPS_MAX = 100;
    /// The minimum life of a resting order with a good-til time: it must risk a fill before it
    /// becomes an obstacle.
    uint256 internal constant RESTING_SECONDS_MIN = 5;

    /// An order on its way through the book. Memory only.
    struct Taking {
        uint32 market;
        AccountId account;
        uint40 order;
        bool buy;
        bool reduceOnly;
        bool postOnly;
        Tick tick; // limit
        Tick reach; // worst tick it may trade at: its limit, unless _admit narrows it
        Lots lots; // as admitted
        Lots left; // not filled
        Lots filled;
        uint256 minimum; // minimum value that may rest, quote raw
        uint256 fillsLeft;
        uint256 dropsLeft;
        uint256 quote; // quote raw, sum over fills
        uint256 quotePerLotTick;
        uint256 amountStep;
        uint32 baseToken;
        uint32 quoteToken;
        uint256 gasLeast; // matching stops when less is left; 0 unless _admit sets it
        uint256 context; // memory pointer to the engine's own record of this placement
    }

    /* PLACING */

    /// @inheritdoc IBook
    function place(OrderRequest calldata request) external nonReadReentrant returns (uint40) {
        return _place(_trader(), request, 0, 0);
    }

    /// Matches and rests an order for `account`. `ref` is the digest of a signed order, else zero.
    /// `gone` is the number of lots already lost before placement: an order that has lost all of
    /// them is placed and cancelled.
    function _place(AccountId account, OrderRequest memory request, bytes32 ref, uint256 gone)
        internal
        returns (uint40)
    {
        Book.Market storage market = _markets[request.market];
        Book.State memory state = market.state;
        Book.Units memory units = market.units;
        _check(state, units, request);
        Book.startSecond(state);
        Taking memory taking = _takingOf(account, state, units, request);
        if (gone < Lots.unwrap(taking.lots)) {
            taking.lots = taking.lots - Lots.wrap(uint64(gone));
        }
        taking.lots = taking.left = _admit(taking);
        _announce(taking, request, ref);
        if (gone >= Lots.unwrap(request.lots)) _withhold(taking);
        while (
            taking.left != NO_LOTS && taking.fillsLeft != 0
                && _crosses(state, taking, taking.reach)
        ) {
            _takeLevel(market, state, taking);
        }
        Lots rested = taking.left == NO_LOTS ? NO_LOTS : _finish(market, state, taking, request);
        // A signed order is placed once: this one may be sent again once it can trade.
        if (rested == NO_LOTS && taking.filled == NO_LOTS) {
            require(ref == 0 || taking.fillsLeft != 0, NobodyMet());
        }
        Book.save(market.state, state);
        _settle(taking, rested);
        return taking.order;
    }

    function _announce(Taking memory taking, OrderRequest memory request, bytes32 ref) private {
        emit Placed(
            taking.market,
            AccountId.unwrap(taking.account),
            taking.order,
            taking.buy,
            Tick.unwrap(taking.tick),
            Lots.unwrap(taking.lots),
            request.timeInForce,
            taking.reduceOnly,
            request.goodTil,
            ref
        );
    }

    function _check(Book.State memory state, Book.Units memory units, OrderRequest memory request)
        private
        view
    {
        require(units.amountStep != 0, IMarkets.MarketUnknown(request.market));
        require(!units.halted || request.reduceOnly, MarketHalted(request.market));
        require(
            request.tick != Ticks.NONE_BELOW && request.tick != Ticks.NONE_ABOVE,
            TickOutOfRange(Tick.unwrap(request.tick))
        );
        require(request.lots != NO_LOTS, LotsZero());
        uint256 earliest = block.timestamp + (_mayRest(request) ? RESTING_SECONDS_MIN : 0);
        require(
            request.goodTil == 0 || request.goodTil >= earliest,
            GoodTilTooEarly(request.goodTil, earliest)
        );
        uint256 value = _value(request.lots, request.tick, units.quotePerLotTick);
        uint256 minimum = Decimals.unpack(state.minOrderFloat);
        // A small position must be closable.
        bool mayBeSmall = request.reduceOnly && !_mayRest(request);
        require(value >= minimum || mayBeSmall, OrderValueBelowMinimum(value, minimum));
        uint256 maximum = Decimals.unpack(state.maxOrderFloat);
        require(value <= maximum || request.reduceOnly, OrderValueAboveMaximum(value, maximum));
    }

    /// Keeps an order from trading and from resting.
    function _withhold(Taking memory taking) private pure {
        taking.tick = taking.reach = taking.buy ? Ticks.NONE_BELOW : Ticks.NONE_ABOVE;
        taking.minimum = type(uint256).max;
    }

    function _mayRest(OrderRequest memory request) private pure returns (bool) {
        return
            request.timeInForce == TimeInForce.GTC || request.timeInForce == TimeInForce.POST_ONLY;
    }

    function _takingOf(
        AccountId account,
        Book.State memory state,
        Book.Units memory units,
        OrderRequest memory request
    ) private pure returns (Taking memory taking) {
        taking.market = request.market;
        taking.account = account;
        taking.order = Book.number(state);
        taking.buy = request.buy;
        taking.reduceOnly = request.reduceOnly;
        taking.postOnly = request.timeInForce == TimeInForce.POST_ONLY;
        taking.tick = taking.reach = request.tick;
        taking.fillsLeft =
            request.maxFills == 0 || request.maxFills > FILLS_MAX ? FILLS_MAX : request.maxFills;
        taking.dropsLeft = DROPS_MAX;
        taking.minimum = Decimals.unpack(state.minOrderFloat);
        taking.quotePerLotTick = units.quotePerLotTick;
        taking.amountStep = units.amountStep;
        (taking.baseToken, taking.quoteToken) = (units.base, units.quote);
        taking.lots = request.lots;
    }

    /// Rests the unfilled part, or cancels it with the reason why it cannot rest.
    function _finish(
        Book.Market storage market,
        Book.State memory state,
        Taking memory taking,
        OrderRequest memory request
    ) private returns (Lots) {
        if (request.timeInForce == TimeInForce.FOK) {
            revert FillOrKillUnfillable(Lots.unwrap(taking.lots), Lots.unwrap(taking.filled));
        }
        Reason reason = _reasonOf(state, taking, request);
        if (reason != Reason.USER) {
            emit Cancelled(
                taking.market,
                AccountId.unwrap(taking.account),
                taking.order,
                Lots.unwrap(taking.left),
                reason
            );
            return NO_LOTS;
        }
        Book.Order memory order;
        order.account = taking.account;
        order.lots = taking.left;
        order.tick = taking.tick;
        order.flags = (taking.buy ? Book.BUY : 0) | (taking.reduceOnly ? Book.REDUCE_ONLY : 0);
        order.goodTil = request.goodTil;
        market.rest(state, taking.order, order);
        return taking.left;
    }

    /// The reason why the unfilled part of an order does not rest; USER, which is not such a
    /// reason, if it does. Only the limits on fills and drops, or a reach short of the limit price,
    /// leave an order that still crosses. A part below the minimum would obstruct everyone.
    function _reasonOf(Book.State memory state, Taking memory taking, OrderRequest memory request)
        private
        pure
        returns (Reason)
    {
        if (_crosses(state, taking, taking.reach)) return Reason.FILL_LIMIT;
        if (_crosses(state, taking, taking.tick)) return Reason.PRICE_BAND;
        if (!_mayRest(request)) return Reason.IOC_REMAINDER;
        return _isSmall(taking, taking.left, taking.tick) ? Reason.BELOW_MINIMUM : Reason.USER;
    }

    function _isSmall(Taking memory taking, Lots lots, Tick tick) private pure returns (bool) {
        return _value(lots, tick, taking.quotePerLotTick) < taking.minimum;
    }

    /* MATCHING */

    function _crosses(Book.State memory state, Taking memory taking, Tick tick)
        private
        pure
        returns (bool)
    {
        return taking.buy ? tick >= state.bestAsk : tick <= state.bestBid;
    }

    /// Trades with the orders of the best opposite level from its head; moves the best tick when it
    /// is empty.
    function _takeLevel(Book.Market storage market, Book.State memory state, Taking memory taking)
        private
    {
        Tick tick = taking.buy ? state.bestAsk : state.bestBid;
        Book.Level memory level = market.levels[tick];
        uint256 free = _freeMemory();
        while (taking.left != NO_LOTS && taking.fillsLeft != 0 && level.count != 0) {
            uint40 id = level.head;
            Book.Order memory maker = market.orders[id];
            Lots gone = _meet(taking, id, maker);
            if (gasleft() < taking.gasLeast) taking.fillsLeft = 0;
            level.lots -= Lots.unwrap(gone);
            if (gone == maker.lots) {
                delete market.orders[id];
                level.head = maker.next;
                level.count -= 1;
            } else {
                market.orders[id].lots = maker.lots - gone;
            }
            _freeAgain(free);
        }
        if (level.count != 0) {
            Book.save(market.levels[tick], level);
            return;
        }
        market.empty(tick);
        if (taking.buy) state.bestAsk = market.ticks.above(tick);
        else state.bestBid = market.ticks.below(tick);
    }

    /// Trades with one maker. Returns the lots that leave the book, filled or dropped.
    function _meet(Taking memory taking, uint40 id, Book.Order memory maker)
        private
        returns (Lots)
    {
        if (maker.isExpired()) {
            return _dropOnSight(taking, id, maker, Reason.EXPIRED);
        }
        if (maker.account == taking.account) {
            _requireTaker(taking, maker);
            return _dropOnSight(taking, id, maker, Reason.SELF_TRADE);
        }
        Lots offered = maker.lots < taking.left ? maker.lots : taking.left;
        taking.fillsLeft -= 1;
        (Lots filled, bool dropped, Reason reason) = _fill(taking, id, maker, offered);
        if (filled == NO_LOTS && reason == Reason.REDUCE_ONLY_CAPPED) {
            taking.fillsLeft += 1;
            return _dropOnSight(taking, id, maker, reason);
        }
        taking.left = taking.left - filled;
        taking.filled = taking.filled + filled;
        taking.quote += _value(filled, maker.tick, taking.quotePerLotTick);
        Lots rest = maker.lots - filled;
        if (rest == NO_LOTS) return filled;
        if (!dropped) {
            if (!_isSmall(taking, rest, maker.tick)) return filled;
            reason = Reason.BELOW_MINIMUM;
        }
        _drop(taking.market, id, maker, rest, reason);
        return maker.lots;
    }

    /// Reverts for a post-only order, which must not trade.
    function _requireTaker(Taking memory taking, Book.Order memory maker) internal pure {
        require(
            !taking.postOnly, PostOnlyWouldCross(Tick.unwrap(taking.tick), Tick.unwrap(maker.tick))
        );
    }

    function _dropOnSight(Taking memory taking, uint40 id, Book.Order memory maker, Reason reason)
        private
        returns (Lots)
    {
        if (taking.dropsLeft == 0) taking.fillsLeft = 0;
        else taking.dropsLeft -= 1;
        _drop(taking.market, id, maker, maker.lots, reason);
        return maker.lots;
    }

    /* LEAVING THE BOOK */

    /// @inheritdoc IBook
    function cancel(uint32 market, uint40 order) external nonReadReentrant {
        _pull(market, order, _ownOrder(market, order), Reason.USER);
    }

    /// @inheritdoc IBook
    function cancelAll(uint32 market, uint40[] calldata orders)
        external
        nonReadReentrant
        returns (uint256 cancelled)
    {
        return _cancelOf(_trader(), market, orders);
    }

    /// @inheritdoc IBook
    function cancelFor(uint32 market, uint40 account, uint40[] calldata orders)
        external
        nonReadReentrant
        returns (uint256 cancelled)
    {
        require(
            block.timestamp < accounts.cancellerExpiry(account, msg.sender),
            NotCanceller(account, msg.sender)
        );
        return _cancelOf(AccountId.wrap(account), market, orders);
    }

    function _cancelOf(AccountId account, uint32 market, uint40[] calldata orders)
        private
        returns (uint256 cancelled)
    {
        for (uint256 i = 0; i < orders.length; i++) {
            if (_cancelIfOwn(account, market, orders[i]) != NO_LOTS) cancelled += 1;
        }
    }

    /// Cancels an order if it rests and is the account's. Returns its lots, else none.
    function _cancelIfOwn(AccountId account, uint32 market, uint40 id) internal returns (Lots) {
        Book.Order memory order = _markets[market].orders[id];
        if (order.lots == NO_LOTS || order.account != account) return NO_LOTS;
        _pull(market, id, order, Reason.USER);
        return order.lots;
    }

    /* BATCHES */

    /// @inheritdoc IBook
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = LibCall.delegateCallContract(address(this), calls[i]);
        }
    }

    /* HOOKS OF THE ENGINE */

    /// Reverts to reject an order, or returns how many of `taking.lots` it may trade (at least
    /// one).
    function _admit(Taking memory taking) internal virtual returns (Lots lots);

    /// Settles up to `offered` lots between taker and maker at the maker's tick and emits Filled
    /// for the settled lots. Must call `_requireTaker` before it settles any, but not for a maker
    /// that it drops: a post-only order is not rejected because of orders that cannot trade. Must
    /// fill all of `offered`, or return that the maker is to be dropped, and why.
    function _fill(Taking memory taking, uint40 makerOrder, Book.Order memory maker, Lots offered)
        internal
        virtual
        returns (Lots filled, bool dropped, Reason reason);

    /// Charges the taker for its fills, reserves for the `rested` lots, and checks margin.
    function _settle(Taking memory taking, Lots rested) internal virtual;
}
