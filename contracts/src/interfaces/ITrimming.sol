// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Makes resting orders smaller, at both engines. Events and errors are those of IBook.
interface ITrimming {
    /// Shrinks a resting order of the caller's account by `lots`, fewer than it has; it keeps its
    /// queue position. When what would be left is worth less than the market's minimum, all of it
    /// is cancelled (BELOW_MINIMUM). Never halted.
    function reduce(uint32 market, uint40 order, uint64 lots) external;

    /// Takes orders off the book that can no longer trade: those whose good-til time has passed
    /// (EXPIRED), and what reduce-only orders of an account have beyond what its position can close
    /// (REDUCE_ONLY_CAPPED; Reduced where a part of an order stays). Passes over all others. Anyone
    /// may call. For each such order the caller's account, if it has one and is not the order's
    /// own, gets a bounty from the order's account, reported by Transferred: a five-hundredth of
    /// its value, at most of the market's minimum. At perpetuals only as far as the account can
    /// spare it.
    function sweep(uint32 market, uint40[] calldata orders) external;
}
