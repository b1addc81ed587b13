// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {Book} from "../../../src/Book.sol";
import {Funding} from "../../../src/Funding.sol";
import {PerpsState} from "../../../src/PerpsState.sol";
import {Positions} from "../../../src/Positions.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IBook} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {IPerps, IPerpsEvents} from "../../../src/interfaces/IPerps.sol";
import {Logs} from "../../Logs.sol";
import {Vm} from "../../Vm.sol";
import {Random} from "../../invariant/Random.sol";

/// Measures what the adversary's accounts gain by a strike: all that they do in one second, in
/// which the index does not move. The value of an account is its equity at the index, not at the
/// mark, and nothing below zero, since a debt is left behind. The gain of a strike has four parts:
///   agreed: others traded with it by orders of their own, at a distance from the index;
///   fees: what it paid for its trades (negative: rebates);
///   rewards: what the rules pay callers for urgent work;
///   forced: it took the other side of a forced order, at most 2 % beyond a mark that is within
///           0.5 % of the index; of an honest account 0.25 % at first, 2 % after 30 s.
/// More than that it cannot gain. AdversarySchemes measures longer schemes with the same figures.
abstract contract AdversaryBooks is Random {
    using Logs for Vm.Log;

    struct Party {
        address wallet;
        uint40 account;
        uint256 secret;
    }

    struct Strike {
        int256 value; // of the adversary's accounts before it
        int256 agreed;
        int256 fees;
        int256 rewards;
        int256 forced;
        int256 deleveraged; // value of the lots
        uint40 forcedAccount; // of the forced order at hand, whose number is:
        uint40 forcedOrder;
    }

    /// When an account was below its margin, as far as this campaign has looked.
    struct Below {
        uint256 since;
        uint256 last;
    }

    uint32 internal constant BOOKS = 2; // markets that honest people trade in
    uint32 internal constant EMPTY = 3; // one in which only schemes do
    uint32 internal constant MARKETS = 3;
    uint256 internal constant UNIT = 1e13; // quotePerLotTick of all markets
    int256 internal constant SCALE = 1e12;
    uint40 internal constant INSURANCE = 1;
    uint40 internal constant FEES = 2;
    uint256 internal constant HONEST = 6; // a maker, an arbitrageur, traders
    uint256 internal constant EVIL = 4;
    uint40 internal constant FIRST_EVIL = 3 + uint40(HONEST);
    int256 private constant ROUNDING = 1e9; // of fills and shares, quote raw: a billionth of a unit
    int256 private constant MARK_EDGE_MAX = 51; // 0.5 % of the index and rounding, parts of 10,000
    /// How far from the mark, itself within 0.5 % of the index, a forced order trades at first and
    /// after 30 s, in parts of 10,000.
    int256 private constant FORCED_EDGE_FIRST = 26;
    int256 private constant FORCED_EDGE_LAST = 202;
    uint256 private constant OPENING_SECONDS = 30;
    uint256 private constant SEEN_SECONDS = 60;
    uint256 private constant NOMINATION_VOID_SECONDS = 120;
    int256 private constant REWARD_MAX = 10e18; // of one piece of work, quote raw, and:
    // 2 basis points of the value deleveraged in the strike.
    int256 private constant REWARD_DIVISOR = 5_000;

    Accounts internal accounts;
    PushOracle internal oracle;
    IPerps internal perps;
    DevToken internal usdc;
    Party[] internal _parties; // of accounts 3, 4, ...: the honest ones, then the adversary's
    mapping(uint32 market => mapping(uint40 order => bool)) private _buys;
    mapping(uint40 account => bool) private _wasUnder;
    mapping(uint40 account => Below) private _below;
    mapping(uint40 account => bool) private _owed;
    // The worth of each of the adversary's accounts before the strike, debts counted, and its
    // losses in the strike by forced closes off the book.
    mapping(uint40 account => int256) private _worth;
    mapping(uint40 account => int256) private _lost;
    mapping(uint32 market => uint40) private _firstFresh; // the first number of the strike
    // An order that rested before it has changed.
    mapping(uint32 market => bool) internal _changesOld;
    mapping(uint32 market => mapping(uint40 account => uint256)) private _frozenUntil;
    Strike internal _strike;
    /// The first of the accounts that carry out a scheme; 0 while there is none.
    uint40 internal _firstActor;
    /// Price per market that gains of a scheme are valued at; 0: the current index.
    mapping(uint32 market => uint256) internal _fair;
    /// How far the index may be from that meanwhile, in parts of 10,000.
    int256 internal _reach;
    /// The largest figures so far, quote raw.
    int256 public takenMost; // in a strike, beyond the losses in trades that others agreed to
    int256 public taken; // in all strikes together, likewise
    int256 public agreed; // in all strikes together: losses of others in trades they agreed to

    function _isEvil(uint40 account) internal view returns (bool) {
        if (_firstActor != 0) return account >= _firstActor;
        return account >= FIRST_EVIL && account < FIRST_EVIL + EVIL;
    }

    function _isHonest(uint40 account) internal pure returns (bool) {
        return account > FEES && account < FIRST_EVIL;
    }

    function _lotAtIndex(uint32 market) internal view returns (int256) {
        uint256 index = _fair[market] == 0 ? perps.quoteOf(market).index : _fair[market];
        return int256(index * _amountStep(market) / 1e18);
    }

    /* VALUE */

    function _valueOf(uint40 account) internal view returns (int256 value) {
        value = perps.holdingOf(account).collateral;
        for (uint32 market = 1; market <= MARKETS; market++) {
            Positions.Position memory position = perps.positionOf(market, account);
            if (position.lots == 0) continue;
            int256 perLot =
                _lotAtIndex(market) - perps.quoteOf(market).fundingIndex + position.fundingIndex;
            value += position.quote + position.lots * perLot;
        }
    }

    /// Returns whether the margin is gone with each position at the better of mark and index.
    function _isBelowAtBest(uint40 account) internal view returns (bool) {
        int256 equity = perps.holdingOf(account).collateral;
        int256 margin;
        for (uint32 market = 1; market <= MARKETS; market++) {
            Positions.Position memory position = perps.positionOf(market, account);
            if (position.lots == 0) continue;
            PerpsState.Quote memory quote = perps.quoteOf(market);
            int256 unit = _favoured(market, quote, position.lots > 0);
            equity += position.quote + position.lots
            * (unit - quote.fundingIndex + position.fundingIndex);
            if (quote.stale) continue;
            int256 value = unit * (position.lots < 0 ? -position.lots : position.lots);
            int256 divisor = 2 * int256(quote.maxLeverage);
            margin += (value + divisor - 1) / divisor;
        }
        return equity < margin;
    }

    function _favoured(uint32 market, PerpsState.Quote memory quote, bool long)
        private
        pure
        returns (int256)
    {
        int256 mark = int256(quote.markPerLot);
        if (quote.stale) return long ? mark + mark / 2 : mark - mark / 2;
        int256 index = int256(quote.index * _amountStep(market) / 1e18);
        return (index > mark) == long ? index : mark;
    }

    /// Records the accounts below their margin: no other may be closed in this second.
    function _noteBelow() internal {
        _noteBelow(FIRST_EVIL);
    }

    /// The same, only for the accounts before `end`.
    function _noteBelow(uint40 end) internal {
        for (uint40 account = 1; account < end; account++) {
            bool isBelow = _isBelowAtBest(account);
            _wasUnder[account] = isBelow;
            if (!isBelow) continue;
            Below storage below = _below[account];
            if (block.timestamp > below.last + SEEN_SECONDS) below.since = block.timestamp;
            below.last = block.timestamp;
        }
    }

    function _evilValue() private view returns (int256 sum) {
        for (uint256 i = HONEST; i < HONEST + EVIL; i++) {
            int256 value = _valueOf(_parties[i].account);
            sum += (value > 0 ? value : int256(0)) + int256(usdc.balanceOf(_parties[i].wallet))
                * SCALE;
        }
    }

    /* A STRIKE */

    function _begin() internal {
        delete _strike;
        _strike.value = _evilValue();
        for (uint32 market = 1; market <= MARKETS; market++) {
            (_firstFresh[market], _changesOld[market]) = (perps.stateOf(market).nextOrder, false);
        }
        for (uint256 i = HONEST; i < HONEST + EVIL; i++) {
            uint40 account = _parties[i].account;
            _owed[account] = perps.holdingOf(account).collateral < 0;
            (_worth[account], _lost[account]) = (_valueOf(account), 0);
        }
        _noteBelow();
    }

    /// Requires that the adversary's accounts gained at most from trades that others agreed to,
    /// fees and rewards.
    function _end() internal {
        Strike memory strike = _strike;
        strike.agreed += _lostInDebt();
        int256 gained = _evilValue() - strike.value;
        int256 beyond = gained - strike.agreed + strike.fees;
        vm.assertLe(
            beyond,
            strike.rewards + strike.forced + ROUNDING,
            "a strike gains only what others agreed to"
        );
        agreed += strike.agreed - strike.fees;
        taken += beyond;
        if (beyond > takenMost) takenMost = beyond;
        if (strike.rewards != 0) seen["rewarded"] += 1;
        if (strike.forced != 0) seen["in a forced order"] += 1;
    }

    /// Returns the losses by forced closes off the book that only made debts larger. An account
    /// worth nothing at the index may have equity at the mark, which others can take, but the
    /// adversary has no value there to lose.
    function _lostInDebt() private view returns (int256 sum) {
        for (uint256 i = HONEST; i < HONEST + EVIL; i++) {
            uint40 account = _parties[i].account;
            int256 lost = _lost[account];
            if (lost == 0) continue;
            (int256 before, int256 value) = (_worth[account], _valueOf(account));
            int256 deeper = (before < 0 ? before : int256(0)) - (value < 0 ? value : int256(0));
            if (deeper > 0) sum += deeper < lost ? deeper : lost;
        }
    }

    /// Reads the logs of one call that did not revert.
    function _read() internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].emitter == address(perps)) _readOne(logs[i]);
        }
    }

    function _readOne(Vm.Log memory log) private {
        bytes32 kind = log.topics[0];
        if (kind == IBook.Placed.selector) _placed(log);
        else if (kind == IBook.Cancelled.selector || kind == IBook.Reduced.selector) _shrunk(log);
        else if (kind == IPerpsEvents.Filled.selector) _filled(log);
        else if (kind == IPerpsEvents.Liquidating.selector) _liquidating(log);
        else if (kind == IPerpsEvents.Liquidated.selector) _liquidated(log);
        else if (kind == IPerpsEvents.Absorbed.selector) _absorbed(log);
        else if (kind == IPerpsEvents.Deleveraged.selector) _deleveraged(log);
        else if (kind == IPerpsEvents.Nominated.selector) _nominated(log);
        else if (kind == ILedger.Transferred.selector) _transferred(log);
    }

    function _placed(Vm.Log memory log) private {
        (uint40 order, bool buy) = abi.decode(log.data, (uint40, bool));
        _buys[log.market()][order] = buy;
    }

    function _shrunk(Vm.Log memory log) private {
        _noteOld(log.market(), abi.decode(log.data, (uint40)));
    }

    function _noteOld(uint32 market, uint40 order) private {
        if (order < _firstFresh[market]) _changesOld[market] = true;
    }

    /// The gain against the index of buying `lots` (selling: negative) at `unit`.
    function _edge(uint32 market, int256 lots, int256 unit) private view returns (int256) {
        return lots * (_lotAtIndex(market) - unit);
    }

    function _filled(Vm.Log memory log) private {
        Logs.PerpFill memory perpFill = log.perpFill();
        Logs.Fill memory fill = perpFill.trade;
        uint32 market = log.market();
        seen["filled"] += 1;
        _noteOld(market, fill.makerOrder);
        _expectFree(market, fill);
        int256 lots = int256(uint256(fill.lots));
        if (!_buys[market][fill.takerOrder]) lots = -lots;
        int256 edge = _edge(market, lots, int256(fill.tick * UNIT)); // the taker's
        (bool evilMaker, bool evilTaker) = (_isEvil(fill.maker), _isEvil(fill.taker));
        if (evilMaker) _strike.fees += perpFill.makerFee;
        if (evilTaker) _strike.fees += perpFill.takerFee;
        if (evilMaker == evilTaker) return; // with itself, or others with each other
        seen["filled with others"] += 1;
        if (evilTaker) _strike.agreed += edge;
        else if (fill.takerOrder != _strike.forcedOrder) _strike.agreed -= edge;
        else _forced(market, -edge, lots < 0 ? -lots : lots);
    }

    /// Checks that a position reserved to pay for a loss is not traded.
    function _expectFree(uint32 market, Logs.Fill memory fill) private view {
        bool free = block.timestamp > _frozenUntil[market][fill.maker]
            && (fill.takerOrder == _strike.forcedOrder
                || block.timestamp > _frozenUntil[market][fill.taker]);
        vm.assertTrue(free, "a nominee keeps its position");
    }

    function _nominated(Vm.Log memory log) private {
        (uint32 market, uint40 loser) = (log.market(), log.account(2));
        uint256 until = perps.nominationOf(loser, market).openedTime + NOMINATION_VOID_SECONDS;
        mapping(uint40 account => uint256) storage frozen = _frozenUntil[market];
        if (until > frozen[log.account(3)]) frozen[log.account(3)] = until;
        seen["nominated"] += 1;
    }

    function _forced(uint32 market, int256 edge, int256 lots) private {
        int256 parts = MARK_EDGE_MAX + _openingOf(_strike.forcedAccount) + _reach;
        int256 most = lots * _lotAtIndex(market) * parts / 10_000;
        vm.assertLe(edge, most, "a forced order trades near the mark");
        _strike.forced += edge;
    }

    /// How far from the mark a forced order of the account may trade by now.
    function _openingOf(uint40 account) private view returns (int256) {
        Below memory below = _below[account];
        uint256 elapsed = block.timestamp - below.since;
        if (!_isHonest(account) || elapsed > OPENING_SECONDS) return FORCED_EDGE_LAST;
        int256 width = FORCED_EDGE_LAST - FORCED_EDGE_FIRST;
        return FORCED_EDGE_FIRST + width * int256(elapsed) / int256(OPENING_SECONDS);
    }

    function _expectUnder(uint40 account) private view {
        bool spared = !_isHonest(account) && account != INSURANCE;
        vm.assertTrue(spared || _wasUnder[account], "nobody who was healthy before is closed");
    }

    function _liquidating(Vm.Log memory log) private {
        _strike.forcedAccount = log.account(2);
        _strike.forcedOrder = abi.decode(log.data, (uint40));
        _expectUnder(_strike.forcedAccount);
        seen["liquidated"] += 1;
    }

    function _liquidated(Vm.Log memory log) private {
        (, uint256 fee, uint40 keeper) = abi.decode(log.data, (uint64, uint256, uint40));
        if (_isEvil(log.account(2))) _strike.fees += int256(fee);
        if (_isEvil(keeper)) _strike.rewards += int256(fee / 2);
    }

    function _absorbed(Vm.Log memory log) private {
        (int64 lots, uint256 unit, int256 moved) = abi.decode(log.data, (int64, uint256, int256));
        uint40 account = log.account(2);
        _expectUnder(account);
        seen["absorbed"] += 1;
        if (_isEvil(account)) {
            _closed(account, log.market(), lots, _edge(log.market(), -lots, int256(unit)) - moved);
        }
    }

    function _deleveraged(Vm.Log memory log) private {
        (int64 lots, int256 unit) = abi.decode(log.data, (int64, int256));
        (uint40 loser, uint40 winner) = (log.account(2), log.account(3));
        _expectUnder(loser);
        seen["deleveraged"] += 1;
        _strike.deleveraged += _edge(log.market(), lots < 0 ? -int256(lots) : lots, 0);
        int256 edge = _edge(log.market(), lots, unit); // the winner's
        if (_isEvil(winner) == _isEvil(loser)) return;
        int256 most = _markEdge(log.market(), lots);
        if (_isEvil(winner)) vm.assertLe(edge, most, "a winner gains nothing by being chosen");
        if (_isEvil(winner)) _closed(winner, log.market(), lots, edge);
        else _closed(loser, log.market(), lots, -edge);
    }

    /// How far the mark, at which positions close by force, may be from the index.
    function _markEdge(uint32 market, int256 lots) private view returns (int256) {
        int256 parts = MARK_EDGE_MAX + _reach;
        return (lots < 0 ? -lots : lots) * _lotAtIndex(market) * parts / 10_000;
    }

    /// Adds the gain of an adversary's account when `lots` of it are closed by force. A debt taken
    /// over by others is not a gain: such an account was worth nothing.
    function _closed(uint40 account, uint32 market, int256 lots, int256 edge) private {
        if (edge < 0) {
            (_strike.agreed, _lost[account]) = (_strike.agreed + edge, _lost[account] - edge);
        } else {
            _strike.forced += edge < _markEdge(market, lots) ? edge : _markEdge(market, lots);
        }
    }

    function _transferred(Vm.Log memory log) private {
        int256 amount = abi.decode(log.data, (int256)) * SCALE;
        (uint40 from, uint40 to) = (log.account(1), log.account(2));
        if (_isEvil(from) == _isEvil(to)) return;
        if (_isEvil(from)) {
            _strike.fees += amount;
        } else if (from != INSURANCE || !_owed[to]) {
            // A debt paid by insurance is not a gain: the account was worth nothing, and still is.
            int256 most = REWARD_MAX + _strike.deleveraged / REWARD_DIVISOR;
            if (_firstActor != 0 && amount > most) return; // counts as a gain
            vm.assertLe(amount, most, "a reward is small");
            _strike.rewards += amount;
        }
    }

    /* MARKS */

    /// A market's prices, current or after a mere poke.
    struct Prices {
        int256 mark;
        int256 fundingIndex;
        int256 premiumSum;
        int256 index;
        // Time-weighted average of the mids, or the index. A poke measures it against the index
        // before this second: this is the price as far from the current index.
        int256 average;
    }

    function _pricesOf(uint32 market) internal view returns (Prices memory prices) {
        PerpsState.Quote memory quote = perps.quoteOf(market);
        (, Funding.Activity memory activity) = perps.fundingOf(market);
        (prices.mark, prices.fundingIndex) = (int256(quote.mark), quote.fundingIndex);
        (prices.premiumSum, prices.index) = (activity.premiumSum, int256(quote.index));
        int256 earlier = int256(quote.earlier);
        prices.average = _averageOf(market, earlier) * prices.index / earlier;
    }

    function _averageOf(uint32 market, int256 index) private view returns (int256) {
        Book.StateView memory state = perps.stateOf(market);
        int256 average = int256(uint256(state.averageTick));
        int256 elapsed = int256(block.timestamp - state.changedTime);
        if (state.bestBid != 0 && state.bestAsk != type(uint24).max && elapsed != 0) {
            int256 mid = int256(uint256(state.bestBid) + state.bestAsk) * 128;
            average = average == 0 ? mid : mid - (mid - average) * 60 / (elapsed + 60);
        }
        return average == 0 ? index : average * int256(_priceStep(market)) / 256;
    }

    function _priceStep(uint32 market) internal pure returns (uint256) {
        return market == 2 ? 1e17 : 1e16;
    }

    function _amountStep(uint32 market) internal pure returns (uint256) {
        return market == 2 ? 1e14 : 1e15;
    }
}
