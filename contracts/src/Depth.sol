// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibBit} from "solady/utils/LibBit.sol";
import {Book} from "./Book.sol";
import {Distressed} from "./Distressed.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {NO_LOTS, AccountId, Lots, Tick} from "./ValueTypes.sol";
import {Reason} from "./interfaces/IBook.sol";

/// Computes the average price at which a value trades with a side of a book. It counts only what a
/// taker could count on, and takes off the book what can no longer trade. So nothing that rests in
/// a book keeps depth from being measured for longer than it takes to remove it.
abstract contract Depth is Distressed {
    using Book for Book.Order;
    using Positions for Positions.Position;
    using Ticks for Ticks.Set;

    uint256 internal constant PRICE_BITS = 32; // fraction bits of a tick
    uint256 private constant LOT_BITS = 64; // fraction bits of a lot

    /// Most orders of a side that are counted. When they are worth less than the value, the average
    /// is of what they are worth.
    uint256 private constant COUNTED_MAX = 400;
    /// Most orders that a scan of both sides takes off the book.
    uint256 private constant DROPS_MAX = 400;
    /// Most levels that it passes over because all of their orders are of this second. Placing so
    /// many costs more gas than most chains have in a second.
    uint256 private constant FRESH_MAX = 2_000;
    /// Most accounts whose margin it computes, and most markets of all of them together.
    uint256 private constant ACCOUNTS_MAX = 64;
    uint256 private constant ACCOUNT_MARKETS_MAX = 256;

    uint256 private constant UNBACKED = 1; // the account has no margin for its orders
    uint256 private constant UNREAD = type(uint256).max;

    /// A scan of both sides. Memory only.
    struct Scan {
        uint32 market;
        uint40 firstFresh;
        bool over; // a limit was reached: there is no result
        uint256 drops;
        uint256 fresh;
        uint256 accountMarkets;
        uint256 accountCount;
        uint256[ACCOUNTS_MAX] accounts; // number << 1, and UNBACKED
        // of the side at hand
        uint256[ACCOUNTS_MAX] closable; // lots that no order counted so far closes; or UNREAD
        uint256 counted;
        uint256 left; // value still to trade, in lots times ticks
        uint256 lots; // lots traded for the rest of it, in 2^-64
    }

    /// The tick half way between the average prices at which `value` (quote raw) is sold to the
    /// bids and bought from the asks, in 2^-32 and rounded down; 0 when a side has less. `over`:
    /// so many orders had to be passed over that it is not known; `dropped`: how many of them are
    /// off the book now.
    function _depthOf(uint32 market, Book.State memory state, uint256 value)
        internal
        returns (uint256 mid, bool over, uint256 dropped)
    {
        Scan memory scan;
        (scan.market, scan.firstFresh) = (market, Book.firstFresh(state));
        uint256 lotTicks = value / _markets[market].units.quotePerLotTick;
        uint256 bid = _averageOf(scan, state.bestBid, lotTicks, true);
        uint256 ask = bid == 0 ? 0 : _averageOf(scan, state.bestAsk, lotTicks, false);
        return (ask == 0 ? 0 : (bid + ask) / 2, scan.over, scan.drops);
    }

    function _averageOf(Scan memory scan, Tick tick, uint256 lotTicks, bool buy)
        private
        returns (uint256)
    {
        Ticks.Set storage ticks = _markets[scan.market].ticks;
        (scan.counted, scan.left, scan.lots) = (0, lotTicks, 0);
        for (uint256 i = 0; i < scan.accountCount; i++) {
            scan.closable[i] = UNREAD;
        }
        while (tick != Ticks.NONE_BELOW && tick != Ticks.NONE_ABOVE) {
            _scanLevel(scan, tick);
            if (scan.over) return 0;
            // Value has 128 bits and lots have 62, so both stay within 256 when scaled.
            if (scan.left == 0 || scan.counted == COUNTED_MAX) {
                return (lotTicks - scan.left << LOT_BITS + PRICE_BITS) / scan.lots;
            }
            tick = buy ? ticks.below(tick) : ticks.above(tick);
        }
        return 0;
    }

    /// Trades with a level's orders until nothing of the value is left.
    function _scanLevel(Scan memory scan, Tick tick) private {
        Book.Market storage book = _markets[scan.market];
        Book.Level memory level = book.levels[tick];
        uint40 id = level.head;
        for (uint256 i = 0; i < level.count; i++) {
            // The orders of a level are in the order of their numbers.
            if (id >= scan.firstFresh) {
                if (i == 0) scan.over = scan.fresh++ == FRESH_MAX;
                return;
            }
            uint256 free = _freeMemory();
            Book.Order memory order = book.orders[id];
            _scanOrder(scan, id, order);
            id = order.next;
            _freeAgain(free);
            if (scan.over || scan.left == 0 || scan.counted == COUNTED_MAX) return;
        }
    }

    /// Counts an order as far as it can trade. One that cannot at all leaves the book.
    function _scanOrder(Scan memory scan, uint40 id, Book.Order memory order) private {
        (Lots lots, Reason reason) = _usableOf(scan, order);
        if (lots != NO_LOTS) return _tradeWith(scan, lots, order.tick);
        scan.over = scan.drops == DROPS_MAX;
        if (scan.over) return;
        scan.drops += 1;
        _pull(scan.market, id, order, reason);
    }

    /// The lots of an order that a taker could count on and, when there are none, why. The best
    /// reduce-only orders of an account count up to the lots that they could close.
    function _usableOf(Scan memory scan, Book.Order memory order)
        private
        view
        returns (Lots lots, Reason)
    {
        if (order.isExpired()) return (NO_LOTS, Reason.EXPIRED);
        uint256 index = _indexOf(scan, order.account);
        if (index == ACCOUNTS_MAX) {
            return (order.lots - _excessOf(scan.market, order), Reason.REDUCE_ONLY_CAPPED);
        }
        if (scan.accounts[index] & UNBACKED != 0) return (NO_LOTS, Reason.MARGIN);
        if (!order.isReduceOnly()) return (order.lots, Reason.USER);
        uint256 closable = scan.closable[index];
        if (closable == UNREAD) {
            closable = Lots.unwrap(_positions[scan.market][order.account].closable(order.isBuy()));
        }
        lots = Lots.unwrap(order.lots) < closable ? order.lots : Lots.wrap(uint64(closable));
        scan.closable[index] = closable - Lots.unwrap(lots);
        return (lots, Reason.REDUCE_ONLY_CAPPED);
    }

    function _tradeWith(Scan memory scan, Lots lots, Tick tick) private pure {
        scan.counted += 1;
        uint256 lotTicks = uint256(Lots.unwrap(lots)) * Tick.unwrap(tick);
        if (lotTicks < scan.left) {
            scan.left -= lotTicks;
            scan.lots += uint256(Lots.unwrap(lots)) << LOT_BITS;
            return;
        }
        scan.lots += (scan.left << LOT_BITS) / Tick.unwrap(tick);
        scan.left = 0;
    }

    /// Where the scan keeps what it knows of an account. ACCOUNTS_MAX: it knows nothing and, by its
    /// limits, may not find out; such an account is taken to be good for its orders.
    function _indexOf(Scan memory scan, AccountId account) private view returns (uint256 index) {
        for (index = scan.accountCount; index != 0; index--) {
            if (scan.accounts[index - 1] >> 1 == AccountId.unwrap(account)) return index - 1;
        }
        uint256 markets = LibBit.popCount(_holdings[account].markets);
        if (
            scan.accountCount == ACCOUNTS_MAX
                || scan.accountMarkets + markets > ACCOUNT_MARKETS_MAX
        ) return ACCOUNTS_MAX;
        scan.accountMarkets += markets;
        index = scan.accountCount++;
        scan.closable[index] = UNREAD;
        scan.accounts[index] = uint256(AccountId.unwrap(account)) << 1
            | (_isBelow(_backingHealth(account)) ? UNBACKED : 0);
    }
}
