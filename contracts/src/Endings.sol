// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Distressed} from "./Distressed.sol";
import {Positions} from "./Positions.sol";
import {Reason} from "./interfaces/IBook.sol";
import {ILiquidation} from "./interfaces/IPerps.sol";

/// Ends the positions of a market whose index has died. That frees their margin, and nobody has to
/// find a counterparty in a book that takes only closing orders.
abstract contract Endings is Distressed {
    /// Time for the source to come back, for traders to close on the book, and for objections.
    uint256 private constant ANNOUNCED_SECONDS = 3 days;

    /// @inheritdoc ILiquidation
    function announceEnd(uint32 market) external onlyOwner {
        _requireDead(market, block.timestamp);
        _endings[market] = block.timestamp;
        emit EndAnnounced(market, block.timestamp + ANNOUNCED_SECONDS);
    }

    /// @inheritdoc ILiquidation
    function revokeEnd(uint32 market) external onlyOwner {
        require(_endings[market] != 0, EndNotAnnounced(market));
        delete _endings[market];
        emit EndRevoked(market);
    }

    /// @inheritdoc ILiquidation
    function endPositions(uint32 market, uint40[] calldata accounts_, uint40[] calldata orders)
        external
        nonReentrant
    {
        uint256 announcedTime = _endings[market];
        require(announcedTime != 0, EndNotAnnounced(market));
        uint256 endTime = announcedTime + ANNOUNCED_SECONDS;
        require(block.timestamp >= endTime, EndTooEarly(endTime));
        uint256 unit = _requireDead(market, announcedTime);
        for (uint256 i = 0; i < orders.length; i++) {
            Book.Order memory order = _markets[market].orders[orders[i]];
            if (order.lots != 0) _pull(market, orders[i], order, Reason.LIQUIDATION);
        }
        for (uint256 i = 0; i < accounts_.length; i++) {
            _end(market, accounts_[i], unit);
        }
    }

    /// Insurance takes the position over at the mark. Longs and shorts are equal, so it holds
    /// nothing once all are taken.
    function _end(uint32 market, uint40 account, uint256 unit) private {
        int64 lots = _positions[market][account].lots;
        if (lots == 0 || account == INSURANCE_ACCOUNT) return;
        _tradeOffBook(market, [account, INSURANCE_ACCOUNT], lots, int256(unit));
        emit Absorbed(market, account, lots, unit, 0);
    }

    /// Reverts unless the index is stale and no newer than `time`; returns the last mark of a lot.
    /// A price that came after the announcement makes it void, even if that price is stale by now.
    function _requireDead(uint32 market, uint256 time) private returns (uint256) {
        _listed(market);
        Quote memory quote = _settleHours(market);
        require(quote.stale && quote.indexTime <= time, IndexFresh(quote.asset, quote.indexTime));
        return quote.markPerLot;
    }
}
