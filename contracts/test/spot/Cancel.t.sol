// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../src/Book.sol";
import {IBook, OrderRequest, Reason} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {SpotSetup} from "./SpotSetup.sol";

contract SpotCancelTest is SpotSetup {
    function _cancel(address wallet, uint40 order) private {
        vm.prank(wallet);
        spot.cancel(market, order);
    }

    /* CANCEL */

    function test_cancel_reverts_when_the_order_does_not_rest() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        _cancel(ALICE, order);
        vm.expectRevert(abi.encodeWithSelector(IBook.OrderUnknown.selector, market, order));
        _cancel(ALICE, order);
        vm.expectRevert(abi.encodeWithSelector(IBook.OrderUnknown.selector, market, 99));
        _cancel(ALICE, 99);
    }

    function test_cancel_reverts_for_another_accounts_order() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        vm.expectRevert(abi.encodeWithSelector(IBook.NotOrderOwner.selector, order, BOB));
        _cancel(BOB, order);
    }

    function test_cancel_gives_back_what_is_left() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        _ask(BOB, TICK, 400);
        vm.expectEmit(address(spot));
        emit IBook.Cancelled(market, alice, order, 600, Reason.USER);
        _cancel(ALICE, order);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 400));
        vm.assertEq(_lotsOf(order), 0);
        order = _ask(BOB, TICK, 300);
        _cancel(BOB, order);
        vm.assertEq(_eth(bob), ETH_DEPOSIT - 400 * LOT);
    }

    function test_cancel_closes_the_queue_wherever_the_order_stood() public {
        uint40[5] memory orders;
        for (uint64 i = 0; i < 5; i++) {
            orders[i] = _bid(ALICE, TICK, 100 + i);
        }
        _cancel(ALICE, orders[2]);
        _cancel(ALICE, orders[0]);
        _cancel(ALICE, orders[4]);
        Book.Level memory level = spot.levelAt(market, TICK);
        vm.assertEq(level.head, orders[1]);
        vm.assertEq(level.tail, orders[3]);
        vm.assertEq(level.count, 2);
        vm.assertEq(level.lots, 101 + 103);
        vm.assertEq(spot.orderAt(market, orders[1]).next, orders[3]);
        vm.assertEq(spot.orderAt(market, orders[3]).prev, orders[1]);
    }

    /// When the last order of a queue leaves, the next one to come follows the one before it.
    function test_cancel_of_a_levels_tail_leaves_a_queue_that_goes_on() public {
        uint40 first = _bid(ALICE, TICK, 100);
        uint40 second = _bid(BOB, TICK, 100);
        uint40 tail = _bid(ALICE, TICK, 100);
        _cancel(ALICE, tail);
        vm.assertEq(spot.levelAt(market, TICK).tail, second);
        uint40 next = _bid(ALICE, TICK, 100);
        vm.assertEq(spot.levelAt(market, TICK).tail, next);
        vm.assertEq(spot.orderAt(market, second).next, next);
        vm.assertEq(spot.orderAt(market, next).prev, second);
        _cancel(ALICE, next);
        _cancel(BOB, second);
        vm.assertEq(spot.levelAt(market, TICK).head, first);
        vm.assertEq(spot.levelAt(market, TICK).tail, first);
        _ask(CAROL, TICK, 100);
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 100 * LOT);
        vm.assertEq(spot.levelAt(market, TICK).count, 0);
    }

    function test_cancel_moves_the_best_tick_past_an_empty_level() public {
        uint40 bid = _bid(ALICE, TICK, 1000);
        _bid(ALICE, TICK - 70_000, 1000);
        uint40 ask = _ask(ALICE, TICK + 1, 1000);
        _cancel(ALICE, bid);
        _cancel(ALICE, ask);
        (uint24 bestBid, uint24 bestAsk) = _best();
        vm.assertEq(bestBid, TICK - 70_000);
        vm.assertEq(bestAsk, type(uint24).max);
    }

    function test_cancel_leaves_the_best_tick_when_another_level_empties() public {
        _bid(ALICE, TICK, 1000);
        uint40 lower = _bid(ALICE, TICK - 1, 1000);
        _cancel(ALICE, lower);
        (uint24 bestBid,) = _best();
        vm.assertEq(bestBid, TICK);
        vm.assertEq(spot.tickBelow(market, TICK), 0);
    }

    function test_cancel_reduce_and_withdraw_go_on_while_halted() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        uint40 other = _ask(ALICE, TICK + 1, 1000);
        vm.prank(OWNER);
        spot.halt(market, true);
        vm.prank(ALICE);
        spot.reduce(market, other, 400);
        _cancel(ALICE, order);
        _cancel(ALICE, other);
        vm.prank(ALICE);
        spot.withdraw(address(usdc), USDC_DEPOSIT, ALICE);
    }

    /* CANCEL ALL */

    function test_cancelAll_passes_over_what_is_not_the_callers() public {
        uint40[] memory orders = new uint40[](6);
        orders[0] = _bid(ALICE, TICK, 1000);
        orders[1] = _bid(BOB, TICK, 1000);
        orders[2] = _bid(ALICE, TICK - 1, 1000);
        orders[3] = _ask(ALICE, TICK + 1, 1000);
        orders[4] = 99;
        orders[5] = orders[0];
        _cancel(ALICE, orders[3]);
        vm.prank(ALICE);
        vm.assertEq(spot.cancelAll(market, orders), 2);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT);
        vm.assertEq(_lotsOf(orders[1]), 1000);
    }

    function test_cancelAll_reverts_without_an_account() public {
        vm.prank(address(0xBAD));
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, address(0xBAD)));
        spot.cancelAll(market, new uint40[](0));
    }

    /* REDUCE */

    function test_reduce_reverts_for_another_accounts_order_and_for_none() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        vm.prank(BOB);
        vm.expectRevert(abi.encodeWithSelector(IBook.NotOrderOwner.selector, order, BOB));
        spot.reduce(market, order, 1);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IBook.OrderUnknown.selector, market, 99));
        spot.reduce(market, 99, 1);
    }

    function test_reduce_reverts_unless_some_but_fewer_lots() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IBook.LotsZero.selector));
        spot.reduce(market, order, 0);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IBook.ReduceTooMuch.selector, 1000, 1000));
        spot.reduce(market, order, 1000);
    }

    function testFuzz_reduce_gives_back_and_keeps_the_place(uint64 lots) public {
        lots = uint64(bound(lots, 1, 995)); // 5 lots are worth the minimum
        uint40 order = _bid(ALICE, TICK, 1000);
        _bid(BOB, TICK, 1000);
        vm.expectEmit(address(spot));
        emit IBook.Reduced(market, alice, order, lots);
        vm.prank(ALICE);
        spot.reduce(market, order, lots);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 1000 - lots));
        vm.assertEq(spot.levelAt(market, TICK).head, order);
        vm.assertEq(spot.levelAt(market, TICK).lots, 2000 - lots);
        vm.assertEq(_lotsOf(order), 1000 - lots);
    }

    /// The rest would be smaller than an order may be.
    function testFuzz_reduce_cancels_what_would_be_too_small(uint64 lots) public {
        lots = uint64(bound(lots, 996, 999));
        uint40 order = _bid(ALICE, TICK, 1000);
        vm.expectEmit(address(spot));
        emit IBook.Cancelled(market, alice, order, 1000, Reason.BELOW_MINIMUM);
        vm.prank(ALICE);
        spot.reduce(market, order, lots);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT);
        vm.assertEq(_lotsOf(order), 0);
    }

    /* SWEEP */

    function test_sweep_takes_expired_orders_and_passes_over_others() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        request.goodTil = uint40(block.timestamp + 10);
        uint40[] memory orders = new uint40[](4);
        orders[0] = _place(ALICE, request);
        request.goodTil += 1;
        orders[1] = _place(ALICE, request);
        orders[2] = _bid(ALICE, TICK, 1000);
        orders[3] = 99;
        vm.warp(block.timestamp + 11);
        vm.expectEmit(address(spot));
        emit IBook.Cancelled(market, alice, orders[0], 1000, Reason.EXPIRED);
        spot.sweep(market, orders);
        vm.assertEq(_lotsOf(orders[0]), 0);
        vm.assertEq(_lotsOf(orders[1]), 1000);
        vm.assertEq(_lotsOf(orders[2]), 1000);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 2000));
    }

    /// A five-hundredth of the least value of an order, which is 1 USDC.
    function test_sweep_pays_its_caller_out_of_what_a_bid_held() public {
        uint40[] memory orders = _expired(true, TICK, 1000);
        vm.expectEmit(address(spot));
        emit ILedger.Transferred(alice, bob, address(usdc), VALUE_MIN / 500);
        _sweep(BOB, orders);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - VALUE_MIN / 500);
        vm.assertEq(_usdc(bob), USDC_DEPOSIT + VALUE_MIN / 500);
        _sweep(BOB, orders);
        vm.assertEq(_usdc(bob), USDC_DEPOSIT + VALUE_MIN / 500, "once");
    }

    function test_sweep_pays_its_caller_out_of_what_an_ask_held() public {
        uint256 bounty = 1000 * LOT * (VALUE_MIN / 500) / _value(TICK, 1000);
        uint40[] memory orders = _expired(false, TICK, 1000);
        vm.expectEmit(address(spot));
        emit ILedger.Transferred(alice, bob, address(eth), bounty);
        _sweep(BOB, orders);
        vm.assertEq(_eth(alice), ETH_DEPOSIT - bounty);
        vm.assertEq(_eth(bob), ETH_DEPOSIT + bounty);
    }

    /// Orders from before the minimum was raised pay a five-hundredth of themselves.
    function test_sweep_never_pays_more_than_a_five_hundredth_of_an_order() public {
        uint40[] memory orders = _expired(true, TICK, 10); // 2 USDC
        vm.prank(OWNER);
        spot.change(market, VALUE_MAX, VALUE_MAX);
        _sweep(BOB, orders);
        vm.assertEq(_usdc(bob), USDC_DEPOSIT + 2e6 / 500);
    }

    function test_sweep_pays_nobody_without_an_account_nor_the_owner_himself() public {
        _sweep(address(0xD0), _expired(true, TICK, 1000));
        _sweep(ALICE, _expired(true, TICK, 1000));
        vm.assertEq(_usdc(alice), USDC_DEPOSIT);
    }

    /// An order of ALICE's whose time has passed.
    function _expired(bool buy, uint24 tick, uint64 lots)
        private
        returns (uint40[] memory orders)
    {
        OrderRequest memory request = _gtc(buy, tick, lots);
        request.goodTil = uint40(block.timestamp + 5);
        orders = new uint40[](1);
        orders[0] = _place(ALICE, request);
        vm.warp(block.timestamp + 6);
    }

    function _sweep(address wallet, uint40[] memory orders) private {
        vm.prank(wallet);
        spot.sweep(market, orders);
    }
}
