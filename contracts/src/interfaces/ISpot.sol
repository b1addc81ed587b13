// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook} from "./IBook.sol";
import {ILedger} from "./ILedger.sol";

/// Spot order books with escrowed limit orders. No fees.
interface ISpot is IBook, ILedger {
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
}
