// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Books} from "./Books.sol";
import {AccountId, Lots, NO_LOTS, Tick} from "./ValueTypes.sol";
import {IBook, Reason} from "./interfaces/IBook.sol";

/// Removes resting orders from the book, emits their events, and releases what they reserved.
abstract contract Resting is Books {
    using Book for Book.Market;

    /// The value of `lots` at `tick` in quote raw, exact. 64, 24 and (of a listed market) 64 bits
    /// multiply within 256.
    function _value(Lots lots, Tick tick, uint256 quotePerLotTick)
        internal
        pure
        returns (uint256)
    {
        unchecked {
            return uint256(Lots.unwrap(lots)) * Tick.unwrap(tick) * quotePerLotTick;
        }
    }

    /// Removes a resting order from the book. Not for use inside a placement.
    function _pull(uint32 market, uint40 id, Book.Order memory order, Reason reason) internal {
        _markets[market].pull(id, order);
        _drop(market, id, order, order.lots, reason);
    }

    /// Reports and releases `lots` of an order that leaves the book.
    function _drop(uint32 market, uint40 id, Book.Order memory order, Lots lots, Reason reason)
        internal
    {
        emit IBook.Cancelled(
            market, AccountId.unwrap(order.account), id, Lots.unwrap(lots), reason
        );
        _release(market, order, lots);
    }

    /// The caller's resting order `id`. Reverts with OrderUnknown or NotOrderOwner.
    function _ownOrder(uint32 market, uint40 id) internal view returns (Book.Order memory order) {
        order = _markets[market].orders[id];
        require(order.lots != NO_LOTS, IBook.OrderUnknown(market, id));
        require(order.account == _trader(), IBook.NotOrderOwner(id, msg.sender));
    }

    /// The start of free memory. Memory allocated from here on can be released with `_freeAgain`,
    /// once nothing refers to it: an order that meets many makers computes thousands of positions,
    /// and memory that only grows has a cost quadratic in its size.
    function _freeMemory() internal pure returns (uint256 free) {
        assembly ("memory-safe") {
            free := mload(0x40)
        }
    }

    function _freeAgain(uint256 free) internal pure {
        assembly ("memory-safe") {
            mstore(0x40, free)
        }
    }

    /// Releases the reservation for `lots` of a resting order that leave the book unfilled.
    /// `order.lots` is what it had before.
    function _release(uint32 market, Book.Order memory order, Lots lots) internal virtual;
}
