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
    uint256 private constant HOUR = 1 hours;
    uint256 private constant BPS = 10_000;
    uint16 private constant SHARE_ALL = 10_000; // no limit
    uint16 private constant SHARE_MIN = 1_000; // a tenth per hour: nobody is locked in
    int256 private constant ROOM_MAX = type(int112).max;
    uint256 private constant SMALL_MAX = type(uint112).max;

    struct Token {
        uint32 number; // from 1 in order of listing; 0 for an unknown token
        uint8 decimals;
        uint16 shareBps; // of the engine's balance that may leave in an hour
    }

    /// One slot, in use while the token has a limit.
    struct Outflow {
        uint32 hour; // since 1970, of the newest deposit or withdrawal
        int112 room; // raw units that may still leave in it; below zero after small withdrawals
        uint112 small;
    }

    uint32 public tokenCount;
    mapping(address token => Token) internal _tokens;
    mapping(uint32 number => address token) public tokenAt;
    mapping(address token => Outflow) private _outflows;

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
        _countIn(token, amount);
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
        _countOut(token, amount);
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
        listed = Token({number: ++tokenCount, decimals: metadata.decimals(), shareBps: SHARE_ALL});
        require(listed.decimals <= DECIMALS_MAX, DecimalsTooMany(token, listed.decimals, DECIMALS_MAX));
        _tokens[token] = listed;
        tokenAt[listed.number] = token;
        emit TokenListed(token, _text(token, metadata.symbol()), _text(token, metadata.name()), listed.decimals);
    }

    function _text(address token, string memory text) private pure returns (bytes32) {
        require(bytes(text).length < 32, TokenTextTooLong(token, text));
        return bytes32(bytes(text));
    }

    /* OUTFLOW */

    /// @inheritdoc ILedger
    function setOutflowLimit(address token, uint16 shareBps, uint256 small) external knownToken(token) {
        require(shareBps >= SHARE_MIN && shareBps <= SHARE_ALL, OutflowShareOutOfRange(shareBps, SHARE_MIN, SHARE_ALL));
        require(small <= SMALL_MAX, OutflowSmallTooLarge(small, SMALL_MAX));
        Token storage listed = _tokens[token];
        Outflow storage outflow = _outflows[token];
        if (msg.sender != owner) {
            require(msg.sender == guardian, NotOwner(msg.sender));
            bool tightens = listed.shareBps == SHARE_ALL || (shareBps <= listed.shareBps && small == outflow.small);
            require(tightens, OutflowNotTighter(token));
        }
        int256 room = _roomOf(token);
        listed.shareBps = shareBps;
        outflow.small = uint112(small);
        if (outflow.hour == _hour()) {
            // A higher share counts from the next hour on: setting one never adds room to this one.
            int256 fresh = _freshRoom(token);
            outflow.room = int112(fresh < room ? fresh : room);
        }
        emit OutflowLimitSet(token, shareBps, small);
    }

    /// @inheritdoc ILedger
    function outflowOf(address token) external view returns (uint16 shareBps, uint256 small, int256 room) {
        return (_tokens[token].shareBps, _outflows[token].small, _roomOf(token));
    }

    function _countIn(address token, uint256 amount) private {
        if (_tokens[token].shareBps == SHARE_ALL) return;
        int256 room = _roomOf(token);
        _keepRoom(token, amount < uint256(ROOM_MAX - room) ? room + int256(amount) : ROOM_MAX);
    }

    function _countOut(address token, uint256 amount) private {
        if (_tokens[token].shareBps == SHARE_ALL) return;
        int256 room = _roomOf(token);
        bool hasRoom = room > 0 && amount <= uint256(room);
        require(
            hasRoom || amount <= _outflows[token].small,
            OutflowAboveLimit(amount, room < 0 ? 0 : uint256(room), (_hour() + 1) * HOUR)
        );
        room -= int256(amount);
        _keepRoom(token, room < -ROOM_MAX ? -ROOM_MAX : room);
    }

    function _keepRoom(address token, int256 room) private {
        Outflow storage outflow = _outflows[token];
        (outflow.hour, outflow.room) = (uint32(_hour()), int112(room));
    }

    function _roomOf(address token) private view returns (int256) {
        Outflow storage outflow = _outflows[token];
        return outflow.hour == _hour() ? outflow.room : _freshRoom(token);
    }

    /// The share of what the engine holds now.
    function _freshRoom(address token) private view returns (int256) {
        uint256 balance = SafeTransferLib.balanceOf(token, address(this));
        uint256 counted = balance < uint256(ROOM_MAX) ? balance : uint256(ROOM_MAX);
        return int256(counted * _tokens[token].shareBps / BPS);
    }

    function _hour() private view returns (uint256) {
        return block.timestamp / HOUR;
    }

    /// Adds raw units to an account.
    function _credit(uint40 account, address token, uint256 amount) internal virtual;

    /// Takes raw units that leave an account; reverts unless they are free to go.
    function _debit(uint40 account, address token, uint256 amount) internal virtual;
}
