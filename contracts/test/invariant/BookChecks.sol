// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../src/Book.sol";
import {Lots, Tick} from "../../src/ValueTypes.sol";
import {BookReplay} from "./BookReplay.sol";

/// Checks the whole book of a market: every level, queue and order.
abstract contract BookChecks is BookReplay {
    using Book for Book.Order;

    /// All levels in turn, by the ticks of the set from below: a bit is set exactly where a level
    /// has orders, and an upper bit exactly where the word below it is not zero. The scan passes
    /// every upper bit, so one without a lower word shows as a tick without orders, and a word
    /// without its bit as orders missed.
    function _checkBook(uint32 market) internal view {
        Book.StateView memory state = engine.stateOf(market);
        (uint24 bestBid, uint24 bestAsk) = (NONE_BELOW, NONE_ABOVE);
        uint256 scanned;
        uint24 last = NONE_BELOW;
        for (
            uint24 tick = engine.tickAbove(market, last);
            tick != NONE_ABOVE;
            tick = engine.tickAbove(market, tick)
        ) {
            vm.assertEq(
                engine.tickBelow(market, tick), last, "tickBelow is not the converse of tickAbove"
            );
            (uint256 count, bool buy) = _checkLevel(market, tick);
            scanned += count;
            if (buy) {
                vm.assertEq(bestAsk, NONE_ABOVE, "a bid level above an ask level");
                bestBid = tick;
            } else if (bestAsk == NONE_ABOVE) {
                bestAsk = tick;
            }
            last = tick;
        }
        vm.assertEq(engine.tickBelow(market, NONE_ABOVE), last, "the highest tick from above");
        vm.assertEq(state.bestBid, bestBid, "cached best bid != highest bid level");
        vm.assertEq(state.bestAsk, bestAsk, "cached best ask != lowest ask level");
        vm.assertEq(scanned, _live[market].length, "orders in queues != orders that rest");
        _checkOrders(market, scanned);
    }

    /// Lots and count of a level are its orders'; prev, next, head and tail agree; tick and side
    /// match. In a level order numbers rise from head to tail.
    function _checkLevel(uint32 market, uint24 tick)
        private
        view
        returns (uint256 count, bool buy)
    {
        Book.Level memory level = engine.levelAt(market, tick);
        vm.assertTrue(level.count != 0, "a tick of the set has no orders");
        buy = engine.orderAt(market, level.head).isBuy();
        uint256 lots;
        uint40 before;
        for (uint40 id = level.head; count < level.count; count++) {
            Book.Order memory order = engine.orderAt(market, id);
            vm.assertTrue(Lots.unwrap(order.lots) != 0, "a queue holds an order without lots");
            vm.assertEq(Tick.unwrap(order.tick), tick, "an order stands at another tick's level");
            vm.assertEq(order.isBuy(), buy);
            vm.assertTrue(before == 0 || order.prev == before, "prev is not the order before");
            vm.assertLt(before, id, "order numbers do not rise from head to tail");
            lots += Lots.unwrap(order.lots);
            before = id;
            id = order.next;
        }
        vm.assertEq(before, level.tail, "the last order of a queue is not its tail");
        vm.assertEq(level.lots, lots, "level lots != sum of its orders");
    }

    /// Storage has the orders that the logs have, and (numbers that rest being equally many) no
    /// other.
    function _checkOrders(uint32 market, uint256 scanned) private view {
        for (uint256 i = 0; i < scanned; i++) {
            _compareOrder(market, _live[market][i]);
        }
    }
}
