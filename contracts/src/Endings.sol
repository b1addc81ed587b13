// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Distressed} from "./Distressed.sol";
import {Funding} from "./Funding.sol";
import {Positions} from "./Positions.sol";
import {NO_LOTS, AccountId} from "./ValueTypes.sol";
import {Reason} from "./interfaces/IBook.sol";
import {IPerpsMarks} from "./interfaces/IPerps.sol";

/// Ends the positions of a market whose index has failed permanently. That frees their margin
/// without requiring a counterparty in a book that accepts only closing orders.
abstract contract Endings is IPerpsMarks, Distressed {
    /// Time for the source to come back, for traders to close on the book, and for objections.
    uint256 private constant ANNOUNCED_SECONDS = 3 days;
    /// After that, the first position must be ended within this time.
    uint256 private constant OPEN_SECONDS = 4 days;
    /// Maximum days of hours settled when a market ends; longer gaps are settled beforehand.
    uint256 private constant SETTLEMENTS_MAX = 8;

    /// @inheritdoc IPerpsMarks
    function announceEnd(uint32 market) external onlyOwner {
        _requireLive(market);
        Quote memory quote = _requireStale(market);
        Ending storage ending = _endings[market];
        ending.announcedTime = uint40(block.timestamp);
        ending.changes = uint64(oracle.changesOf(quote.asset));
        emit EndAnnounced(market, block.timestamp + ANNOUNCED_SECONDS);
    }

    /// @inheritdoc IPerpsMarks
    function revokeEnd(uint32 market) external onlyOwner {
        _requireLive(market);
        require(_endings[market].announcedTime != 0, EndNotAnnounced(market));
        delete _endings[market];
        emit EndRevoked(market);
    }

    /// @inheritdoc IPerpsMarks
    function endPositions(uint32 market, uint40[] calldata accounts_, uint40[] calldata orders)
        external
        nonReentrant
    {
        _listed(market);
        if (!_carries[market].ended) _endMarket(market);
        for (uint256 i = 0; i < orders.length; i++) {
            Book.Order memory order = _markets[market].orders[orders[i]];
            if (order.lots != NO_LOTS) _pull(market, orders[i], order, Reason.LIQUIDATION);
        }
        uint256 unit = _quoteOf(market).markPerLot;
        int256 before = _insured();
        for (uint256 i = 0; i < accounts_.length; i++) {
            _end(market, AccountId.wrap(accounts_[i]), unit);
        }
        // Never falls, since positions taken over are valued at the price at which they were taken.
        int256 insured = _insured();
        require(insured >= 0 || insured >= before, InsuranceExhausted(insured));
    }

    /// Fixes the mark at which every position ends, regardless of later index prices. The hours
    /// that have ended are settled, so that each has its event.
    function _endMarket(uint32 market) private {
        Ending storage ending = _endings[market];
        require(ending.announcedTime != 0, EndNotAnnounced(market));
        uint256 endTime = ending.announcedTime + ANNOUNCED_SECONDS;
        require(block.timestamp >= endTime, EndTooEarly(endTime));
        require(block.timestamp < endTime + OPEN_SECONDS, EndExpired(endTime + OPEN_SECONDS));
        Quote memory quote = _requireStale(market);
        require(oracle.changesOf(quote.asset) == ending.changes, EndVoid(market));
        for (uint256 i = 0; i < SETTLEMENTS_MAX; i++) {
            if (Funding.hourHasEnded(_carries[market])) quote = _settleHours(market);
        }
        require(!Funding.hourHasEnded(_carries[market]), HoursUnsettled(market));
        Funding.Carry memory carry = _carries[market];
        (ending.mark, ending.index) = (uint120(quote.mark), uint96(quote.index));
        (carry.cumulative, carry.perSecond, carry.ended) =
        (Positions.toInt128(quote.fundingIndex), 0, true);
        _carries[market] = carry;
        emit Ended(market, quote.mark, quote.fundingIndex);
    }

    /// Insurance takes the position over at the mark. Longs equal shorts, so it ends up flat once
    /// all are taken.
    function _end(uint32 market, AccountId account, uint256 unit) private {
        int64 lots = _positions[market][account].lots;
        if (lots == 0 || account == INSURANCE_ACCOUNT) return;
        _tradeOffBook(market, [account, INSURANCE_ACCOUNT], lots, int256(unit));
        emit Absorbed(market, AccountId.unwrap(account), lots, unit, 0);
    }

    function _insured() private view returns (int256) {
        return _storedHealth(INSURANCE_ACCOUNT).equity;
    }

    /// Settles the hours of a market whose index must be stale, and returns its prices.
    function _requireStale(uint32 market) private returns (Quote memory quote) {
        quote = _settleHours(market);
        require(quote.stale, IndexFresh(quote.asset, quote.indexTime));
    }
}
