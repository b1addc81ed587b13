// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ticks} from "./Ticks.sol";
import {AccountId, Lots, Tick} from "./ValueTypes.sol";

/// Keeps the resting orders of one market: levels by tick, and in each level a queue in order of
/// arrival. The callers handle permissions, matching and money (Matching.sol and the engines).
///
/// Bids and asks share the levels and the tick set, since every bid's tick is below every ask's. A
/// queue is a doubly linked list whose outer links are stale: `prev` of the head and `next` of the
/// tail are undefined, so that removing an order from either end writes no neighbour.
library Book {
    using Ticks for Ticks.Set;

    uint8 internal constant BUY = 1;
    uint8 internal constant REDUCE_ONLY = 2;
    // A mid that lasts this long moves the average halfway to it.
    uint256 private constant AVERAGE_SECONDS = 60;
    uint256 internal constant AVERAGE_UNIT = 256; // of a tick

    /// One slot. `lots` is above zero exactly while the order rests.
    struct Order {
        AccountId account;
        Lots lots;
        uint40 prev;
        uint40 next;
        Tick tick;
        uint8 flags;
        uint40 goodTil;
    }

    /// One slot. `lots` and `count` are sums over the queue; a level without orders is all zero.
    struct Level {
        uint40 head;
        uint40 tail;
        uint96 lots; // 2^32 orders of 2^64 lots fit
        uint32 count;
    }

    /// One slot, read and written once per placement, and when a best tick changes.
    struct State {
        uint40 nextOrder;
        Tick bestBid; // Ticks.NONE_BELOW without bids
        Tick bestAsk; // Ticks.NONE_ABOVE without asks
        uint40 minOrderFloat; // see Decimals
        uint40 maxOrderFloat;
        uint32 changedTime; // second of the last write; `averageTick` counts up to it
        uint24 freshOrders; // placed in that second
        uint32 averageTick; // average of the mids, in 256ths of a tick; 0 before the first mid
    }

    /// `State` as `stateOf` returns it, in plain integers: the bounds of an order's value are in
    /// quote raw, inclusive.
    struct StateView {
        uint40 nextOrder;
        uint24 bestBid;
        uint24 bestAsk;
        uint128 minOrderValue;
        uint128 maxOrderValue;
        uint32 changedTime;
        uint24 freshOrders;
        uint32 averageTick;
    }

    /// One slot that only listing and halting write, so that a cancel reads no other. `base` and
    /// `quote` are token numbers of the ledger, zero if the engine does not use them.
    struct Units {
        uint64 quotePerLotTick; // quote raw for one lot at one tick, exact
        uint96 amountStep; // base raw for one lot; never zero once listed
        uint32 base;
        uint32 quote;
        bool halted;
        uint8 baseDecimals; // of the base's raw units; 18 at perpetuals
    }

    struct Market {
        State state;
        Units units;
        Ticks.Set ticks;
        mapping(Tick tick => Level) levels;
        mapping(uint40 number => Order) orders;
    }

    function isBuy(Order memory order) internal pure returns (bool) {
        return order.flags & BUY != 0;
    }

    function isReduceOnly(Order memory order) internal pure returns (bool) {
        return order.flags & REDUCE_ONLY != 0;
    }

    /// An order may still trade in the second of its good-til time.
    function isExpired(Order memory order) internal view returns (bool) {
        return order.goodTil != 0 && order.goodTil < block.timestamp;
    }

    /* TIME */

    /// Adds the mid that has lasted until now to the average. Callers run it before the first
    /// change of a book in a second, so changes within a second do not affect the average up to
    /// that second.
    function startSecond(State memory state) internal view {
        if (state.changedTime == uint32(block.timestamp)) return;
        state.averageTick = averageOf(state);
        state.changedTime = uint32(block.timestamp);
        state.freshOrders = 0;
    }

    /// The time-weighted average, up to now, of the mids between best bid and best ask, in 256ths
    /// of a tick. A mid that lasts t seconds moves it t / (t + 60) of the way, rounded up so that
    /// it arrives. It does not change while a side is empty. 0 before the first mid.
    function averageOf(State memory state) internal view returns (uint32) {
        (Tick bid, Tick ask, uint256 average) = (state.bestBid, state.bestAsk, state.averageTick);
        // Ticks have 24 bits and times 32.
        unchecked {
            uint256 elapsed = uint32(block.timestamp) - state.changedTime;
            if (elapsed == 0 || bid == Ticks.NONE_BELOW || ask == Ticks.NONE_ABOVE) {
                return uint32(average);
            }
            uint256 mid = (uint256(Tick.unwrap(bid)) + Tick.unwrap(ask)) * (AVERAGE_UNIT / 2);
            if (average == 0) return uint32(mid);
            if (mid < average) return uint32(average - _partUp(average - mid, elapsed));
            return uint32(average + _partUp(mid - average, elapsed));
        }
    }

    function _partUp(uint256 distance, uint256 elapsed) private pure returns (uint256) {
        unchecked {
            return
                (distance * elapsed + elapsed + AVERAGE_SECONDS - 1) / (elapsed + AVERAGE_SECONDS);
        }
    }

    /// The number of the first order that was placed in this second; of the next order when none
    /// was.
    function firstFresh(State memory state) internal view returns (uint40) {
        return state.changedTime == uint32(block.timestamp)
            ? state.nextOrder - state.freshOrders
            : state.nextOrder;
    }

    /// Returns the number of a new order. Call `startSecond` first.
    function number(State memory state) internal pure returns (uint40) {
        if (state.freshOrders != type(uint24).max) state.freshOrders += 1;
        return state.nextOrder++;
    }

    /* ORDERS */

    /// Puts `order` at the end of its level's queue. Its tick must not cross. Updates the best
    /// ticks in `state`, which the caller stores.
    function rest(Market storage market, State memory state, uint40 id, Order memory order)
        internal
    {
        Level memory level = market.levels[order.tick];
        if (level.count == 0) {
            market.ticks.add(order.tick);
            level.head = id;
            if (isBuy(order)) {
                if (order.tick > state.bestBid) state.bestBid = order.tick;
            } else if (order.tick < state.bestAsk) {
                state.bestAsk = order.tick;
            }
        } else {
            market.orders[level.tail].next = id;
            order.prev = level.tail;
        }
        level.tail = id;
        // No level ever holds 2^32 orders, so neither sum overflows.
        unchecked {
            level.lots += Lots.unwrap(order.lots);
            level.count += 1;
        }
        save(market.levels[order.tick], level);
        save(market.orders[id], order);
    }

    /// Removes a resting order from its queue.
    function pull(Market storage market, uint40 id, Order memory order) internal {
        Level memory level = market.levels[order.tick];
        delete market.orders[id];
        if (level.count == 1) {
            empty(market, order.tick);
            _leave(market, order.tick);
            return;
        }
        if (id == level.head) {
            level.head = order.next;
        } else if (id == level.tail) {
            level.tail = order.prev;
        } else {
            market.orders[order.prev].next = order.next;
            market.orders[order.next].prev = order.prev;
        }
        // Both are sums over the queue, so they include this order.
        unchecked {
            level.lots -= Lots.unwrap(order.lots);
            level.count -= 1;
        }
        save(market.levels[order.tick], level);
    }

    /// Updates the best tick of a side when its level has become empty.
    function _leave(Market storage market, Tick tick) private {
        State memory state = market.state;
        if (tick != state.bestBid && tick != state.bestAsk) return;
        startSecond(state);
        if (tick == state.bestBid) state.bestBid = market.ticks.below(tick);
        else state.bestAsk = market.ticks.above(tick);
        save(market.state, state);
    }

    /// Removes `lots` from a resting order, fewer than it has. It keeps its queue position.
    function shrink(Market storage market, uint40 id, Order memory order, Lots lots) internal {
        market.orders[id].lots = order.lots - lots;
        market.levels[order.tick].lots -= Lots.unwrap(lots);
    }

    /// Deletes a level whose last order is gone.
    function empty(Market storage market, Tick tick) internal {
        delete market.levels[tick];
        market.ticks.remove(tick);
    }

    /* ONE WRITE FOR ONE SLOT */

    // The compiler writes a struct field by field, at 200 gas per field, unless it optimises for
    // speed at a code size that no engine can afford. These functions pack a whole slot in the
    // compiler's own layout and write it once.

    function save(Order storage slot, Order memory order) internal {
        uint256 word = uint256(AccountId.unwrap(order.account)) | uint256(Lots.unwrap(order.lots))
            << 40 | uint256(order.prev) << 104 | uint256(order.next) << 144
            | uint256(Tick.unwrap(order.tick)) << 184 | uint256(order.flags) << 208
            | uint256(order.goodTil) << 216;
        assembly ("memory-safe") {
            sstore(slot.slot, word)
        }
    }

    function save(Level storage slot, Level memory level) internal {
        uint256 word = uint256(level.head) | uint256(level.tail) << 40 | uint256(level.lots) << 80
            | uint256(level.count) << 176;
        assembly ("memory-safe") {
            sstore(slot.slot, word)
        }
    }

    function save(State storage slot, State memory state) internal {
        uint256 word = uint256(state.nextOrder) | uint256(Tick.unwrap(state.bestBid)) << 40
            | uint256(Tick.unwrap(state.bestAsk)) << 64 | uint256(state.minOrderFloat) << 88
            | uint256(state.maxOrderFloat) << 128 | uint256(state.changedTime) << 168
            | uint256(state.freshOrders) << 200 | uint256(state.averageTick) << 224;
        assembly ("memory-safe") {
            sstore(slot.slot, word)
        }
    }
}
