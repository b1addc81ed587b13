// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Ticks} from "./Ticks.sol";

/// Computes the average price at which a value trades with a side of a book. It counts only orders
/// that a taker could count on: none placed in this second, none that has expired, and no
/// reduce-only ones, since how much their accounts may still reduce is not known here.
library Depth {
    using Book for Book.Order;
    using Ticks for Ticks.Set;

    /// Most orders to scan on a side. So many of the least value add up to any impact value.
    uint256 internal constant STEPS_MAX = 400;
    uint256 internal constant PRICE_BITS = 32; // fraction bits of a tick
    uint256 private constant LOT_BITS = 64; // fraction bits of a lot

    /// The value lies behind more orders than are scanned: sweep those that have expired.
    error BookTooCrowded(uint256 orders);

    /// The state of a scan of one side. Memory only.
    struct Scan {
        bool buy;
        uint40 firstFresh;
        uint256 steps;
        uint256 left; // value still to trade, in lots times ticks
        uint256 lots; // lots traded for the rest of it, in 2^-64
    }

    /// The tick half way between the average prices at which `value` (quote raw) is sold to the
    /// bids and bought from the asks, in 2^-32 and rounded down; 0 when a side has less. Reverts
    /// with BookTooCrowded.
    function midOf(Book.Market storage book, Book.State memory state, uint256 value)
        internal
        view
        returns (uint256)
    {
        uint256 lotTicks = value / book.units.quotePerLotTick;
        uint256 bid = _averageOf(book, state, lotTicks, true);
        if (bid == 0) return 0;
        uint256 ask = _averageOf(book, state, lotTicks, false);
        return ask == 0 ? 0 : (bid + ask) / 2;
    }

    function _averageOf(
        Book.Market storage book,
        Book.State memory state,
        uint256 lotTicks,
        bool buy
    ) private view returns (uint256) {
        Scan memory scan;
        (scan.buy, scan.firstFresh, scan.left) = (buy, Book.firstFresh(state), lotTicks);
        uint24 tick = buy ? state.bestBid : state.bestAsk;
        while (tick != Ticks.NONE_BELOW && tick != Ticks.NONE_ABOVE) {
            _scanLevel(book, scan, tick);
            // Value has 110 bits and lots have 62, so both stay within 256 when scaled.
            if (scan.left == 0) return (lotTicks << LOT_BITS + PRICE_BITS) / scan.lots;
            tick = buy ? book.ticks.below(tick) : book.ticks.above(tick);
        }
        return 0;
    }

    /// Trades with a level's orders until nothing of the value is left.
    function _scanLevel(Book.Market storage book, Scan memory scan, uint24 tick) private view {
        Book.Level memory level = book.levels[tick];
        uint40 id = level.head;
        for (uint256 i = 0; i < level.count && scan.left != 0; i++) {
            require(scan.steps != STEPS_MAX, BookTooCrowded(STEPS_MAX));
            scan.steps += 1;
            Book.Order memory order = book.orders[id];
            if (id < scan.firstFresh && !order.isExpired() && !order.isReduceOnly()) {
                _tradeWith(scan, order);
            }
            id = order.next;
        }
    }

    function _tradeWith(Scan memory scan, Book.Order memory order) private pure {
        uint256 lotTicks = uint256(order.lots) * order.tick;
        if (lotTicks < scan.left) {
            scan.left -= lotTicks;
            scan.lots += uint256(order.lots) << LOT_BITS;
            return;
        }
        scan.lots += (scan.left << LOT_BITS) / order.tick;
        scan.left = 0;
    }
}
