// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../Book.sol";

/// The markets of either engine: halting them and reading their books.
interface IMarkets {
    event GuardianChanged(address indexed guardian);
    event Halted(uint32 indexed market, bool halted);

    error MarketUnknown(uint32 market);
    error StepsIndivisible(uint256 priceStep, uint256 amountStep);
    error OrderValueBoundsUnfit(uint256 minimum, uint256 maximum);

    function guardian() external view returns (address);

    /// Sets the guardian, who may halt markets, tighten limits and limit the outflow; zero for
    /// none. Only the owner.
    function setGuardian(address guardian) external;

    /// Stops or resumes new orders of a market; cancels, reduce-only orders and withdrawals
    /// continue. Only the owner or the guardian. The guardian may stop but not resume; anyone may
    /// resume three days after its stop, and it may stop the same market again six days after at
    /// the earliest.
    function halt(uint32 market, bool halted) external;

    /// The market's best ticks, next order number, bounds of an order's value (quote raw), and the
    /// average of its mids when the book was last written.
    function stateOf(uint32 market) external view returns (Book.StateView memory);

    /// The units of lots and ticks, the tokens, and whether the market is halted.
    function unitsOf(uint32 market) external view returns (Book.Units memory);

    /// All zero when nothing rests at `tick`.
    function levelAt(uint32 market, uint24 tick) external view returns (Book.Level memory);

    /// All zero when `order` does not rest. `prev` of a queue's head and `next` of its tail are
    /// undefined.
    function orderAt(uint32 market, uint40 order) external view returns (Book.Order memory);

    /// The next tick with orders above `tick`; 2^24 - 1 for none.
    function tickAbove(uint32 market, uint24 tick) external view returns (uint24);

    /// The next tick with orders below `tick`; 0 for none.
    function tickBelow(uint32 market, uint24 tick) external view returns (uint24);
}
