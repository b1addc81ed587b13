// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, Reason, SignedOrder, TimeInForce} from "../../src/interfaces/IBook.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "../signed/SignedSetup.sol";

/// A quote of 10 was filled for 9 while its edit was on the way, and the edit was a quote of 10
/// again: the takers of both got 19 from an account that never offered more than 10.
abstract contract EditsThatFillTwice is SignedSetup {
    uint40 private old;

    /// Two orders of the same size: the second is the first at another price.
    function _edit(uint64 filled) private returns (SignedOrder memory order) {
        old = _send(_bidOf(1));
        order = _bidOf(2);
        order.limitPrice = (LOW - 5) * priceStep;
        order.replaces = _id(old);
        order.replacesAmount = SIZE * amountStep;
        if (filled != 0) _quote(false, LOW, filled);
    }

    function test_what_fills_before_an_edit_is_taken_off_it() public {
        SignedOrder memory order = _edit(SIZE - 40);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, old, 40, Reason.USER);
        vm.assertEq(_resting(_send(order)), 40);
    }

    function test_an_edit_whose_order_did_not_fill_is_as_large_as_it_says() public {
        vm.assertEq(_resting(_send(_edit(0))), SIZE);
    }

    /// Only fills of the order since the signature count, not earlier ones.
    function test_what_filled_before_the_signature_is_not_taken_off() public {
        SignedOrder memory order = _edit(SIZE - 40);
        order.replacesAmount = 40 * amountStep;
        vm.assertEq(_resting(_send(order)), SIZE);
    }

    /// More filled than the edit was to leave: both are off the book, and the salt is spent.
    function test_an_edit_that_leaves_nothing_cancels_both_orders() public {
        SignedOrder memory order = _edit(SIZE - 40);
        order.amount = (SIZE - 40) * amountStep;
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, old, 40, Reason.USER);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, old + 2, SIZE - 40, Reason.BELOW_MINIMUM);
        vm.assertEq(_resting(_send(order)), 0);
        vm.assertEq(_resting(old), 0);
        _refuse(order, abi.encodeWithSelector(IBook.SaltSpent.selector, order.salt));
    }

    /// Nor does it trade where it crosses.
    function test_an_edit_that_leaves_nothing_takes_nothing() public {
        SignedOrder memory order = _edit(SIZE - 40);
        (order.limitPrice, order.amount) = ((LOW + 5) * priceStep, (SIZE - 40) * amountStep);
        uint40 ask = _quote(false, LOW + 5, SIZE);
        _send(order);
        vm.assertEq(_resting(ask), SIZE);
    }

    function test_an_edit_that_leaves_nothing_of_an_ioc_order_is_cancelled() public {
        SignedOrder memory order = _edit(SIZE - 40);
        order.amount = (SIZE - 40) * amountStep;
        order.timeInForce = uint8(TimeInForce.IOC);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, old + 2, SIZE - 40, Reason.IOC_REMAINDER);
        _send(order);
    }

    /// The rest crosses and takes that much.
    function test_an_edit_takes_only_what_is_left_of_it() public {
        SignedOrder memory order = _edit(SIZE - 40);
        order.limitPrice = (LOW + 5) * priceStep;
        uint40 ask = _quote(false, LOW + 5, SIZE);
        _send(order);
        vm.assertEq(_resting(ask), SIZE - 40);
    }

    /// An amount that no order can have is more than any order has lost.
    function test_a_replaced_amount_out_of_range_leaves_nothing() public {
        SignedOrder memory order = _edit(0);
        order.replacesAmount = type(uint256).max;
        vm.assertEq(_resting(_send(order)), 0);
    }

    function test_an_order_that_replaces_none_is_as_large_as_it_says() public {
        SignedOrder memory order = _bidOf(1);
        order.replacesAmount = SIZE * amountStep;
        vm.assertEq(_resting(_send(order)), SIZE);
    }

    /// With any fill in between, the trader holds no more than was quoted.
    function testFuzz_an_edit_and_its_order_fill_no_more_than_was_quoted(
        uint64 filled,
        uint64 size
    ) public {
        filled = uint64(bound(filled, 0, SIZE - 40));
        SignedOrder memory order = _edit(0);
        order.amount = bound(size, 40, SIZE) * amountStep;
        if (filled >= 40) _quote(false, LOW, filled);
        else filled = 0;
        uint256 lots = order.amount / amountStep;
        uint256 left = lots > filled ? lots - filled : 0;
        uint64 rests = _resting(_send(order));
        vm.assertTrue(rests == left || (rests == 0 && left < 40));
    }
}

contract EditsThatFillTwiceAtSpotTest is SignedAtSpot, EditsThatFillTwice {}

contract EditsThatFillTwiceAtPerpsTest is SignedAtPerps, EditsThatFillTwice {}
