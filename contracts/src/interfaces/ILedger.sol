// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Custody of tokens by account. Amounts are raw units of the token, at the perpetual engine too.
interface ILedger {
    /// Strings are left-aligned ASCII of at most 31 bytes.
    event TokenListed(address indexed token, bytes32 symbol, bytes32 name, uint8 decimals);
    event Deposited(uint40 indexed account, address indexed token, uint256 amount);
    event Withdrawn(uint40 indexed account, address indexed token, uint256 amount, address to);
    event Transferred(uint40 indexed from, uint40 indexed to, address indexed token, uint256 amount);

    error TokenUnknown(address token);
    error AmountZero();
    error BalanceTooLow(uint256 amount, uint256 balance);
    error NoAccount(address wallet);
    error RecipientZero();
    /// Only a sub-account's owner moves its funds.
    error NotSubOwner(address sub, address caller);
    error TransferShort(uint256 received, uint256 amount);
    error TokenTextTooLong(address token, string text);
    error DecimalsTooMany(address token, uint8 decimals, uint8 maximum);

    /// Moves `amount` of `token` from the caller into its own account, which it opens if need be.
    /// Reverts when less arrives: tokens that take a fee on transfer are not supported.
    function deposit(address token, uint256 amount) external;

    /// Only the wallet itself, never a signing key. Never halted.
    function withdraw(address token, uint256 amount, address to) external;

    /// Gives `amount` to the account of `toWallet`, which is opened if need be. Only the wallet itself;
    /// to a sub-account only its owner.
    function transfer(address token, address toWallet, uint256 amount) external;

    /// Takes `amount` from the caller's sub-account `sub` into the caller's own account.
    function collect(address token, address sub, uint256 amount) external;
}
