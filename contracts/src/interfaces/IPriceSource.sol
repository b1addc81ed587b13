// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Reads a price network and reports to the store.
interface IPriceSource {
    /// The reading of `asset` was not reported; `reason` is the selector of the error, zero for
    /// none. A reading that must not be used has put the store's price in doubt.
    event PassedOver(bytes32 indexed asset, bytes4 reason);

    error FeedUnknown(bytes32 asset);
    /// The network's price is zero or negative.
    error PriceNotPositive(bytes32 asset, int256 price);

    /// Pushes the network's current price of `asset` to the store. If it must not be used, puts the
    /// store's price in doubt instead (`IPriceStore.refuse`). Anyone may call. Does nothing when
    /// the store already has that price.
    function report(bytes32 asset) external;

    /// Reports each of `assets` and skips those that revert. Anyone may call.
    function reportAll(bytes32[] calldata assets) external;

    /// The network's current price of `asset`, with 18 decimals, and its time in Unix seconds.
    /// Reverts when it must not be used.
    function reading(bytes32 asset) external view returns (uint256 price, uint256 time);
}
