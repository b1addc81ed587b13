// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Whether the newest price of an asset may be used.
enum PriceStatus {
    NONE, // no report was accepted yet
    ACCEPTED,
    RETURNED, // confirmed or near a confirmed one in this second: counts from the next one on
    HELD, // a report that is too far from it waits to be confirmed
    REFUSED, // the asset's source has a newer reading, which must not be used
    PAUSED // or resumed, and not reported since
}

/// An engine reads index prices here. `asset` is left-aligned ASCII ("ETH").
interface IOracle {
    /// A new index price that the store accepted; 18 decimals, `time` in Unix seconds.
    event Indexed(bytes32 indexed asset, uint256 price, uint40 time);

    error PriceZero(bytes32 asset);
    error PriceFromFuture(bytes32 asset, uint256 time);
    error PriceTooHigh(bytes32 asset, uint256 price);
    error PriceOlder(bytes32 asset, uint256 time, uint256 newest);

    /// The newest price, 18 decimals, below 2^96, 0 while there is none; its time as the source
    /// reported it, Unix seconds; and `earlier`, the price that was accepted last before this
    /// second (`price` itself for an asset's first). Unless the status is ACCEPTED, no risk may
    /// grow on the price and nothing may be closed by force at it.
    function read(bytes32 asset)
        external
        view
        returns (uint256 price, uint256 time, uint256 earlier, PriceStatus status);

    /// A number that grows with every report that is accepted or held, and with every pause: while
    /// it stays the same, nothing has happened to the price.
    function changesOf(bytes32 asset) external view returns (uint256);

    /// When a price was accepted last that was more than 1% from the one of before its second, of
    /// any asset; 0 while there was none. A move within a second that is smaller costs no account
    /// more than the least maintenance margin.
    function movedTime() external view returns (uint256);

    /// The first price that was accepted, and the second of the chain in which it was; zeros while
    /// there is none. It never changes: the funding clocks of engines start with it.
    function first(bytes32 asset) external view returns (uint256 price, uint256 time);
}
