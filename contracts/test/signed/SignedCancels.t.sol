// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    IBook,
    Reason,
    SignedBurn,
    SignedCancel,
    SignedCancelAll,
    SignedOrder
} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "./SignedSetup.sol";

/// Tests signed cancels and burnt salts.
abstract contract SignedCancelCases is SignedSetup {
    /* SOME BY THEIR IDS */

    function test_a_signed_cancel_takes_down_the_orders_it_names() public {
        uint40 first = _send(_bidOf(1));
        uint40 second = _send(_bidOf(2));
        uint40 third = _send(_bidOf(3));
        SignedCancel memory message = _cancelOf(_id(first), _id(third));
        bytes memory signature = _signed(KEY_SECRET, message);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, first, SIZE, Reason.USER);
        vm.prank(RELAYER);
        vm.assertEq(engine.cancelSigned(message, signature), 2);
        vm.assertEq(_resting(first), 0);
        vm.assertEq(_resting(second), SIZE);
        vm.assertEq(_resting(third), 0);
    }

    function test_a_signed_cancel_passes_over_what_is_not_the_accounts_or_does_not_rest() public {
        uint40 own = _send(_bidOf(1));
        uint40 gone = _send(_bidOf(2));
        vm.prank(wallet);
        engine.cancel(listed, gone);
        uint40 foreign = _quote(true, LOW, SIZE);
        SignedCancel memory message = _cancelOf(_id(foreign), _id(gone));
        message.orders = new bytes32[](8);
        message.orders[0] = _id(foreign);
        message.orders[1] = _id(gone);
        message.orders[2] = _idOf(address(0xE2), listed, own);
        message.orders[3] = _idOf(address(engine), listed + 1, own);
        message.orders[4] = _idOf(address(engine), listed, uint64(1 << 40) | own);
        message.orders[5] = _digestOf(_bidOf(1));
        message.orders[6] = _id(own);
        message.orders[7] = _id(own); // again
        vm.assertEq(engine.cancelSigned(message, _signed(WALLET_SECRET, message)), 1);
        vm.assertEq(_resting(own), 0);
        vm.assertEq(_resting(foreign), SIZE);
    }

    function test_a_signed_cancel_of_nothing_does_nothing() public {
        SignedCancel memory message = _cancelOf(0, 0);
        message.orders = new bytes32[](0);
        vm.assertEq(engine.cancelSigned(message, _signed(KEY_SECRET, message)), 0);
    }

    /// Numbers are never given twice, so a message sent again finds nothing.
    function test_a_signed_cancel_sent_again_cancels_nothing_newer() public {
        uint40 old = _send(_bidOf(1));
        SignedCancel memory message = _cancelOf(_id(old), 0);
        bytes memory signature = _signed(KEY_SECRET, message);
        vm.assertEq(engine.cancelSigned(message, signature), 1);
        uint40 next = _send(_bidOf(2));
        vm.assertEq(engine.cancelSigned(message, signature), 0);
        vm.assertEq(_resting(next), SIZE);
    }

    function test_a_signed_cancel_is_for_its_account_its_deadline_and_its_signers() public {
        uint40 own = _send(_bidOf(1));
        SignedCancel memory message = _cancelOf(_id(own), 0);
        bytes memory signature = _signed(OTHER_KEY_SECRET, message);
        vm.expectRevert(_unfit(wallet, vm.addr(OTHER_KEY_SECRET)));
        engine.cancelSigned(message, signature);
        message.account = other; // signed by the other's own key: none of its orders
        vm.assertEq(engine.cancelSigned(message, _signed(OTHER_KEY_SECRET, message)), 0);
        vm.assertEq(_resting(own), SIZE);
        message.account = wallet;
        signature = _signed(KEY_SECRET, message);
        _wait(1 hours + 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IBook.DeadlinePassed.selector, message.deadline, message.deadline + 1
            )
        );
        engine.cancelSigned(message, signature);
    }

    function test_a_signed_cancel_is_of_all_its_members() public {
        uint40 own = _send(_bidOf(1));
        bytes memory signature = _signed(KEY_SECRET, _cancelOf(_id(own), 0));
        SignedCancel memory message = _cancelOf(_id(own), bytes32(uint256(1)));
        _refuseCancel(message, signature);
        message = _cancelOf(_id(own), 0);
        message.deadline += 1;
        _refuseCancel(message, signature);
        message = _cancelOf(_id(own), 0);
        message.market += 1;
        _refuseCancel(message, signature);
        message = _cancelOf(_id(own), 0);
        message.account = other;
        _refuseCancel(message, signature);
    }

    function _refuseCancel(SignedCancel memory message, bytes memory signature) private {
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
        engine.cancelSigned(message, signature);
    }

    /* ALL */

    function test_a_cancel_of_all_takes_down_the_orders_its_sender_names() public {
        uint40[] memory orders = _three();
        SignedCancelAll memory message = _cancelAllOf(9);
        bytes memory signature = _signed(KEY_SECRET, message);
        vm.prank(RELAYER);
        vm.assertEq(engine.cancelAllSigned(message, orders, signature), 3);
        vm.assertEq(engine.saltsOf(account, 0) >> 9 & 1, 1);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertEq(_resting(orders[i]), 0);
        }
    }

    function test_a_cancel_of_all_passes_over_foreign_and_gone_and_unknown_orders() public {
        uint40[] memory orders = _three();
        uint40 foreign = _quote(true, LOW, SIZE);
        vm.prank(wallet);
        engine.cancel(listed, orders[1]);
        uint40 first = orders[0];
        (orders[0], orders[2]) = (foreign, type(uint40).max);
        SignedCancelAll memory message = _cancelAllOf(9);
        vm.assertEq(engine.cancelAllSigned(message, orders, _signed(KEY_SECRET, message)), 0);
        vm.assertEq(_resting(foreign), SIZE);
        vm.assertEq(_resting(first), SIZE);
    }

    /// An account may have more orders than fit into one transaction, and the first sender may list
    /// none of them.
    function test_a_cancel_of_all_goes_on_after_somebody_has_sent_it_with_no_orders() public {
        uint40[] memory orders = _three();
        SignedCancelAll memory message = _cancelAllOf(9);
        bytes memory signature = _signed(KEY_SECRET, message);
        uint40[] memory none;
        vm.prank(address(0xBAD));
        vm.assertEq(engine.cancelAllSigned(message, none, signature), 0);
        vm.assertEq(engine.cancelAllSigned(message, orders, signature), 3);
        vm.assertEq(engine.cancelAllSigned(message, orders, signature), 0);
    }

    function test_a_cancel_of_all_never_reaches_orders_placed_after_its_first_use() public {
        uint40 before = _send(_bidOf(1));
        SignedCancelAll memory message = _cancelAllOf(9);
        bytes memory signature = _signed(KEY_SECRET, message);
        uint40[] memory orders = new uint40[](2);
        engine.cancelAllSigned(message, new uint40[](0), signature);
        uint40 afterwards = _send(_bidOf(2));
        (orders[0], orders[1]) = (before, afterwards);
        vm.assertEq(engine.cancelAllSigned(message, orders, signature), 1);
        vm.assertEq(_resting(before), 0);
        vm.assertEq(_resting(afterwards), SIZE);
    }

    /// In a market without orders the cut is at the first.
    function test_a_cancel_of_all_that_came_before_any_order_reaches_none() public {
        SignedCancelAll memory message = _cancelAllOf(9);
        bytes memory signature = _signed(KEY_SECRET, message);
        uint40[] memory orders = new uint40[](1);
        engine.cancelAllSigned(message, orders, signature);
        orders[0] = _send(_bidOf(1));
        vm.assertEq(engine.cancelAllSigned(message, orders, signature), 0);
        vm.assertEq(_resting(orders[0]), SIZE);
    }

    function test_a_burnt_salt_disarms_a_cancel_of_all() public {
        uint40[] memory orders = _three();
        SignedCancelAll memory message = _cancelAllOf(9);
        bytes memory signature = _signed(KEY_SECRET, message);
        vm.prank(key);
        engine.burn(0, 1 << 9);
        vm.expectRevert(abi.encodeWithSelector(IBook.SaltSpent.selector, 9));
        engine.cancelAllSigned(message, orders, signature);
        vm.assertEq(_resting(orders[0]), SIZE);
    }

    function test_the_salt_of_a_cancel_of_all_is_spent_for_orders_and_for_other_messages() public {
        SignedCancelAll memory message = _cancelAllOf(9);
        engine.cancelAllSigned(message, new uint40[](0), _signed(KEY_SECRET, message));
        bytes memory spent = abi.encodeWithSelector(IBook.SaltSpent.selector, 9);
        _refuse(_bidOf(9), spent);
        message.deadline += 1; // another message of the same salt
        bytes memory signature = _signed(KEY_SECRET, message);
        vm.expectRevert(spent);
        engine.cancelAllSigned(message, new uint40[](0), signature);
    }

    function test_a_cancel_of_all_ends_with_its_deadline_even_when_begun() public {
        uint40[] memory orders = _three();
        SignedCancelAll memory message = _cancelAllOf(9);
        bytes memory signature = _signed(KEY_SECRET, message);
        uint40[] memory one = new uint40[](1);
        one[0] = orders[0];
        _wait(1 hours);
        vm.assertEq(engine.cancelAllSigned(message, one, signature), 1);
        _wait(1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IBook.DeadlinePassed.selector, message.deadline, message.deadline + 1
            )
        );
        engine.cancelAllSigned(message, orders, signature);
    }

    function test_a_cancel_of_all_dies_with_its_key() public {
        uint40[] memory orders = _three();
        SignedCancelAll memory message = _cancelAllOf(9);
        bytes memory signature = _signed(KEY_SECRET, message);
        engine.cancelAllSigned(message, new uint40[](0), signature);
        vm.prank(wallet);
        registry.revoke(key);
        vm.expectRevert(_unfit(wallet, key));
        engine.cancelAllSigned(message, orders, signature);
    }

    function test_a_cancel_of_all_is_of_all_its_members() public {
        _three();
        bytes memory signature = _signed(KEY_SECRET, _cancelAllOf(9));
        SignedCancelAll memory message = _cancelAllOf(10);
        _refuseCancelAll(message, signature);
        message = _cancelAllOf(9);
        message.market += 1;
        _refuseCancelAll(message, signature);
        message = _cancelAllOf(9);
        message.deadline += 1;
        _refuseCancelAll(message, signature);
        message = _cancelAllOf(9);
        message.account = other;
        _refuseCancelAll(message, signature);
    }

    function _refuseCancelAll(SignedCancelAll memory message, bytes memory signature) private {
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
        engine.cancelAllSigned(message, new uint40[](0), signature);
    }

    function test_a_cancel_of_all_in_an_unlisted_market_is_refused_and_stays_armed() public {
        SignedCancelAll memory message = _cancelAllOf(9);
        message.market = 99;
        bytes memory signature = _signed(KEY_SECRET, message);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, 99));
        engine.cancelAllSigned(message, new uint40[](0), signature);
        vm.assertEq(engine.saltsOf(account, 0), 0);
    }

    function test_signed_cancels_go_on_while_the_market_is_halted() public {
        uint40[] memory orders = _three();
        vm.prank(address(0xA11)); // the owner in both setups
        IMarkets(address(engine)).halt(listed, true);
        SignedCancel memory one = _cancelOf(_id(orders[0]), 0);
        vm.assertEq(engine.cancelSigned(one, _signed(KEY_SECRET, one)), 1);
        SignedCancelAll memory all = _cancelAllOf(9);
        vm.assertEq(engine.cancelAllSigned(all, orders, _signed(KEY_SECRET, all)), 2);
    }

    /* BURNING */

    function testFuzz_burnt_salts_place_nothing_and_no_other_is_affected(
        uint256 word,
        uint256 mask,
        uint8 bit
    ) public {
        vm.expectEmit(address(engine));
        emit IBook.SaltsBurnt(account, word, mask);
        vm.prank(key);
        engine.burn(word, mask);
        vm.assertEq(engine.saltsOf(account, word), mask);
        vm.assertEq(engine.saltsOf(otherAccount, word), 0);
        SignedOrder memory order = _bidOf((word << 8) | bit);
        bool burnt = word < 1 << 248 && mask >> bit & 1 == 1;
        if (burnt) _refuse(order, abi.encodeWithSelector(IBook.SaltSpent.selector, order.salt));
        else _send(order);
    }

    function test_burning_adds_to_what_is_spent() public {
        _send(_bidOf(0));
        vm.prank(wallet);
        engine.burn(0, 6);
        vm.assertEq(engine.saltsOf(account, 0), 7);
    }

    function test_who_has_no_account_burns_nothing() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, address(0xBAD)));
        vm.prank(address(0xBAD));
        engine.burn(0, 1);
    }

    function test_a_signed_burn_is_sent_by_anybody() public {
        SignedBurn memory message = SignedBurn(wallet, 3, 5, block.timestamp);
        bytes memory signature = _signed(KEY_SECRET, message);
        vm.expectEmit(address(engine));
        emit IBook.SaltsBurnt(account, 3, 5);
        vm.prank(RELAYER);
        engine.burnSigned(message, signature);
        vm.assertEq(engine.saltsOf(account, 3), 5);
    }

    function test_a_signed_burn_is_for_its_account_its_deadline_and_its_signers() public {
        SignedBurn memory message = SignedBurn(wallet, 3, 5, block.timestamp);
        bytes memory foreign = _signed(OTHER_SECRET, message);
        vm.expectRevert(_unfit(wallet, other));
        engine.burnSigned(message, foreign);
        bytes memory signature = _signed(KEY_SECRET, message);
        SignedBurn memory wider = SignedBurn(wallet, 3, 7, block.timestamp);
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
        engine.burnSigned(wider, signature);
        _wait(1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IBook.DeadlinePassed.selector, message.deadline, message.deadline + 1
            )
        );
        engine.burnSigned(message, signature);
    }

    function _three() private returns (uint40[] memory orders) {
        orders = new uint40[](3);
        for (uint256 i = 0; i < 3; i++) {
            orders[i] = _send(_bidOf(i));
        }
    }

    function _cancelOf(bytes32 first, bytes32 second)
        private
        view
        returns (SignedCancel memory message)
    {
        bytes32[] memory ids = new bytes32[](2);
        (ids[0], ids[1]) = (first, second);
        return SignedCancel(wallet, listed, ids, block.timestamp + 1 hours);
    }

    function _cancelAllOf(uint256 salt) private view returns (SignedCancelAll memory) {
        return SignedCancelAll(wallet, listed, salt, block.timestamp + 1 hours);
    }

    function _unfit(address account_, address signer) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IBook.SignerUnfit.selector, account_, signer);
    }
}

contract SignedCancelsAtSpotTest is SignedAtSpot, SignedCancelCases {}

contract SignedCancelsAtPerpsTest is SignedAtPerps, SignedCancelCases {
    function test_signed_cancels_go_on_while_the_index_is_stale() public {
        uint40 order = _send(_bidOf(1));
        _pass(10 minutes);
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = _id(order);
        SignedCancel memory message = SignedCancel(wallet, listed, ids, block.timestamp);
        vm.assertEq(engine.cancelSigned(message, _signed(KEY_SECRET, message)), 1);
    }
}
