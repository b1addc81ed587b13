// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "solady/utils/ECDSA.sol";
import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";

/// Numbers wallets, sub-accounts and signing keys. Account 1 is the insurance account and account 2
/// takes the fees.
contract Accounts is IAccounts {
    /// A wallet or a signing key. An address that has been one of them can never become the other.
    struct Entry {
        uint40 account;
        /// First second in which it may no longer trade, Unix time. WALLET marks a wallet, which
        /// never expires, and DEAD a revoked key.
        uint40 expiry;
        /// The latest expiry that the wallet has signed. A message with the same or an earlier one
        /// is spent.
        uint40 signedExpiry;
    }

    uint256 public constant KEY_LIFE_MAX = 30 days;

    uint40 private constant WALLET = type(uint40).max;
    uint40 private constant DEAD = 1;

    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant REGISTER_KEY_TYPE =
        keccak256("RegisterKey(address account,address key,uint256 expiry)");
    bytes32 private constant ACCEPT_KEY_TYPE =
        keccak256("AcceptKey(address account,address key,uint256 expiry)");

    bytes32 private immutable DOMAIN_NAME_HASH;

    string public domainName;
    uint40 public accounts;
    mapping(address wallet => Entry) private _entries;
    mapping(uint40 account => address wallet) public walletOf;
    mapping(uint40 account => address wallet) public ownerOf;

    constructor(address insuranceWallet, address feeWallet, string memory name) {
        // With one wallet for both, account 2, and the fees with it, would go to whoever opens the
        // next account.
        require(insuranceWallet != feeWallet, WalletsEqual(feeWallet));
        DOMAIN_NAME_HASH = keccak256(bytes(name));
        domainName = name;
        _open(insuranceWallet);
        _open(feeWallet);
    }

    /* ACCOUNTS */

    /// @inheritdoc IAccounts
    function open(address wallet) external returns (uint40) {
        return _open(wallet);
    }

    /// @inheritdoc IAccounts
    function openSub(uint32 index) external returns (uint40 account, address sub) {
        _open(msg.sender);
        sub = address(uint160(uint256(keccak256(abi.encode(address(this), msg.sender, index)))));
        account = _open(sub);
        // The address may have an account already, since anybody may open one for any address. The
        // owner makes it a sub-account all the same.
        if (ownerOf[account] != address(0)) return (account, sub);
        ownerOf[account] = msg.sender;
        emit SubAccountOpened(account, msg.sender, index);
    }

    /// @inheritdoc IAccounts
    function accountOf(address wallet) external view returns (uint40) {
        Entry storage entry = _entries[wallet];
        return entry.expiry == WALLET ? entry.account : 0;
    }

    /// @inheritdoc IAccounts
    function traderAccount(address who) external view returns (uint40) {
        Entry storage entry = _entries[who];
        return block.timestamp < entry.expiry ? entry.account : 0;
    }

    /// @inheritdoc IAccounts
    function signerAccount(address wallet, address signer) external view returns (uint40 account) {
        Entry storage entry = _entries[signer];
        account = entry.account;
        if (account == 0 || block.timestamp >= entry.expiry) return 0;
        // A key's entry names the account, whose address must then be `wallet`.
        if (wallet == signer) return entry.expiry == WALLET ? account : 0;
        return walletOf[account] == wallet && entry.expiry != WALLET ? account : 0;
    }

    function _open(address wallet) private returns (uint40 account) {
        Entry storage entry = _entries[wallet];
        account = entry.account;
        if (account != 0) {
            require(entry.expiry == WALLET, KeyTaken(wallet, account));
            return account;
        }
        require(wallet != address(0), WalletZero());
        account = ++accounts;
        entry.account = account;
        entry.expiry = WALLET;
        walletOf[account] = wallet;
        emit AccountOpened(account, wallet);
    }

    /* SIGNING KEYS */

    /// @inheritdoc IAccounts
    function register(
        address wallet,
        address key,
        uint256 expiry,
        bytes calldata walletSignature,
        bytes calldata keySignature
    ) external returns (uint40 account) {
        // Check
        require(expiry > block.timestamp, KeyExpiryPassed(expiry, block.timestamp));
        address owner = ownerOf[_entries[wallet].account];
        address signatory = owner == address(0) ? wallet : owner;
        bytes32 byWallet = _digest(REGISTER_KEY_TYPE, wallet, key, expiry);
        require(
            SignatureCheckerLib.isValidSignatureNowCalldata(signatory, byWallet, walletSignature),
            SignatureInvalid(signatory)
        );
        address signer =
            ECDSA.tryRecoverCalldata(_digest(ACCEPT_KEY_TYPE, wallet, key, expiry), keySignature);
        require(signer != address(0) && signer == key, SignatureInvalid(key));

        // Effect
        account = _open(wallet);
        Entry storage entry = _entries[key];
        if (entry.account != 0) {
            require(
                entry.account == account && entry.expiry != WALLET, KeyTaken(key, entry.account)
            );
            require(entry.expiry != DEAD, KeyDead(key));
        }
        uint40 signedExpiry = uint40(_min(expiry, WALLET));
        if (signedExpiry <= entry.signedExpiry) {
            // The messages have no nonce, so an old one must neither extend nor shorten the key's
            // life.
            require(block.timestamp < entry.expiry, KeyExpiryPassed(entry.expiry, block.timestamp));
            return account;
        }
        uint40 capped = uint40(_min(expiry, block.timestamp + KEY_LIFE_MAX));
        entry.account = account;
        entry.expiry = capped;
        entry.signedExpiry = signedExpiry;
        emit KeyRegistered(account, key, capped);
    }

    /// @inheritdoc IAccounts
    function revoke(address key) external {
        Entry storage entry = _entries[key];
        Entry storage owner = _entries[msg.sender];
        bool owns = entry.account == owner.account || ownerOf[entry.account] == msg.sender;
        require(
            entry.account != 0 && owns && entry.expiry != WALLET && owner.expiry == WALLET,
            NotKeyOwner(key, msg.sender)
        );
        require(entry.expiry != DEAD, KeyDead(key));
        entry.expiry = DEAD;
        emit KeyRevoked(entry.account, key);
    }

    /// The account of a key and the first second in which it no longer trades (1: revoked). Zeros
    /// for an address that is no key.
    function keyOf(address key) external view returns (uint40 account, uint40 expiry) {
        Entry storage entry = _entries[key];
        return entry.expiry == WALLET ? (0, 0) : (entry.account, entry.expiry);
    }

    /* TYPED DATA */

    /// Computed at each call, so that it differs on a fork of the chain.
    function domainSeparator() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPE, DOMAIN_NAME_HASH, keccak256("1"), block.chainid, address(this))
        );
    }

    /// The EIP-712 digest of a RegisterKey or AcceptKey message; both have the same members.
    function _digest(bytes32 typeHash, address wallet, address key, uint256 expiry)
        private
        view
        returns (bytes32)
    {
        bytes32 message = keccak256(abi.encode(typeHash, wallet, key, expiry));
        return keccak256(abi.encodePacked(hex"1901", domainSeparator(), message));
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
