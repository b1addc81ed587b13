// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {AccountsSetup} from "../accounts/AccountsSetup.sol";

/// A thief of a key could allow a canceller for 30 days, which remained when the wallet had revoked
/// the key. And a message that was signed once and never sent undid a later revocation.
contract CancellersThatOutliveTheKeyTest is AccountsSetup {
    bytes32 private constant ALLOW_CANCELLER =
        keccak256("AllowCanceller(address account,address canceller,uint256 expiry)");
    address private constant THIEF = address(0x7419);
    uint256 private constant KEY_EXPIRY = NOW + 10 days;
    uint256 private constant EXPIRY = NOW + 30 days;

    uint40 private account;

    function _open() private {
        account = _register(KEY_EXPIRY);
    }

    function test_a_canceller_of_a_key_ends_with_its_revocation() public {
        _open();
        vm.prank(key);
        accounts.allowCanceller(wallet, THIEF, EXPIRY);
        vm.assertEq(accounts.cancellerExpiry(account, THIEF), EXPIRY);
        vm.prank(wallet);
        accounts.revoke(key);
        vm.assertEq(accounts.cancellerExpiry(account, THIEF), 0);
    }

    function test_a_canceller_of_a_key_ends_with_its_expiry() public {
        _open();
        bytes memory signature = _signAllow(KEY_SECRET, EXPIRY);
        accounts.allowCancellerSigned(wallet, THIEF, EXPIRY, signature);
        accounts.allowCancellerSigned(wallet, THIEF, EXPIRY, signature); // does nothing
        vm.warp(KEY_EXPIRY - 1);
        vm.assertEq(accounts.cancellerExpiry(account, THIEF), EXPIRY);
        vm.warp(KEY_EXPIRY);
        vm.assertEq(accounts.traderAccount(key), 0);
        vm.assertEq(accounts.cancellerExpiry(account, THIEF), 0);
    }

    function test_a_message_of_a_revoked_key_is_not_taken_for_done() public {
        _open();
        bytes memory signature = _signAllow(WALLET_SECRET, EXPIRY);
        vm.prank(key);
        accounts.allowCanceller(wallet, THIEF, EXPIRY);
        vm.prank(wallet);
        accounts.revoke(key);
        vm.expectRevert(
            abi.encodeWithSelector(IAccounts.CancellerExpirySpent.selector, EXPIRY, EXPIRY)
        );
        accounts.allowCancellerSigned(wallet, THIEF, EXPIRY, signature);
    }

    function test_what_the_wallet_allowed_outlives_its_keys() public {
        _open();
        vm.prank(wallet);
        accounts.allowCanceller(wallet, THIEF, EXPIRY);
        vm.prank(wallet);
        accounts.revoke(key);
        vm.assertEq(accounts.cancellerExpiry(account, THIEF), EXPIRY);
    }

    function test_a_message_that_was_never_sent_does_not_undo_a_revocation() public {
        _open();
        vm.prank(wallet);
        accounts.allowCanceller(wallet, THIEF, NOW + 1 days);
        bytes memory near = _signAllow(WALLET_SECRET, EXPIRY);
        bytes memory far = _signAllow(WALLET_SECRET, NOW + 60 days);
        vm.prank(wallet);
        accounts.revokeCanceller(wallet, THIEF);
        _expectSpent(EXPIRY, near);
        vm.warp(NOW + 31 days);
        _expectSpent(NOW + 60 days, far);
    }

    /// A message can be voided without being sent.
    function test_a_wallet_revokes_whom_it_has_only_signed_for() public {
        _open();
        bytes memory signature = _signAllow(WALLET_SECRET, EXPIRY);
        vm.prank(wallet);
        accounts.revokeCanceller(wallet, THIEF);
        _expectSpent(EXPIRY, signature);
    }

    function test_a_transaction_allows_a_revoked_canceller_again() public {
        _open();
        vm.prank(wallet);
        accounts.revokeCanceller(wallet, THIEF);
        vm.prank(wallet);
        accounts.allowCanceller(wallet, THIEF, NOW + 1 days);
        vm.assertEq(accounts.cancellerExpiry(account, THIEF), NOW + 1 days);
        _expectSpent(EXPIRY, _signAllow(WALLET_SECRET, EXPIRY));
    }

    function _expectSpent(uint256 expiry, bytes memory signature) private {
        uint40 before = accounts.cancellerExpiry(account, THIEF);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccounts.CancellerExpirySpent.selector, expiry, type(uint40).max
            )
        );
        accounts.allowCancellerSigned(wallet, THIEF, expiry, signature);
        vm.assertEq(accounts.cancellerExpiry(account, THIEF), before);
    }

    function _signAllow(uint256 secret, uint256 expiry) private view returns (bytes memory) {
        return
            _sign(secret, _digest(keccak256(abi.encode(ALLOW_CANCELLER, wallet, THIEF, expiry))));
    }
}
