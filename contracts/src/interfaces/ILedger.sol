// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Custody of tokens by account. Amounts are raw units of the token, at the perpetual engine too.
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
    /// `to` is a contract of this venue, from which nobody could get the tokens out again.
    error RecipientRefused(address to);
    /// Only a sub-account's owner moves its funds.
    error NotSubOwner(address sub, address caller);
    /// The token does not know permits or refuses this one, and the allowance is too low.
    error PermitRefused(address token);
    error TransferShort(uint256 received, uint256 amount);
    error TokenTextTooLong(address token, string text);
    /// The token has no symbol or no name.
    error TokenTextMissing(address token);
    /// Only `room` raw units may leave now, besides the small withdrawals of `setOutflowLimit`. If
    /// nobody else withdraws there is room for `amount` at `nextTime`, or, where it is above the
    /// share, as much room as there can be.
    error OutflowAboveLimit(uint256 amount, uint256 room, uint256 nextTime);
    error OutflowShareOutOfRange(uint16 shareBps, uint16 minimum, uint16 maximum);
    error OutflowSmallTooLarge(uint256 small, uint256 maximum);
    /// The guardian may only lower the share, or set a limit where there is none.
    error OutflowNotTighter(address token);
    /// With the deposit the engine would hold more than the cap of the token.
    error DepositAboveCap(uint256 held, uint256 cap);
    /// With the deposit the account would hold more than the cap of each account.
    error DepositAboveAccountCap(uint256 held, uint256 cap);
    /// The guardian may only lower caps on deposits.
    error DepositCapNotTighter(address token);
    error DecimalsTooMany(address token, uint8 decimals, uint8 maximum);

    /// Moves `amount` of `token` from the caller into its own account, which is opened if need be.
    /// Reverts with TransferShort when less arrives: tokens that take a fee on transfer are not
    /// supported.
    function deposit(address token, uint256 amount) external;

    /// As `deposit`, with the caller's EIP-2612 permit for `amount` to this contract in place of an
    /// approval. Works as well when somebody else has sent the permit before. Reverts with
    /// PermitRefused when there is no allowance in the end.
    function depositWithPermit(
        address token,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// Pays `amount` of `token` out of the caller's account to `to`. Only the wallet itself, never
    /// a signing key. Never halted, but the outflow may be limited, see
    /// `setOutflowLimit`. Refuses contracts of this venue as `to`.
    function withdraw(address token, uint256 amount, address to) external;

    /// Gives `amount` to the account of `toWallet`, which is opened if need be. Only the wallet
    /// itself; to a sub-account only its owner, to a contract of this venue nobody.
    function transfer(address token, address toWallet, uint256 amount) external;

    /// Takes `amount` from the caller's sub-account `sub` into the caller's own account.
    function collect(address token, address sub, uint256 amount) external;

    /// Limits what leaves: `shareBps` (1,000 .. 10,000, a 10,000th each) of the token's balance at
    /// once. What was withdrawn is room again within an hour, evenly. A deposit adds its amount, of
    /// which what exceeds the share goes within an hour. Beyond the room each account may withdraw
    /// `small` raw units in a clock hour, as long as all of them together take no more than a tenth
    /// of the share of what stays. Only the owner; the guardian may lower the share and set the
    /// first limit of a token.
    function setOutflowLimit(address token, uint16 shareBps, uint256 small) external;

    /// The limit of a token, and the raw units that may leave now.
    function outflowOf(address token)
        external
        view
        returns (uint16 shareBps, uint256 small, int256 room);

    /// Caps deposits of a token, in raw units; 2^96 - 1 for no cap. `total` is of what the engine
    /// holds after a deposit, `perAccount` of what the account holds by then (at Spot without its
    /// resting orders). Insurance and the fee account deposit without a cap. Withdrawals, transfers
    /// and trading know no caps, also of who holds more. Only the owner; the guardian may lower.
    function setDepositCap(address token, uint96 total, uint96 perAccount) external;

    /// The caps on deposits of a token, 2^96 - 1 for none.
    function depositCapOf(address token) external view returns (uint96 total, uint96 perAccount);
}
