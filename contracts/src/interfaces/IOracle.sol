// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Where an engine reads index prices. `asset` is left-aligned ASCII ("ETH").
interface IOracle {
    /// A new index price that the store accepted; 18 decimals, `time` in Unix seconds.
    event Indexed(bytes32 indexed asset, uint256 price, uint40 time);

    error PriceZero(bytes32 asset);
    error PriceFromFuture(bytes32 asset, uint256 time);
    error PriceTooHigh(bytes32 asset, uint256 price);
    error PriceOlder(bytes32 asset, uint256 time, uint256 newest);

    /// The newest price, below 2^96, and its time; zeros when there is none. A price whose asset is
    /// paused, or which a held report contradicts, has time 0, so that it is stale for everybody.
    function read(bytes32 asset) external view returns (uint256 price, uint256 time);
}
