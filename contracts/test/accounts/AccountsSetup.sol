// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Test} from "../Vm.sol";

/// A contract wallet that accepts one digest (EIP-1271).
contract ContractWallet {
    bytes32 private _accepted;

    function accept(bytes32 digest) external {
        _accepted = digest;
    }

    function isValidSignature(bytes32 digest, bytes calldata) external view returns (bytes4) {
        return digest == _accepted ? this.isValidSignature.selector : bytes4(0);
    }
}

/// Sets up Accounts with a wallet, a key and a stranger, and signs their messages.
abstract contract AccountsSetup is Test {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant WALLET_SECRET = 0xA11CE;
    uint256 internal constant KEY_SECRET = 0x5EC;
    uint256 internal constant OTHER_SECRET = 0xB0B;

    bytes32 internal constant REGISTER_KEY =
        keccak256("RegisterKey(address account,address key,uint256 expiry)");
    bytes32 internal constant ACCEPT_KEY =
        keccak256("AcceptKey(address account,address key,uint256 expiry)");

    address internal wallet = vm.addr(WALLET_SECRET);
    address internal key = vm.addr(KEY_SECRET);
    address internal other = vm.addr(OTHER_SECRET);
    Accounts internal accounts;

    function setUp() public {
        vm.warp(NOW);
        vm.chainId(5042002);
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(address(0x111), address(0x222), "Open Venue")
            )
        );
    }

    /* signing */

    function _register(uint256 expiry) internal returns (uint40) {
        bytes memory byWallet = _signRegister(WALLET_SECRET, wallet, key, expiry);
        return accounts.register(
            wallet, key, expiry, byWallet, _signKey(KEY_SECRET, wallet, key, expiry)
        );
    }

    function _signRegister(uint256 secret, address account, address key_, uint256 expiry)
        internal
        view
        returns (bytes memory)
    {
        return _sign(secret, _digest(keccak256(abi.encode(REGISTER_KEY, account, key_, expiry))));
    }

    function _signKey(uint256 secret, address account, address key_, uint256 expiry)
        internal
        view
        returns (bytes memory)
    {
        return _sign(secret, _digest(keccak256(abi.encode(ACCEPT_KEY, account, key_, expiry))));
    }

    function _digest(bytes32 structHash) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", accounts.domainSeparator(), structHash));
    }

    function _sign(uint256 secret, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(secret, digest);
        return abi.encodePacked(r, s, v);
    }
}
