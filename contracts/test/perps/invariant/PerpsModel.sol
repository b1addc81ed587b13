// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../../Readings.sol";
import {IOracle, PriceStatus} from "../../../src/interfaces/IOracle.sol";
import {IPerps, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {Outflows} from "../../invariant/Outflows.sol";
import {SignedTrading} from "../../invariant/SignedTrading.sol";

/// Models the positions, the collateral and the health of accounts, with an independent
/// implementation of the formulas at the head of Perps.sol: it shares no code with the engine but
/// the types of its answers.
abstract contract PerpsModel is Outflows {
    struct LoggedPosition {
        int256 lots;
        int256 quote;
        int256 fundingIndex;
        uint256 leverage;
        int256 bidLots;
        int256 askLots;
    }

    struct LoggedMarket {
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
        uint256 coverNotional; // that insurance may hold
        uint256 lossBps; // part of its fund that the market may cost
        int256 insurancePaid; // by its trades there
        int256 fundingPaid; // by all accounts, as it was booked
        int256 fundingIndexSeen; // at the last comparison
        uint256 settledTimeSeen;
    }

    struct Health {
        int256 equity;
        int256 initialMargin;
        int256 maintenanceMargin;
        int256 exposureMargin;
        int256 notional;
        int256 moved; // gain or loss of its exposure by the moves of this second
        int256 staleNotional; // of positions whose index is stale
        bool stale; // a position's index is
    }

    int256 internal constant SCALE = 1e12;
    int256 internal constant UNIT = 1e13; // quotePerLotTick of both markets
    int256 internal constant E18 = 1e18;

    IPerps internal perps;
    IOracle internal oracle;
    /// Account with the flagged loss; 0 for none.
    uint40 internal _flagged;
    /// Total that the fee account has transferred to insurance, as rewards for its own calls too.
    int256 internal _rewarded;
    mapping(uint40 account => int256) internal _collateral;
    mapping(uint32 market => mapping(uint40 account => LoggedPosition)) internal _positions;
    mapping(uint32 market => LoggedMarket) internal _markets;
    mapping(uint32 market => PerpParameters) internal _parameters;

    /// The markets were listed `age` seconds ago, and have their first prices now.
    function _startReplay(PerpParameters memory parameters, uint256 age) internal {
        for (uint32 market = 1; market <= MARKETS; market++) {
            LoggedMarket storage logged = _markets[market];
            logged.settledTime = block.timestamp - block.timestamp % 3600;
            logged.hourMark = uint256(_index(market));
            logged.pokedAt = block.timestamp - age - 60;
            (logged.impactValue, logged.indexAgeMax) = (3_000e18, 60);
            (logged.coverNotional, logged.lossBps) = (parameters.maxNotionalValue, 2_000);
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
        return int256(_reading(market).price);
    }

    function _reading(uint32 market) internal view returns (Readings.Reading memory) {
        return Readings.get(oracle, market == 1 ? bytes32("ETH") : bytes32("BTC"));
    }

    function _isStale(uint32 market) internal view returns (bool) {
        Readings.Reading memory reading = _reading(market);
        return reading.status != PriceStatus.ACCEPTED
            || reading.time + _markets[market].indexAgeMax < block.timestamp;
    }

    function _mark(uint32 market) internal view returns (int256) {
        return _markAt(market, _index(market));
    }

    function _markAt(uint32 market, int256 index) private view returns (int256) {
        return index + index * _basisOf(market) / E18;
    }

    function _basisOf(uint32 market) internal view returns (int256) {
        LoggedMarket storage logged = _markets[market];
        return block.timestamp > logged.pokedAt ? logged.nextBasis : logged.basis;
    }

    function _markPerLot(uint32 market) internal view returns (int256) {
        return _perLot(market, _mark(market));
    }

    function _perLot(uint32 market, int256 mark) private pure returns (int256) {
        return mark * (market == 1 ? int256(1e15) : int256(1e14)) / E18;
    }

    /// How far the mark is from where it was at the index of before this second.
    function _movedPerLot(uint32 market) private view returns (int256) {
        int256 before = _perLot(market, _markAt(market, int256(_reading(market).earlier)));
        return _abs(_markPerLot(market) - before);
    }

    /// The best price for a position among mark and index, now and before this second.
    function _favouredPerLot(uint32 market, bool long) internal view returns (int256) {
        (int256 index, int256 earlier) = (_index(market), int256(_reading(market).earlier));
        int256 mark = _bestOf(_mark(market), _markAt(market, earlier), long);
        return _perLot(market, _bestOf(mark, _bestOf(index, earlier, long), long));
    }

    function _bestOf(int256 a, int256 b, bool long) private pure returns (int256) {
        return (a > b) == long ? a : b;
    }

    function _fundingIndex(uint32 market) internal view returns (int256) {
        LoggedMarket storage logged = _markets[market];
        return logged.cumulative + logged.perSecond
            * _min(int256(block.timestamp - logged.settledTime), 3600);
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

    /// Derived only from the logs.
    function _healthOf(uint40 account) internal view returns (Health memory) {
        return _healthBy(account, false, false);
    }

    /// Health for forced closes: a stale position counts in its owner's favour and needs no margin.
    function _distressOf(uint40 account) internal view returns (Health memory) {
        return _healthBy(account, true, false);
    }

    /// The health that decides whether an account may be closed by force.
    function _favouredOf(uint40 account) internal view returns (Health memory) {
        return _healthBy(account, true, true);
    }

    function _healthBy(uint40 account, bool forced, bool favoured)
        private
        view
        returns (Health memory health)
    {
        health.equity = _collateral[account];
        for (uint32 market = 1; market <= MARKETS; market++) {
            LoggedPosition storage logged = _positions[market][account];
            int256 mark = favoured ? _favouredPerLot(market, logged.lots > 0) : _markPerLot(market);
            int256 most = int256(uint256(_parameters[market].maxLeverage));
            int256 own = int256(logged.leverage);
            int256 bought = _abs(logged.lots + logged.bidLots);
            int256 sold = _abs(logged.lots - logged.askLots);
            int256 exposure = bought > sold ? bought : sold;
            health.initialMargin += _ceilDiv(exposure * mark, own == 0 ? most : _min(own, most));
            if (!forced || !_isStale(market)) {
                health.exposureMargin += _ceilDiv(exposure * mark, 2 * most);
            }
            health.moved += exposure * _movedPerLot(market);
            if (logged.lots == 0) continue;
            health.equity += logged.quote + logged.lots * mark - logged.lots
            * (_fundingIndex(market) - logged.fundingIndex);
            if (forced && _isStale(market)) {
                health.equity += _abs(logged.lots) * (mark / 2);
                continue;
            }
            health.maintenanceMargin += _ceilDiv(_abs(logged.lots) * mark, 2 * most);
            health.notional += _abs(logged.lots) * mark;
            if (!_isStale(market)) continue;
            health.stale = true;
            health.staleNotional += _abs(logged.lots) * mark;
        }
    }

    function _isUnder(Health memory health) internal pure returns (bool) {
        return health.equity < health.maintenanceMargin;
    }

    /// Returns whether equity is below the margin of the positions that the account's orders may
    /// lead to.
    function _isUnbacked(Health memory health) internal pure returns (bool) {
        return health.equity < health.exposureMargin;
    }

    /// Margin required of an account after a trade that only closes.
    function _closingMargin(Health memory health) internal pure returns (int256) {
        return health.exposureMargin + health.moved;
    }

    /// The ratio of equity to that margin has not fallen.
    function _isNoLessBacked(Health memory health, Health memory before)
        internal
        pure
        returns (bool)
    {
        if (health.exposureMargin == 0) return health.equity >= _min(before.equity, 0);
        return health.equity * before.exposureMargin >= before.equity * health.exposureMargin;
    }

    /// The ratio of equity to maintenance margin does not fall; without positions, there is no new
    /// debt.
    function _isNoWorse(Health memory health, Health memory before) internal pure returns (bool) {
        if (health.maintenanceMargin == 0) return health.equity >= _min(before.equity, 0);
        return health.equity * before.maintenanceMargin >= before.equity * health.maintenanceMargin;
    }

    /* TRADES: SECTION 4 */

    function _pay(uint40 account, int256 amount) internal {
        _collateral[account] += amount;
        _addAffected(account);
    }

    /// `d` lots are bought (sold: -d) at `unit` each: section 4.
    function _trade(uint32 market, uint40 account, int256 d, int256 unit) internal {
        LoggedPosition storage logged = _positions[market][account];
        int256 index = _fundingIndex(market);
        int256 payment = logged.lots * (index - logged.fundingIndex);
        _markets[market].fundingPaid += payment;
        (int256 closing, int256 closedQuote) = (0, 0);
        if (logged.lots != 0 && d != 0 && (logged.lots < 0) != (d < 0)) {
            closing = _min(_abs(logged.lots), _abs(d)) * (d < 0 ? -1 : int256(1));
            closedQuote = logged.quote * _abs(closing) / _abs(logged.lots);
        }
        _pay(account, closedQuote - closing * unit - payment);
        logged.quote = logged.quote - closedQuote - (d - closing) * unit;
        logged.lots += d;
        logged.fundingIndex = logged.lots == 0 ? int256(0) : index;
        if (logged.lots == 0) {
            vm.assertEq(logged.quote, int256(0), "no cost is left without lots");
        }
    }
}
