// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Ticks} from "./Ticks.sol";

/// The price at which a value trades with a side of a book, counting what can be traded with and has
/// stood: no order of this second, none that has expired, and none that only reduces, since nobody
/// knows here what its account still has to reduce.
library Depth {
    using Book for Book.Order;
    using Ticks for Ticks.Set;

    /// Orders that are looked at on a side; so many of the least value reach every impact value.
    uint256 internal constant STEPS_MAX = 400;
    uint256 internal constant PRICE_BITS = 32; // of a tick's fraction
    uint256 private constant LOT_BITS = 64; // of a lot's fraction

    /// More orders stand in front than are looked at: sweep those that have expired.
    error BookTooCrowded(uint256 orders);

    /// How far a look at a side has come. Memory only.
    struct Look {
        bool buy;
        uint40 firstFresh;
        uint256 steps;
        uint256 left; // of the value, in lots times ticks
        uint256 lots; // that trade for the rest of it, in 2^-64
    }

    /// The tick half way between the average prices at which `value` (quote raw) is sold to the bids and
    /// bought from the asks, in 2^-32; 0 when a side has less.
    function midOf(Book.Market storage book, Book.State memory state, uint256 value) internal view returns (uint256) {
        uint256 lotTicks = value / book.units.quotePerLotTick;
        uint256 bid = _averageOf(book, state, lotTicks, true);
        if (bid == 0) return 0;
        uint256 ask = _averageOf(book, state, lotTicks, false);
        return ask == 0 ? 0 : (bid + ask) / 2;
    }

    function _averageOf(Book.Market storage book, Book.State memory state, uint256 lotTicks, bool buy)
        private
        view
        returns (uint256)
    {
        Look memory look;
        (look.buy, look.firstFresh, look.left) = (buy, Book.firstFresh(state), lotTicks);
        uint24 tick = buy ? state.bestBid : state.bestAsk;
        while (tick != Ticks.NONE_BELOW && tick != Ticks.NONE_ABOVE) {
            _lookAt(book, look, tick);
            // 110 bits of value and 62 of lots stay within 256 when they are scaled.
            if (look.left == 0) return (lotTicks << LOT_BITS + PRICE_BITS) / look.lots;
            tick = buy ? book.ticks.below(tick) : book.ticks.above(tick);
        }
        return 0;
    }

    /// Trades with a level until nothing of the value is left.
    function _lookAt(Book.Market storage book, Look memory look, uint24 tick) private view {
        Book.Level memory level = book.levels[tick];
        uint40 id = level.head;
        for (uint256 i = 0; i < level.count && look.left != 0; i++) {
            require(look.steps != STEPS_MAX, BookTooCrowded(STEPS_MAX));
            look.steps += 1;
            Book.Order memory order = book.orders[id];
            if (id < look.firstFresh && !order.isExpired() && !order.isReduceOnly()) _tradeWith(look, order);
            id = order.next;
        }
    }

    function _tradeWith(Look memory look, Book.Order memory order) private pure {
        uint256 lotTicks = uint256(order.lots) * order.tick;
        if (lotTicks < look.left) {
            look.left -= lotTicks;
            look.lots += uint256(order.lots) << LOT_BITS;
            return;
        }
        look.lots += (look.left << LOT_BITS) / order.tick;
        look.left = 0;
    }
}
