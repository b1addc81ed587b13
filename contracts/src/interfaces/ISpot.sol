// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook} from "./IBook.sol";
import {IERC5267} from "./IERC5267.sol";
import {ILedger} from "./ILedger.sol";
import {IMarkets} from "./IMarkets.sol";
import {IOwned} from "./IOwned.sol";
import {ITrimming} from "./ITrimming.sol";

/// The events and errors of a spot engine.
interface ISpotEvents {
    event Listed(
        uint32 indexed market,
        bytes32 name,
        address indexed base,
        address indexed quote,
        uint256 priceStep,
        uint256 amountStep,
        uint256 minOrderValue,
        uint256 maxOrderValue
    );
    event Changed(uint32 indexed market, uint256 minOrderValue, uint256 maxOrderValue);
    /// The taker is the buyer when its order was placed to buy; the price is the maker's tick.
    event Filled(
        uint32 indexed market,
        uint40 maker,
        uint40 makerOrder,
        uint40 taker,
        uint40 takerOrder,
        uint24 tick,
        uint64 lots
    );

    error ReduceOnlyAtSpot();
    error SameToken(address token);
    /// The minimum value of an order must be positive, and at least a millionth of the maximum.
    error OrderValueMinimumTooLow(uint256 minimum, uint256 nearest);
}

/// The part of a spot engine that SpotAdmin implements.
interface ISpotAdmin is ISpotEvents, ITrimming, IMarkets, ILedger {
    /// Lists a market. Price = tick * priceStep in quote raw for one whole base token, amount =
    /// lots * amountStep in base raw; priceStep * amountStep must be a multiple of 10^baseDecimals,
    /// so that nothing rounds. `name` is left-aligned ASCII. Values are quote raw, inclusive. Only
    /// the owner.
    function list(
        bytes32 name,
        address base,
        address quote,
        uint256 priceStep,
        uint256 amountStep,
        uint128 minOrderValue,
        uint128 maxOrderValue
    ) external returns (uint32 market);

    /// Changes the bounds of new orders: the lower one at least a millionth of the upper. Only the
    /// owner.
    function change(uint32 market, uint128 minOrderValue, uint128 maxOrderValue) external;

    /// The raw units that the account may withdraw or trade with, excluding those in resting
    /// orders.
    function balanceOf(uint40 account, address token) external view returns (uint256);

    /// Base and quote token of a market.
    function tokensOf(uint32 market) external view returns (address base, address quote);
}

/// Spot order books with escrowed limit orders, and no fees: the complete interface at the address
/// of Spot.
interface ISpot is IBook, ISpotAdmin, IOwned, IERC5267 {
    function marketCount() external view returns (uint32);

    function tokenCount() external view returns (uint32);

    function tokenAt(uint32 number) external view returns (address);

    function FILLS_MAX() external view returns (uint256);
}
