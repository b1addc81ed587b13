// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Status of the newest price of an asset: only an ACCEPTED one may be used.
enum PriceStatus {
    NONE, // no report accepted yet
    ACCEPTED,
    RETURNED, // confirmed or near a confirmed one in this second: counts from the next one on
    HELD, // a report too far from it is waiting to be confirmed
    REFUSED, // the asset's source has a newer reading, which must not be used
    PAUSED // or resumed, and not reported since
}

/// Source of index prices for the engines. `asset` is left-aligned ASCII ("ETH").
interface IOracle {
    /// A new index price that the store accepted; 18 decimals, `time` in Unix seconds.
    event Indexed(bytes32 indexed asset, uint256 price, uint40 time);

    error PriceZero(bytes32 asset);
    error PriceFromFuture(bytes32 asset, uint256 time);
    error PriceTooHigh(bytes32 asset, uint256 price);
    error PriceOlder(bytes32 asset, uint256 time, uint256 newest);

    /// The newest price, 18 decimals, below 2^96, 0 while there is none; its time as reported by
    /// the source, Unix seconds; and `earlier`, the last price accepted before this second (`price`
    /// itself for an asset's first). Unless the status is ACCEPTED, no risk may grow on the price
    /// and no position may be closed by force at it.
    function read(bytes32 asset)
        external
        view
        returns (uint256 price, uint256 time, uint256 earlier, PriceStatus status);

    /// A number that grows with every report that is accepted or held, and with every pause: while
    /// it is unchanged, so is the price.
    function changesOf(bytes32 asset) external view returns (uint256);

    /// The last time at which an accepted price of any asset differed by more than 1% from the one
    /// before its second; 0 if none ever did. A smaller move within a second costs no account more
    /// than the lowest maintenance margin.
    function movedTime() external view returns (uint256);

    /// The first accepted price, and the chain's second in which it was accepted; zeros while there
    /// is none. It never changes: the funding clocks of engines start with it.
    function first(bytes32 asset) external view returns (uint256 price, uint256 time);
}
