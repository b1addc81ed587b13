// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {SignedAtSpot} from "../signed/SignedSetup.sol";
import {ContractWallet} from "./AccountsSetup.sol";

/// Tests opening sub-accounts and registering their keys.
contract SubAccountsTest is SignedAtSpot {
    address private subKey = vm.addr(SUB_KEY_SECRET);
    uint256 private expiry;

    function setUp() public override {
        super.setUp();
        expiry = block.timestamp + 1 days;
    }

    /* openSub */

    function test_openSub_opens_an_account_of_an_address_of_its_own() public {
        address sub = _subOf(wallet, 0);
        uint40 number = registry.accounts() + 1;
        vm.expectEmit(address(registry));
        emit IAccounts.AccountOpened(number, sub);
        vm.expectEmit(address(registry));
        emit IAccounts.SubAccountOpened(number, wallet, 0);
        (uint40 opened, address known) = _open(wallet, 0);
        vm.assertEq(opened, number);
        vm.assertEq(known, sub);
        vm.assertEq(registry.accountOf(sub), number);
        vm.assertEq(registry.walletOf(number), sub);
        vm.assertEq(registry.ownerOf(number), wallet);
        vm.assertEq(registry.ownerOf(account), address(0));
        vm.assertEq(registry.accountOf(wallet), account);
    }

    function test_openSub_opens_the_owners_account_too() public {
        address owner = vm.addr(STRANGER_SECRET);
        uint40 number = registry.accounts() + 1;
        vm.expectEmit(address(registry));
        emit IAccounts.AccountOpened(number, owner);
        (uint40 opened,) = _open(owner, 5);
        vm.assertEq(opened, number + 1);
    }

    function test_openSub_again_returns_the_same_and_says_nothing() public {
        (uint40 number, address sub) = _open(wallet, 0);
        vm.recordLogs();
        (uint40 again, address same) = _open(wallet, 0);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(again, number);
        vm.assertEq(same, sub);
    }

    function testFuzz_openSub_gives_each_owner_and_index_an_account_of_its_own(
        uint32 index,
        uint32 next
    ) public {
        vm.assume(index != next);
        (uint40 a,) = _open(wallet, index);
        (uint40 b,) = _open(wallet, next);
        (uint40 c,) = _open(other, index);
        vm.assertTrue(a != b && b != c && a != c);
    }

    /// Anyone may open an account for any address; the owner of this one still receives it.
    function test_openSub_takes_over_an_address_that_somebody_opened_first() public {
        address sub = _subOf(wallet, 0);
        vm.prank(address(0xBAD));
        uint40 number = registry.open(sub);
        vm.expectEmit(address(registry));
        emit IAccounts.SubAccountOpened(number, wallet, 0);
        (uint40 opened,) = _open(wallet, 0);
        vm.assertEq(opened, number);
        vm.assertEq(registry.ownerOf(number), wallet);
        _registerFor(sub, WALLET_SECRET, SUB_KEY_SECRET, expiry);
        vm.assertEq(registry.traderAccount(subKey), number);
    }

    function test_openSub_is_not_for_signing_keys() public {
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, key, account));
        _open(key, 0);
    }

    /* register */

    function test_register_hashes_as_wallets_hash() public pure {
        // Results of viem's hashTypedData in the domain {"Open Venue", "1", 5042002, the contract
        // 0xACC}.
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("Open Venue"),
                keccak256("1"),
                CHAIN_ID,
                address(0xACC)
            )
        );
        bytes32 message = keccak256(
            abi.encode(REGISTER_KEY_TYPE, address(0x5AB), address(0x5EC), 1_800_000_000)
        );
        vm.assertEq(
            keccak256(abi.encodePacked(hex"1901", domain, message)),
            0x1767d273590e6124cabfdc971bc1a04eb7bcfc75d2ef00cc4344d9f56f5cb542
        );
        message =
            keccak256(abi.encode(ACCEPT_KEY_TYPE, address(0x5AB), address(0x5EC), 1_800_000_000));
        vm.assertEq(
            keccak256(abi.encodePacked(hex"1901", domain, message)),
            0xbae5200ec5e7bcb2d1e6425b9606b7c23851dfc391f561b6565bf491e545e40c
        );
    }

    function test_register_gives_a_sub_account_a_key_by_its_owners_signature() public {
        (uint40 number, address sub) = _open(wallet, 0);
        vm.expectEmit(address(registry));
        emit IAccounts.KeyRegistered(number, subKey, uint40(expiry));
        _registerFor(sub, WALLET_SECRET, SUB_KEY_SECRET, expiry);
        vm.assertEq(registry.traderAccount(subKey), number);
        vm.assertEq(registry.signerAccount(sub, subKey), number);
        vm.assertEq(registry.signerAccount(wallet, subKey), 0);
        vm.assertEq(registry.signerAccount(sub, wallet), 0);
        vm.assertEq(registry.signerAccount(sub, key), 0);
    }

    function test_register_asks_an_owner_that_is_a_contract() public {
        ContractWallet vault = new ContractWallet();
        (uint40 number, address sub) = _open(address(vault), 0);
        bytes memory byKey = _acceptedBy(SUB_KEY_SECRET, sub, expiry);
        vm.expectRevert(
            abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, address(vault))
        );
        registry.register(sub, subKey, expiry, "any", byKey);
        bytes32 message = keccak256(abi.encode(REGISTER_KEY_TYPE, sub, subKey, expiry));
        vault.accept(keccak256(abi.encodePacked(hex"1901", registry.domainSeparator(), message)));
        vm.assertEq(registry.register(sub, subKey, expiry, "any", byKey), number);
    }

    /// The key's holder decides what the key accepts. If the owner's message did not name the
    /// account, the holder of a key that is meant for a sub-account could register it for the
    /// owner's own account.
    function test_register_for_a_sub_account_gives_the_key_nothing_else() public {
        (, address sub) = _open(wallet, 0);
        (, address next) = _open(wallet, 1);
        bytes memory byOwner = _byOwner(WALLET_SECRET, sub, subKey);
        _expectRefused(wallet, byOwner, wallet);
        _expectRefused(next, byOwner, wallet);
        _expectRefused(sub, _byOwner(WALLET_SECRET, wallet, subKey), wallet);
    }

    function test_register_reverts_when_another_signed_for_the_owner() public {
        (, address sub) = _open(wallet, 0);
        _expectRefused(sub, _byOwner(OTHER_SECRET, sub, subKey), wallet);
        _expectRefused(sub, _byOwner(KEY_SECRET, sub, subKey), wallet);
        _expectRefused(sub, _byOwner(SUB_KEY_SECRET, sub, subKey), wallet);
    }

    function test_register_reverts_for_a_sub_account_that_is_not_open() public {
        address sub = _subOf(wallet, 0);
        _expectRefused(sub, _byOwner(WALLET_SECRET, sub, subKey), sub);
    }

    function test_register_gives_one_key_to_one_account() public {
        (, address sub) = _openSub();
        bytes memory byOwner = _byOwner(WALLET_SECRET, sub, key);
        bytes memory byKey = _acceptedBy(KEY_SECRET, sub, expiry);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyTaken.selector, key, account));
        registry.register(sub, key, expiry, byOwner, byKey);
    }

    /* revoke */

    function test_revoke_ends_a_key_of_a_sub_account_for_its_owner_only() public {
        (uint40 number, address sub) = _openSub();
        address[4] memory callers = [other, key, subKey, address(0xBAD)];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(
                abi.encodeWithSelector(IAccounts.NotKeyOwner.selector, subKey, callers[i])
            );
            vm.prank(callers[i]);
            registry.revoke(subKey);
        }
        vm.expectEmit(address(registry));
        emit IAccounts.KeyRevoked(number, subKey);
        vm.prank(wallet);
        registry.revoke(subKey);
        vm.assertEq(registry.traderAccount(subKey), 0);
        bytes memory byOwner = _byOwner(WALLET_SECRET, sub, subKey);
        bytes memory byKey = _acceptedBy(SUB_KEY_SECRET, sub, expiry);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyDead.selector, subKey));
        registry.register(sub, subKey, expiry, byOwner, byKey);
    }

    function test_revoke_ends_no_sub_account() public {
        (, address sub) = _openSub();
        vm.expectRevert(abi.encodeWithSelector(IAccounts.NotKeyOwner.selector, sub, wallet));
        vm.prank(wallet);
        registry.revoke(sub);
    }

    function _expectRefused(address account_, bytes memory byOwner, address signatory) private {
        bytes memory byKey = _acceptedBy(SUB_KEY_SECRET, account_, expiry);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, signatory));
        registry.register(account_, subKey, expiry, byOwner, byKey);
    }

    function _byOwner(uint256 secret, address sub, address key_)
        private
        view
        returns (bytes memory)
    {
        return _byWallet(secret, sub, key_, expiry);
    }

    function _open(address owner, uint32 index) private returns (uint40, address) {
        vm.prank(owner);
        return registry.openSub(index);
    }

    function _subOf(address owner, uint32 index) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encode(address(registry), owner, index)))));
    }
}
