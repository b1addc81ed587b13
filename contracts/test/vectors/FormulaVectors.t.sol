// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../src/Funding.sol";
import {Positions} from "../../src/Positions.sol";
import {Lots} from "../../src/ValueTypes.sol";
import {VectorFile} from "./VectorFile.sol";

/// Writes results of the pure libraries, which core must reproduce.
contract FormulaVectors is VectorFile {
    using Positions for Positions.Position;

    uint256 private constant FILLS = 120;
    uint256 private constant FEES = 40;
    uint256 private constant RATES = 60;
    uint256 private constant PREMIUMS = 60;

    function test_fills_are_written() external {
        string memory path = _openFile("fills");
        for (uint256 i = 0; i < FILLS; i++) {
            Case memory one = _case(path, i);
            (Positions.Position memory position, int256 index) = _drawPosition(one);
            _fill(one, position, index, i % 6);
            _end(one);
        }
    }

    function _drawPosition(Case memory one)
        private
        pure
        returns (Positions.Position memory position, int256 index)
    {
        position.lots = int64(_below(one, 5) == 0 ? int256(0) : _signed(one, _size(one, 9)));
        int256 unit = int256(_size(one, 22));
        if (position.lots != 0) {
            position.quote = int128(-int256(position.lots) * unit + _signed(one, 1e20));
            position.fundingIndex = int128(_signed(one, 1e18));
        }
        position.bidLots = Lots.wrap(uint64(_below(one, 1000)));
        position.askLots = Lots.wrap(uint64(_below(one, 1000)));
        index = position.fundingIndex + _signed(one, _size(one, 16));
    }

    /// Kinds 0 and 1 close in full and in part, 2 flips, the others take any size.
    function _fill(Case memory one, Positions.Position memory position, int256 index, uint256 kind)
        private
        pure
    {
        int256 bought = _signed(one, _size(one, 9));
        if (kind == 0) bought = -int256(position.lots);
        if (kind == 1) bought = -int256(position.lots) * int256(_below(one, 100)) / 100;
        if (kind == 2) bought = -2 * int256(position.lots);
        if (bought == 0) bought = 1;
        // Below zero only where insurance deleverages.
        int256 unit = int256(_size(one, 22)) * (_below(one, 10) == 0 ? int256(-1) : int256(1));
        int256 mark = int256(_size(one, 22));
        _put(one, "lots", position.lots);
        _put(one, "quote", position.quote);
        _put(one, "fundingIndex", position.fundingIndex);
        _put(one, "bidLots", Lots.unwrap(position.bidLots));
        _put(one, "askLots", Lots.unwrap(position.askLots));
        _put(one, "bought", bought);
        _put(one, "unit", unit);
        _put(one, "newFundingIndex", index);
        _put(one, "markPerLot", mark);
        _put(one, "exposure", position.exposure());
        _put(one, "fundingDue", position.fundingDue(index));
        _put(one, "equity", position.equity(uint256(mark), index));
        _put(one, "cash", position.fill(bought, unit, index));
        _put(one, "lotsAfter", position.lots);
        _put(one, "quoteAfter", position.quote);
        _put(one, "fundingIndexAfter", position.fundingIndex);
    }

    function test_fees_are_written() external {
        string memory path = _openFile("fees");
        for (uint256 i = 0; i < FEES; i++) {
            Case memory one = _case(path, i);
            uint256 value = i == 0 ? 0 : _size(one, 26);
            int256 rate = _signed(one, 10_000);
            _put(one, "value", value);
            _put(one, "rate", rate);
            _put(one, "fee", Positions.feeUp(value, rate));
            _end(one);
        }
    }

    /// The rate that follows an hour, and the funding of a lot at it.
    function test_rates_are_written() external {
        string memory path = _openFile("rates");
        for (uint256 i = 0; i < RATES; i++) {
            Case memory one = _case(path, i);
            uint256 sampled = i == 0 ? 0 : _between(one, 1, 3600);
            int256 sum = _signed(one, 1e16 / 10 ** _below(one, 4)) * int256(sampled);
            uint256 markPerLot = _size(one, 24) * 1e6;
            int256 rate = Funding.rateOf(sum, sampled);
            _put(one, "premiumSum", sum);
            _put(one, "sampledSeconds", sampled);
            _put(one, "rate", rate);
            _put(one, "markPerLot", markPerLot);
            _put(one, "perSecond", Funding.perSecondOf(rate, markPerLot));
            _end(one);
        }
    }

    /// A poke: the premium and the basis that follow from its two measures, and the mark at the
    /// basis before.
    function test_premiums_are_written() external {
        string memory path = _openFile("premiums");
        for (uint256 i = 0; i < PREMIUMS; i++) {
            Case memory one = _case(path, i);
            uint256 index = _size(one, 25) + 1000;
            uint256 spread = index / _between(one, 20, 400);
            uint256 mid = uint256(int256(index) + _signed(one, spread));
            uint256 average = uint256(int256(index) + _signed(one, spread));
            int256 basis = _signed(one, 5_000_000);
            uint256 weight = _between(one, 60, 120);
            int256 sample = Funding.agreed(
                basis * Funding.BASIS_UNIT,
                Funding.distanceOf(mid, index),
                Funding.distanceOf(average, index)
            );
            _put(one, "index", index);
            _put(one, "mid", mid);
            _put(one, "average", average);
            _put(one, "basis", basis * Funding.BASIS_UNIT);
            _put(one, "weight", weight);
            _put(one, "premium", Funding.premiumOf(sample));
            _put(one, "basisAfter", Funding.basisOf(basis, sample, weight) * Funding.BASIS_UNIT);
            _put(one, "mark", Funding.markOf(index, basis));
            _end(one);
        }
    }
}
