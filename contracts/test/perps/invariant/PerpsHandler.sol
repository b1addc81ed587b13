// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots, Tick} from "../../../src/ValueTypes.sol";
import {Readings} from "../../Readings.sol";
import {Accounts} from "../../../src/Accounts.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IBook, OrderRequest, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {IPerps, IPerpsEvents, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {IEngine} from "../../invariant/BookReplay.sol";
import {PerpsFunds} from "./PerpsFunds.sol";

// Time between the listing of the markets and their first prices.
uint256 constant LISTED_SECONDS = 5 hours;

/// Plays random traders, keepers, prices and owners of a perpetual engine with two markets.
contract PerpsHandler is PerpsFunds {
    struct Roles {
        address owner;
        address guardian;
        address pusher;
    }

    /// The state before a placement, for the checks after it.
    struct Before {
        bool stale;
        bool frozen; // reserved to pay for a loss
        int256 lots;
        int256 worst; // exposure
        Health health;
    }
    Roles private _roles;
    uint256[2] private _prices = [uint256(2_000e18), 60_000e18];
    Before private _before;

    constructor(
        Accounts accounts_,
        PushOracle oracle_,
        IPerps perps_,
        DevToken usdc_,
        Roles memory roles,
        PerpParameters memory parameters,
        uint256[2] memory houseSecrets
    ) {
        (accounts, oracle, usdc) = (accounts_, oracle_, usdc_);
        (perps, engine) = (perps_, IEngine(address(perps_)));
        _roles = roles;
        (_owner, _guardian) = (roles.owner, roles.guardian);
        // Measured by this handler (3,000 more than the actual use): the first use of a set's
        // words; a maker with a position in both markets whose level's three words all empty; a
        // cancel.
        _gasBounds = GasBounds({place: 255_000, step: 85_000, cancel: 75_000});
        // Funding has a start.
        _push();
        vm.recordLogs();
        _startReplay(parameters, LISTED_SECONDS);
        _startActors(houseSecrets);
        _startSigned();
        // The fee account, the last wallet and the sub-accounts begin without money.
        for (uint256 i = 0; i < 6; i++) {
            if (i != 1) {
                _deposit(_actors[i].wallet, i == 0 ? 2_000e6 : i < 4 ? 15_000e6 : 5_000e6);
            }
        }
    }

    /* ORDERS */
    function _request(uint40 account) internal override returns (OrderRequest memory request) {
        // Sometimes the index is stale by then.
        if (_oneIn(20)) vm.warp(block.timestamp + _roll(200));
        else if (!_oneIn(8)) _push();
        request.market = _anyMarket();
        uint256 middle = _prices[request.market - 1] / (request.market == 1 ? 1e16 : 1e17);
        request.buy = _oneIn(2);
        // Mostly near the index, on either side of it; sometimes beyond the price band.
        uint256 width = _oneIn(8) ? middle / 6 : middle / 100;
        request.tick = Tick.wrap(uint24(middle - width + _roll(2 * width + 1)));
        uint256 size = _between(5, _oneIn(5) ? 45_000 : 5_000) * 2e18;
        request.lots = Lots.wrap(uint64(size / (middle * uint256(UNIT)) + 1));
        request.timeInForce = _oneIn(3) ? TimeInForce(_roll(4)) : TimeInForce.GTC;
        request.reduceOnly = _oneIn(4);
        int256 held = _positions[request.market][account].lots;
        if (request.reduceOnly && held != 0 && !_oneIn(8)) request.buy = held < 0;
        if (_oneIn(8)) request.goodTil = uint40(block.timestamp + 3 + _roll(600));
        request.maxFills = uint16(_roll(4));
    }

    function _enlarge(uint32 market, bool buy) internal override {
        for (uint256 i = 2; i < 4; i++) {
            int256 equity = _healthOf(uint40(1 + i)).equity;
            if (equity < 12_000e18) {
                _deposit(_actors[i].wallet, uint256((12_000e18 - equity) / SCALE) + 1);
            }
        }
        for (uint256 i = 0; i < 6; i++) {
            OrderRequest memory request;
            (request.market, request.buy) = (market, buy == (i % 2 == 0));
            request.tick = Tick.wrap(uint24(uint256(_markPerLot(market) / UNIT)));
            request.lots = Lots.wrap(uint64(60_000e18 / uint256(_markPerLot(market))));
            _try(_actors[2 + i % 2].wallet, request);
        }
    }

    function _try(address wallet, OrderRequest memory request) private returns (bool) {
        vm.prank(wallet);
        try perps.place(request) {
            _replay();
            return true;
        } catch {
            _forget();
            return false;
        }
    }

    function _remember(uint40 account, uint32 market) internal override {
        if (market > MARKETS) return;
        if (!_oneIn(4)) _settleAll();
        _before.stale = _isStale(market);
        _before.lots = _positions[market][account].lots;
        _before.frozen = perps.positionOf(market, account).frozenUntil >= block.timestamp;
        _before.health = _healthOf(account);
    }

    /// The margin check of a closing order applies after the order it replaces is gone.
    function _checkPlaced(uint32 market, uint40 order, LoggedOrder storage logged)
        internal
        override
    {
        super._checkPlaced(market, order, logged);
        if (logged.reduceOnly) _before.health = _healthOf(logged.account);
    }

    /// After an action that grows the risk, equity covers the initial margin; one that only closes
    /// leaves equity at the maintenance margin or raises their ratio. Either margin includes the
    /// move of this second. On a stale index no risk can grow.
    function _expectPlaced(uint40 account, OrderRequest memory request, uint40 order)
        internal
        override
    {
        int256 lots = _positions[request.market][account].lots;
        uint64 resting = restingLots(request.market, order);
        Health memory health = _healthOf(account);
        seen[request.reduceOnly ? "reduce-only" : "placed"] += 1;
        if (lots != _before.lots) seen["filled"] += 1;
        if (request.reduceOnly) {
            vm.assertLe(_abs(lots), _abs(_before.lots), "reduce-only never increases the lots");
            if (lots == _before.lots || health.equity >= _closingMargin(health)) return;
            vm.assertTrue(
                _isNoLessBacked(health, _before.health),
                "closing raises the ratio of equity to margin"
            );
            return;
        }
        vm.assertFalse(_before.stale, "a stale index takes only reduce-only orders");
        if (lots == _before.lots && resting == 0) return;
        vm.assertGe(
            health.equity,
            health.initialMargin + health.moved,
            "initial margin after growing the risk"
        );
        vm.assertFalse(health.stale, "no risk grows beside a position with a stale index");
    }

    function _expectRefused(OrderRequest memory request, bytes4 rule) internal override {
        bool earned = rule == IPerpsEvents.MarginTooLow.selector
            || rule == IPerpsEvents.NotionalAboveMaximum.selector
            || rule == IPerpsEvents.OpenInterestAboveMaximum.selector
            || (rule == IPerpsEvents.ReduceOnlyWouldGrow.selector && request.reduceOnly)
            || (rule == IPerpsEvents.IndexStale.selector
                && (_before.stale || _before.health.stale))
            || (rule == IBook.MarketHalted.selector
                && _halted[request.market]
                && !request.reduceOnly)
            || (rule == IBook.PostOnlyWouldCross.selector
                && request.timeInForce == TimeInForce.POST_ONLY)
            || (rule == IPerpsEvents.PositionFrozen.selector && _before.frozen)
            || rule == IBook.NobodyMet.selector
            || (rule == IBook.FillOrKillUnfillable.selector
                && request.timeInForce == TimeInForce.FOK)
            || (rule == IBook.GoodTilTooEarly.selector && _isTooEarly(request))
            || rule == IBook.OrderValueBelowMinimum.selector
            || rule == IBook.OrderValueAboveMaximum.selector;
        if (!earned) {
            vm.assertEq(bytes32(rule), bytes32(0), "an order is refused only for what it is");
        }
        seen["refused"] += 1;
    }

    /// Ended hours, at most 24, are settled by the first call.
    function _gasOfOthers(uint32 market) internal view override returns (uint256) {
        if (_hourHasEnded(market)) return 60_000 + 24 * 8_000;
        return ordersLogged[market] == 0 ? 40_000 : 0; // the first starts the funding clock
    }

    /* PRICES AND TIME */
    function move(uint256 seed) external seeded(seed) {
        if (_oneIn(4)) vm.warp(block.timestamp + _between(1, 50));
        uint256 width = _oneIn(8) ? 3_000 : _oneIn(2) ? 400 : 100; // 30%, 4% or 1%
        _prices[0] = _moved(_prices[0], uint256(_home(1)), width);
        _prices[1] = _moved(_prices[1], uint256(_home(2)), width);
        _push();
    }

    function _offer(uint32 market, bool buy, uint64 lots) internal override {
        OrderRequest memory request;
        (request.market, request.buy, request.lots) = (market, buy, Lots.wrap(lots));
        uint256 tick = uint256(_markPerLot(market) / UNIT);
        request.tick = Tick.wrap(uint24(buy ? tick + _roll(3) : tick - _roll(3)));
        for (uint256 i = 0; i < 4 && !_try(_anyWallet().wallet, request); i++) {}
    }

    function _nudge(uint32 market, bool up) internal override {
        uint256 price = _prices[market - 1] * (up ? 10_040 : 9_960) / 10_000;
        _prices[market - 1] = _within(price, uint256(_home(market)));
        _push();
    }

    function _moved(uint256 price, uint256 home, uint256 width) private returns (uint256) {
        return _within(price * _between(10_000 - width, 10_000 + width) / 10_000, home);
    }

    /// Half of `home` to its double.
    function _within(uint256 price, uint256 home) private pure returns (uint256) {
        return price < home / 2 ? home / 2 : price > home * 2 ? home * 2 : price;
    }

    /// Reports the prices, again and later while the store wants another report of a jump.
    function _push() internal override {
        if (_oneIn(2)) _resume();
        for (uint256 i = 0; i < 3; i++) {
            bool done = _report("ETH", _prices[0]);
            if (_report("BTC", _prices[1]) && done) return;
            vm.warp(block.timestamp + 1);
        }
    }

    /// Returns whether the store has accepted the price, or is not accepting any.
    function _report(bytes32 asset, uint256 price) private returns (bool) {
        PushOracle store = PushOracle(address(oracle));
        if (store.isPaused(asset)) return true;
        (bytes32[] memory assets, uint256[] memory prices) = (new bytes32[](1), new uint256[](1));
        (assets[0], prices[0]) = (asset, price);
        vm.prank(_roles.pusher);
        store.push(assets, prices, uint40(block.timestamp));
        return Readings.get(store, asset).price == price;
    }

    function _resume() private {
        for (uint256 i = 0; i < 2; i++) {
            bytes32 asset = i == 0 ? bytes32("ETH") : bytes32("BTC");
            if (!PushOracle(address(oracle)).isPaused(asset)) continue;
            vm.prank(_roles.owner);
            PushOracle(address(oracle)).pause(asset, false);
            _noteTurn(asset, false, true);
        }
    }

    /// A paused price is stale immediately.
    function pauseIndex(uint256 seed) external seeded(seed) {
        if (!_oneIn(4)) return;
        uint32 market = _anyMarket();
        bytes32 asset = market == 1 ? bytes32("ETH") : bytes32("BTC");
        PushOracle store = PushOracle(address(oracle));
        bool byOwner = !_mayTurn(asset, true, store.isPaused(asset));
        vm.prank(byOwner ? _roles.owner : _roles.guardian);
        store.pause(asset, true);
        _noteTurn(asset, true, byOwner);
        _replay();
        vm.assertTrue(_isStale(market), "a paused price is stale");
        seen["index paused"] += 1;
    }

    function poke(uint256 seed) external seeded(seed) {
        if (_oneIn(2)) vm.warp(block.timestamp + 60);
        if (_oneIn(2)) _push();
        uint32 market = _anyMarket();
        bool due = block.timestamp >= _markets[market].pokedAt + 60;
        bool waits = _mustWait(market);
        try perps.poke(market) {
            vm.assertTrue(due, "a market is sampled once in 60 seconds");
            _replay();
            // It may have taken orders off the book.
            bool sampled = _markets[market].pokedAt == block.timestamp;
            vm.assertFalse(waits && sampled, "no sample of depth that has just gone");
            seen["poked"] += 1;
        } catch {
            vm.assertFalse(due && !waits, "anybody may sample a market");
            _forget();
        }
    }

    function wait_(uint256 seed) external seeded(seed) {
        vm.warp(block.timestamp + (_oneIn(8) ? _between(1, 30 hours) : _between(1, 1_800)));
        if (_oneIn(2)) _settleAll();
        // A run spans days: cases that have just ended need not occur again.
        _compareMarket(1);
        _compareMarket(2);
    }

    /* OWNERS */
    /// The guardian stops a market at once, for three days of every six.
    function halt(uint256 seed) external seeded(seed) {
        (uint32 market, bool halts) = (_anyMarket(), _oneIn(12));
        address sender = _oneIn(3) ? _roles.guardian : _roles.owner;
        bytes32 thing = bytes32(uint256(market));
        bool may = sender == _roles.owner || _mayTurn(thing, halts, perps.unitsOf(market).halted);
        vm.prank(sender);
        try perps.halt(market, halts) {
            vm.assertTrue(may, "a guardian's halt lasts three days, and comes back after as many");
            _noteTurn(thing, halts, sender == _roles.owner);
            _replay();
        } catch {
            vm.assertFalse(may, "the owner halts, and the guardian for a time");
            _forget();
        }
    }

    /// Any parameters within their bounds.
    function change(uint256 seed) external seeded(seed) {
        if (_oneIn(3)) return;
        PerpParameters memory parameters = _parameters[1];
        parameters.minOrderValue = uint128(_between(1, 3) * 10e18);
        parameters.maxOrderValue = uint128(_between(50_000, 150_000) * 1e18);
        parameters.maxNotionalValue = uint128(_between(100_000e18, 300_000e18));
        parameters.maxOpenInterest = uint64(_between(50_000, 150_000));
        parameters.maxLeverage = uint16(_between(10, 25));
        parameters.takerFee = int32(int256(_roll(600)));
        parameters.makerFee = int32(int256(_roll(300)))
            - (parameters.takerFee < 100 ? parameters.takerFee : int32(100));
        vm.startPrank(_roles.owner);
        perps.change(_anyMarket(), parameters);
        perps.setImpactValue(_anyMarket(), uint128(_between(3_000e18, 4_000e18)));
        perps.setIndexAgeMax(_anyMarket(), uint16(_between(10, 200)));
        vm.stopPrank();
        _replay();
        seen["changed"] += 1;
    }

    /// The guardian lowers caps and nothing else.
    function tighten(uint256 seed) external seeded(seed) {
        uint32 market = _anyMarket();
        PerpParameters memory parameters = _parameters[market];
        bool loosens = _oneIn(2);
        uint256 which = _roll(loosens ? 7 : 3);
        if (which == 0) {
            parameters.maxOpenInterest = loosens ? parameters.maxOpenInterest + 1 : 60_000;
        }
        if (which == 1) parameters.maxNotionalValue += loosens ? 1 : 0;
        if (which == 2) parameters.maxOrderValue += loosens ? 1 : 0;
        if (which == 3) parameters.minOrderValue += 1;
        if (which == 4) parameters.maxLeverage += 1;
        if (which == 5) parameters.makerFee += 1;
        if (which == 6) parameters.takerFee += 1;
        loosens = loosens || parameters.maxOpenInterest > _parameters[market].maxOpenInterest;
        vm.prank(_roles.guardian);
        try perps.tighten(market, parameters) {
            vm.assertFalse(loosens, "the guardian loosens nothing");
            _replay();
            seen["tightened"] += 1;
        } catch {
            vm.assertTrue(loosens, "the guardian may tighten");
            _forget();
        }
    }

    /// At the end of a run no signature works twice, and every order can be taken down.
    function finish() external seeded(1) {
        _resendAll();
        for (uint32 market = 1; market <= MARKETS; market++) {
            for (uint256 i = _live[market].length; i != 0; i--) {
                _cancelOne(market, _live[market][i - 1]);
            }
        }
    }
}
