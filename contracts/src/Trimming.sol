// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Decimals} from "./Decimals.sol";
import {Resting} from "./Resting.sol";
import {AccountId, Lots, NO_LOTS} from "./ValueTypes.sol";
import {IBook, Reason} from "./interfaces/IBook.sol";
import {ITrimming} from "./interfaces/ITrimming.sol";

/// Reduces resting orders and sweeps off the book those that can no longer trade.
abstract contract Trimming is ITrimming, Resting {
    using Book for Book.Market;
    using Book for Book.Order;

    /// The owner of a swept order pays this fraction of its value, at most of the market's minimum,
    /// to the sweeper: more than a sweep costs on a cheap chain, and little for the owner of a
    /// forgotten order.
    uint256 internal constant BOUNTY_DIVISOR = 500;

    /// @inheritdoc ITrimming
    function reduce(uint32 market, uint40 order, uint64 lots) external nonReadReentrant {
        Book.Order memory resting = _ownOrder(market, order);
        Lots cut = Lots.wrap(lots);
        require(cut != NO_LOTS, IBook.LotsZero());
        require(cut < resting.lots, IBook.ReduceTooMuch(lots, Lots.unwrap(resting.lots)));
        _trim(market, order, resting, cut);
    }

    /// @inheritdoc ITrimming
    function sweep(uint32 market, uint40[] calldata orders) external nonReadReentrant {
        for (uint256 i = 0; i < orders.length; i++) {
            Book.Order memory order = _markets[market].orders[orders[i]];
            if (order.lots == NO_LOTS) continue;
            Lots lots = order.lots;
            if (order.isExpired()) {
                _pull(market, orders[i], order, Reason.EXPIRED);
            } else {
                lots = _excessOf(market, order);
                if (lots == NO_LOTS) continue;
                if (lots < order.lots) _trim(market, orders[i], order, lots);
                else _pull(market, orders[i], order, Reason.REDUCE_ONLY_CAPPED);
            }
            _payBounty(market, order, lots);
        }
    }

    /// Removes `lots` from an order, or all of it if the rest would be too small to rest.
    function _trim(uint32 market, uint40 id, Book.Order memory order, Lots lots) private {
        Book.Market storage book = _markets[market];
        uint256 left = _value(order.lots - lots, order.tick, book.units.quotePerLotTick);
        if (left < Decimals.unpack(book.state.minOrderFloat)) {
            return _pull(market, id, order, Reason.BELOW_MINIMUM);
        }
        book.shrink(id, order, lots);
        emit IBook.Reduced(market, AccountId.unwrap(order.account), id, Lots.unwrap(lots));
        _release(market, order, lots);
    }

    function _payBounty(uint32 market, Book.Order memory order, Lots lots) private {
        Book.Market storage book = _markets[market];
        uint256 value = _value(lots, order.tick, book.units.quotePerLotTick);
        uint256 minimum = Decimals.unpack(book.state.minOrderFloat);
        _payBounty(market, order, lots, (value < minimum ? value : minimum) / BOUNTY_DIVISOR);
    }

    /// The lots of an order that can never trade although it has not expired.
    function _excessOf(uint32 market, Book.Order memory order)
        internal
        view
        virtual
        returns (Lots lots);

    /// Pays the caller's account, if it has one, `bounty` (quote raw) for swept `lots` of an order.
    function _payBounty(uint32 market, Book.Order memory order, Lots lots, uint256 bounty)
        internal
        virtual;
}
