// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {Engine} from "./Engine.sol";
import {ILedger} from "./interfaces/ILedger.sol";

interface IERC20Metadata {
    function name() external view returns (string memory);
    function symbol() external view returns (string memory);
    function decimals() external view returns (uint8);
}

/// Tokens in and out. How an account's balance is kept is the engine's, through `_credit` and `_debit`.
/// The owner lists tokens; it has no way to move anyone's. Tokens that rebase must not be listed.
abstract contract Ledger is ILedger, Engine {
    uint8 private constant DECIMALS_MAX = 18;

    struct Token {
        uint32 number; // from 1 in order of listing; 0 for an unknown token
        uint8 decimals;
    }

    uint32 public tokenCount;
    mapping(address token => Token) internal _tokens;
    mapping(uint32 number => address token) public tokenAt;

    modifier knownToken(address token) {
        require(_tokens[token].number != 0, TokenUnknown(token));
        _;
    }

    /// @inheritdoc ILedger
    function deposit(address token, uint256 amount) external nonReentrant knownToken(token) {
        require(amount != 0, AmountZero());
        uint40 account = accounts.open(msg.sender);
        _credit(account, token, amount);
        emit Deposited(account, token, amount);
        uint256 before = SafeTransferLib.balanceOf(token, address(this));
        SafeTransferLib.safeTransferFrom(token, msg.sender, address(this), amount);
        uint256 received = SafeTransferLib.balanceOf(token, address(this)) - before;
        require(received == amount, TransferShort(received, amount));
    }

    /// @inheritdoc ILedger
    function withdraw(address token, uint256 amount, address to) external nonReentrant knownToken(token) {
        require(amount != 0, AmountZero());
        require(to != address(0), RecipientZero());
        uint40 account = _holder();
        _debit(account, token, amount);
        emit Withdrawn(account, token, amount, to);
        SafeTransferLib.safeTransfer(token, to, amount);
    }

    /// @inheritdoc ILedger
    function transfer(address token, address toWallet, uint256 amount) external nonReentrant knownToken(token) {
        require(amount != 0, AmountZero());
        uint40 from = _holder();
        uint40 to = accounts.open(toWallet);
        address owner_ = accounts.ownerOf(to);
        require(owner_ == address(0) || owner_ == msg.sender, NotSubOwner(toWallet, msg.sender));
        _move(from, to, token, amount);
    }

    /// @inheritdoc ILedger
    function collect(address token, address sub, uint256 amount) external nonReentrant knownToken(token) {
        require(amount != 0, AmountZero());
        uint40 from = accounts.accountOf(sub);
        require(from != 0 && accounts.ownerOf(from) == msg.sender, NotSubOwner(sub, msg.sender));
        _move(from, _holder(), token, amount);
    }

    function _move(uint40 from, uint40 to, address token, uint256 amount) private {
        _debit(from, token, amount);
        _credit(to, token, amount);
        emit Transferred(from, to, token, amount);
    }

    /// Lists `token` unless it is listed.
    function _listToken(address token) internal returns (Token memory listed) {
        listed = _tokens[token];
        if (listed.number != 0) return listed;
        IERC20Metadata metadata = IERC20Metadata(token);
        listed = Token({number: ++tokenCount, decimals: metadata.decimals()});
        require(listed.decimals <= DECIMALS_MAX, DecimalsTooMany(token, listed.decimals, DECIMALS_MAX));
        _tokens[token] = listed;
        tokenAt[listed.number] = token;
        emit TokenListed(token, _text(token, metadata.symbol()), _text(token, metadata.name()), listed.decimals);
    }

    function _text(address token, string memory text) private pure returns (bytes32) {
        require(bytes(text).length < 32, TokenTextTooLong(token, text));
        return bytes32(bytes(text));
    }

    /// Adds raw units to an account.
    function _credit(uint40 account, address token, uint256 amount) internal virtual;

    /// Takes raw units that leave an account; reverts unless they are free to go.
    function _debit(uint40 account, address token, uint256 amount) internal virtual;
}
