// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../src/Book.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ISpotEvents} from "../../src/interfaces/ISpot.sol";
import {SpotSetup} from "./SpotSetup.sol";

/// Tests the fills of an order at the spot engine, and the limits on its steps.
contract SpotFillsTest is SpotSetup {
    function _expectCancelled(uint40 account, uint40 order, uint64 lots, Reason reason) private {
        vm.expectEmit(address(spot));
        emit IBook.Cancelled(market, account, order, lots, reason);
    }

    function _expectFilled(
        uint40 maker,
        uint40 makerOrder,
        uint40 taker,
        uint40 takerOrder,
        uint24 tick,
        uint64 lots
    ) private {
        vm.expectEmit(address(spot));
        emit ISpotEvents.Filled(market, maker, makerOrder, taker, takerOrder, tick, lots);
    }

    function _expectRevert(bytes memory reason, OrderRequest memory request) private {
        vm.prank(ALICE);
        vm.expectRevert(reason);
        spot.place(request);
    }

    /* FILLS */

    function test_place_fills_at_the_makers_tick_and_pays_both() public {
        _ask(BOB, TICK - 10, 1000);
        _expectFilled(bob, 1, alice, 2, TICK - 10, 1000);
        _bid(ALICE, TICK, 1000);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK - 10, 1000));
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 1000 * LOT);
        vm.assertEq(_usdc(bob), USDC_DEPOSIT + _value(TICK - 10, 1000));
        vm.assertEq(_eth(bob), ETH_DEPOSIT - 1000 * LOT);
    }

    function test_place_takes_better_levels_and_older_orders_first() public {
        uint40 third = _bid(BOB, TICK - 1, 100);
        uint40 first = _bid(BOB, TICK, 100);
        uint40 second = _bid(CAROL, TICK, 100);
        _expectFilled(bob, first, alice, 4, TICK, 100);
        _expectFilled(carol, second, alice, 4, TICK, 100);
        _expectFilled(bob, third, alice, 4, TICK - 1, 50);
        _ask(ALICE, TICK - 1, 250);
        (uint24 bid,) = _best();
        vm.assertEq(bid, TICK - 1);
        vm.assertEq(_lotsOf(third), 50);
    }

    function test_place_rests_what_is_left() public {
        _ask(BOB, TICK, 400);
        uint40 order = _bid(ALICE, TICK + 3, 1000);
        vm.assertEq(_lotsOf(order), 600);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 400) - _value(TICK + 3, 600));
        (uint24 bid, uint24 ask) = _best();
        vm.assertEq(bid, TICK + 3);
        vm.assertEq(ask, type(uint24).max);
    }

    function test_place_leaves_a_partly_filled_maker_in_its_place() public {
        uint40 first = _ask(BOB, TICK, 1000);
        uint40 second = _ask(CAROL, TICK, 1000);
        _bid(ALICE, TICK, 400);
        Book.Level memory level = spot.levelAt(market, TICK);
        vm.assertEq(level.head, first);
        vm.assertEq(level.tail, second);
        vm.assertEq(level.lots, 1600);
        vm.assertEq(level.count, 2);
    }

    function test_place_cancels_what_an_IOC_leaves() public {
        _ask(BOB, TICK, 400);
        _expectCancelled(alice, 2, 600, Reason.IOC_REMAINDER);
        _place(ALICE, _order(true, TICK, 1000, TimeInForce.IOC));
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 400));
    }

    function test_place_fills_a_FOK_that_can_be_filled() public {
        _ask(BOB, TICK, 400);
        _ask(BOB, TICK + 1, 600);
        _place(ALICE, _order(true, TICK + 1, 1000, TimeInForce.FOK));
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 1000 * LOT);
    }

    function test_place_reverts_a_FOK_that_cannot_be_filled() public {
        _ask(BOB, TICK, 400);
        _ask(BOB, TICK, 600);
        _expectRevert(
            abi.encodeWithSelector(IBook.FillOrKillUnfillable.selector, 1001, 1000),
            _order(true, TICK, 1001, TimeInForce.FOK)
        );
        OrderRequest memory request = _order(true, TICK, 1000, TimeInForce.FOK);
        request.maxFills = 1;
        _expectRevert(
            abi.encodeWithSelector(IBook.FillOrKillUnfillable.selector, 1000, 400), request
        );
    }

    function test_place_reverts_a_POST_ONLY_that_would_take() public {
        _ask(BOB, TICK, 400);
        _expectRevert(
            abi.encodeWithSelector(IBook.PostOnlyWouldCross.selector, TICK + 1, TICK),
            _order(true, TICK + 1, 1000, TimeInForce.POST_ONLY)
        );
        uint40 order = _place(ALICE, _order(true, TICK - 1, 1000, TimeInForce.POST_ONLY));
        vm.assertEq(_lotsOf(order), 1000);
    }

    function test_place_rests_a_POST_ONLY_over_expired_orders() public {
        uint40 expired = _expiring(BOB, TICK, 400);
        _expectCancelled(bob, expired, 400, Reason.EXPIRED);
        uint40 order = _place(ALICE, _order(true, TICK, 1000, TimeInForce.POST_ONLY));
        vm.assertEq(_lotsOf(order), 1000);
    }

    /// An ask whose good-til time has just passed.
    function _expiring(address wallet, uint24 tick, uint64 lots) private returns (uint40 order) {
        OrderRequest memory request = _gtc(false, tick, lots);
        request.goodTil = uint40(block.timestamp + 5);
        order = _place(wallet, request);
        vm.warp(block.timestamp + 6);
    }

    function test_place_cancels_own_orders_in_the_way_and_goes_on() public {
        uint40 own = _ask(ALICE, TICK, 300);
        uint40 other = _ask(BOB, TICK, 300);
        _expectCancelled(alice, own, 300, Reason.SELF_TRADE);
        _expectFilled(bob, other, alice, 3, TICK, 300);
        _bid(ALICE, TICK, 300);
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 300 * LOT);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 300));
    }

    function test_place_drops_expired_orders_in_the_way_and_goes_on() public {
        uint40 expired = _expiring(BOB, TICK, 300);
        uint40 live = _ask(CAROL, TICK, 300);
        _expectCancelled(bob, expired, 300, Reason.EXPIRED);
        _expectFilled(carol, live, alice, 3, TICK, 300);
        _bid(ALICE, TICK, 300);
        vm.assertEq(_eth(bob), ETH_DEPOSIT);
    }

    function test_place_fills_an_order_in_its_last_second() public {
        OrderRequest memory request = _gtc(false, TICK, 300);
        request.goodTil = uint40(block.timestamp + 5);
        uint40 order = _place(BOB, request);
        vm.warp(block.timestamp + 5);
        _expectFilled(bob, order, alice, 2, TICK, 300);
        _bid(ALICE, TICK, 300);
    }

    /* STEPS */

    function test_place_cancels_what_its_steps_leave_crossing() public {
        _ask(BOB, TICK, 100);
        _ask(BOB, TICK, 100);
        _ask(BOB, TICK, 100);
        OrderRequest memory request = _gtc(true, TICK, 300);
        request.maxFills = 2;
        _expectCancelled(alice, 4, 100, Reason.FILL_LIMIT);
        _place(ALICE, request);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 200));
    }

    function test_place_rests_when_its_last_step_clears_the_way() public {
        _ask(BOB, TICK, 100);
        OrderRequest memory request = _gtc(true, TICK, 300);
        request.maxFills = 1;
        vm.assertEq(_lotsOf(_place(ALICE, request)), 200);
    }

    function test_place_counts_drops_and_self_trades_apart_from_its_fills() public {
        _expiring(BOB, TICK, 100);
        _ask(ALICE, TICK, 100);
        uint40 live = _ask(BOB, TICK, 100);
        OrderRequest memory request = _gtc(true, TICK, 100);
        request.maxFills = 1;
        _place(ALICE, request);
        vm.assertEq(_lotsOf(live), 0);
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 100 * LOT);
    }

    /// The 101st that cannot trade ends it; a hundred leave it all of its fills.
    function test_place_drops_at_most_101_orders_that_cannot_trade() public {
        for (uint256 i = 0; i < 202; i++) {
            _ask(ALICE, TICK, 10);
        }
        _ask(BOB, TICK, 10);
        _expectCancelled(alice, 204, 10, Reason.FILL_LIMIT);
        _bid(ALICE, TICK, 10);
        vm.assertEq(spot.levelAt(market, TICK).count, 102);
        uint40[] memory one = new uint40[](1);
        one[0] = 102;
        vm.prank(ALICE);
        spot.cancelAll(market, one);
        _bid(ALICE, TICK, 10);
        vm.assertEq(_eth(bob), ETH_DEPOSIT - 10 * LOT);
    }

    function test_place_makes_at_most_100_steps() public {
        for (uint256 i = 0; i < 101; i++) {
            _ask(BOB, TICK, 10);
        }
        OrderRequest memory request = _gtc(true, TICK, 1010);
        request.maxFills = 1000;
        _expectCancelled(alice, 102, 10, Reason.FILL_LIMIT);
        _place(ALICE, request);
        vm.assertEq(spot.levelAt(market, TICK).count, 1);
    }

    /* FUZZ */

    function testFuzz_place_swaps_exact_amounts(
        uint24 makerTick,
        uint24 takerTick,
        uint64 made,
        uint64 taken
    ) public {
        makerTick = uint24(bound(makerTick, 100_000, 300_000));
        takerTick = uint24(bound(takerTick, makerTick, 300_000));
        made = uint64(bound(made, 10, 1_000_000));
        taken = uint64(bound(taken, 10, 1_000_000));
        _ask(BOB, makerTick, made);
        uint40 order = _bid(ALICE, takerTick, taken);
        uint64 filled = made < taken ? made : taken;
        uint64 rested = _value(takerTick, taken - filled) < VALUE_MIN ? 0 : taken - filled;
        vm.assertEq(_usdc(bob), USDC_DEPOSIT + _value(makerTick, filled));
        bool isSmall = _value(makerTick, made - filled) < VALUE_MIN;
        vm.assertEq(_eth(bob), ETH_DEPOSIT - (isSmall ? filled : made) * LOT);
        vm.assertEq(_eth(alice), ETH_DEPOSIT + filled * LOT);
        vm.assertEq(
            _usdc(alice), USDC_DEPOSIT - _value(makerTick, filled) - _value(takerTick, rested)
        );
        vm.assertEq(_lotsOf(order), rested);
    }
}
