// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../../src/PerpsState.sol";
import {Lots} from "../../../src/ValueTypes.sol";
import {IBook, OrderRequest, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {AdversaryPrices} from "./AdversaryPrices.sol";

/// Schemes with margin: removing the margin of orders, orders left behind by a takeover, walls of
/// orders that cannot trade, and winners who leave.
abstract contract AdversaryEscapes is AdversaryPrices {
    /* MARGIN THAT ORDERS NEED */

    /// An account loses the backing of its orders to a friend in a second market.
    function strip(uint256 seed) external seeded(seed) {
        _attempt(_strip);
    }

    function _strip() private returns (string memory) {
        _laterFresh(1);
        uint256 units = _between(100, 20_000);
        (Party memory ghost, Party memory friend) = (_actor(units), _actor(units * 20));
        _startScheme();
        bool buy = _oneIn(2);
        uint64 lots = _lotsOf(EMPTY, units * _between(5, 15));
        _pair(friend, ghost, EMPTY, buy, _tickAt(EMPTY, 10_000), lots);
        _quote(ghost, _anyMarket(), units * _between(1, 8));
        _later(1);
        _push();
        _forget();
        uint256 away = _between(0, 999);
        uint24 tick = _tickAt(EMPTY, buy ? 10_000 - away : 10_000 + away);
        if (_oneIn(3)) lots = uint64(_between(1, lots));
        PerpsState.Health memory before = perps.healthOf(ghost.account);
        bool done = _oneIn(2)
            ? _rest(friend, EMPTY, buy, tick, lots) && _take(ghost, EMPTY, !buy, tick, lots, true)
            : _restClosing(ghost, !buy, tick, lots) && _take(friend, EMPTY, buy, tick, lots, false);
        _expectBacked(ghost.account, before);
        _withdrawAll();
        _endScheme(0, "stripping margin gains nothing");
        return done ? "stripped" : "strip refused";
    }

    function _restClosing(Party memory party, bool buy, uint24 tick, uint64 lots)
        private
        returns (bool)
    {
        OrderRequest memory request = _order(EMPTY, buy, tick, lots);
        request.reduceOnly = _oneIn(2);
        return _do(party, abi.encodeCall(IBook.place, (request)));
    }

    /// Orders just behind the best ones, on one side or both.
    function _quote(Party memory party, uint32 market, uint256 value) private {
        (uint24 bid, uint24 ask) = _bestOf(market);
        uint256 sides = _between(1, 3);
        if (sides & 1 != 0) _rest(party, market, true, bid - 1, _lotsOf(market, value));
        if (sides & 2 != 0) _rest(party, market, false, ask + 1, _lotsOf(market, value));
    }

    /// No trade takes away the margin of an account's orders, or less of it than of the positions.
    function _expectBacked(uint40 account, PerpsState.Health memory before) private view {
        PerpsState.Health memory health = perps.healthOf(account);
        bool backed = health.equity >= int256(health.exposureMargin)
            || health.equity * int256(before.exposureMargin)
                >= before.equity * int256(health.exposureMargin);
        vm.assertTrue(backed, "no trade takes the margin of orders away");
    }

    /* ORDERS THAT A TAKEOVER LEAVES */

    /// Insurance takes a position over, and the account's orders rest on.
    function takeover(uint256 seed) external seeded(seed) {
        _attempt(_takeover);
    }

    function _takeover() private returns (string memory) {
        _laterFresh(60);
        uint256 value = _between(50_000, 400_000);
        Party memory friend = _actor(value);
        Party memory loser = _actor(value * 8 / 100);
        bool buy = _oneIn(2);
        _startScheme();
        _pair(friend, loser, EMPTY, buy, _tickAt(EMPTY, 10_000), _lotsOf(EMPTY, value));
        _rest(loser, EMPTY, true, _tickAt(EMPTY, 9_980), _lotsOf(EMPTY, _between(1_500, 5_000)));
        _rest(loser, EMPTY, false, _tickAt(EMPTY, 10_020), _lotsOf(EMPTY, _between(1_500, 5_000)));
        _laterFresh(1);
        _prices[2] = _movedBy(_prices[2], _between(650, 780), !buy);
        _laterFresh(1);
        _laterFresh(1);
        try perps.liquidate(loser.account, EMPTY, new uint40[](0)) {} catch {}
        PerpsState.Health memory health = perps.healthOf(loser.account);
        bool left = _liveOf(EMPTY, loser.account).length != 0;
        if (!left || health.equity >= int256(health.exposureMargin)) return "nothing left over";
        _expectCancellable(loser.account);
        _expectNoObstacle(friend);
        _expectNoDepth(loser.account);
        return "orders left over";
    }

    function _expectCancellable(uint40 account) private {
        uint256 id = CHEATS.snapshotState();
        uint40[] memory orders = _liveOf(EMPTY, account);
        perps.cancelLiquidatable(account, EMPTY, orders);
        vm.assertEq(_liveOf(EMPTY, account).length, 0, "anybody cancels what has no margin");
        CHEATS.revertToStateAndDelete(id);
    }

    /// They keep no post-only order away.
    function _expectNoObstacle(Party memory party) private {
        uint24 bid = perps.stateOf(EMPTY).bestBid;
        if (bid == 0) return;
        uint256 id = CHEATS.snapshotState();
        OrderRequest memory request = _order(EMPTY, false, bid, _lotsOf(EMPTY, 100));
        request.timeInForce = TimeInForce.POST_ONLY;
        vm.prank(party.wallet);
        perps.place(request);
        CHEATS.revertToStateAndDelete(id);
        _forget();
    }

    /// Being the only orders of their market, they move no mark and no premium, and a poke removes
    /// them.
    function _expectNoDepth(uint40 account) private {
        int256 before = _awayOf();
        int256 sum = _pricesOf(EMPTY).premiumSum;
        uint256 count = _liveOf(EMPTY, account).length;
        _laterFresh(61);
        perps.poke(EMPTY);
        _laterFresh(1);
        int256 sumAfter = _pricesOf(EMPTY).premiumSum;
        int256 later = _awayOf();
        vm.assertLe(later < 0 ? -later : later, (before < 0 ? -before : before) + 1e9, "no mark");
        if (before == 0) vm.assertEq(sumAfter, sum, "what has no margin makes no premium");
        vm.assertLt(_liveOf(EMPTY, account).length, count, "a poke takes away what cannot trade");
    }

    function _awayOf() private view returns (int256) {
        PerpsState.Quote memory quote = perps.quoteOf(EMPTY);
        return (int256(quote.mark) - int256(quote.index)) * 1e18 / int256(quote.index);
    }

    /* WALLS */

    /// Reduce-only orders without a position are placed in front of a book.
    function wall(uint256 seed) external seeded(seed) {
        _attempt(_wall);
    }

    function _wall() private returns (string memory) {
        _laterFresh(1);
        Party[3] memory by = [_actor(100_000), _actor(100_000), _actor(100_000)];
        bool buy = _oneIn(2);
        uint256 count = _between(2, 12);
        uint64 lots = _lotsOf(EMPTY, 40);
        _pair(by[0], by[1], EMPTY, buy, _tickAt(EMPTY, 10_000), lots * uint64(count));
        uint24 tick = _tickAt(EMPTY, buy ? 10_020 : 9_980);
        uint40 first = perps.stateOf(EMPTY).nextOrder;
        for (uint256 i = 0; i < count; i++) {
            OrderRequest memory request = _order(EMPTY, !buy, tick, lots);
            request.reduceOnly = true;
            _do(by[1], abi.encodeCall(IBook.place, (request)));
        }
        for (uint256 side = 0; side < 2; side++) {
            uint24 far = _tickAt(EMPTY, side == 0 ? 9_960 : 10_040);
            _rest(by[2], EMPTY, side == 0, far, _lotsOf(EMPTY, 3_000));
        }
        _pair(by[1], by[0], EMPTY, buy, _tickAt(EMPTY, 10_000), lots * uint64(count));
        if (_lotsIn(EMPTY, by[1]) != 0) return "no wall";
        _laterFresh(61);
        perps.poke(EMPTY);
        for (uint256 i = 0; i < count; i++) {
            uint40 order = first + uint40(i);
            vm.assertEq(
                uint256(Lots.unwrap(perps.orderAt(EMPTY, order).lots)), 0, "a poke clears its way"
            );
        }
        return "wall cleared";
    }

    /* A BOOK OF ONE */

    /// The only maker of a market moves its mark against a trader, and is the only bidder once its
    /// price has fallen.
    function thin(uint256 seed) external seeded(seed) {
        _attempt(_thin);
    }

    function _thin() private returns (string memory) {
        _laterFresh(1);
        uint256 value = _between(20_000, 90_000); // closed whole
        (Party memory raider, Party memory victim) =
            (_actor(value * 2), _actor(value * 53 / 1_000));
        bool buy = _oneIn(2);
        _pair(raider, victim, EMPTY, buy, _tickAt(EMPTY, 10_000), _lotsOf(EMPTY, value));
        _prices[2] = _movedBy(_prices[2], 200, !buy);
        for (uint256 i = 0; i < 120 && _cushionAtIndex(victim.account) > 35; i++) {
            _prices[2] = _movedBy(_prices[2], 5, !buy);
            _laterFresh(1);
        }
        uint24 bid = _tickAt(EMPTY, buy ? 9_899 : 10_099);
        _rest(raider, EMPTY, true, bid, _lotsOf(EMPTY, 3_000));
        _rest(raider, EMPTY, false, bid + 100, _lotsOf(EMPTY, 3_000));
        for (uint256 i = 0; i < 12; i++) {
            _laterFresh(60);
            try perps.poke(EMPTY) {} catch {}
            _later(1);
            if (_cushionAtIndex(victim.account) > 0) _expectSpared(victim.account);
        }
        _do(raider, abi.encodeCall(IBook.cancelAll, (EMPTY, _liveOf(EMPTY, raider.account))));
        return _tryOnlyBidder(raider, victim, buy);
    }

    /// Equity above the maintenance margin at the index, in parts of 10,000 of the notional.
    function _cushionAtIndex(uint40 account) private view returns (int256) {
        int256 lots = perps.positionOf(EMPTY, account).lots;
        int256 value = (lots < 0 ? -lots : lots) * _lotAtIndex(EMPTY);
        return value == 0 ? int256(0) : (_valueOf(account) - value / 40) * 10_000 / value;
    }

    function _expectSpared(uint40 account) private {
        try perps.liquidate(account, EMPTY, new uint40[](0)) {
            vm.assertTrue(false, "no thin book closes who is healthy at the index");
        } catch {}
    }

    function _tryOnlyBidder(Party memory raider, Party memory victim, bool buy)
        private
        returns (string memory)
    {
        for (uint256 i = 0; i < 120 && !_isBelowAtBest(victim.account); i++) {
            _prices[2] = _movedBy(_prices[2], 5, !buy);
            _laterFresh(1);
        }
        _laterFresh(1);
        int64 lots = _lotsIn(EMPTY, victim);
        uint256 away = _between(40, 190);
        _rest(
            raider,
            EMPTY,
            buy,
            _tickAt(EMPTY, buy ? 10_000 - away : 10_000 + away),
            uint64(buy ? lots : -lots)
        );
        try perps.liquidate(victim.account, EMPTY, new uint40[](0)) {} catch {}
        vm.assertEq(
            int256(_lotsIn(EMPTY, victim)), int256(lots), "the only bidder waits for its price"
        );
        return "only bidder";
    }

    /* WINNERS WHO LEAVE */

    /// A pair that trades with itself wins a crash that insurance cannot pay.
    function escape(uint256 seed) external seeded(seed) {
        _attempt(_escape);
    }

    function _escape() private returns (string memory) {
        _laterFresh(11);
        _emptyInsurance();
        bool buy = _oneIn(2);
        uint256 value = _between(200_000, 4_000_000);
        Party memory winner = _actor(value * _between(2_000, 5_000) / 10_000);
        Party memory loser = _actor(value * _between(510, 650) / 10_000);
        _actor(_oneIn(2) ? value / 2 : 1_000);
        _pair(winner, loser, EMPTY, buy, _tickAt(EMPTY, 10_000), _lotsOf(EMPTY, value));
        if (_lotsIn(EMPTY, loser) == 0) return "no pair";
        _laterFresh(_between(1, 30));
        _fair[EMPTY] = _prices[2] = _movedBy(_prices[2], _between(700, 990), !buy);
        _later(1);
        _startScheme();
        int256 insured = _insured();
        _push();
        _forget();
        if (_oneIn(3)) _dodge(winner);
        _flee(winner, _between(1, 9));
        _settleDown(EMPTY);
        _endScheme(insured, "no winner leaves a loss behind");
        return _lotsIn(EMPTY, loser) == 0 ? "winner paid" : "loss left";
    }

    /// In the second of the crash the third account takes the position over, at a price at which it
    /// has won next to nothing: all that it can be made to give.
    function _dodge(Party memory winner) private {
        int64 lots = _lotsIn(EMPTY, winner);
        bool long = lots > 0;
        uint256 parts = _between(1, 30);
        uint24 tick = _tickAt(EMPTY, long ? 10_000 - parts : 10_000 + parts);
        uint64 count = uint64(long ? lots : -lots);
        _rest(_actorAt(2), EMPTY, long, tick, count);
        _take(winner, EMPTY, !long, tick, count, true);
    }

    /// Until the keeper comes, after `delay` seconds, and a minute beyond.
    function _flee(Party memory winner, uint256 delay) private {
        for (uint256 second = 0; second < 75;) {
            for (uint256 i = _roll(4); i != 0; i--) {
                _anyMove(EMPTY);
            }
            if (_oneIn(6)) _withdraw(winner, _between(1_000e6, 400_000e6));
            if (second >= delay) _keepMarket(EMPTY);
            uint256 step = second < delay ? 1 : _between(1, 11);
            _laterFresh(step);
            second += step;
        }
    }
}
