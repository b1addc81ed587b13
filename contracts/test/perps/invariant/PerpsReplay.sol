// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../../src/Funding.sol";
import {PerpsState} from "../../../src/PerpsState.sol";
import {Positions} from "../../../src/Positions.sol";
import {Book} from "../../../src/Book.sol";
import {TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {IOracle} from "../../../src/interfaces/IOracle.sol";
import {IPerps, IPerpsFacts, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {Vm} from "../../Vm.sol";
import {Outflows} from "../../invariant/Outflows.sol";
import {SignedTrading} from "../../invariant/SignedTrading.sol";

/// What the perpetual engine's logs say of money, worked out with the formulas that stand at the head
/// of Perps.sol, in words of their own: nothing here is the engine's code but the shape of its answers.
abstract contract PerpsReplay is Outflows {
    struct PositionTold {
        int256 lots;
        int256 quote;
        int256 fundingIndex;
        uint256 leverage;
        int256 bidLots;
        int256 askLots;
    }

    struct MarketTold {
        uint256 settledTime;
        int256 cumulative;
        int256 perSecond;
        int256 rate;
        uint256 hourMark;
        int256 premiumSum;
        uint256 sampledSeconds;
        int256 basis; // 18 decimals, in force in the second of the last poke
        int256 nextBasis; // from the second after it
        uint256 pokedAt;
        uint256 impactValue;
        uint256 indexAgeMax;
        int256 fundingPaid; // by all accounts, as it was booked
        int256 fundingIndexSeen; // at the last comparison
        uint256 settledTimeSeen;
    }

    struct PerpFill {
        uint40 maker;
        uint40 makerOrder;
        uint40 taker;
        uint40 takerOrder;
        uint24 tick;
        uint64 lots;
        int128 makerFee;
        int128 takerFee;
    }

    struct Health {
        int256 equity;
        int256 initialMargin;
        int256 maintenanceMargin;
        int256 notional;
        bool stale; // a position's index is
    }

    int256 internal constant SCALE = 1e12;
    int256 internal constant UNIT = 1e13; // quotePerLotTick of both markets
    int256 private constant E18 = 1e18;

    IPerps internal perps;
    IOracle internal oracle;
    mapping(uint40 account => int256) internal _collateral;
    mapping(uint32 market => mapping(uint40 account => PositionTold)) internal _positions;
    mapping(uint32 market => MarketTold) internal _markets;
    mapping(uint32 market => PerpParameters) internal _parameters;
    /// An announced order that must come next, with its account and what that was worth before.
    uint40 private _forcedOrder;
    uint40 private _forcedAccount;
    Health private _forcedHealth;

    function _startReplay(PerpParameters memory parameters) internal {
        for (uint32 market = 1; market <= MARKETS; market++) {
            MarketTold storage told = _markets[market];
            told.settledTime = block.timestamp - block.timestamp % 3600;
            told.pokedAt = block.timestamp - 60;
            (told.impactValue, told.indexAgeMax) = (3_000e18, 60);
            _parameters[market] = parameters;
        }
    }

    /* ARITHMETIC */

    function _abs(int256 x) internal pure returns (int256) {
        return x < 0 ? -x : x;
    }

    function _min(int256 a, int256 b) internal pure returns (int256) {
        return a < b ? a : b;
    }

    function _clamp(int256 x, int256 limit) internal pure returns (int256) {
        if (x > limit) return limit;
        return x < -limit ? -limit : x;
    }

    function _ceilDiv(int256 a, int256 b) internal pure returns (int256) {
        return a > 0 ? (a + b - 1) / b : a / b;
    }

    function _index(uint32 market) internal view returns (int256) {
        (uint256 price,) = oracle.read(market == 1 ? bytes32("ETH") : bytes32("BTC"));
        return int256(price);
    }

    function _isStale(uint32 market) internal view returns (bool) {
        (, uint256 time) = oracle.read(market == 1 ? bytes32("ETH") : bytes32("BTC"));
        return time + _markets[market].indexAgeMax < block.timestamp;
    }

    function _mark(uint32 market) internal view returns (int256) {
        int256 index = _index(market);
        return index + index * _basisOf(market) / E18;
    }

    function _basisOf(uint32 market) private view returns (int256) {
        MarketTold storage told = _markets[market];
        return block.timestamp > told.pokedAt ? told.nextBasis : told.basis;
    }

    function _markPerLot(uint32 market) internal view returns (int256) {
        return _mark(market) * (market == 1 ? int256(1e15) : int256(1e14)) / E18;
    }

    function _fundingIndex(uint32 market) internal view returns (int256) {
        MarketTold storage told = _markets[market];
        return told.cumulative + told.perSecond * _min(int256(block.timestamp - told.settledTime), 3600);
    }

    function _hourHasEnded(uint32 market) internal view returns (bool) {
        return block.timestamp >= _markets[market].settledTime + 3600;
    }

    /// @inheritdoc SignedTrading
    function _markOf(uint32 market) internal view override returns (uint256) {
        return market > MARKETS || _isStale(market) ? 0 : uint256(_mark(market));
    }

    function _stepsOf(uint32 market) internal pure override returns (uint256, uint256) {
        return market == 1 ? (uint256(1e16), uint256(1e15)) : (uint256(1e17), uint256(1e14));
    }

    /* HEALTH: SECTION 7 */

    /// From the logs alone.
    function _healthOf(uint40 account) internal view returns (Health memory) {
        return _healthBy(account, false);
    }

    /// As those see it who close by force: what is stale counts for its owner, and asks for no margin.
    function _distressOf(uint40 account) internal view returns (Health memory) {
        return _healthBy(account, true);
    }

    function _healthBy(uint40 account, bool favoured) private view returns (Health memory health) {
        health.equity = _collateral[account];
        for (uint32 market = 1; market <= MARKETS; market++) {
            PositionTold storage told = _positions[market][account];
            int256 mark = _markPerLot(market);
            int256 most = int256(uint256(_parameters[market].maxLeverage));
            int256 own = int256(told.leverage);
            int256 bought = _abs(told.lots + told.bidLots);
            int256 sold = _abs(told.lots - told.askLots);
            int256 exposure = bought > sold ? bought : sold;
            health.initialMargin += _ceilDiv(exposure * mark, own == 0 ? most : _min(own, most));
            if (told.lots == 0) continue;
            health.equity += told.quote + told.lots * mark - told.lots * (_fundingIndex(market) - told.fundingIndex);
            if (favoured && _isStale(market)) {
                health.equity += _abs(told.lots) * (mark / 2);
                continue;
            }
            health.maintenanceMargin += _ceilDiv(_abs(told.lots) * mark, 2 * most);
            health.notional += _abs(told.lots) * mark;
            if (_isStale(market)) health.stale = true;
        }
    }

    function _isUnder(Health memory health) internal pure returns (bool) {
        return health.equity < health.maintenanceMargin;
    }

    /// Equity over maintenance margin is at least what it was; without positions, nothing is owed that
    /// was not owed before.
    function _isNoWorse(Health memory health, Health memory before) internal pure returns (bool) {
        if (health.maintenanceMargin == 0) return health.equity >= _min(before.equity, 0);
        return health.equity * before.maintenanceMargin >= before.equity * health.maintenanceMargin;
    }

    /* LOGS */

    function _readMoney(bytes32 kind, Vm.Log memory log) internal override returns (uint256 steps) {
        if (kind == IPerpsFacts.Filled.selector) {
            _filled(_marketOf(log), abi.decode(log.data, (PerpFill)));
            return 1;
        }
        if (kind == IPerpsFacts.FundingSettled.selector) _settled(log);
        else if (kind == IPerpsFacts.Marked.selector) _marked(log);
        else if (kind == IPerpsFacts.LeverageSet.selector) _leverageSet(log);
        else if (kind == IPerpsFacts.Changed.selector) _changed(log);
        else if (kind == IPerpsFacts.Liquidating.selector) _liquidating(log);
        else if (kind == IPerpsFacts.Liquidated.selector) _liquidated(log);
        else if (kind == IPerpsFacts.Absorbed.selector) _absorbed(log);
        else if (kind == IPerpsFacts.Deleveraged.selector) _deleveraged(log);
        else if (kind == ILedger.Deposited.selector) _pay(_accountIn(log, 1), _amountIn(log));
        else if (kind == ILedger.Withdrawn.selector) _pay(_accountIn(log, 1), -_amountIn(log));
        else if (kind == ILedger.Transferred.selector) _transferred(log);
        else if (kind == IPerpsFacts.ImpactValueSet.selector) _markets[_marketOf(log)].impactValue = _wordIn(log);
        else if (kind == IPerpsFacts.IndexAgeMaxSet.selector) _markets[_marketOf(log)].indexAgeMax = _wordIn(log);
    }

    function _wordIn(Vm.Log memory log) private pure returns (uint256 word) {
        bytes memory data = log.data;
        assembly ("memory-safe") {
            word := mload(add(data, 0x20))
        }
    }

    /// Scaled. The data of all three ledger logs begin with the amount.
    function _amountIn(Vm.Log memory log) private pure returns (int256) {
        return int256(_wordIn(log)) * SCALE;
    }

    function _pay(uint40 account, int256 amount) internal {
        _collateral[account] += amount;
        _touchAccount(account);
    }

    function _transferred(Vm.Log memory log) private {
        _pay(_accountIn(log, 1), -_amountIn(log));
        _pay(_accountIn(log, 2), _amountIn(log));
    }

    function _leverageSet(Vm.Log memory log) private {
        _positions[_marketOf(log)][_accountIn(log, 2)].leverage = _wordIn(log);
        _touchAccount(_accountIn(log, 2));
    }

    function _changed(Vm.Log memory log) private {
        _parameters[_marketOf(log)] = abi.decode(log.data, (PerpParameters));
    }

    /* TRADES */

    /// `d` lots are bought (sold: -d) at `unit` each: section 4.
    function _trade(uint32 market, uint40 account, int256 d, int256 unit) private {
        PositionTold storage told = _positions[market][account];
        int256 index = _fundingIndex(market);
        int256 payment = told.lots * (index - told.fundingIndex);
        _markets[market].fundingPaid += payment;
        (int256 closing, int256 closedQuote) = (0, 0);
        if (told.lots != 0 && d != 0 && (told.lots < 0) != (d < 0)) {
            closing = _min(_abs(told.lots), _abs(d)) * (d < 0 ? -1 : int256(1));
            closedQuote = told.quote * _abs(closing) / _abs(told.lots);
        }
        _pay(account, closedQuote - closing * unit - payment);
        told.quote = told.quote - closedQuote - (d - closing) * unit;
        told.lots += d;
        told.fundingIndex = told.lots == 0 ? int256(0) : index;
        if (told.lots == 0) vm.assertEq(told.quote, int256(0), "no cost is left without lots");
    }

    function _filled(uint32 market, PerpFill memory fill) private {
        _fillOrders(market, Fill(fill.maker, fill.makerOrder, fill.taker, fill.takerOrder, fill.tick, fill.lots));
        bool buys = _told[market][fill.takerOrder].buy;
        int256 unit = int256(uint256(fill.tick)) * UNIT;
        int256 lots = int256(uint256(fill.lots));
        _expectFee(fill.makerFee, lots * unit, _parameters[market].makerFee);
        _expectFee(fill.takerFee, lots * unit, _parameters[market].takerFee);
        // No taker trades beyond the mark +-10%, while the mark lives.
        if (_isStale(market)) vm.assertTrue(_told[market][fill.takerOrder].reduceOnly, "who takes only closes");
        else if (buys) vm.assertLe(unit * 10, _markPerLot(market) * 11, "a buyer stops above the mark");
        else vm.assertGe(unit * 10, _markPerLot(market) * 9, "a seller stops below the mark");
        _fillOne(market, fill.makerOrder, buys ? -lots : lots, unit);
        _fillOne(market, fill.takerOrder, buys ? lots : -lots, unit);
        _pay(fill.maker, -fill.makerFee);
        _pay(fill.taker, -fill.takerFee);
        _pay(2, int256(fill.makerFee) + fill.takerFee);
    }

    function _expectFee(int128 fee, int256 value, int32 rate) private pure {
        vm.assertEq(fee, _ceilDiv(value * rate, 1e6), "a fee is rounded up against its payer");
    }

    /// A reduce-only order never increases |lots|.
    function _fillOne(uint32 market, uint40 order, int256 d, int256 unit) private {
        Told storage told = _told[market][order];
        int256 before = _positions[market][told.account].lots;
        _trade(market, told.account, d, unit);
        if (!told.reduceOnly) return;
        int256 lots = _positions[market][told.account].lots;
        vm.assertLt(_abs(lots), _abs(before), "reduce-only reduces");
        vm.assertTrue(lots == 0 || (lots > 0) == (before > 0), "reduce-only does not flip a position");
        seen["reduce-only filled"] += 1;
    }

    function _reserve(uint32 market, Told storage told, int256 lots) internal override {
        PositionTold storage position = _positions[market][told.account];
        if (told.buy) position.bidLots += lots;
        else position.askLots += lots;
    }

    /* FORCED TRADES: SECTION 9 */

    function _liquidating(Vm.Log memory log) private {
        (_forcedOrder, _forcedAccount) = (uint40(_wordIn(log)), _accountIn(log, 2));
        _forcedHealth = _distressOf(_forcedAccount);
    }

    function _checkPlaced(uint32, uint40 order, Told storage told) internal override {
        if (_forcedOrder == 0) return;
        vm.assertEq(order, _forcedOrder, "an announced order comes next");
        vm.assertEq(told.account, _forcedAccount, "an announced order is of the account that was named");
        vm.assertTrue(told.reduceOnly && told.timeInForce == TimeInForce.IOC, "a forced order only closes, at once");
        _forcedOrder = 0;
        seen["forced order"] += 1;
    }

    function _liquidated(Vm.Log memory log) private {
        (uint64 lots, uint256 raw, uint40 keeper) = abi.decode(log.data, (uint64, uint256, uint40));
        int256 fee = int256(raw);
        Health memory health = _distressOf(_forcedAccount);
        int256 room = health.equity - _kept(_forcedHealth, health.maintenanceMargin);
        int256 most = int256(uint256(lots)) * _markPerLot(_marketOf(log)) / 100;
        vm.assertEq(_accountIn(log, 2), _forcedAccount, "a forced order's account is liquidated");
        vm.assertEq(fee, room < 0 ? int256(0) : _min(most, room), "a liquidation's fee leaves the margin ratio");
        int256 reward = keeper == 0 ? int256(0) : fee / 2;
        _pay(_accountIn(log, 2), -fee);
        _pay(1, fee - reward);
        if (keeper != 0) _pay(keeper, reward);
        seen["liquidated"] += 1;
        if (reward != 0) seen["keeper rewarded"] += 1;
    }

    function _absorbed(Vm.Log memory log) private {
        (int64 lots, uint256 unit, int256 moved) = abi.decode(log.data, (int64, uint256, int256));
        uint32 market = _marketOf(log);
        vm.assertEq(int256(unit), _markPerLot(market), "insurance takes a position at the mark");
        vm.assertEq(moved, _gone(market, _accountIn(log, 2), _abs(lots)), "equity goes with the lots that go");
        _expectCloses(market, _accountIn(log, 2), -int256(lots));
        _trade(market, _accountIn(log, 2), -int256(lots), int256(unit));
        _trade(market, 1, lots, int256(unit));
        _pay(_accountIn(log, 2), -moved);
        _pay(1, moved);
        seen[moved < 0 ? "absorbed at a loss" : "absorbed"] += 1;
    }

    function _deleveraged(Vm.Log memory log) private {
        (int64 lots, int256 unit) = abi.decode(log.data, (int64, int256));
        uint32 market = _marketOf(log);
        (uint40 loser, uint40 winner) = (_accountIn(log, 2), _accountIn(log, 3));
        _expectCloses(market, loser, -int256(lots));
        _expectCloses(market, winner, lots);
        int256 away = _ceilDiv(-_gone(market, loser, _abs(lots)), _abs(lots));
        int256 most = _mostAway(market, winner, _abs(lots));
        if (away > most) seen["deleveraged for all it won"] += 1;
        away = _min(away, most);
        vm.assertEq(unit, _markPerLot(market) + (lots < 0 ? -away : away), "the loser's ratio, or the winner's profit");
        _trade(market, loser, -int256(lots), unit);
        _trade(market, winner, lots, unit);
        seen[loser == 1 ? "insurance deleveraged" : "deleveraged"] += 1;
    }

    /// The equity at which `margin` has the ratio of `before`.
    function _kept(Health memory before, int256 margin) private pure returns (int256) {
        return margin == 0 ? int256(0) : _ceilDiv(before.equity * margin, before.maintenanceMargin);
    }

    /// The equity that goes with `count` lots of a position.
    function _gone(uint32 market, uint40 account, int256 count) private view returns (int256) {
        Health memory health = _distressOf(account);
        return health.equity - _kept(health, health.maintenanceMargin - _marginGone(market, account, count));
    }

    /// The maintenance margin that goes with them.
    function _marginGone(uint32 market, uint40 account, int256 count) private view returns (int256) {
        int256 lots = _abs(_positions[market][account].lots);
        int256 twice = 2 * int256(uint256(_parameters[market].maxLeverage));
        return _ceilDiv(lots * _markPerLot(market), twice) - _ceilDiv((lots - count) * _markPerLot(market), twice);
    }

    /// How far from the mark a winner's `count` lots may go: what each has won, or what its account can spare.
    function _mostAway(uint32 market, uint40 winner, int256 count) private view returns (int256) {
        PositionTold storage told = _positions[market][winner];
        int256 profit =
            told.quote + told.lots * _markPerLot(market) - told.lots * (_fundingIndex(market) - told.fundingIndex);
        Health memory health = _distressOf(winner);
        vm.assertGt(profit, int256(0), "a winner has won");
        vm.assertFalse(_isUnder(health), "a winner has its maintenance margin");
        int256 spare = health.equity - health.maintenanceMargin + _marginGone(market, winner, count);
        return _min(profit / _abs(told.lots), spare / count);
    }

    function _expectCloses(uint32 market, uint40 account, int256 d) private view {
        int256 lots = _positions[market][account].lots;
        vm.assertTrue(d != 0 && (lots < 0) != (d < 0) && _abs(d) <= _abs(lots), "a forced trade closes, on both sides");
    }

    /* FUNDING AND MARK */

    function _settled(Vm.Log memory log) private {
        (uint40 time, int256 rate, uint256 mark, int256 cumulative, int256 nextRate, int256 nextPerSecond) =
            abi.decode(log.data, (uint40, int256, uint256, int256, int256, int256));
        uint32 market = _marketOf(log);
        MarketTold storage told = _markets[market];
        // Exactly one FundingSettled for each hour.
        vm.assertEq(time, told.settledTime + 3600, "exactly one row for each hour");
        vm.assertLe(time, block.timestamp, "an hour is settled when it has ended");
        vm.assertEq(rate, told.rate, "an hour accrues at the rate it began with");
        vm.assertEq(mark, told.hourMark, "an hour accrues at the mark it began with");
        vm.assertEq(cumulative, told.cumulative + told.perSecond * 3600, "the index is continuous");
        vm.assertEq(nextRate, _rateOf(told.premiumSum, told.sampledSeconds), "the rate follows from the samples");
        int256 perSecond = _clamp(nextRate * _markPerLot(market) / (3600 * E18), type(int64).max);
        vm.assertEq(nextPerSecond, perSecond, "funding accrues at rate and mark");
        (told.settledTime, told.cumulative, told.rate, told.perSecond) = (time, cumulative, nextRate, nextPerSecond);
        (told.sampledSeconds, told.premiumSum, told.hourMark) = (0, 0, uint256(_mark(market)));
        seen["hour settled"] += 1;
    }

    function _rateOf(int256 sum, uint256 sampledSeconds) private pure returns (int256) {
        if (sampledSeconds == 0) return 0;
        int256 eighth = sum / 3600 / 8;
        return _clamp(eighth + _clamp(1.25e13 - eighth, 6.25e13), 5e15);
    }

    /// Section 6, at the head of PerpsAdmin.sol.
    function _marked(Vm.Log memory log) private {
        (uint256 mark, int256 basis, int256 premium, uint256 counted) =
            abi.decode(log.data, (uint256, int256, int256, uint256));
        uint32 market = _marketOf(log);
        MarketTold storage told = _markets[market];
        vm.assertGe(block.timestamp, told.pokedAt + 60, "a market is sampled once in 60 seconds");
        int256 weight = _min(int256(block.timestamp - told.pokedAt), 120);
        (int256 before, int256 sample) = (_basisOf(market), _sampleOf(market));
        vm.assertEq(premium, _clamp(sample, 1e16), "premium");
        int256 step = _clamp((_clamp(sample, 5e15) - before) * weight / (weight + 150), 5e14);
        vm.assertEq(basis, (before + step) / 1e9 * 1e9, "basis");
        vm.assertLe(_abs(basis), 5e15, "the basis stays within its bound");
        int256 ofHour = _min(weight, int256(block.timestamp - told.settledTime));
        vm.assertEq(int256(counted), ofHour, "a sample counts for the seconds of its hour");
        int256 now_ = _mark(market);
        (told.basis, told.nextBasis, told.pokedAt) = (before, basis, block.timestamp);
        told.sampledSeconds += counted;
        told.premiumSum += premium * ofHour;
        vm.assertEq(_mark(market), now_, "a poke moves no mark within its second");
        vm.assertEq(int256(mark), _index(market) + _index(market) * basis / E18, "Marked tells the next mark");
        seen[sample == 0 ? "marked without a sample" : "marked"] += 1;
    }

    /// The nearer to the basis of what depth and average say; the basis between them.
    function _sampleOf(uint32 market) private view returns (int256) {
        Book.StateView memory state = engine.stateOf(market);
        (uint256 step,) = _stepsOf(market);
        uint256 fresh = state.touchedTime == block.timestamp ? state.nextOrder - state.freshOrders : state.nextOrder;
        uint256 bid = _impactTick(market, true, fresh);
        uint256 ask = _impactTick(market, false, fresh);
        uint256 average = _averageOf(state);
        if (bid == 0 || ask == 0) {
            vm.assertTrue(state.touchedTime != block.timestamp, "no sample of depth that has just gone");
            return 0;
        }
        if (average == 0) return 0;
        int256 deep = int256((bid + ask) / 2 * step >> 32) - _index(market);
        int256 long = int256(average * step / 256) - _index(market);
        (deep, long) = (deep * E18 / _index(market), long * E18 / _index(market));
        int256 basis = _basisOf(market);
        if (deep > basis && long > basis) return _min(deep, long);
        if (deep < basis && long < basis) return deep > long ? deep : long;
        return basis;
    }

    /// A poke waits for the next second when depth is gone in one in which the book changed.
    function _mustWait(uint32 market) internal view returns (bool) {
        Book.StateView memory state = engine.stateOf(market);
        if (state.touchedTime != block.timestamp || _isStale(market)) return false;
        uint256 fresh = state.nextOrder - state.freshOrders;
        return _impactTick(market, true, fresh) == 0 || _impactTick(market, false, fresh) == 0;
    }

    function _averageOf(Book.StateView memory state) private view returns (uint256) {
        (int256 before, int256 mid) = (int256(uint256(state.averageTick)), 128 * int256(uint256(state.bestBid)));
        if (state.bestBid == NONE_BELOW || state.bestAsk == NONE_ABOVE) return uint256(before);
        if (state.touchedTime == block.timestamp) return uint256(before);
        mid += 128 * int256(uint256(state.bestAsk));
        int256 elapsed = int256(block.timestamp - state.touchedTime);
        // What is left of the way is cut.
        return uint256(before == 0 ? mid : mid - (mid - before) * 60 / (elapsed + 60));
    }

    /// The average tick, in 2^-32, at which the impact value trades with the orders that were placed
    /// before `fresh`, live and not reduce-only: price by price from the best one on.
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
            Told storage told = _told[market][_live[market][i]];
            if (told.buy != buy) continue;
            if (buy ? told.tick < tick && told.tick > next : told.tick > tick && told.tick < next) next = told.tick;
        }
    }

    function _lotsThatCount(uint32 market, bool buy, uint24 tick, uint256 fresh) private view returns (uint256 lots) {
        for (uint256 i = 0; i < _live[market].length; i++) {
            uint40 order = _live[market][i];
            Told storage told = _told[market][order];
            if (told.buy != buy || told.tick != tick || told.reduceOnly || order >= fresh) continue;
            if (told.goodTil != 0 && told.goodTil < block.timestamp) continue;
            lots += told.lots - told.filled - told.gone;
        }
    }

    /* COMPARING */

    /// The logs alone give all collateral and every position.
    /// A market's bit of an account is set exactly while it has a position or orders there.
    function _compareAccount(uint40 account) internal view override {
        PerpsState.Holding memory holding = perps.holdingOf(account);
        vm.assertEq(holding.collateral, _collateral[account], "collateral != logs replayed");
        uint256 markets;
        for (uint32 market = 1; market <= MARKETS; market++) {
            Positions.Position memory position = perps.positionOf(market, account);
            PositionTold storage told = _positions[market][account];
            vm.assertEq(position.lots, told.lots, "lots != logs replayed");
            vm.assertEq(position.quote, told.quote, "quote != logs replayed");
            vm.assertEq(position.fundingIndex, told.fundingIndex, "funding index != logs replayed");
            vm.assertEq(position.leverage, told.leverage, "leverage != logs replayed");
            vm.assertEq(int256(uint256(position.bidLots)), told.bidLots, "resting bids != logs replayed");
            vm.assertEq(int256(uint256(position.askLots)), told.askLots, "resting asks != logs replayed");
            if (told.lots != 0 || told.bidLots != 0 || told.askLots != 0) markets |= 1 << market - 1;
        }
        vm.assertEq(holding.markets, markets, "a market is an account's while it has lots or orders there");
    }

    /// Mark, funding and parameters are what the logs say.
    /// The mark stays within 0.5% of the index.
    /// F moves in the direction of the hour's rate.
    function _compareMarket(uint32 market) internal override {
        MarketTold storage told = _markets[market];
        PerpsState.Quote memory quote = perps.quoteOf(market);
        vm.assertEq(int256(quote.mark), _mark(market), "mark");
        vm.assertEq(int256(quote.markPerLot), _markPerLot(market), "mark of a lot");
        vm.assertEq(quote.maxLeverage, _parameters[market].maxLeverage, "maximum leverage");
        vm.assertTrue(quote.stale == _isStale(market), "staleness");
        vm.assertLe(quote.mark * 200, quote.index * 201, "the mark is within its band above the index");
        vm.assertGe(quote.mark * 200, quote.index * 199, "the mark is within its band below the index");
        int256 index = _fundingIndex(market);
        vm.assertEq(quote.fundingIndex, index, "funding index");
        vm.assertTrue(
            told.rate == 0 || told.perSecond == 0 || (told.rate < 0) == (told.perSecond < 0), "sign of funding"
        );
        if (told.settledTimeSeen == told.settledTime) {
            int256 moved = index - told.fundingIndexSeen;
            vm.assertTrue(moved == 0 || (moved < 0) == (told.rate < 0), "the index moves as the rate says");
        }
        (told.fundingIndexSeen, told.settledTimeSeen) = (index, told.settledTime);
    }
}
