// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../../src/Funding.sol";
import {IPerps, IPerpsFacts} from "../../../src/interfaces/IPerps.sol";
import {Positions} from "../../../src/Positions.sol";
import {IBook, Reason, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {IPerps, IPerpsFacts} from "../../../src/interfaces/IPerps.sol";
import {Test, Vm} from "../../Vm.sol";

/// What the engine's logs say, worked out with the formulas of Perps.sol and kept apart from its
/// storage. The rules that a single log can break are checked as it is read.
abstract contract PerpsReplay is Test {
    using Positions for Positions.Position;

    struct Told {
        uint40 account;
        bool buy;
        bool reduceOnly;
        uint24 tick;
        uint64 resting;
    }

    int256 private constant SCALE = 1e12;
    uint256 private constant UNIT = 1e13;

    IPerps internal perps;
    mapping(uint40 account => int256) public collateralTold;
    mapping(uint32 market => mapping(uint40 account => Positions.Position)) private _positions;
    mapping(uint32 market => Funding.Carry) private _carries;
    mapping(uint32 market => mapping(uint40 order => Told)) private _orders;
    mapping(uint32 market => uint40) public ordersTold;
    mapping(Reason => uint256) public cancelledFor;

    function positionTold(uint32 market, uint40 account) external view returns (Positions.Position memory) {
        return _positions[market][account];
    }

    function orderTold(uint32 market, uint40 order) public view returns (Told memory) {
        return _orders[market][order];
    }

    function _startReplay(uint32 market) internal {
        _carries[market].time = uint32(block.timestamp - block.timestamp % 3600);
    }

    /// Reads the logs of one call, which all happened at this block's time.
    function _replay() internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].emitter != address(perps)) continue;
            bytes32 kind = logs[i].topics[0];
            if (kind == IBook.Placed.selector) {
                _placed(logs[i]);
            } else if (kind == IPerpsFacts.Filled.selector) {
                _filled(logs[i]);
            } else if (kind == IBook.Cancelled.selector) {
                _cancelled(logs[i]);
            } else if (kind == IBook.Reduced.selector) {
                _left(logs[i]);
            } else if (kind == IPerpsFacts.FundingSettled.selector) {
                _settled(logs[i]);
            } else if (kind == IPerpsFacts.LeverageSet.selector) {
                _leverageSet(logs[i]);
            } else if (kind == ILedger.Deposited.selector) {
                _moved(0, _accountIn(logs[i], 1), logs[i].data);
            } else if (kind == ILedger.Withdrawn.selector) {
                _withdrawn(logs[i]);
            } else if (kind == ILedger.Transferred.selector) {
                _moved(_accountIn(logs[i], 1), _accountIn(logs[i], 2), logs[i].data);
            }
        }
    }

    /// Drops the logs of a call that reverted: the recorder keeps them.
    function _forget() internal {
        vm.getRecordedLogs();
    }

    /* ORDERS */

    function _placed(Vm.Log memory log) private {
        uint32 market = _marketOf(log);
        (uint40 order, bool buy, uint24 tick, uint64 lots,, bool reduceOnly,,) =
            abi.decode(log.data, (uint40, bool, uint24, uint64, TimeInForce, bool, uint40, bytes32));
        vm.assertEq(order, ++ordersTold[market], "orders are numbered one by one");
        _orders[market][order] = Told(_accountIn(log, 2), buy, reduceOnly, tick, lots);
        _reserve(market, _orders[market][order], int256(uint256(lots)));
    }

    function _cancelled(Vm.Log memory log) private {
        (,, Reason reason) = abi.decode(log.data, (uint40, uint64, Reason));
        cancelledFor[reason] += 1;
        _left(log);
    }

    /// Cancelled and Reduced begin with the order and the lots that left.
    function _left(Vm.Log memory log) private {
        (uint40 order, uint64 lots) = abi.decode(log.data, (uint40, uint64));
        _take(_marketOf(log), order, lots);
    }

    function _take(uint32 market, uint40 order, uint64 lots) private {
        Told storage told = _orders[market][order];
        vm.assertLe(lots, told.resting, "no more lots leave an order than it has");
        told.resting -= lots;
        _reserve(market, told, -int256(uint256(lots)));
    }

    function _reserve(uint32 market, Told memory told, int256 lots) private {
        Positions.Position storage position = _positions[market][told.account];
        if (told.buy) position.bidLots = uint64(uint256(int256(uint256(position.bidLots)) + lots));
        else position.askLots = uint64(uint256(int256(uint256(position.askLots)) + lots));
    }

    /* FILLS */

    struct Fill {
        uint40 maker;
        uint40 makerOrder;
        uint40 taker;
        uint40 takerOrder;
        uint24 tick;
        uint64 lots;
        int128 makerFee;
        int128 takerFee;
    }

    function _filled(Vm.Log memory log) private {
        Fill memory fill = abi.decode(log.data, (Fill));
        uint32 market = _marketOf(log);
        Told memory maker = _orders[market][fill.makerOrder];
        Told memory taker = _orders[market][fill.takerOrder];
        vm.assertTrue(fill.maker != fill.taker, "no account trades with itself");
        vm.assertEq(fill.tick, maker.tick, "the price is the maker's");
        vm.assertTrue(taker.buy ? fill.tick <= taker.tick : fill.tick >= taker.tick, "within the taker's limit");
        _expectWithinBand(market, fill.tick, taker.buy);
        _take(market, fill.makerOrder, fill.lots);
        _take(market, fill.takerOrder, fill.lots);
        int256 lots = taker.buy ? int256(uint256(fill.lots)) : -int256(uint256(fill.lots));
        _apply(market, fill.maker, maker.reduceOnly, -lots, fill.tick);
        _apply(market, fill.taker, taker.reduceOnly, lots, fill.tick);
        collateralTold[fill.maker] -= fill.makerFee;
        collateralTold[fill.taker] -= fill.takerFee;
        collateralTold[2] += fill.makerFee + fill.takerFee;
    }

    function _apply(uint32 market, uint40 account, bool reduceOnly, int256 bought, uint24 tick) private {
        Positions.Position memory position = _positions[market][account];
        int256 before = position.lots;
        collateralTold[account] += position.fill(bought, int256(tick * UNIT), Funding.indexOf(_carries[market]));
        _positions[market][account] = position;
        if (!reduceOnly) return;
        vm.assertLt(Positions.abs(position.lots), Positions.abs(before), "reduce-only reduces");
        vm.assertTrue(position.lots == 0 || (position.lots > 0) == (before > 0), "and does not flip");
    }

    function _expectWithinBand(uint32 market, uint24 tick, bool buy) private view {
        uint256 markPerLot = perps.quoteOf(market).markPerLot;
        if (buy) vm.assertLe(tick * UNIT * 10, markPerLot * 11, "a buyer stops above the mark");
        else vm.assertGe(tick * UNIT * 10, markPerLot * 9, "a seller stops below the mark");
    }

    /* FUNDING AND MONEY */

    function _settled(Vm.Log memory log) private {
        (uint40 time,,, int256 cumulative,, int256 perSecond) =
            abi.decode(log.data, (uint40, int256, uint256, int256, int256, int256));
        Funding.Carry storage carry = _carries[_marketOf(log)];
        vm.assertEq(time, carry.time + 3600, "exactly one row for each hour");
        vm.assertEq(cumulative, carry.cumulative + int256(carry.perSecond) * 3600, "the index is continuous");
        carry.time = uint32(time);
        carry.cumulative = int128(cumulative);
        carry.perSecond = int64(perSecond);
    }

    function _leverageSet(Vm.Log memory log) private {
        _positions[_marketOf(log)][_accountIn(log, 2)].leverage = abi.decode(log.data, (uint16));
    }

    function _withdrawn(Vm.Log memory log) private {
        (uint256 amount,) = abi.decode(log.data, (uint256, address));
        collateralTold[_accountIn(log, 1)] -= int256(amount) * SCALE;
    }

    function _moved(uint40 from, uint40 to, bytes memory data) private {
        int256 amount = int256(abi.decode(data, (uint256))) * SCALE;
        if (from != 0) collateralTold[from] -= amount;
        collateralTold[to] += amount;
    }

    function _marketOf(Vm.Log memory log) private pure returns (uint32) {
        return uint32(uint256(log.topics[1]));
    }

    function _accountIn(Vm.Log memory log, uint256 topic) private pure returns (uint40) {
        return uint40(uint256(log.topics[topic]));
    }
}
