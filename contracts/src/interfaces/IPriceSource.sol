// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A reader of a price network that reports to the store.
interface IPriceSource {
    /// `reportAll` went on without `asset`; `reason` is the selector of the error, zero for none.
    event PassedOver(bytes32 indexed asset, bytes4 reason);

    error FeedUnknown(bytes32 asset);
    /// The network's price is zero or negative.
    error PriceNotPositive(bytes32 asset, int256 price);

    /// Tells the store what the network says of `asset` now; reverts when that must not be used.
    /// Anyone. Nothing happens when the store knows it already.
    function report(bytes32 asset) external;

    /// Reports each of `assets`, passing over those that cannot be. Anyone.
    function reportAll(bytes32[] calldata assets) external;

    /// What the network says of `asset`: its price with 18 decimals and its time in Unix seconds.
    /// Reverts when it must not be used.
    function reading(bytes32 asset) external view returns (uint256 price, uint256 time);
}
