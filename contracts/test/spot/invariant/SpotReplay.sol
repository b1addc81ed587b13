// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../../src/Book.sol";
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

    /// The data of a Placed log; what is indexed is in its topics.
    struct PlacedData {
        uint40 order;
        bool buy;
        uint24 tick;
        uint64 lots;
        TimeInForce timeInForce;
        bool reduceOnly;
        uint40 goodTil;
        bytes32 ref;
    }

    function _placed(Vm.Log memory log) private {
        uint32 market = uint32(uint256(log.topics[1]));
        PlacedData memory data = abi.decode(log.data, (PlacedData));
        vm.assertEq(data.order, ordersTold[market] + 1, "order numbers count up without gaps");
        ordersTold[market] = data.order;
        Told storage next = _told[market][data.order];
        next.account = uint40(uint256(log.topics[2]));
        (next.buy, next.tick, next.lots) = (data.buy, data.tick, data.lots);
        (next.timeInForce, next.goodTil) = (data.timeInForce, data.goodTil);
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

    /// The data of a Filled log; what is indexed is in its topics.
    struct FilledData {
        uint40 maker;
        uint40 makerOrder;
        uint40 taker;
        uint40 takerOrder;
        uint24 tick;
        uint64 lots;
    }

    function _filled(Vm.Log memory log) private returns (uint256) {
        uint32 market = uint32(uint256(log.topics[1]));
        FilledData memory fill = abi.decode(log.data, (FilledData));
        Told storage maker = _told[market][fill.makerOrder];
        Told storage taker = _told[market][fill.takerOrder];
        vm.assertTrue(fill.lots != 0, "a fill has lots");
        vm.assertTrue(fill.lots <= restingTold(market, fill.makerOrder), "a fill is at most what the maker has left");
        vm.assertTrue(fill.lots <= restingTold(market, fill.takerOrder), "a fill is at most what the taker has left");
        _checkFill(fill, maker, taker);
        vm.assertTrue(fill.makerOrder >= _lastMaker[market][fill.tick], "fills of a tick come in order of arrival");
        _lastMaker[market][fill.tick] = fill.makerOrder;
        maker.filled += fill.lots;
        taker.filled += fill.lots;
        _swap(market, taker.buy ? taker : maker, taker.buy ? maker : taker, fill);
        return 1;
    }

    function _checkFill(FilledData memory fill, Told storage maker, Told storage taker) private view {
        vm.assertEq(fill.maker, maker.account, "the maker is who placed the maker's order");
        vm.assertEq(fill.taker, taker.account, "the taker is who placed the taker's order");
        vm.assertTrue(fill.maker != fill.taker, "no fill between an account and itself");
        vm.assertTrue(maker.buy != taker.buy, "a fill has two sides");
        vm.assertEq(fill.tick, maker.tick, "a fill is at the maker's tick");
        bool within = taker.buy ? fill.tick <= taker.tick : fill.tick >= taker.tick;
        vm.assertTrue(within, "no fill is worse than the taker's limit");
        vm.assertTrue(taker.timeInForce != TimeInForce.POST_ONLY, "a post-only order never takes");
        vm.assertTrue(maker.goodTil == 0 || maker.goodTil >= block.timestamp, "no fill of an expired maker");
    }

    function _swap(uint32 market, Told storage buyer, Told storage seller, FilledData memory fill) private {
        (address base, address quote) = spot.tokensOf(market);
        Book.Units memory units = spot.unitsOf(market);
        uint256 amount = uint256(fill.lots) * units.amountStep;
        uint256 cost = uint256(fill.lots) * fill.tick * units.quotePerLotTick;
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
