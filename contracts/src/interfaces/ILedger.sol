// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Custody of tokens by account. Amounts are raw units of the token, also at the perpetual engine.
interface ILedger {
    /// Strings are left-aligned ASCII of at most 31 bytes.
    event TokenListed(address indexed token, bytes32 symbol, bytes32 name, uint8 decimals);
    event Deposited(uint40 indexed account, address indexed token, uint256 amount);
    event Withdrawn(uint40 indexed account, address indexed token, uint256 amount, address to);
    event Transferred(
        uint40 indexed from, uint40 indexed to, address indexed token, uint256 amount
    );

    /// `shareBps` 10,000 means no limit.
    event OutflowLimitSet(address indexed token, uint16 shareBps, uint256 small);
    /// 2^96 - 1 means no cap.
    event DepositCapSet(address indexed token, uint96 total, uint96 perAccount);

    error TokenUnknown(address token);
    error AmountZero();
    error BalanceTooLow(uint256 amount, uint256 balance);
    error NoAccount(address wallet);
    error RecipientZero();
    /// `to` is a contract of this venue, where the tokens would be lost.
    error RecipientRefused(address to);
    /// Only a sub-account's owner moves its funds.
    error NotSubOwner(address sub, address caller);
    /// The token does not support permits or rejects this one, and the allowance is too low.
    error PermitRefused(address token);
    error TransferShort(uint256 received, uint256 amount);
    error TokenTextTooLong(address token, string text);
    /// The token has no symbol or no name.
    error TokenTextMissing(address token);
    /// Only `room` raw units may leave now, in addition to the small withdrawals of
    /// `setOutflowLimit`. Without other withdrawals there is room for `amount` at `nextTime`, or,
    /// if it exceeds the share, as much room as possible.
    error OutflowAboveLimit(uint256 amount, uint256 room, uint256 nextTime);
    error OutflowShareOutOfRange(uint16 shareBps, uint16 minimum, uint16 maximum);
    error OutflowSmallTooLarge(uint256 small, uint256 maximum);
    /// The guardian may only lower the share, or set a limit if there is none.
    error OutflowNotTighter(address token);
    /// With the deposit the engine would hold more than the cap of the token.
    error DepositAboveCap(uint256 held, uint256 cap);
    /// With the deposit the account would hold more than the cap of each account.
    error DepositAboveAccountCap(uint256 held, uint256 cap);
    /// The guardian may only lower caps on deposits.
    error DepositCapNotTighter(address token);
    error DecimalsTooMany(address token, uint8 decimals, uint8 maximum);

    /// Moves `amount` of `token` from the caller into its own account, which is opened if
    /// necessary. Reverts with TransferShort when less arrives: tokens that charge a fee on
    /// transfer are not supported.
    function deposit(address token, uint256 amount) external;

    /// Like `deposit`, with the caller's EIP-2612 permit for `amount` to this contract instead of
    /// an approval. Also works if someone else has already sent the permit. Reverts with
    /// PermitRefused if there is no allowance in the end.
    function depositWithPermit(
        address token,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// Pays `amount` of `token` out of the caller's account to `to`. Only the wallet itself, never
    /// a signing key. Never halted, but the outflow may be limited, see `setOutflowLimit`. Rejects
    /// contracts of this venue as `to`.
    function withdraw(address token, uint256 amount, address to) external;

    /// Transfers `amount` to the account of `toWallet`, which is opened if necessary. Only the
    /// wallet itself. A sub-account can only receive from its owner, a contract of this venue
    /// never.
    function transfer(address token, address toWallet, uint256 amount) external;

    /// Transfers `amount` from the caller's sub-account `sub` to the caller's own account.
    function collect(address token, address sub, uint256 amount) external;

    /// Limits the outflow: at most `shareBps` (1,000 .. 10,000, a 10,000th each) of the token's
    /// balance at once. Withdrawn amounts become room again within an hour, linearly. A deposit
    /// adds its amount; any excess above the share expires within an hour. Beyond the room each
    /// account may withdraw `small` raw units in a clock hour, as long as all of them together take
    /// no more than a tenth of the share of the remaining balance. Only the owner; the guardian may
    /// lower the share and set the first limit of a token.
    function setOutflowLimit(address token, uint16 shareBps, uint256 small) external;

    /// The limit of a token, and the raw units that may leave now.
    function outflowOf(address token)
        external
        view
        returns (uint16 shareBps, uint256 small, int256 room);

    /// Caps deposits of a token, in raw units; 2^96 - 1 for no cap. `total` limits the engine's
    /// balance after a deposit, `perAccount` the account's balance (at Spot without its resting
    /// orders). Insurance and the fee account are exempt. Withdrawals, transfers and trading are
    /// not capped, even for accounts above the cap. Only the owner; the guardian may lower.
    function setDepositCap(address token, uint96 total, uint96 perAccount) external;

    /// The caps on deposits of a token, 2^96 - 1 for none.
    function depositCapOf(address token) external view returns (uint96 total, uint96 perAccount);
}
