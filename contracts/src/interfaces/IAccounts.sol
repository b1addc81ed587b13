// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Wallets, their account numbers and their signing keys. One contract serves every engine.
interface IAccounts {
    event AccountOpened(uint40 indexed account, address indexed wallet);
    event KeyRegistered(uint40 indexed account, address indexed key, uint40 expiry);
    event KeyRevoked(uint40 indexed account, address indexed key);

    error SignatureInvalid(address signer);
    error KeyExpiryPassed(uint256 expiry, uint256 time);
    error KeyTaken(address key, uint40 account);
    error KeyDead(address key);
    error NotKeyOwner(address key, address caller);
    error WalletZero();

    /// Opens the account of `wallet` unless it has one. Anyone may call: it grants nothing.
    function open(address wallet) external returns (uint40 account);

    /// Registers `key` for `wallet` with the interface's own two messages:
    /// Register(address key,uint256 expiry) by the wallet (ECDSA or EIP-1271) and
    /// SignKey(address account) by the key. Domain {name, version "1", chainId}, no verifyingContract.
    /// The key lives until `expiry`, at most 30 days from now.
    function register(
        address wallet,
        address key,
        uint256 expiry,
        bytes calldata walletSignature,
        bytes calldata keySignature
    ) external returns (uint40 account);

    /// Ends `key` for ever. Only its wallet may call. A revoked key never revives.
    function revoke(address key) external;

    /// The account that `who` may trade for now: a wallet's own, or that of a live key; else 0.
    function traderAccount(address who) external view returns (uint40);

    /// The account of a wallet; 0 when it has none. Keys don't count.
    function accountOf(address wallet) external view returns (uint40);

    function walletOf(uint40 account) external view returns (address);
}
