// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../src/Book.sol";
import {AccountId, Lots, Tick} from "../../src/ValueTypes.sol";
import {IBook, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {ITrimming} from "../../src/interfaces/ITrimming.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {Logs} from "../Logs.sol";
import {Vm} from "../Vm.sol";
import {Random} from "./Random.sol";

/// The functions that both engines have.
interface IEngine is IBook, ITrimming, IMarkets, ILedger {}

/// Rebuilds the orders of an engine from its logs, independently of its storage. While reading, it
/// checks the rules that a single log can break, and after each call compares the changes of the
/// call with storage.
abstract contract BookReplay is Random {
    using Book for Book.Order;
    using Logs for Vm.Log;

    struct LoggedOrder {
        uint40 account;
        bool buy;
        bool reduceOnly;
        uint24 tick;
        uint40 goodTil;
        TimeInForce timeInForce;
        uint64 lots; // as placed
        uint64 filled;
        uint64 gone; // cancelled or reduced
        bytes32 ref;
    }

    struct LoggedLevel {
        uint256 lots;
        uint256 count;
    }

    struct AffectedOrder {
        uint32 market;
        uint40 order;
    }

    uint32 internal constant MARKETS = 2;
    uint24 internal constant NONE_BELOW = 0;
    uint24 internal constant NONE_ABOVE = type(uint24).max;

    IEngine internal engine;
    mapping(uint32 market => mapping(uint40 order => LoggedOrder)) internal _logged;
    mapping(uint32 market => uint40) public ordersLogged;
    mapping(uint32 market => mapping(uint24 tick => LoggedLevel)) internal _levels;
    mapping(uint32 market => bool) internal _halted;
    /// The resting orders, unsorted, and the index of each in that list plus one.
    mapping(uint32 market => uint40[]) internal _live;
    mapping(uint32 market => mapping(uint40 order => uint256)) private _liveIndex;
    mapping(uint32 market => mapping(uint24 tick => uint40)) private _lastMaker;
    mapping(bytes32 ref => bool) private _isPlaced;
    /// Spent or burnt, as the engine keeps them.
    mapping(uint40 account => mapping(uint256 word => uint256)) internal _salts;
    uint256[] internal _rejected; // items of the batch at hand

    AffectedOrder[] private _affectedOrders;
    uint40[] private _affectedAccounts;

    function restingLots(uint32 market, uint40 order) public view returns (uint64) {
        LoggedOrder storage logged = _logged[market][order];
        return logged.lots - logged.filled - logged.gone;
    }

    function liveOrders(uint32 market) external view returns (uint40[] memory) {
        return _live[market];
    }

    /* READING */

    /// Reads the logs of one call, all of this block's time, and compares everything that they
    /// affect with storage. Returns how many orders were filled, dropped or cancelled.
    function _replay() internal returns (uint256 steps) {
        steps = _readAll(vm.getRecordedLogs());
    }

    function _readAll(Vm.Log[] memory logs) private returns (uint256 steps) {
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].emitter == address(engine)) steps += _read(logs[i]);
            else _elsewhere(logs[i]);
        }
        _compareAffected();
    }

    /// Discards the logs of a call that reverted, which the recorder keeps.
    function _forget() internal {
        vm.getRecordedLogs();
    }

    /// Like _replay, after a batch that has returned `numbers`. The recorder also keeps the logs of
    /// items that were reverted. An item's logs begin with a replaced order's Cancelled, a
    /// FundingSettled or, at the latest, Placed; Rejected ends the logs of a rejected item, if it
    /// had any.
    function _replayBatch(uint40[] memory numbers) internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        (uint256 kept, uint256 start, uint256 items) = (0, 0, 0);
        bool placed = true; // the item at hand
        delete _rejected;
        for (uint256 i = 0; i < logs.length; i++) {
            bytes32 kind = logs[i].topics[0];
            if (kind == IBook.Rejected.selector) {
                (uint256 index,) = abi.decode(logs[i].data, (uint256, bytes4));
                _rejected.push(index);
                if (items > _successes(numbers, index)) {
                    (kept, items, placed) = (start, items - 1, true);
                }
                continue;
            }
            if (placed && _mayBegin(logs[i])) (start, items, placed) = (kept, items + 1, false);
            if (kind == IBook.Placed.selector) placed = true;
            logs[kept++] = logs[i];
        }
        assembly ("memory-safe") {
            mstore(logs, kept)
        }
        _readAll(logs);
    }

    function _successes(uint40[] memory numbers, uint256 end)
        private
        pure
        returns (uint256 count)
    {
        for (uint256 i = 0; i < end; i++) {
            if (numbers[i] != 0) count += 1;
        }
    }

    function _mayBegin(Vm.Log memory log) private pure returns (bool) {
        bytes32 kind = log.topics[0];
        if (kind != IBook.Cancelled.selector) {
            return kind == IBook.Placed.selector || kind == IPerpsEvents.FundingSettled.selector;
        }
        (,, Reason reason) = abi.decode(log.data, (uint40, uint64, Reason));
        return reason == Reason.USER;
    }

    function _read(Vm.Log memory log) private returns (uint256 steps) {
        bytes32 kind = log.topics[0];
        if (kind == IBook.Placed.selector) {
            _placed(log);
        } else if (kind == IBook.Cancelled.selector) {
            _cancelled(log);
            steps = 1;
        } else if (kind == IBook.Reduced.selector) {
            (uint40 order, uint64 lots) = abi.decode(log.data, (uint40, uint64));
            vm.assertLt(lots, restingLots(log.market(), order), "a reduced order keeps a lot");
            _leave(log.market(), order, lots);
        } else if (kind == IBook.SaltsBurnt.selector) {
            (uint256 word, uint256 mask) = abi.decode(log.data, (uint256, uint256));
            _salts[log.account(1)][word] |= mask;
        } else if (kind == IMarkets.Halted.selector) {
            _halted[log.market()] = abi.decode(log.data, (bool));
        } else {
            steps = _readMoney(kind, log);
        }
    }

    /// The data of a Placed log; indexed members are in its topics.
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
        uint32 market = log.market();
        PlacedData memory data = abi.decode(log.data, (PlacedData));
        vm.assertEq(data.order, ++ordersLogged[market], "order numbers count up without gaps");
        vm.assertFalse(
            _halted[market] && !data.reduceOnly, "a halted market takes only reduce-only orders"
        );
        if (data.ref != 0) {
            vm.assertFalse(_isPlaced[data.ref], "no signed order is placed twice");
            _isPlaced[data.ref] = true;
        }
        LoggedOrder storage logged = _logged[market][data.order];
        logged.account = log.account(2);
        (logged.buy, logged.tick, logged.lots) = (data.buy, data.tick, data.lots);
        (logged.timeInForce, logged.goodTil, logged.reduceOnly) =
        (data.timeInForce, data.goodTil, data.reduceOnly);
        logged.ref = data.ref;
        _live[market].push(data.order);
        _liveIndex[market][data.order] = _live[market].length;
        _levels[market][data.tick].count += 1;
        _levels[market][data.tick].lots += data.lots;
        _affectedOrders.push(AffectedOrder(market, data.order));
        _addAffected(logged.account);
        _checkPlaced(market, data.order, logged);
        _reserve(market, logged, int256(uint256(data.lots)));
    }

    /// Order lots > 0 while resting; filled + cancelled + resting == placed; filled <= placed.
    function _cancelled(Vm.Log memory log) private {
        (uint40 order, uint64 lots, Reason reason) = abi.decode(log.data, (uint40, uint64, Reason));
        uint32 market = log.market();
        vm.assertTrue(lots != 0, "a cancelled order had lots");
        vm.assertEq(
            lots, restingLots(market, order), "a cancelled order loses all that is left of it"
        );
        vm.assertEq(
            log.account(2), _logged[market][order].account, "an order is cancelled for its account"
        );
        seen[_nameOf(reason)] += 1;
        _leave(market, order, lots);
    }

    function _nameOf(Reason reason) private pure returns (string memory) {
        return string.concat("cancelled for reason ", vm.toString(uint256(reason)));
    }

    function _leave(uint32 market, uint40 order, uint64 lots) private {
        _logged[market][order].gone += lots;
        _shrink(market, order, lots);
    }

    function _shrink(uint32 market, uint40 order, uint64 lots) private {
        LoggedOrder storage logged = _logged[market][order];
        LoggedLevel storage level = _levels[market][logged.tick];
        level.lots -= lots;
        _affectedOrders.push(AffectedOrder(market, order));
        _addAffected(logged.account);
        _reserve(market, logged, -int256(uint256(lots)));
        if (logged.lots != logged.filled + logged.gone) return;
        level.count -= 1;
        uint40[] storage live = _live[market];
        uint256 index = _liveIndex[market][order];
        uint40 last = live[live.length - 1];
        (live[index - 1], _liveIndex[market][last]) = (last, index);
        live.pop();
        delete _liveIndex[market][order];
    }

    /// Books a fill on both orders and checks the rules that hold at either engine.
    function _fillOrders(uint32 market, Logs.Fill memory fill) internal {
        LoggedOrder storage maker = _logged[market][fill.makerOrder];
        LoggedOrder storage taker = _logged[market][fill.takerOrder];
        vm.assertTrue(fill.lots != 0, "a fill has lots");
        vm.assertTrue(
            fill.lots <= restingLots(market, fill.makerOrder),
            "a fill is at most what the maker has left"
        );
        vm.assertTrue(
            fill.lots <= restingLots(market, fill.takerOrder),
            "a fill is at most what the taker has left"
        );
        _checkSides(fill, maker, taker);
        // Fills of a level come in the order of arrival.
        vm.assertTrue(
            fill.makerOrder >= _lastMaker[market][fill.tick],
            "fills of a tick come in order of arrival"
        );
        _lastMaker[market][fill.tick] = fill.makerOrder;
        maker.filled += fill.lots;
        taker.filled += fill.lots;
        _shrink(market, fill.makerOrder, fill.lots);
        _shrink(market, fill.takerOrder, fill.lots);
    }

    function _checkSides(
        Logs.Fill memory fill,
        LoggedOrder storage maker,
        LoggedOrder storage taker
    ) private view {
        vm.assertEq(fill.maker, maker.account, "the maker is who placed the maker's order");
        vm.assertEq(fill.taker, taker.account, "the taker is who placed the taker's order");
        // No fill between an account and itself.
        vm.assertTrue(fill.maker != fill.taker, "no fill between an account and itself");
        vm.assertTrue(maker.buy != taker.buy, "a fill has two sides");
        // A fill price is never worse than either limit; the taker gets the maker's tick.
        vm.assertEq(fill.tick, maker.tick, "a fill is at the maker's tick");
        bool within = taker.buy ? fill.tick <= taker.tick : fill.tick >= taker.tick;
        vm.assertTrue(within, "no fill is worse than the taker's limit");
        // Post-only never takes.
        vm.assertTrue(taker.timeInForce != TimeInForce.POST_ONLY, "a post-only order never takes");
        vm.assertTrue(
            maker.goodTil == 0 || maker.goodTil >= block.timestamp, "no fill of an expired maker"
        );
    }

    /* COMPARING */

    /// Compares only what the logs of a call mention, so the cost does not grow with the book.
    function _compareAffected() private {
        for (; _affectedOrders.length != 0; _affectedOrders.pop()) {
            AffectedOrder storage affected = _affectedOrders[_affectedOrders.length - 1];
            _compareOrder(affected.market, affected.order);
            LoggedOrder storage logged = _logged[affected.market][affected.order];
            // IOC and FOK never rest; FOK fills all or nothing.
            if (logged.timeInForce == TimeInForce.FOK) {
                vm.assertEq(logged.filled, logged.lots, "FOK fills all or nothing");
            }
            if (logged.timeInForce == TimeInForce.IOC) {
                vm.assertEq(restingLots(affected.market, affected.order), 0, "IOC never rests");
            }
            _compareLevel(affected.market, logged.tick);
            _checkSize(affected.market, affected.order, logged.tick);
        }
        for (; _affectedAccounts.length != 0; _affectedAccounts.pop()) {
            _compareAccount(_affectedAccounts[_affectedAccounts.length - 1]);
        }
        for (uint32 market = 1; market <= MARKETS; market++) {
            _compareBest(market);
            _compareMarket(market);
        }
    }

    /// Nothing that a call has placed, filled or reduced rests below the least value of an order.
    function _checkSize(uint32 market, uint40 order, uint24 tick) private view {
        uint256 lots = restingLots(market, order);
        uint256 least = engine.stateOf(market).minOrderValue;
        bool fits = lots == 0 || lots * tick * engine.unitsOf(market).quotePerLotTick >= least;
        vm.assertTrue(fits, "no rest of an order is smaller than an order may be");
    }

    /// An order follows from the logs.
    function _compareOrder(uint32 market, uint40 id) internal view {
        Book.Order memory order = engine.orderAt(market, id);
        LoggedOrder storage logged = _logged[market][id];
        vm.assertEq(
            Lots.unwrap(order.lots),
            restingLots(market, id),
            "resting lots != placed - filled - reduced - cancelled"
        );
        if (Lots.unwrap(order.lots) == 0) {
            vm.assertEq(
                AccountId.unwrap(order.account), 0, "nothing is left of an order that is gone"
            );
            return;
        }
        vm.assertEq(AccountId.unwrap(order.account), logged.account, "account of an order");
        vm.assertEq(Tick.unwrap(order.tick), logged.tick, "tick of an order");
        vm.assertEq(order.isBuy(), logged.buy);
        vm.assertEq(order.isReduceOnly(), logged.reduceOnly);
        vm.assertEq(order.goodTil, logged.goodTil, "good-til time of an order");
    }

    /// Level.lots == sum of its orders' lots; count == how many they are.
    function _compareLevel(uint32 market, uint24 tick) internal view {
        Book.Level memory level = engine.levelAt(market, tick);
        vm.assertEq(level.lots, _levels[market][tick].lots, "level lots != sum of its orders");
        vm.assertEq(
            level.count, _levels[market][tick].count, "level count != number of its orders"
        );
    }

    /// bestBid < bestAsk; cached best == the tick set's.
    function _compareBest(uint32 market) private view {
        Book.StateView memory state = engine.stateOf(market);
        vm.assertLt(state.bestBid, state.bestAsk, "best bid >= best ask");
        vm.assertEq(
            engine.tickAbove(market, state.bestBid), state.bestAsk, "cached best ask != the set's"
        );
        vm.assertEq(
            engine.tickBelow(market, state.bestAsk), state.bestBid, "cached best bid != the set's"
        );
        vm.assertEq(state.nextOrder, ordersLogged[market] + 1, "every order is logged");
    }

    /* WHAT AN ENGINE ADDS */

    function _addAffected(uint40 account) internal {
        _affectedAccounts.push(account);
    }

    /// Reads a log that does not concern a book. Returns the number of steps of the matching loop
    /// it implies.
    function _readMoney(bytes32 kind, Vm.Log memory log) internal virtual returns (uint256 steps);

    /// A log of another contract.
    function _elsewhere(Vm.Log memory log) internal virtual;

    /// `lots` more (or fewer) of the account rest.
    function _reserve(uint32 market, LoggedOrder storage logged, int256 lots) internal virtual;

    function _checkPlaced(uint32 market, uint40 order, LoggedOrder storage logged) internal virtual;

    /// Compares the money of a market with storage.
    function _compareMarket(uint32 market) internal virtual {}

    /// Compares an account with storage.
    function _compareAccount(uint40 account) internal virtual;
}
