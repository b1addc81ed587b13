// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Wallets, their account numbers and their signing keys. One contract serves every engine.
interface IAccounts {
    event AccountOpened(uint40 indexed account, address indexed wallet);
    /// After the AccountOpened of the sub-account's own address, which may be older.
    event SubAccountOpened(uint40 indexed account, address indexed owner, uint32 index);
    event KeyRegistered(uint40 indexed account, address indexed key, uint40 expiry);
    event KeyRevoked(uint40 indexed account, address indexed key);

    error SignatureInvalid(address signer);
    error KeyExpiryPassed(uint256 expiry, uint256 time);
    error KeyTaken(address key, uint40 account);
    error KeyDead(address key);
    error NotKeyOwner(address key, address caller);
    error WalletZero();
    /// Insurance and fees are two accounts.
    error WalletsEqual(address wallet);

    /// Opens the account of `wallet` unless it has one. Anyone may call: it grants nothing.
    function open(address wallet) external returns (uint40 account);

    /// Opens a sub-account of the caller, or returns the one of this `index`. Its margin is its own; only
    /// its keys trade for it, only its owner moves funds in and out. It is known by an address that
    /// nobody can send from, the same on every chain with this contract at this address.
    function openSub(uint32 index) external returns (uint40 account, address sub);

    /// Registers `key` for `wallet` with two messages of one content: RegisterKey(address account,address
    /// key,uint256 expiry) by the wallet (ECDSA or EIP-1271), or by the owner where `wallet` is a
    /// sub-account's address, and AcceptKey(address account,address key,uint256 expiry) by the key (ECDSA).
    /// Both are published here, so neither is one that opens anything elsewhere: the domain is {name,
    /// version "1", chainId, verifyingContract}. The key lives until `expiry`, at most 30 days from now.
    function register(
        address wallet,
        address key,
        uint256 expiry,
        bytes calldata walletSignature,
        bytes calldata keySignature
    ) external returns (uint40 account);

    /// Ends `key` for ever. Only its wallet may call, or the owner of its sub-account. A revoked key never revives.
    function revoke(address key) external;

    /// The account that `who` may trade for now: a wallet's own, or that of a live key; else 0.
    function traderAccount(address who) external view returns (uint40);

    /// The account of `wallet` when `signer` may trade for it now, else 0.
    function signerAccount(address wallet, address signer) external view returns (uint40);

    /// The account of a wallet or a sub-account's address; 0 when it has none. Keys don't count.
    function accountOf(address wallet) external view returns (uint40);

    /// The address by which an account is known: its wallet, or a sub-account's own.
    function walletOf(uint40 account) external view returns (address);

    /// The wallet that owns a sub-account; zero for any other account.
    function ownerOf(uint40 account) external view returns (address);

    /// The name of the domains in which keys are registered and orders are signed.
    function domainName() external view returns (string memory);
}
