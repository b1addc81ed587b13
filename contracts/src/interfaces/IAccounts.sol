// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC5267} from "./IERC5267.sol";

/// Assigns numbers to wallets and registers their signing keys. One contract serves every engine.
interface IAccounts is IERC5267 {
    event AccountOpened(uint40 indexed account, address indexed wallet);
    /// Follows the AccountOpened of the sub-account's own address, which may be much older.
    event SubAccountOpened(uint40 indexed account, address indexed owner, uint32 index);
    event KeyRegistered(uint40 indexed account, address indexed key, uint40 expiry);
    event KeyRevoked(uint40 indexed account, address indexed key);
    /// `expiry`: first second in which it can no longer cancel, Unix time. `key`: the signing key
    /// that allowed it, with which it ends as well; zero if the wallet or owner did.
    event CancellerAllowed(
        uint40 indexed account, address indexed canceller, uint40 expiry, address key
    );
    event CancellerRevoked(uint40 indexed account, address indexed canceller);

    error SignatureInvalid(address signer);
    error KeyExpiryPassed(uint256 expiry, uint256 time);
    error KeyTaken(address key, uint40 account);
    error KeyDead(address key);
    error NotKeyOwner(address key, address caller);
    error NotTrader(address wallet, address caller);
    error CancellerExpiryOutOfRange(uint256 expiry, uint256 earliest, uint256 latest);
    /// A signed message with this expiry is spent: only one later than `allowed` is valid. After a
    /// revocation none is, and `allowed` is the largest number.
    error CancellerExpirySpent(uint256 expiry, uint256 allowed);
    error WalletZero();
    /// Insurance and fees must be two accounts.
    error WalletsEqual(address wallet);

    /// Opens the account of `wallet` unless it has one. Anyone may call: it grants nothing.
    function open(address wallet) external returns (uint40 account);

    /// Opens a sub-account of the caller, or returns the one with this `index`. Its margin is
    /// separate; only its keys trade for it, and only its owner moves funds in and out. Its address
    /// has no private key, and is the same on every chain where this contract has the same address.
    function openSub(uint32 index) external returns (uint40 account, address sub);

    /// Registers `key` for `wallet` with two messages of the same content: RegisterKey(address
    /// account,address key,uint256 expiry) by the wallet (ECDSA or EIP-1271), or by the owner where
    /// `wallet` is a sub-account's address, and AcceptKey(address account,address key,uint256
    /// expiry) by the key (ECDSA). This publishes both signatures, so they must be valid nowhere
    /// else: the domain is {name, version "1", chainId, verifyingContract}. The key lives until
    /// `expiry`, at most 30 days from now.
    function register(
        address wallet,
        address key,
        uint256 expiry,
        bytes calldata walletSignature,
        bytes calldata keySignature
    ) external returns (uint40 account);

    /// Revokes `key` permanently; it cannot be registered again. Only its wallet may call, or the
    /// owner of its sub-account.
    function revoke(address key) external;

    /// Allows `canceller` to cancel resting orders of the account of `wallet` until `expiry`, at
    /// most 30 days from now, and nothing else. The caller is the wallet, the owner of the
    /// sub-account, or an active key. A new expiry replaces the previous one. A canceller allowed
    /// by a key ends with that key: with its expiry, or when it is revoked.
    function allowCanceller(address wallet, address canceller, uint256 expiry) external;

    /// Like `allowCanceller`, by a message that anyone may send: AllowCanceller(address
    /// account,address canceller,uint256 expiry), signed by an active key (ECDSA) or by the wallet
    /// or owner (ECDSA or EIP-1271). Its expiry must be later than any before it; sending it again
    /// has no effect. Once the account has revoked the canceller, all messages for it revert with
    /// CancellerExpirySpent, even unsent ones; `allowCanceller` still works.
    function allowCancellerSigned(
        address wallet,
        address canceller,
        uint256 expiry,
        bytes calldata signature
    ) external;

    /// Revokes a canceller immediately, and voids every signed message for it, even unsent ones.
    /// The callers are those of `allowCanceller`.
    function revokeCanceller(address wallet, address canceller) external;

    /// First second in which `canceller` can no longer cancel orders of the account, Unix time,
    /// unless the key that allowed it ends before. 0 for one that was never allowed, was revoked,
    /// or whose key has ended.
    function cancellerExpiry(uint40 account, address canceller) external view returns (uint40);

    /// The account that `who` may trade for now: a wallet's own, or that of a live key; 0 for none.
    function traderAccount(address who) external view returns (uint40);

    /// The account of `wallet` if `signer` may trade for it now, else 0.
    function signerAccount(address wallet, address signer) external view returns (uint40);

    /// The account of a wallet or a sub-account's address; 0 when it has none. Keys don't count.
    function accountOf(address wallet) external view returns (uint40);

    /// The address of an account: its wallet, or a sub-account's own.
    function walletOf(uint40 account) external view returns (address);

    /// The wallet that owns a sub-account; zero for any other account.
    function ownerOf(uint40 account) external view returns (address);

    /// The name of the domains in which keys are registered and orders are signed.
    function domainName() external view returns (string memory);
}
