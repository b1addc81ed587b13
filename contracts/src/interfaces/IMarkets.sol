// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../Book.sol";

/// What an engine tells and takes about its markets, whatever is traded there.
interface IMarkets {
    event Halted(uint32 indexed market, bool halted);

    error MarketUnknown(uint32 market);
    error StepsIndivisible(uint256 priceStep, uint256 amountStep);
    error OrderValueBoundsUnfit(uint256 minimum, uint256 maximum);

    /// Stops or resumes new orders of a market; cancels, reduce-only orders and withdrawals go on.
    /// The owner; the guardian may stop but not resume, and what it has stopped anybody may resume after
    /// three days. It stops the same market again six days after its last stop at the earliest.
    function halt(uint32 market, bool halted) external;

    /// The market's best ticks, next order number and bounds of an order's value, and what the average of
    /// its mids was when the book was last written.
    function stateOf(uint32 market) external view returns (Book.StateView memory);

    /// What a lot and a tick are worth, the tokens and whether it is halted.
    function unitsOf(uint32 market) external view returns (Book.Units memory);

    /// All zero when nothing rests at `tick`.
    function levelAt(uint32 market, uint24 tick) external view returns (Book.Level memory);

    /// All zero when `order` does not rest. `prev` of a queue's head and `next` of its tail mean nothing.
    function orderAt(uint32 market, uint40 order) external view returns (Book.Order memory);

    /// The next tick with orders above `tick`; 2^24 - 1 for none.
    function tickAbove(uint32 market, uint24 tick) external view returns (uint24);

    /// The next tick with orders below `tick`; 0 for none.
    function tickBelow(uint32 market, uint24 tick) external view returns (uint24);
}
