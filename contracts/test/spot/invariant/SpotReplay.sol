// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Spot} from "../../../src/Spot.sol";
import {IBook, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {ISpot} from "../../../src/interfaces/ISpot.sol";
import {Test, Vm} from "../../Vm.sol";

/// What the engine's logs say, kept apart from what its storage says. The rules that a single log can
/// break (limits, self-trades, order of fills) are checked as it is read.
abstract contract SpotReplay is Test {
    struct Told {
        uint40 account;
        bool buy;
        uint24 tick;
        uint64 lots;
        TimeInForce timeInForce;
        uint40 goodTil;
        uint64 filled;
        uint64 cancelled;
        uint64 reduced;
    }

    Spot internal spot;
    /// Free and escrowed together.
    mapping(uint40 account => mapping(address token => uint256)) public owned;
    mapping(uint32 market => mapping(uint40 order => Told)) private _told;
    mapping(uint32 market => uint40) public ordersTold;
    mapping(uint32 market => mapping(uint24 tick => uint40)) private _lastMaker;

    function told(uint32 market, uint40 order) public view returns (Told memory) {
        return _told[market][order];
    }

    function restingTold(uint32 market, uint40 order) public view returns (uint64) {
        Told storage told_ = _told[market][order];
        return told_.lots - told_.filled - told_.cancelled - told_.reduced;
    }

    /// Returns how many orders the matching loop stepped over: filled, dropped or cancelled.
    function _replay() internal returns (uint256 steps) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].emitter != address(spot)) continue;
            bytes32 kind = logs[i].topics[0];
            if (kind == IBook.Placed.selector) _placed(logs[i]);
            else if (kind == IBook.Cancelled.selector) steps += _cancelled(logs[i]);
            else if (kind == IBook.Reduced.selector) _reduced(logs[i]);
            else if (kind == ISpot.Filled.selector) steps += _filled(logs[i]);
            else if (kind == ILedger.Deposited.selector) _deposited(logs[i]);
            else if (kind == ILedger.Withdrawn.selector) _withdrawn(logs[i]);
            else if (kind == ILedger.Transferred.selector) _transferred(logs[i]);
        }
    }

    function _placed(Vm.Log memory log) private {
        uint32 market = uint32(uint256(log.topics[1]));
        Told memory next;
        uint40 order;
        next.account = uint40(uint256(log.topics[2]));
        (order, next.buy, next.tick, next.lots, next.timeInForce,, next.goodTil,) =
            abi.decode(log.data, (uint40, bool, uint24, uint64, TimeInForce, bool, uint40, bytes32));
        vm.assertEq(order, ordersTold[market] + 1, "order numbers count up without gaps");
        ordersTold[market] = order;
        _told[market][order] = next;
    }

    function _cancelled(Vm.Log memory log) private returns (uint256) {
        (uint40 order, uint64 lots,) = abi.decode(log.data, (uint40, uint64, uint8));
        uint32 market = uint32(uint256(log.topics[1]));
        vm.assertEq(lots, restingTold(market, order), "a cancelled order loses all that is left of it");
        _told[market][order].cancelled = lots;
        return 1;
    }

    function _reduced(Vm.Log memory log) private {
        (uint40 order, uint64 lots) = abi.decode(log.data, (uint40, uint64));
        _told[uint32(uint256(log.topics[1]))][order].reduced += lots;
    }

    function _filled(Vm.Log memory log) private returns (uint256) {
        uint32 market = uint32(uint256(log.topics[1]));
        (, uint40 makerOrder,, uint40 takerOrder, uint24 tick, uint64 lots) =
            abi.decode(log.data, (uint40, uint40, uint40, uint40, uint24, uint64));
        Told storage maker = _told[market][makerOrder];
        Told storage taker = _told[market][takerOrder];
        vm.assertTrue(lots != 0, "a fill has lots");
        vm.assertTrue(lots <= restingTold(market, makerOrder), "a fill is at most what the maker has left");
        vm.assertTrue(lots <= restingTold(market, takerOrder), "a fill is at most what the taker has left");
        vm.assertTrue(maker.account != taker.account, "no fill between an account and itself");
        vm.assertTrue(maker.buy != taker.buy, "a fill has two sides");
        vm.assertEq(tick, maker.tick, "a fill is at the maker's tick");
        vm.assertTrue(taker.buy ? tick <= taker.tick : tick >= taker.tick, "no fill is worse than the taker's limit");
        vm.assertTrue(taker.timeInForce != TimeInForce.POST_ONLY, "a post-only order never takes");
        vm.assertTrue(maker.goodTil == 0 || maker.goodTil >= block.timestamp, "no fill of an expired maker");
        vm.assertTrue(makerOrder >= _lastMaker[market][tick], "fills of a tick come in order of arrival");
        _lastMaker[market][tick] = makerOrder;
        maker.filled += lots;
        taker.filled += lots;
        _swap(market, taker.buy ? taker : maker, taker.buy ? maker : taker, tick, lots);
        return 1;
    }

    function _swap(uint32 market, Told storage buyer, Told storage seller, uint24 tick, uint64 lots) private {
        (address base, address quote) = spot.tokensOf(market);
        uint256 amount = lots * uint256(spot.unitsOf(market).amountStep);
        uint256 cost = uint256(lots) * tick * spot.unitsOf(market).quotePerLotTick;
        owned[buyer.account][quote] -= cost;
        owned[seller.account][quote] += cost;
        owned[seller.account][base] -= amount;
        owned[buyer.account][base] += amount;
    }

    function _deposited(Vm.Log memory log) private {
        owned[
            uint40(uint256(log.topics[1]))
        ][address(uint160(uint256(log.topics[2])))] += abi.decode(log.data, (uint256));
    }

    function _withdrawn(Vm.Log memory log) private {
        (uint256 amount,) = abi.decode(log.data, (uint256, address));
        owned[uint40(uint256(log.topics[1]))][address(uint160(uint256(log.topics[2])))] -= amount;
    }

    function _transferred(Vm.Log memory log) private {
        uint256 amount = abi.decode(log.data, (uint256));
        address token = address(uint160(uint256(log.topics[3])));
        owned[uint40(uint256(log.topics[1]))][token] -= amount;
        owned[uint40(uint256(log.topics[2]))][token] += amount;
    }
}
