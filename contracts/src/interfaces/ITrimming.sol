// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Reduces resting orders, at both engines. Events and errors are those of IBook.
interface ITrimming {
    /// Reduces a resting order of the caller's account by `lots`, fewer than it has; it keeps its
    /// queue position. If the rest would be worth less than the market's minimum, all of it is
    /// cancelled (BELOW_MINIMUM). Never halted.
    function reduce(uint32 market, uint40 order, uint64 lots) external;

    /// Removes orders from the book that can no longer trade: expired ones (EXPIRED), and lots of
    /// an account's reduce-only orders beyond what its position can close (REDUCE_ONLY_CAPPED;
    /// Reduced if part of an order stays). Skips all others. Anyone may call. For each such order
    /// the caller's account, if it has one and is not the order's own, gets a bounty from the
    /// order's account, reported by Transferred: a five-hundredth of its value, at most of the
    /// market's minimum. At perpetuals only as far as the account can spare it.
    function sweep(uint32 market, uint40[] calldata orders) external;
}
