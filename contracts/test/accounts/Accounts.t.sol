// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {AccountsSetup} from "./AccountsSetup.sol";

/// Tests opening accounts, revoking keys, and the permission to trade for an account.
contract AccountsTest is AccountsSetup {
    /* open */

    function test_constructor_opens_insurance_and_fee_accounts() public view {
        vm.assertEq(accounts.accountOf(address(0x111)), 1);
        vm.assertEq(accounts.accountOf(address(0x222)), 2);
        vm.assertEq(accounts.walletOf(1), address(0x111));
    }

    function test_open_counts_up_from_3() public {
        vm.expectEmit(address(accounts));
        emit IAccounts.AccountOpened(3, wallet);
        vm.assertEq(accounts.open(wallet), 3);
        vm.assertEq(accounts.open(other), 4);
        vm.assertEq(accounts.walletOf(4), other);
    }

    function test_open_again_returns_the_same_account() public {
        accounts.open(wallet);
        vm.recordLogs();
        vm.assertEq(accounts.open(wallet), 3);
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_open_reverts_when_wallet_is_zero() public {
        vm.expectRevert(IAccounts.WalletZero.selector);
        accounts.open(address(0));
    }

    function test_open_reverts_for_a_signing_key_even_when_revoked() public {
        _register(NOW + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, key, 3));
        accounts.open(key);
        vm.prank(wallet);
        accounts.revoke(key);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, key, 3));
        accounts.open(key);
    }

    /* revoke */

    function test_revoke_ends_the_key_at_once() public {
        _register(NOW + 1 days);
        vm.expectEmit(address(accounts));
        emit IAccounts.KeyRevoked(3, key);
        vm.prank(wallet);
        accounts.revoke(key);
        vm.assertEq(accounts.traderAccount(key), 0);
    }

    function testFuzz_revoke_reverts_for_all_but_the_wallet(address caller) public {
        vm.assume(caller != wallet);
        _register(NOW + 1 days);
        _expectNotOwner(key, caller);
    }

    function test_revoke_reverts_for_keys_and_other_wallets() public {
        _register(NOW + 1 days);
        accounts.open(other);
        _expectNotOwner(key, other);
        _expectNotOwner(key, key);
    }

    function test_revoke_reverts_when_the_key_is_unknown_or_a_wallet() public {
        accounts.open(wallet);
        _expectNotOwner(key, wallet);
        _expectNotOwner(wallet, wallet);
        _expectNotOwner(key, address(0xDEAD)); // both unknown: account 0 owns nothing
    }

    function test_revoke_reverts_the_second_time() public {
        _register(NOW + 1 days);
        vm.prank(wallet);
        accounts.revoke(key);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyDead.selector, key));
        vm.prank(wallet);
        accounts.revoke(key);
    }

    function test_revoke_also_ends_a_key_that_has_expired() public {
        _register(NOW + 1 days);
        vm.warp(NOW + 2 days);
        vm.prank(wallet);
        accounts.revoke(key);
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 3 days);
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key, NOW + 3 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyDead.selector, key));
        accounts.register(wallet, key, NOW + 3 days, byWallet, byKey);
    }

    function _expectNotOwner(address key_, address caller) private {
        vm.expectRevert(abi.encodeWithSelector(IAccounts.NotKeyOwner.selector, key_, caller));
        vm.prank(caller);
        accounts.revoke(key_);
    }

    /* traderAccount */

    function testFuzz_traderAccount_is_the_keys_until_its_expiry(uint256 life, uint256 time)
        public
    {
        life = bound(life, 1, 60 days);
        time = bound(time, NOW, NOW + 90 days);
        _register(NOW + life);
        vm.warp(time);
        uint256 end = NOW + (life < 30 days ? life : 30 days);
        vm.assertEq(accounts.traderAccount(key), time < end ? 3 : 0);
        vm.assertEq(accounts.traderAccount(wallet), 3);
        vm.assertEq(accounts.traderAccount(other), 0);
    }
}
