// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {AccountsSetup, ContractWallet} from "./AccountsSetup.sol";

/// Tests registering signing keys.
contract RegisterTest is AccountsSetup {
    function test_register_opens_the_account_and_registers_the_key() public {
        vm.expectEmit(address(accounts));
        emit IAccounts.AccountOpened(3, wallet);
        vm.expectEmit(address(accounts));
        emit IAccounts.KeyRegistered(3, key, uint40(NOW + 1 days));
        vm.assertEq(_register(NOW + 1 days), 3);
        vm.assertEq(accounts.traderAccount(key), 3);
        vm.assertEq(accounts.accountOf(key), 0);
        (uint40 account, uint40 expiry) = accounts.keyOf(key);
        vm.assertEq(account, 3);
        vm.assertEq(expiry, NOW + 1 days);
    }

    function test_register_takes_the_messages_as_wallets_hash_them() public view {
        // Typed data of this contract's own domain, spelled out here again.
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("Open Venue"),
                keccak256("1"),
                uint256(5042002),
                address(accounts)
            )
        );
        vm.assertEq(accounts.domainSeparator(), domain);
    }

    function testFuzz_register_caps_the_life_at_30_days(uint256 expiry) public {
        expiry = bound(expiry, NOW + 1, type(uint256).max);
        _register(expiry);
        (, uint40 stored) = accounts.keyOf(key);
        vm.assertEq(stored, expiry < NOW + 30 days ? expiry : NOW + 30 days);
    }

    function testFuzz_register_reverts_when_expiry_has_passed(uint256 expiry) public {
        expiry = bound(expiry, 0, NOW);
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, expiry);
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key, expiry);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyExpiryPassed.selector, expiry, NOW));
        accounts.register(wallet, key, expiry, byWallet, byKey);
    }

    function test_register_reverts_when_another_signed_for_the_wallet() public {
        _expectWalletRefused(
            key, NOW + 1 days, _signRegister(OTHER_SECRET, wallet, key, NOW + 1 days)
        );
    }

    function test_register_reverts_when_the_wallet_signed_another_key() public {
        _expectWalletRefused(
            key, NOW + 1 days, _signRegister(WALLET_SECRET, wallet, other, NOW + 1 days)
        );
    }

    function test_register_reverts_when_the_wallet_signed_another_expiry() public {
        _expectWalletRefused(
            key, NOW + 2 days, _signRegister(WALLET_SECRET, wallet, key, NOW + 1 days)
        );
    }

    function test_register_reverts_when_the_wallet_signed_for_another_account() public {
        _expectWalletRefused(
            key, NOW + 1 days, _signRegister(WALLET_SECRET, other, key, NOW + 1 days)
        );
    }

    function test_register_reverts_when_the_wallet_signed_for_another_chain() public {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 1 days);
        vm.chainId(1);
        _expectWalletRefused(key, NOW + 1 days, byWallet);
    }

    function test_register_reverts_when_the_wallet_signed_for_another_venue() public {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 1 days);
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(address(0x111), address(0x222), "Other Venue")
            )
        );
        _expectWalletRefused(key, NOW + 1 days, byWallet);
    }

    function test_register_reverts_when_the_wallet_signed_for_another_contract() public {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 1 days);
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(address(0x111), address(0x222), "Open Venue")
            )
        );
        _expectWalletRefused(key, NOW + 1 days, byWallet);
    }

    /// Messages with which the API issues keys are of no use here, and those published here are of
    /// none there.
    function test_register_takes_none_of_the_messages_of_the_api() public {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId)"),
                keccak256("Open Venue"),
                keccak256("1"),
                uint256(5042002)
            )
        );
        bytes32[3] memory messages = [
            keccak256(
                abi.encode(keccak256("Register(address key,uint256 expiry)"), key, NOW + 1 days)
            ),
            keccak256(
                abi.encode(
                    keccak256("RegisterFor(address account,address key,uint256 expiry)"),
                    wallet,
                    key,
                    NOW + 1 days
                )
            ),
            keccak256(abi.encode(REGISTER_KEY, wallet, key, NOW + 1 days))
        ];
        for (uint256 i = 0; i < messages.length; i++) {
            bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, messages[i]));
            _expectWalletRefused(key, NOW + 1 days, _sign(WALLET_SECRET, digest));
            _expectWalletRefused(key, NOW + 1 days, _sign(WALLET_SECRET, _digest(messages[i % 2])));
        }
        bytes32 signKey = keccak256(abi.encode(keccak256("SignKey(address account)"), wallet));
        _expectKeyRefused(
            _sign(KEY_SECRET, keccak256(abi.encodePacked(hex"1901", domain, signKey)))
        );
        _expectKeyRefused(_sign(KEY_SECRET, _digest(signKey)));
    }

    function test_register_distinguishes_the_two_messages() public {
        _expectWalletRefused(key, NOW + 1 days, _signKey(WALLET_SECRET, wallet, key, NOW + 1 days));
        _expectKeyRefused(_signRegister(KEY_SECRET, wallet, key, NOW + 1 days));
    }

    function testFuzz_register_reverts_on_any_other_bytes(bytes calldata byWallet) public {
        _expectWalletRefused(key, NOW + 1 days, byWallet);
    }

    function test_register_reverts_when_another_signed_for_the_key() public {
        _expectKeyRefused(_signKey(OTHER_SECRET, wallet, key, NOW + 1 days));
    }

    function test_register_reverts_when_the_key_signed_for_another_wallet() public {
        _expectKeyRefused(_signKey(KEY_SECRET, other, key, NOW + 1 days));
    }

    function test_register_reverts_when_the_key_accepted_another_expiry() public {
        _expectKeyRefused(_signKey(KEY_SECRET, wallet, key, NOW + 2 days));
    }

    function testFuzz_register_reverts_on_any_other_bytes_of_the_key(bytes calldata byKey) public {
        _expectKeyRefused(byKey);
    }

    function test_register_reverts_for_key_zero() public {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, address(0), NOW + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, address(0)));
        accounts.register(wallet, address(0), NOW + 1 days, byWallet, "");
    }

    function test_register_asks_a_contract_wallet() public {
        ContractWallet vault = new ContractWallet();
        bytes memory byKey = _signKey(KEY_SECRET, address(vault), key, NOW + 1 days);
        vm.expectRevert(
            abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, address(vault))
        );
        accounts.register(address(vault), key, NOW + 1 days, "any", byKey);

        vault.accept(
            _digest(keccak256(abi.encode(REGISTER_KEY, address(vault), key, NOW + 1 days)))
        );
        vm.assertEq(accounts.register(address(vault), key, NOW + 1 days, "any", byKey), 3);
        vm.assertEq(accounts.traderAccount(key), 3);

        vm.expectRevert(
            abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, address(vault))
        );
        accounts.register(address(vault), key, NOW + 2 days, "any", byKey);
    }

    function test_register_reverts_when_the_key_belongs_to_another_account() public {
        _register(NOW + 1 days);
        bytes memory byWallet = _signRegister(OTHER_SECRET, other, key, NOW + 2 days);
        bytes memory byKey = _signKey(KEY_SECRET, other, key, NOW + 2 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, key, 3));
        accounts.register(other, key, NOW + 2 days, byWallet, byKey);
    }

    function test_register_reverts_when_the_key_is_a_wallet_with_an_account() public {
        accounts.open(key);
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 1 days);
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key, NOW + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, key, 3));
        accounts.register(wallet, key, NOW + 1 days, byWallet, byKey);
    }

    function test_register_reverts_when_wallet_and_key_are_one() public {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, wallet, NOW + 1 days);
        bytes memory byKey = _signKey(WALLET_SECRET, wallet, wallet, NOW + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, wallet, 3));
        accounts.register(wallet, wallet, NOW + 1 days, byWallet, byKey);
    }

    function test_register_reverts_when_the_wallet_is_a_signing_key() public {
        _register(NOW + 1 days);
        bytes memory byWallet = _signRegister(KEY_SECRET, key, other, NOW + 1 days);
        bytes memory byKey = _signKey(OTHER_SECRET, key, other, NOW + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, key, 3));
        accounts.register(key, other, NOW + 1 days, byWallet, byKey);
    }

    function testFuzz_register_never_revives_a_revoked_key(
        uint256 first,
        uint256 next,
        uint256 wait
    ) public {
        first = bound(first, NOW + 1, NOW + 60 days);
        _register(first);
        vm.prank(wallet);
        accounts.revoke(key);

        next = bound(next, NOW + 1, type(uint256).max);
        vm.warp(bound(wait, NOW, next - 1 < NOW + 365 days ? next - 1 : NOW + 365 days));
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, next);
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key, next);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyDead.selector, key));
        accounts.register(wallet, key, next, byWallet, byKey);
        vm.assertEq(accounts.traderAccount(key), 0);
    }

    function test_register_reverts_when_the_message_of_a_revoked_key_is_sent_again() public {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 1 days);
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key, NOW + 1 days);
        accounts.register(wallet, key, NOW + 1 days, byWallet, byKey);
        vm.prank(wallet);
        accounts.revoke(key);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyDead.selector, key));
        accounts.register(wallet, key, NOW + 1 days, byWallet, byKey);
    }

    function test_register_again_neither_cuts_nor_stretches_the_life() public {
        _register(NOW + 300 days); // capped at 30
        vm.warp(NOW + 20 days);
        _register(NOW + 300 days);
        _register(NOW + 21 days);
        (, uint40 expiry) = accounts.keyOf(key);
        vm.assertEq(expiry, NOW + 30 days);
    }

    function test_register_again_reverts_once_the_key_has_ended() public {
        _register(NOW + 300 days);
        vm.warp(NOW + 30 days);
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 300 days);
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key, NOW + 300 days);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccounts.KeyExpiryPassed.selector, NOW + 30 days, NOW + 30 days
            )
        );
        accounts.register(wallet, key, NOW + 300 days, byWallet, byKey);
    }

    function test_register_with_a_newer_message_renews() public {
        _register(NOW + 1 days);
        vm.warp(NOW + 5 days);
        vm.assertEq(accounts.traderAccount(key), 0);
        _register(NOW + 6 days);
        vm.assertEq(accounts.traderAccount(key), 3);
    }

    function _expectWalletRefused(address key_, uint256 expiry, bytes memory byWallet) private {
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key_, expiry);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, wallet));
        accounts.register(wallet, key_, expiry, byWallet, byKey);
    }

    function _expectKeyRefused(bytes memory byKey) private {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, NOW + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, key));
        accounts.register(wallet, key, NOW + 1 days, byWallet, byKey);
    }
}
