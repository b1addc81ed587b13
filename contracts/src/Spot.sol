// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Engine} from "./Engine.sol";
import {Matching} from "./Matching.sol";
import {Signed} from "./Signed.sol";
import {SpotAdmin} from "./SpotAdmin.sol";
import {SpotState} from "./SpotState.sol";
import {AccountId, Lots, Tick} from "./ValueTypes.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {Reason} from "./interfaces/IBook.sol";
import {ISpotEvents} from "./interfaces/ISpot.sol";

/// Accepts orders of spot markets and moves the money of their fills. A resting order's escrow is
/// not stored: it is the cost of its lots at its tick (bids, in quote) or the lots themselves
/// (asks, in base), always exact. SpotAdmin answers everything else at this address; ISpot is the
/// complete interface.
contract Spot is ISpotEvents, SpotState, Signed {
    address private immutable ADMIN;

    constructor(IAccounts accounts_, address owner_) Engine(accounts_, owner_) {
        ADMIN = address(new SpotAdmin(accounts_));
    }

    /// SpotAdmin handles everything but orders.
    fallback() external {
        _delegateTo(ADMIN);
    }

    /// The time-weighted average of the mids, since spot has no oracle. Excludes the current
    /// second.
    function _triggerMark(uint32 market) internal view override returns (uint256) {
        Book.Market storage book = _listed(market);
        return Book.averageOf(book.state) * _priceStep(book.units) / Book.AVERAGE_UNIT;
    }

    /* MONEY OF AN ORDER */

    function _admit(Taking memory taking) internal pure override returns (Lots) {
        require(!taking.reduceOnly, ReduceOnlyAtSpot());
        return taking.lots;
    }

    /// Pays the maker immediately. The taker is settled once, at the end, from the makers' escrow.
    function _fill(Taking memory taking, uint40 makerOrder, Book.Order memory maker, Lots offered)
        internal
        override
        returns (Lots, bool, Reason)
    {
        _requireTaker(taking, maker);
        if (taking.buy) {
            _add(
                maker.account,
                taking.quoteToken,
                _value(offered, maker.tick, taking.quotePerLotTick)
            );
        } else {
            _add(maker.account, taking.baseToken, Lots.unwrap(offered) * taking.amountStep);
        }
        emit Filled(
            taking.market,
            AccountId.unwrap(maker.account),
            makerOrder,
            AccountId.unwrap(taking.account),
            taking.order,
            Tick.unwrap(maker.tick),
            Lots.unwrap(offered)
        );
        return (offered, false, Reason.USER);
    }

    /// Debits before it credits, so that an order cannot be paid from its own proceeds.
    function _settle(Taking memory taking, Lots rested) internal override {
        if (taking.buy) {
            uint256 escrow = _value(rested, taking.tick, taking.quotePerLotTick);
            _take(taking.account, taking.quoteToken, taking.quote + escrow);
            _add(taking.account, taking.baseToken, Lots.unwrap(taking.filled) * taking.amountStep);
        } else {
            _take(
                taking.account,
                taking.baseToken,
                (uint256(Lots.unwrap(taking.filled)) + Lots.unwrap(rested)) * taking.amountStep
            );
            _add(taking.account, taking.quoteToken, taking.quote);
        }
    }
}
