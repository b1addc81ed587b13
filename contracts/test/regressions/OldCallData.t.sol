// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Test} from "../Vm.sol";
import {ECDSA} from "solady/utils/ECDSA.sol";

/// Accepts its owner's signature unchanged: several wallets of one owner accept the same signature.
contract OwnedWallet {
    address private immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature)
        external
        view
        returns (bytes4)
    {
        return ECDSA.tryRecoverCalldata(digest, signature) == OWNER
            ? this.isValidSignature.selector
            : bytes4(0);
    }
}

/// Messages of keys that named neither the contract nor the account: a revoked key became active
/// again at the next deployment with the old call data, and an owner's signature for his smart
/// wallet also counted for himself.
contract OldCallDataTest is Test {
    uint256 private constant WALLET = 0xA11CE;
    uint256 private constant KEY = 0x5EC;

    Accounts private accounts;

    function setUp() public {
        vm.warp(1_800_000_000);
        accounts = _deploy();
    }

    function test_a_revoked_key_stays_dead_at_the_next_deployment() public {
        address wallet = vm.addr(WALLET);
        // Cut to 30 days, so the messages outlive the key.
        uint256 expiry = block.timestamp + 3650 days;
        bytes memory callData = _registration(wallet, expiry);
        (bool done,) = address(accounts).call(callData);
        vm.assertTrue(done);
        vm.prank(wallet);
        accounts.revoke(vm.addr(KEY));
        vm.warp(block.timestamp + 365 days);
        Accounts next = _deploy();
        (done,) = address(next).call(callData);
        vm.assertFalse(done, "old call data registers nothing");
        vm.assertEq(next.traderAccount(vm.addr(KEY)), 0);
    }

    function test_what_an_owner_signs_for_a_smart_wallet_counts_for_it_alone() public {
        address owner = vm.addr(WALLET);
        address[2] memory wallets =
            [address(new OwnedWallet(owner)), address(new OwnedWallet(owner))];
        uint256 expiry = block.timestamp + 1 days;
        bytes memory meant = _sign(
            WALLET, "RegisterKey(address account,address key,uint256 expiry)", wallets[0], expiry
        );
        bytes memory byKey =
            _sign(KEY, "AcceptKey(address account,address key,uint256 expiry)", owner, expiry);
        vm.expectPartialRevert(bytes4(keccak256("SignatureInvalid(address)")));
        accounts.register(owner, vm.addr(KEY), expiry, meant, byKey);
        byKey = _sign(
            KEY, "AcceptKey(address account,address key,uint256 expiry)", wallets[1], expiry
        );
        vm.expectPartialRevert(bytes4(keccak256("SignatureInvalid(address)")));
        accounts.register(wallets[1], vm.addr(KEY), expiry, meant, byKey);
        byKey = _sign(
            KEY, "AcceptKey(address account,address key,uint256 expiry)", wallets[0], expiry
        );
        accounts.register(wallets[0], vm.addr(KEY), expiry, meant, byKey);
        vm.assertEq(
            uint256(accounts.traderAccount(vm.addr(KEY))), uint256(accounts.accountOf(wallets[0]))
        );
        vm.assertEq(uint256(accounts.accountOf(owner)), 0, "its owner has not even an account");
    }

    function _deploy() private returns (Accounts) {
        bytes memory arguments = abi.encode(address(1), address(2), "openvenue");
        return Accounts(vm.deployCode("out/shipped/Accounts.sol/Accounts.json", arguments));
    }

    function _registration(address wallet, uint256 expiry) private view returns (bytes memory) {
        bytes memory byWallet = _sign(
            WALLET, "RegisterKey(address account,address key,uint256 expiry)", wallet, expiry
        );
        bytes memory byKey =
            _sign(KEY, "AcceptKey(address account,address key,uint256 expiry)", wallet, expiry);
        return abi.encodeCall(Accounts.register, (wallet, vm.addr(KEY), expiry, byWallet, byKey));
    }

    function _sign(uint256 secret, string memory type_, address wallet, uint256 expiry)
        private
        view
        returns (bytes memory)
    {
        bytes32 message =
            keccak256(abi.encode(keccak256(bytes(type_)), wallet, vm.addr(KEY), expiry));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(
            secret, keccak256(abi.encodePacked(hex"1901", accounts.domainSeparator(), message))
        );
        return abi.encodePacked(r, s, v);
    }
}
