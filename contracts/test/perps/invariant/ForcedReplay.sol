// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TimeInForce} from "../../../src/interfaces/IBook.sol";
import {Logs} from "../../Logs.sol";
import {Vm} from "../../Vm.sol";
import {FundingReplay} from "./FundingReplay.sol";

/// Replays liquidations, absorptions and deleveraging, and expects the prices and fees that the
/// formulas at the head of Liquidation.sol give.
abstract contract ForcedReplay is FundingReplay {
    using Logs for Vm.Log;

    /// An announced order that must come next, with its account and the value of that before.
    uint40 private _forcedOrder;
    uint40 private _forcedAccount;
    Health private _forcedHealth;

    function _liquidating(Vm.Log memory log) internal {
        (_forcedOrder, _forcedAccount) = (uint40(log.word()), log.account(2));
        _forcedHealth = _distressOf(_forcedAccount);
    }

    function _checkPlaced(uint32, uint40 order, LoggedOrder storage logged)
        internal
        virtual
        override
    {
        if (_forcedOrder == 0) return;
        vm.assertEq(order, _forcedOrder, "an announced order comes next");
        vm.assertEq(
            logged.account, _forcedAccount, "an announced order is of the account that was named"
        );
        vm.assertTrue(
            logged.reduceOnly && logged.timeInForce == TimeInForce.IOC,
            "a forced order only closes, at once"
        );
        _forcedOrder = 0;
        seen["forced order"] += 1;
    }

    function _liquidated(Vm.Log memory log) internal {
        (uint64 lots, uint256 raw, uint40 keeper) = abi.decode(log.data, (uint64, uint256, uint40));
        int256 fee = int256(raw);
        Health memory health = _distressOf(_forcedAccount);
        int256 room = health.equity - _kept(_forcedHealth, health.maintenanceMargin);
        int256 most = int256(uint256(lots)) * _markPerLot(log.market()) / 100;
        vm.assertEq(log.account(2), _forcedAccount, "a forced order's account is liquidated");
        vm.assertEq(
            fee,
            room < 0 ? int256(0) : _min(most, room),
            "a liquidation's fee leaves the margin ratio"
        );
        int256 reward = keeper == 0 ? int256(0) : fee / 2;
        _pay(log.account(2), -fee);
        _pay(1, fee - reward);
        if (keeper != 0) _pay(keeper, reward);
        seen["liquidated"] += 1;
        if (reward != 0) seen["keeper rewarded"] += 1;
    }

    function _absorbed(Vm.Log memory log) internal {
        (int64 lots, uint256 unit, int256 moved) = abi.decode(log.data, (int64, uint256, int256));
        uint32 market = log.market();
        vm.assertEq(int256(unit), _markPerLot(market), "insurance takes a position at the mark");
        vm.assertEq(
            moved, _gone(market, log.account(2), _abs(lots)), "equity goes with the lots that go"
        );
        _expectCloses(market, log.account(2), -int256(lots));
        (int256 had, int256 fund) = (_positions[market][1].lots, _healthOf(1).equity);
        int256 left = _leftOf(market, fund, _markPerLot(market));
        int256 held = _collateral[1];
        _trade(market, log.account(2), -int256(lots), int256(unit));
        _trade(market, 1, lots, int256(unit));
        _pay(log.account(2), -moved);
        _pay(1, moved);
        _countInsurance(market, held);
        vm.assertGe(moved, _min(0, -left), "a market takes no more of insurance than its part");
        if (_abs(_positions[market][1].lots) > _abs(had)) _expectRoom(market, fund);
        seen[moved < 0 ? "absorbed at a loss" : "absorbed"] += 1;
    }

    /// Insurance's position has grown within the market's cover, and its margin is sufficient.
    function _expectRoom(uint32 market, int256 fund) private view {
        LoggedMarket storage logged = _markets[market];
        int256 most =
            _min(int256(logged.coverNotional), fund * int256(logged.lossBps) * 10 / 10_000);
        vm.assertLe(
            _abs(_positions[market][1].lots) * _markPerLot(market),
            most,
            "insurance holds no more than the market's cover"
        );
        vm.assertFalse(_isUnder(_healthOf(1)), "insurance has its own maintenance margin");
    }

    /// Loss of insurance's trades in a market; a profit is reset once the position is closed.
    function _countInsurance(uint32 market, int256 held) internal {
        LoggedMarket storage logged = _markets[market];
        logged.insurancePaid += held - _collateral[1];
        if (logged.insurancePaid < 0 && _positions[market][1].lots == 0) logged.insurancePaid = 0;
    }

    /// Remaining loss that insurance may take in the market, whose lots are worth `perLot`.
    function _leftOf(uint32 market, int256 fund, int256 perLot) internal view returns (int256) {
        LoggedMarket storage logged = _markets[market];
        LoggedPosition storage own = _positions[market][1];
        int256 cost = logged.insurancePaid - own.quote - own.lots
            * (perLot - _fundingIndex(market) + own.fundingIndex);
        return (fund + (cost > 0 ? cost : int256(0))) * int256(logged.lossBps) / 10_000 - cost;
    }

    function _deleveraged(Vm.Log memory log) internal {
        (int64 lots, int256 unit) = abi.decode(log.data, (int64, int256));
        uint32 market = log.market();
        (uint40 loser, uint40 winner) = (log.account(2), log.account(3));
        _expectCloses(market, loser, -int256(lots));
        _expectCloses(market, winner, lots);
        int256 away = _ceilDiv(-_gone(market, loser, _abs(lots)), _abs(lots));
        int256 fund = _favouredOf(1).equity;
        if (loser == 1 && fund >= 0) {
            int256 best = _favouredPerLot(market, lots > 0);
            vm.assertLt(_leftOf(market, fund, best), int256(0), "insurance pays while it may");
            away = _abs(best - _markPerLot(market));
            seen["insurance closed for a market's losses"] += 1;
        }
        int256 most = _mostAway(market, winner, _abs(lots));
        if (away > most) seen["deleveraged for all it won"] += 1;
        away = _min(away, most);
        vm.assertEq(
            unit,
            _markPerLot(market) + (lots < 0 ? -away : away),
            "the loser's ratio, or the winner's profit"
        );
        int256 held = _collateral[1];
        _trade(market, loser, -int256(lots), unit);
        _trade(market, winner, lots, unit);
        if (loser == 1) _countInsurance(market, held);
        seen[loser == 1 ? "insurance deleveraged" : "deleveraged"] += 1;
    }

    /// The equity at which `margin` has the ratio of `before`.
    function _kept(Health memory before, int256 margin) private pure returns (int256) {
        return margin == 0 ? int256(0) : _ceilDiv(before.equity * margin, before.maintenanceMargin);
    }

    /// The equity that goes with `count` lots of a position.
    function _gone(uint32 market, uint40 account, int256 count) private view returns (int256) {
        Health memory health = _distressOf(account);
        return health.equity
            - _kept(health, health.maintenanceMargin - _marginGone(market, account, count));
    }

    /// The maintenance margin that goes with them.
    function _marginGone(uint32 market, uint40 account, int256 count)
        private
        view
        returns (int256)
    {
        int256 lots = _abs(_positions[market][account].lots);
        int256 twice = 2 * int256(uint256(_parameters[market].maxLeverage));
        return _ceilDiv(lots * _markPerLot(market), twice)
            - _ceilDiv((lots - count) * _markPerLot(market), twice);
    }

    /// Maximum distance from the mark for a winner's `count` lots: the profit of each, or what its
    /// account can spare.
    function _mostAway(uint32 market, uint40 winner, int256 count) private view returns (int256) {
        LoggedPosition storage logged = _positions[market][winner];
        int256 profit = logged.quote + logged.lots * _markPerLot(market) - logged.lots
            * (_fundingIndex(market) - logged.fundingIndex);
        Health memory health = _distressOf(winner);
        vm.assertGt(profit, int256(0), "a winner has won");
        vm.assertFalse(_isUnder(health), "a winner has its maintenance margin");
        int256 spare =
            health.equity - health.maintenanceMargin + _marginGone(market, winner, count);
        return _min(profit / _abs(logged.lots), spare / count);
    }

    function _expectCloses(uint32 market, uint40 account, int256 d) private view {
        int256 lots = _positions[market][account].lots;
        vm.assertTrue(
            d != 0 && (lots < 0) != (d < 0) && _abs(d) <= _abs(lots),
            "a forced trade closes, on both sides"
        );
    }
}
