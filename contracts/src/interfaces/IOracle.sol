// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// An engine reads index prices here. `asset` is left-aligned ASCII ("ETH").
interface IOracle {
    /// A new index price that the store accepted; 18 decimals, `time` in Unix seconds.
    event Indexed(bytes32 indexed asset, uint256 price, uint40 time);

    error PriceZero(bytes32 asset);
    error PriceFromFuture(bytes32 asset, uint256 time);
    error PriceTooHigh(bytes32 asset, uint256 price);
    error PriceOlder(bytes32 asset, uint256 time, uint256 newest);

    /// The newest price, below 2^96, and its time; zeros when there is none. Time 0 marks a price
    /// as stale for everybody: its asset is paused, or a held report contradicts it.
    function read(bytes32 asset) external view returns (uint256 price, uint256 time);

    /// The first price that was accepted, and the second of the chain in which it was; zeros while
    /// there is none. It never changes: the funding clocks of engines start with it.
    function first(bytes32 asset) external view returns (uint256 price, uint256 time);
}
