// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// GTE's M-03 and M-04: lists that anyone could fill with dust, until iterating over them cost too
/// much or others' orders were pushed out. Here orders have a minimum value, nothing iterates over
/// a list, no order displaces another, and one call meets a bounded number of makers.
contract UnboundedListsTest is LiquidationSetup {
    function test_dust_does_not_rest() public {
        vm.expectRevert(
            abi.encodeWithSelector(
                IBook.OrderValueBelowMinimum.selector, uint256(8e18), uint256(10e18)
            )
        );
        _bid(ALICE, TICK, 4);
        // nor does the dust of a reduce-only order, though it may take
        _trade(ALICE, CAROL, TICK, 1_000);
        vm.expectRevert(
            abi.encodeWithSelector(
                IBook.OrderValueBelowMinimum.selector, uint256(8e18), uint256(10e18)
            )
        );
        _place(ALICE, _order(false, TICK, 4, TimeInForce.GTC, true));
        _bid(BOB, TICK, 1_000);
        _place(ALICE, _order(false, TICK, 4, TimeInForce.IOC, true));
    }

    /// The first of 300 orders is still the first; its cancel and the last one's work alike.
    function test_a_full_level_evicts_nobody() public {
        uint40 first = _bid(ALICE, TICK, 10);
        uint40 last;
        for (uint256 i = 0; i < 299; i++) {
            last = _bid(BOB, TICK, 10);
        }
        vm.assertEq(perps.levelAt(market, TICK).count, 300);
        vm.assertEq(perps.levelAt(market, TICK).head, first);
        vm.prank(BOB);
        perps.cancel(market, last);
        _ask(CAROL, TICK, 10);
        vm.assertEq(_lotsOf(first), 0);
        vm.assertEq(_lots(alice), 10);
        vm.assertEq(perps.levelAt(market, TICK).count, 298);
    }

    function test_one_order_meets_at_most_a_hundred_makers_and_never_rests_crossed() public {
        for (uint256 i = 0; i < 101; i++) {
            _ask(CAROL, TICK, 10);
        }
        OrderRequest memory request = _gtc(true, TICK, 1_500);
        uint40 order = perps.stateOf(market).nextOrder;
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, order, 500, Reason.FILL_LIMIT);
        _place(ALICE, request);
        vm.assertEq(_lots(alice), 1_000);
        vm.assertEq(perps.levelAt(market, TICK).count, 1);
    }

    /// Two hundred resting orders of the account do not put its liquidation off by a block.
    function test_an_accounts_many_orders_do_not_hinder_its_liquidation() public {
        _deposit(DAVE, 1_000e6);
        for (uint256 i = 0; i < 200; i++) {
            _bid(DAVE, TICK - 50_000 - uint24(i), 20);
        }
        _index(840e18); // -10.7
        _insure(100e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
    }
}
