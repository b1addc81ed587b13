// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../../src/Book.sol";
import {Logs} from "../../Logs.sol";
import {Vm} from "../../Vm.sol";
import {PerpsModel} from "./PerpsModel.sol";

/// Replays settled hours and pokes, and expects the rates, samples and marks that the formulas
/// give: sections 2, 3 and 6 of the arithmetic at the heads of Perps.sol and Marks.sol.
abstract contract FundingReplay is PerpsModel {
    using Logs for Vm.Log;

    function _settled(Vm.Log memory log) internal {
        (
            uint40 time,
            int256 rate,
            uint256 mark,
            int256 cumulative,
            int256 nextRate,
            int256 nextPerSecond
        ) = abi.decode(log.data, (uint40, int256, uint256, int256, int256, int256));
        uint32 market = log.market();
        LoggedMarket storage logged = _markets[market];
        // Exactly one FundingSettled for each hour.
        vm.assertEq(time, logged.settledTime + 3600, "exactly one row for each hour");
        vm.assertLe(time, block.timestamp, "an hour is settled when it has ended");
        vm.assertEq(rate, logged.rate, "an hour accrues at the rate it began with");
        vm.assertEq(mark, logged.hourMark, "an hour accrues at the mark it began with");
        vm.assertGt(mark, 0, "an hour accrues at a mark");
        vm.assertEq(
            cumulative, logged.cumulative + logged.perSecond * 3600, "the index is continuous"
        );
        vm.assertEq(
            nextRate,
            _rateOf(logged.premiumSum, logged.sampledSeconds),
            "the rate follows from the samples"
        );
        int256 perSecond = _clamp(nextRate * _markPerLot(market) / (3600 * E18), type(int64).max);
        vm.assertEq(nextPerSecond, perSecond, "funding accrues at rate and mark");
        (logged.settledTime, logged.cumulative, logged.rate, logged.perSecond) =
        (time, cumulative, nextRate, nextPerSecond);
        (logged.sampledSeconds, logged.premiumSum, logged.hourMark) =
        (0, 0, uint256(_mark(market)));
        seen["hour settled"] += 1;
    }

    function _rateOf(int256 sum, uint256 sampledSeconds) private pure returns (int256) {
        if (sampledSeconds == 0) return 0;
        int256 eighth = sum / 3600 / 8;
        return _clamp(eighth + _clamp(1.25e13 - eighth, 6.25e13), 5e15);
    }

    /// Section 6, at the head of Marks.sol.
    function _marked(Vm.Log memory log) internal {
        (uint256 mark, int256 basis, int256 premium, uint256 counted) =
            abi.decode(log.data, (uint256, int256, int256, uint256));
        uint32 market = log.market();
        LoggedMarket storage logged = _markets[market];
        vm.assertGe(block.timestamp, logged.pokedAt + 60, "a market is sampled once in 60 seconds");
        int256 weight = _min(int256(block.timestamp - logged.pokedAt), 120);
        (int256 before, int256 sample) = (_basisOf(market), _sampleOf(market));
        vm.assertEq(premium, _clamp(sample, 1e16), "premium");
        int256 step = _clamp((_clamp(sample, 5e15) - before) * weight / (weight + 150), 5e14);
        vm.assertEq(basis, (before + step) / 1e9 * 1e9, "basis");
        vm.assertLe(_abs(basis), 5e15, "the basis stays within its bound");
        int256 ofHour = _min(weight, int256(block.timestamp - logged.settledTime));
        vm.assertEq(int256(counted), ofHour, "a sample counts for the seconds of its hour");
        int256 now_ = _mark(market);
        (logged.basis, logged.nextBasis, logged.pokedAt) = (before, basis, block.timestamp);
        logged.sampledSeconds += counted;
        logged.premiumSum += premium * ofHour;
        vm.assertEq(_mark(market), now_, "a poke moves no mark within its second");
        vm.assertEq(
            int256(mark), _index(market) + _index(market) * basis / E18, "Marked has the next mark"
        );
        seen[sample == 0 ? "marked without a sample" : "marked"] += 1;
    }

    /// The one of depth and average that is nearer to the basis; the basis when it lies between
    /// them.
    function _sampleOf(uint32 market) private view returns (int256) {
        Book.StateView memory state = engine.stateOf(market);
        (uint256 step,) = _stepsOf(market);
        uint256 fresh = state.changedTime == block.timestamp
            ? state.nextOrder - state.freshOrders
            : state.nextOrder;
        uint256 bid = _impactTick(market, true, fresh);
        uint256 ask = _impactTick(market, false, fresh);
        uint256 average = _averageOf(state);
        if (bid == 0 || ask == 0) {
            return 0;
        }
        if (average == 0) return 0;
        int256 index = int256(_reading(market).earlier);
        int256 deep = int256((bid + ask) / 2 * step >> 32) - index;
        int256 long = int256(average * step / 256) - index;
        (deep, long) = (deep * E18 / index, long * E18 / index);
        int256 basis = _basisOf(market);
        if (deep > basis && long > basis) return _min(deep, long);
        if (deep < basis && long < basis) return deep > long ? deep : long;
        return basis;
    }

    /// A poke is rejected in a second in which the book changed and lacks depth.
    function _mustWait(uint32 market) internal view returns (bool) {
        Book.StateView memory state = engine.stateOf(market);
        if (state.changedTime != block.timestamp || _isStale(market)) return false;
        uint256 fresh = state.nextOrder - state.freshOrders;
        return _impactTick(market, true, fresh) == 0 || _impactTick(market, false, fresh) == 0;
    }

    function _averageOf(Book.StateView memory state) private view returns (uint256) {
        (int256 before, int256 mid) =
            (int256(uint256(state.averageTick)), 128 * int256(uint256(state.bestBid)));
        if (state.bestBid == NONE_BELOW || state.bestAsk == NONE_ABOVE) return uint256(before);
        if (state.changedTime == block.timestamp) return uint256(before);
        mid += 128 * int256(uint256(state.bestAsk));
        int256 elapsed = int256(block.timestamp - state.changedTime);
        // The rest of the way is cut towards zero.
        return uint256(before == 0 ? mid : mid - (mid - before) * 60 / (elapsed + 60));
    }

    /// The average tick, in 2^-32, at which the impact value trades with the orders that were
    /// placed before `fresh`, live and not reduce-only: price by price from the best one on.
    function _impactTick(uint32 market, bool buy, uint256 fresh) private view returns (uint256) {
        uint256 all = _markets[market].impactValue / uint256(UNIT);
        (uint256 left, uint256 lots, uint24 tick) = (all, 0, buy ? NONE_ABOVE : NONE_BELOW);
        while (true) {
            tick = _nextTick(market, buy, tick);
            if (tick == NONE_BELOW || tick == NONE_ABOVE) return 0;
            uint256 there = _lotsThatCount(market, buy, tick, fresh);
            if (there * tick >= left) return (all << 96) / ((lots << 64) + (left << 64) / tick);
            left -= there * tick;
            lots += there;
        }
        return 0;
    }

    /// The best tick of a side that is worse than `tick`.
    function _nextTick(uint32 market, bool buy, uint24 tick) private view returns (uint24 next) {
        next = buy ? NONE_BELOW : NONE_ABOVE;
        for (uint256 i = 0; i < _live[market].length; i++) {
            LoggedOrder storage logged = _logged[market][_live[market][i]];
            if (logged.buy != buy) continue;
            if (buy
                    ? logged.tick < tick && logged.tick > next
                    : logged.tick > tick && logged.tick < next) {
                next = logged.tick;
            }
        }
    }

    function _lotsThatCount(uint32 market, bool buy, uint24 tick, uint256 fresh)
        private
        view
        returns (uint256 lots)
    {
        for (uint256 i = 0; i < _live[market].length; i++) {
            uint40 order = _live[market][i];
            LoggedOrder storage logged = _logged[market][order];
            if (logged.buy != buy || logged.tick != tick || order >= fresh) continue;
            if (!_counts(logged)) continue;
            uint256 left = _leftOf(logged);
            if (logged.reduceOnly) {
                uint256 ahead = _reducingAhead(market, order, fresh);
                uint256 closable = _closable(market, logged);
                left = ahead >= closable ? 0 : _least(left, closable - ahead);
            }
            lots += left;
        }
    }

    /// Neither expired nor of an account that has lost the margin for it.
    function _counts(LoggedOrder storage logged) private view returns (bool) {
        bool expired = logged.goodTil != 0 && logged.goodTil < block.timestamp;
        return !expired && !_isUnbacked(_favouredOf(logged.account));
    }

    function _leftOf(LoggedOrder storage logged) private view returns (uint256) {
        return logged.lots - logged.filled - logged.gone;
    }

    function _closable(uint32 market, LoggedOrder storage logged) private view returns (uint256) {
        int256 lots = _positions[market][logged.account].lots;
        return logged.buy == (lots < 0) ? uint256(_abs(lots)) : 0;
    }

    /// The lots of the account's reduce-only orders that trade before `order` does.
    function _reducingAhead(uint32 market, uint40 order, uint256 fresh)
        private
        view
        returns (uint256 lots)
    {
        LoggedOrder storage behind = _logged[market][order];
        for (uint256 i = 0; i < _live[market].length; i++) {
            uint40 other = _live[market][i];
            LoggedOrder storage logged = _logged[market][other];
            if (
                logged.account != behind.account || logged.buy != behind.buy || !logged.reduceOnly
                    || other >= fresh || !_counts(logged)
            ) continue;
            bool better = logged.buy ? logged.tick > behind.tick : logged.tick < behind.tick;
            if (better || (logged.tick == behind.tick && other < order)) lots += _leftOf(logged);
        }
    }

    function _least(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
