// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "solady/utils/ECDSA.sol";
import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {IERC5267} from "./interfaces/IERC5267.sol";

/// Assigns numbers to wallets, sub-accounts and signing keys. Account 1 is the insurance account
/// and account 2 receives the fees.
contract Accounts is IAccounts {
    /// A wallet or a signing key. An address that has been one can never become the other.
    struct Entry {
        uint40 account;
        /// First second in which it can no longer trade, Unix time. WALLET marks a wallet, which
        /// never expires, and DEAD a revoked key.
        uint40 expiry;
        /// The latest expiry signed by the wallet. A message with the same or an earlier one is
        /// spent.
        uint40 signedExpiry;
    }

    /// An address that may cancel orders of an account. One slot.
    struct Canceller {
        /// First second in which it can no longer cancel, Unix time; 0 once revoked.
        uint40 expiry;
        /// The latest expiry ever allowed. A message with the same or an earlier one is spent.
        /// SPENT after a revocation: then every message is void.
        uint40 allowedExpiry;
        /// The key that allowed it, with which it ends; zero if a wallet did.
        address key;
    }

    uint256 public constant KEY_LIFE_MAX = 30 days;
    uint256 public constant CANCELLER_LIFE_MAX = 30 days;

    uint40 private constant WALLET = type(uint40).max;
    uint40 private constant DEAD = 1;
    uint40 private constant SPENT = type(uint40).max;

    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant REGISTER_KEY_TYPE =
        keccak256("RegisterKey(address account,address key,uint256 expiry)");
    bytes32 private constant ACCEPT_KEY_TYPE =
        keccak256("AcceptKey(address account,address key,uint256 expiry)");

    bytes32 private constant ALLOW_CANCELLER_TYPE =
        keccak256("AllowCanceller(address account,address canceller,uint256 expiry)");

    bytes32 private immutable DOMAIN_NAME_HASH;

    string public domainName;
    uint40 public accounts;
    mapping(address wallet => Entry) private _entries;
    mapping(uint40 account => address wallet) public walletOf;
    mapping(uint40 account => address wallet) public ownerOf;
    mapping(uint40 account => mapping(address canceller => Canceller)) private _cancellers;

    constructor(address insuranceWallet, address feeWallet, string memory name) {
        // With one wallet for both, account 2 and its fees would go to whoever opens the next
        // account.
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
        // The address may already have an account, since anyone may open one for any address. The
        // owner still makes it a sub-account.
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
    function signerAccount(address wallet, address signer) public view returns (uint40 account) {
        Entry storage entry = _entries[signer];
        account = entry.account;
        if (account == 0 || block.timestamp >= entry.expiry) return 0;
        // A key's entry holds the account, whose address must then be `wallet`.
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
        address signatory = _signatoryOf(wallet);
        bytes32 byWallet = _digest(REGISTER_KEY_TYPE, wallet, key, expiry);
        require(_isSigned(signatory, byWallet, walletSignature), SignatureInvalid(signatory));
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

    /// The account of a key and the first second in which it can no longer trade (1: revoked).
    /// Zeros for an address that is not a key.
    function keyOf(address key) external view returns (uint40 account, uint40 expiry) {
        Entry storage entry = _entries[key];
        return entry.expiry == WALLET ? (0, 0) : (entry.account, entry.expiry);
    }

    /* CANCELLERS */

    /// @inheritdoc IAccounts
    function allowCanceller(address wallet, address canceller, uint256 expiry) external {
        _allow(_accountFor(wallet, msg.sender), canceller, expiry, msg.sender);
    }

    /// @inheritdoc IAccounts
    function allowCancellerSigned(
        address wallet,
        address canceller,
        uint256 expiry,
        bytes calldata signature
    ) external {
        bytes32 digest = _digest(ALLOW_CANCELLER_TYPE, wallet, canceller, expiry);
        address signer = ECDSA.tryRecoverCalldata(digest, signature);
        uint40 account = signerAccount(wallet, signer);
        if (account == 0) {
            account = _entries[wallet].account;
            signer = _signatoryOf(wallet);
            require(
                account != 0 && walletOf[account] == wallet
                    && _isSigned(signer, digest, signature),
                SignatureInvalid(signer)
            );
        }
        uint40 allowedExpiry = _cancellers[account][canceller].allowedExpiry;
        if (expiry <= allowedExpiry) {
            // The message has no nonce: it must neither undo a revocation nor shorten a later
            // allowance. Sending it again has no effect.
            require(
                expiry <= cancellerExpiry(account, canceller) && block.timestamp < expiry,
                CancellerExpirySpent(expiry, allowedExpiry)
            );
            return;
        }
        _allow(account, canceller, expiry, signer);
    }

    /// @inheritdoc IAccounts
    function revokeCanceller(address wallet, address canceller) external {
        uint40 account = _accountFor(wallet, msg.sender);
        Canceller storage known = _cancellers[account][canceller];
        (known.expiry, known.allowedExpiry) = (0, SPENT);
        emit CancellerRevoked(account, canceller);
    }

    /// @inheritdoc IAccounts
    function cancellerExpiry(uint40 account, address canceller) public view returns (uint40) {
        Canceller storage known = _cancellers[account][canceller];
        address key = known.key;
        if (key != address(0) && block.timestamp >= _entries[key].expiry) return 0;
        return known.expiry;
    }

    /// `allower`: the wallet, the owner or the key.
    function _allow(uint40 account, address canceller, uint256 expiry, address allower) private {
        require(canceller != address(0), WalletZero());
        uint256 latest = block.timestamp + CANCELLER_LIFE_MAX;
        require(
            expiry > block.timestamp && expiry <= latest,
            CancellerExpiryOutOfRange(expiry, block.timestamp + 1, latest)
        );
        Canceller storage known = _cancellers[account][canceller];
        known.expiry = uint40(expiry);
        if (expiry > known.allowedExpiry) known.allowedExpiry = uint40(expiry);
        known.key = _entries[allower].expiry == WALLET ? address(0) : allower;
        emit CancellerAllowed(account, canceller, uint40(expiry), known.key);
    }

    /// The account of `wallet` if `who` may act for it as its wallet, its owner or an active key.
    /// Reverts otherwise.
    function _accountFor(address wallet, address who) private view returns (uint40 account) {
        account = signerAccount(wallet, who);
        if (account != 0) return account;
        account = _entries[wallet].account;
        require(account != 0 && ownerOf[account] == who, NotTrader(wallet, who));
    }

    /* SIGNATURES */

    /// The signer for a wallet: itself, or the owner of a sub-account.
    function _signatoryOf(address wallet) private view returns (address) {
        address owner = ownerOf[_entries[wallet].account];
        return owner == address(0) ? wallet : owner;
    }

    /// ECDSA first, then EIP-1271: a wallet may have both code and a private key (EIP-7702), and
    /// its code need not support EIP-1271.
    function _isSigned(address signatory, bytes32 digest, bytes calldata signature)
        private
        view
        returns (bool)
    {
        address signer = ECDSA.tryRecoverCalldata(digest, signature);
        if (signer != address(0) && signer == signatory) return true;
        return SignatureCheckerLib.isValidERC1271SignatureNowCalldata(signatory, digest, signature);
    }

    /* TYPED DATA */

    /// @inheritdoc IERC5267
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return
            (hex"0f", domainName, "1", block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    /// Computed on each call, so that it differs after a fork of the chain.
    function domainSeparator() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPE, DOMAIN_NAME_HASH, keccak256("1"), block.chainid, address(this))
        );
    }

    /// The EIP-712 digest of a message of two addresses and an expiry, as all messages here are.
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
