// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MetadataReaderLib} from "solady/utils/MetadataReaderLib.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {Engine} from "./Engine.sol";
import {NO_ACCOUNT, AccountId} from "./ValueTypes.sol";
import {ILedger} from "./interfaces/ILedger.sol";
import {IOwned} from "./interfaces/IOwned.sol";

interface IERC20Metadata {
    function decimals() external view returns (uint8);
}

interface IERC20Permit {
    function allowance(address owner, address spender) external view returns (uint256);
    function permit(
        address owner,
        address spender,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// Accepts deposits of tokens and pays them out. The engine keeps the balances of accounts, through
/// `_credit` and `_debit`. The owner lists tokens but cannot move anyone's. Rebasing tokens must
/// not be listed.
abstract contract Ledger is ILedger, Engine {
    uint8 private constant DECIMALS_MAX = 18;
    uint256 private constant HOUR = 1 hours;
    uint256 private constant BPS = 10_000;
    uint16 private constant SHARE_ALL = 10_000; // no limit
    uint16 private constant SHARE_MIN = 1_000; // a tenth per hour: prevents a lock-in
    uint96 private constant CAP_NONE = type(uint96).max; // no cap on deposits
    uint40 private constant VENUE_ACCOUNTS = 2; // insurance and fees, which are exempt from caps
    int256 private constant ROOM_MAX = type(int112).max;
    uint256 private constant SMALL_MAX = type(uint112).max;
    int256 private constant BEYOND_DIVISOR = 10; // a tenth of the share may leave beyond it
    // Recognising a contract of this venue takes 3,000 gas.
    uint256 private constant ASKING_GAS = 20_000;

    /// One slot. Amounts are raw units.
    struct Token {
        uint32 number; // from 1 in order of listing; 0 for an unknown token
        uint8 decimals;
        uint16 shareBps; // share of the engine's balance that may leave in an hour
        uint96 totalCap; // of what the engine holds after a deposit
        uint96 accountCap; // of what the account holds after its deposit
    }

    /// One slot. Used while the token has a limit.
    struct Outflow {
        uint32 time; // of the newest deposit or withdrawal
        int112 room; // raw units that could leave then; negative after small withdrawals
        uint112 small; // raw units that each account may withdraw beyond the room
    }

    /// One slot. Only withdrawals beyond the room write it.
    struct Beyond {
        uint32 hour;
        uint112 used;
    }

    uint32 public tokenCount;
    mapping(address token => Token) internal _tokens;
    mapping(uint32 number => address token) public tokenAt;
    mapping(address token => Outflow) private _outflows;
    mapping(address token => mapping(AccountId account => Beyond)) private _beyond;

    modifier knownToken(address token) {
        require(_tokens[token].number != 0, TokenUnknown(token));
        _;
    }

    /// @inheritdoc ILedger
    function deposit(address token, uint256 amount) external nonReentrant knownToken(token) {
        _deposit(token, amount);
    }

    /// @inheritdoc ILedger
    function depositWithPermit(
        address token,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant knownToken(token) {
        (bool done,) = token.call(
            abi.encodeCall(
                IERC20Permit.permit, (msg.sender, address(this), amount, deadline, v, r, s)
            )
        );
        // Anyone may have submitted the permit already; then the allowance exists anyway.
        require(
            done || IERC20Permit(token).allowance(msg.sender, address(this)) >= amount,
            PermitRefused(token)
        );
        _deposit(token, amount);
    }

    function _deposit(address token, uint256 amount) private {
        require(amount != 0, AmountZero());
        AccountId account = AccountId.wrap(accounts.open(msg.sender));
        _credit(account, token, amount);
        emit Deposited(AccountId.unwrap(account), token, amount);
        uint256 before = SafeTransferLib.balanceOf(token, address(this));
        _requireBelowCaps(account, token, amount, before);
        _countIn(token, amount);
        SafeTransferLib.safeTransferFrom(token, msg.sender, address(this), amount);
        uint256 received = SafeTransferLib.balanceOf(token, address(this)) - before;
        require(received == amount, TransferShort(received, amount));
    }

    /// @inheritdoc ILedger
    function withdraw(address token, uint256 amount, address to)
        external
        nonReentrant
        knownToken(token)
    {
        require(amount != 0, AmountZero());
        require(to != address(0), RecipientZero());
        _requireOutside(token, to);
        AccountId account = _holder();
        _requireOpen(NO_ACCOUNT);
        _debit(account, token, amount);
        _countOut(account, token, amount);
        emit Withdrawn(AccountId.unwrap(account), token, amount, to);
        SafeTransferLib.safeTransfer(token, to, amount);
    }

    /// @inheritdoc ILedger
    function transfer(address token, address toWallet, uint256 amount)
        external
        nonReentrant
        knownToken(token)
    {
        require(amount != 0, AmountZero());
        _requireOutside(token, toWallet);
        AccountId from = _holder();
        AccountId to = AccountId.wrap(accounts.open(toWallet));
        address owner_ = accounts.ownerOf(AccountId.unwrap(to));
        require(owner_ == address(0) || owner_ == msg.sender, NotSubOwner(toWallet, msg.sender));
        _move(from, to, token, amount);
    }

    /// @inheritdoc ILedger
    function collect(address token, address sub, uint256 amount)
        external
        nonReentrant
        knownToken(token)
    {
        require(amount != 0, AmountZero());
        AccountId from = AccountId.wrap(accounts.accountOf(sub));
        require(
            from != NO_ACCOUNT && accounts.ownerOf(AccountId.unwrap(from)) == msg.sender,
            NotSubOwner(sub, msg.sender)
        );
        _move(from, _holder(), token, amount);
    }

    function _move(AccountId from, AccountId to, address token, uint256 amount) private {
        _requireOpen(to);
        _debit(from, token, amount);
        _credit(to, token, amount);
        emit Transferred(AccountId.unwrap(from), AccountId.unwrap(to), token, amount);
    }

    /// Rejects contracts of this venue as recipients, since the tokens would be lost.
    function _requireOutside(address token, address to) private view {
        bool isInside =
            to == token || to == address(this) || to == address(accounts) || _isInside(to);
        require(!isInside && !_answersAsVenue(to), RecipientRefused(to));
    }

    /// Returns whether `to` has this venue's `accounts()`, like engines and their parts.
    function _answersAsVenue(address to) private view returns (bool answers) {
        address ours = address(accounts);
        bytes4 question = bytes4(keccak256("accounts()"));
        // A Solidity call would revert if `to` does not answer, and copy the whole answer.
        assembly ("memory-safe") {
            mstore(0, question)
            answers := staticcall(ASKING_GAS, to, 0, 4, 0, 0x20)
            answers := and(answers, and(gt(returndatasize(), 0x1f), eq(mload(0), ours)))
        }
    }

    /// Returns whether the address is another contract of the venue known to the engine.
    function _isInside(address) internal view virtual returns (bool) {
        return false;
    }

    /// Returns the entry of `token`, which is listed first if necessary. Reads its decimals, symbol
    /// and name.
    function _listToken(address token) internal returns (Token memory listed) {
        listed = _tokens[token];
        if (listed.number != 0) return listed;
        listed = Token({
            number: ++tokenCount,
            decimals: IERC20Metadata(token).decimals(),
            shareBps: SHARE_ALL,
            totalCap: CAP_NONE,
            accountCap: CAP_NONE
        });
        require(
            listed.decimals <= DECIMALS_MAX, DecimalsTooMany(token, listed.decimals, DECIMALS_MAX)
        );
        _tokens[token] = listed;
        tokenAt[listed.number] = token;
        bytes32 symbol = _text(token, MetadataReaderLib.readSymbol(token));
        emit TokenListed(
            token, symbol, _text(token, MetadataReaderLib.readName(token)), listed.decimals
        );
    }

    /// Tokens that predate the standard return bytes32, which the reader accepts too.

    function _text(address token, string memory text) private pure returns (bytes32) {
        require(bytes(text).length != 0, TokenTextMissing(token));
        require(bytes(text).length < 32, TokenTextTooLong(token, text));
        return bytes32(bytes(text));
    }

    /* OUTFLOW */

    /// @inheritdoc ILedger
    function setOutflowLimit(address token, uint16 shareBps, uint256 small)
        external
        knownToken(token)
    {
        require(
            shareBps >= SHARE_MIN && shareBps <= SHARE_ALL,
            OutflowShareOutOfRange(shareBps, SHARE_MIN, SHARE_ALL)
        );
        require(small <= SMALL_MAX, OutflowSmallTooLarge(small, SMALL_MAX));
        Token storage listed = _tokens[token];
        Outflow storage outflow = _outflows[token];
        if (msg.sender != _owner) {
            require(msg.sender == _guardian, IOwned.NotOwner(msg.sender));
            bool tightens = listed.shareBps == SHARE_ALL
                || (shareBps <= listed.shareBps && small == outflow.small);
            require(tightens, OutflowNotTighter(token));
        }
        int256 room = _roomOf(token);
        listed.shareBps = shareBps;
        outflow.small = uint112(small);
        if (block.timestamp < outflow.time + HOUR) {
            // A higher share adds no room immediately: room only grows faster.
            int256 whole = _wholeRoom(token);
            _keepRoom(token, whole < room ? whole : room);
        }
        emit OutflowLimitSet(token, shareBps, small);
    }

    /// @inheritdoc ILedger
    function outflowOf(address token)
        external
        view
        returns (uint16 shareBps, uint256 small, int256 room)
    {
        return (_tokens[token].shareBps, _outflows[token].small, _roomOf(token));
    }

    function _countIn(address token, uint256 amount) private {
        if (_tokens[token].shareBps == SHARE_ALL) return;
        int256 room = _roomOf(token);
        _keepRoom(token, amount < uint256(ROOM_MAX - room) ? room + int256(amount) : ROOM_MAX);
    }

    function _countOut(AccountId account, address token, uint256 amount) private {
        if (_tokens[token].shareBps == SHARE_ALL) return;
        int256 room = _roomOf(token);
        uint256 open = room > 0 ? uint256(room) : 0;
        if (amount > open) _countBeyond(account, token, amount, room);
        _keepRoom(token, room - int256(amount));
    }

    /// Records a withdrawal beyond the room: at most `small` per account in a clock hour, and over
    /// all accounts at most a tenth of the share of the remaining balance. So neither many
    /// withdrawals nor many accounts evade the limit.
    function _countBeyond(AccountId account, address token, uint256 amount, int256 room) private {
        uint256 open = room > 0 ? uint256(room) : 0;
        uint256 hour = block.timestamp / HOUR;
        Beyond storage beyond = _beyond[token][account];
        uint256 used = (beyond.hour == hour ? beyond.used : 0) + amount - open;
        uint256 balance = SafeTransferLib.balanceOf(token, address(this));
        uint256 staying = balance > amount ? balance - amount : 0;
        // An amount within `small` fits an int112 twice.
        require(
            used <= _outflows[token].small
                && int256(amount) - room <= _shareOf(token, staying) / BEYOND_DIVISOR,
            OutflowAboveLimit(amount, open, _openTime(token, amount, room))
        );
        (beyond.hour, beyond.used) = (uint32(hour), uint112(used));
    }

    /// Time at which there is room for `amount`, which is more than `room`, without other
    /// withdrawals.
    function _openTime(address token, uint256 amount, int256 room) private view returns (uint256) {
        int256 whole = _wholeRoom(token);
        if (amount >= uint256(whole)) return block.timestamp + HOUR;
        int256 wait = ((int256(amount) - room) * int256(HOUR) + whole - 1) / whole;
        return block.timestamp + (wait < int256(HOUR) ? uint256(wait) : HOUR);
    }

    function _keepRoom(address token, int256 room) private {
        Outflow storage outflow = _outflows[token];
        (outflow.time, outflow.room) = (uint32(block.timestamp), int112(room));
    }

    /// The amount that can leave now. Within an hour it converges to the share of the engine's
    /// balance: it grows linearly, and an excess above that share shrinks linearly. Room never
    /// resets to the full share: repeated withdrawals and deposits would then block other accounts
    /// in between.
    function _roomOf(address token) private view returns (int256) {
        Outflow storage outflow = _outflows[token];
        int256 whole = _wholeRoom(token);
        uint256 elapsed = block.timestamp - outflow.time;
        if (elapsed >= HOUR) return whole;
        int256 room = outflow.room;
        if (room > whole) return room - (room - whole) * int256(elapsed) / int256(HOUR);
        room += whole * int256(elapsed) / int256(HOUR);
        return room < whole ? room : whole;
    }

    /// The share of the engine's balance.
    function _wholeRoom(address token) private view returns (int256) {
        return _shareOf(token, SafeTransferLib.balanceOf(token, address(this)));
    }

    function _shareOf(address token, uint256 balance) private view returns (int256) {
        uint256 counted = balance < uint256(ROOM_MAX) ? balance : uint256(ROOM_MAX);
        return int256(counted * _tokens[token].shareBps / BPS);
    }

    /* CAPS ON DEPOSITS */

    /// @inheritdoc ILedger
    function setDepositCap(address token, uint96 total, uint96 perAccount)
        external
        knownToken(token)
    {
        Token storage listed = _tokens[token];
        if (msg.sender != _owner) {
            require(msg.sender == _guardian, IOwned.NotOwner(msg.sender));
            require(
                total <= listed.totalCap && perAccount <= listed.accountCap,
                DepositCapNotTighter(token)
            );
        }
        (listed.totalCap, listed.accountCap) = (total, perAccount);
        emit DepositCapSet(token, total, perAccount);
    }

    /// @inheritdoc ILedger
    function depositCapOf(address token) external view returns (uint96 total, uint96 perAccount) {
        return (_tokens[token].totalCap, _tokens[token].accountCap);
    }

    /// Called after the account was credited and before the engine receives the tokens.
    function _requireBelowCaps(AccountId account, address token, uint256 amount, uint256 before)
        private
        view
    {
        if (AccountId.unwrap(account) <= VENUE_ACCOUNTS) return;
        (uint256 total, uint256 perAccount) = (_tokens[token].totalCap, _tokens[token].accountCap);
        require(
            total == CAP_NONE || before + amount <= total, DepositAboveCap(before + amount, total)
        );
        if (perAccount == CAP_NONE) return;
        uint256 held = _heldBy(account, token);
        require(held <= perAccount, DepositAboveAccountCap(held, perAccount));
    }

    /// Reverts while funds may leave an account only for account `to`; 0: to a wallet.
    function _requireOpen(AccountId to) internal view virtual {}

    /// Adds `amount` raw units to an account.
    function _credit(AccountId account, address token, uint256 amount) internal virtual;

    /// The raw units of an account outside orders, rounded down to whole raw units; 0 when it has a
    /// debt.
    function _heldBy(AccountId account, address token) internal view virtual returns (uint256);

    /// Deducts `amount` raw units from an account; reverts unless they are free to leave.
    function _debit(AccountId account, address token, uint256 amount) internal virtual;
}
