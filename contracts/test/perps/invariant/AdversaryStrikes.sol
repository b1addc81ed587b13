// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../../src/PerpsState.sol";
import {Book} from "../../../src/Book.sol";
import {IBook, OrderRequest, SignedOrder, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {ILiquidation, IPerpsAdmin} from "../../../src/interfaces/IPerps.sol";
import {AdversaryBooks} from "./AdversaryBooks.sol";

interface IStateCheats {
    function snapshotState() external returns (uint256 id);
    function revertToStateAndDelete(uint256 id) external returns (bool);
    function envOr(string calldata name, string calldata fallback_)
        external
        view
        returns (string memory);
    function writeLine(string calldata path, string calldata line) external;
    function toString(int256 value) external pure returns (string memory);
}

/// Plays the adversary: multicalls of several accounts of one person within one second.
abstract contract AdversaryStrikes is AdversaryBooks {
    IStateCheats private constant CHEATS = IStateCheats(address(vm));
    uint256 private constant CALLS_MAX = 7; // of a multicall
    uint256 private constant STOPS_MAX = 8;
    /// The most that one poke moves the mark, in parts of 10,000 of the index: a tenth of its bound
    /// of 0.5 %.
    int256 private constant STEP_MAX = 5;
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant ORDER_TYPE = keccak256(
        "Order(address account,uint32 market,bool isBuy,uint256 limitPrice,uint256 amount,uint8 timeInForce,bool reduceOnly,uint8 triggerKind,uint256 triggerPrice,uint256 goodTil,uint8 maxFills,bytes32 replaces,uint256 salt,uint256 deadline)"
    );

    uint256[2] internal _prices = [uint256(2_000e18), 60_000e18];
    bytes32 private _domain;
    uint256 private _salt;
    bytes[] private _stops; // calls that place signed stops of honest traders
    uint40[3] private _next; // by market: the number that the next placement of the plan gets

    function _startSigned() internal {
        _domain = keccak256(
            abi.encode(
                DOMAIN_TYPE, keccak256("openvenue"), keccak256("1"), block.chainid, address(perps)
            )
        );
        vm.assertEq(perps.domainSeparator(), _domain, "the domain that keys sign in");
    }

    function _anyMarket() internal returns (uint32) {
        return uint32(1 + _roll(MARKETS));
    }

    function _anyEvil() private returns (Party memory) {
        return _parties[HONEST + _roll(EVIL)];
    }

    function _forget() internal {
        vm.getRecordedLogs();
    }

    function _healthOf(uint40 account) internal view returns (int256, int256, int256) {
        PerpsState.Health memory health = perps.healthOf(account);
        return (health.equity, int256(health.maintenanceMargin), int256(health.notional));
    }

    function _isUnder(uint40 account) internal view returns (bool) {
        (int256 equity, int256 margin,) = _healthOf(account);
        return equity < margin;
    }

    /* THE BOOK */

    /// Resting orders from the best ones outwards: of `account` (0: of anybody), at most 24.
    function _liveOf(uint32 market, uint40 account)
        internal
        view
        returns (uint40[] memory orders)
    {
        orders = new uint40[](24);
        uint256 count;
        for (uint256 side = 0; side < 2; side++) {
            uint24 tick = side == 0 ? perps.stateOf(market).bestBid : perps.stateOf(market).bestAsk;
            for (uint256 i = 0; i < 12 && tick != 0 && tick != type(uint24).max; i++) {
                Book.Level memory level = perps.levelAt(market, tick);
                uint40 id = level.head;
                for (uint256 left = level.count; left != 0 && count < orders.length; left--) {
                    Book.Order memory order = perps.orderAt(market, id);
                    if (account == 0 || order.account == account) orders[count++] = id;
                    id = order.next;
                }
                tick = side == 0 ? perps.tickBelow(market, tick) : perps.tickAbove(market, tick);
            }
        }
        assembly ("memory-safe") {
            mstore(orders, count)
        }
    }

    function _expired(uint32 market) internal view returns (uint40[] memory orders) {
        orders = _liveOf(market, 0);
        uint256 count;
        for (uint256 i = 0; i < orders.length; i++) {
            uint40 goodTil = perps.orderAt(market, orders[i]).goodTil;
            if (goodTil != 0 && goodTil < block.timestamp) orders[count++] = orders[i];
        }
        assembly ("memory-safe") {
            mstore(orders, count)
        }
    }

    /// No order rests that is worth less than the market's minimum: dust in the way costs who meets
    /// it.
    function _checkNoDust() internal view {
        for (uint32 market = 1; market <= MARKETS; market++) {
            uint256 least = perps.stateOf(market).minOrderValue;
            uint40[] memory orders = _liveOf(market, 0);
            for (uint256 i = 0; i < orders.length; i++) {
                Book.Order memory order = perps.orderAt(market, orders[i]);
                vm.assertGe(
                    uint256(order.lots) * order.tick * UNIT,
                    least,
                    "no order below the minimum rests"
                );
            }
        }
    }

    /* STRIKING */

    /// Several accounts of the adversary act in one second, each by one multicall of anything.
    function strike(uint256 seed) external seeded(seed) {
        if (_oneIn(3)) vm.warp(block.timestamp + 60);
        _push();
        bytes[][] memory plans = new bytes[][](_between(1, 3));
        Party[] memory by = new Party[](plans.length);
        _startPlan();
        for (uint256 i = 0; i < plans.length; i++) {
            by[i] = _anyEvil();
            plans[i] = new bytes[](_between(2, CALLS_MAX));
            uint32 market = _anyMarket();
            for (uint256 j = 0; j < plans[i].length; j++) {
                plans[i][j] = _anyCall(by[i], market);
            }
        }
        _carryOut(by, plans);
        seen["strike"] += 1;
    }

    /// A quote for no time at all, a poke, and the victim is closed into an order of the
    /// adversary's.
    function _corner(uint32 market, uint40 victim, int64 lots) internal {
        bool down = lots > 0;
        _startPlan();
        bytes[][] memory plans = new bytes[][](1);
        Party[] memory by = new Party[](1);
        by[0] = _anyEvil();
        bytes[] memory calls = plans[0] = new bytes[](5);
        (uint24 bid, uint24 ask) = _bestOf(market);
        uint40 flash = _next[market];
        calls[0] = _placeCall(
            market, !down, down ? bid + 1 : ask - 1, _lotsOf(market, _between(10, 20_000)), false
        );
        calls[1] = abi.encodeCall(IPerpsAdmin.poke, (market));
        calls[2] = abi.encodeCall(IBook.cancel, (market, flash));
        uint64 size = uint64(down ? lots : -lots);
        calls[3] = _placeCall(market, down, down ? bid + 1 : ask - 1, size, false);
        calls[4] =
            abi.encodeCall(ILiquidation.liquidate, (victim, market, _liveOf(market, victim)));
        _carryOut(by, plans);
        seen["cornered"] += 1;
    }

    function _bestOf(uint32 market) private view returns (uint24 bid, uint24 ask) {
        (bid, ask) = (perps.stateOf(market).bestBid, perps.stateOf(market).bestAsk);
        uint24 middle = uint24(perps.quoteOf(market).index / _priceStep(market));
        if (bid == 0) bid = middle - middle / 100;
        if (ask == type(uint24).max) ask = middle + middle / 100;
    }

    /// Everything happens in this second. It changes no mark, no funding and no premium but as a
    /// mere poke would; from the next second on the mark has moved by one step at most.
    function _carryOut(Party[] memory by, bytes[][] memory plans) private {
        for (uint32 market = 1; market <= MARKETS; market++) {
            try perps.settleHours(market) {} catch {}
        }
        _forget();
        (Prices[2] memory poked, Prices[2] memory before) = (_ifPoked(), _allPrices());
        _begin();
        for (uint256 i = 0; i < plans.length; i++) {
            _act(by[i].wallet, plans[i]);
        }
        _end();
        Prices[2] memory afterwards = _allPrices();
        vm.warp(block.timestamp + 1);
        Prices[2] memory later = _allPrices();
        for (uint256 i = 0; i < MARKETS; i++) {
            _expectHeld(before[i], afterwards[i]);
            _expectSampled(before[i], poked[i], afterwards[i], later[i]);
            if (!_changesOld[uint32(i + 1)]) {
                _expectMere(before[i], poked[i], afterwards[i], later[i]);
            }
        }
    }

    function _allPrices() private view returns (Prices[2] memory prices) {
        (prices[0], prices[1]) = (_pricesOf(1), _pricesOf(2));
    }

    /// The premiums of now and the marks of the next second, had somebody poked and done nothing
    /// else.
    function _ifPoked() private returns (Prices[2] memory prices) {
        uint256 id = CHEATS.snapshotState();
        for (uint32 market = 1; market <= MARKETS; market++) {
            try perps.poke(market) {} catch {}
        }
        prices = _allPrices();
        vm.warp(block.timestamp + 1);
        (prices[0].mark, prices[1].mark) = (_pricesOf(1).mark, _pricesOf(2).mark);
        CHEATS.revertToStateAndDelete(id);
        _forget();
    }

    function _expectHeld(Prices memory before, Prices memory afterwards) private pure {
        vm.assertEq(afterwards.mark, before.mark, "no mark changes within a second");
        vm.assertEq(
            afterwards.fundingIndex, before.fundingIndex, "no funding changes within a second"
        );
    }

    /// A strike can keep a poke from counting what it would have counted, no more: mark and premium
    /// end between what they were, what a mere poke makes of them, none, and the average of the
    /// mids that stood before.
    function _expectSampled(
        Prices memory before,
        Prices memory poked,
        Prices memory afterwards,
        Prices memory later
    ) private pure {
        int256 step = later.mark - before.mark;
        int256 most = before.index * STEP_MAX / 10_000 + before.index / 1e9 + 1;
        vm.assertTrue(step <= most && -step <= most, "a poke moves the mark by one step at most");
        int256[4] memory ends = [before.mark, poked.mark, before.index, before.average];
        _expectBetween(
            later.mark, ends, before.index / 1e8 + 1, "what comes and goes moves no mark"
        );
        ends = [before.premiumSum, poked.premiumSum, before.premiumSum, before.premiumSum];
        ends[2] += (before.mark - before.index) * 1e18 / before.index * 120;
        ends[3] += (before.average - before.index) * 1e18 / before.index * 120;
        _expectBetween(afterwards.premiumSum, ends, 120e9, "what comes and goes moves no premium");
    }

    /// A strike that leaves alone what rested before changes nothing that a mere poke does not.
    function _expectMere(
        Prices memory before,
        Prices memory poked,
        Prices memory afterwards,
        Prices memory later
    ) private pure {
        bool same = later.mark == before.mark && afterwards.premiumSum == before.premiumSum;
        bool mere = later.mark == poked.mark && afterwards.premiumSum == poked.premiumSum;
        vm.assertTrue(same || mere, "quotes of this second count nothing");
    }

    function _expectBetween(
        int256 value,
        int256[4] memory ends,
        int256 rounding,
        string memory rule
    ) private pure {
        (int256 low, int256 high) = (ends[0], ends[0]);
        for (uint256 i = 1; i < 4; i++) {
            if (ends[i] < low) low = ends[i];
            if (ends[i] > high) high = ends[i];
        }
        vm.assertGe(value, low - rounding, rule);
        vm.assertLe(value, high + rounding, rule);
    }

    /// In one multicall, or one by one when that reverts.
    function _act(address wallet, bytes[] memory calls) private {
        vm.prank(wallet);
        try perps.multicall(calls) {
            _read();
            seen["all in one"] += 1;
            return;
        } catch {
            _forget();
        }
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(wallet);
            (bool done,) = address(perps).call(calls[i]);
            if (done) _read();
            else _forget();
        }
    }

    /* PLANS */

    function _startPlan() private {
        for (uint32 market = 1; market <= MARKETS; market++) {
            _next[market] = perps.stateOf(market).nextOrder;
        }
    }

    /// So many lots are worth about `value` units.
    function _lotsOf(uint32 market, uint256 value) private view returns (uint64) {
        return uint64(value * 1e18 / uint256(_lotAtIndex(market)) + 1);
    }

    function _placeCall(uint32 market, bool buy, uint24 tick, uint64 lots, bool reduceOnly)
        private
        returns (bytes memory)
    {
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) = (market, buy, tick, lots);
        request.reduceOnly = reduceOnly;
        if (_oneIn(8)) request.timeInForce = TimeInForce.IOC;
        if (_oneIn(8)) request.goodTil = uint40(block.timestamp + 5 + _roll(4));
        _next[market] += 1;
        return abi.encodeCall(IBook.place, (request));
    }

    function _anyCall(Party memory party, uint32 market) private returns (bytes memory) {
        uint256 kind = _roll(20);
        if (kind < 8) return _anyPlace(market, kind);
        if (kind < 10) return abi.encodeCall(IPerpsAdmin.poke, (market));
        if (kind < 12) return abi.encodeCall(IBook.cancelAll, (market, _ownOf(party, market)));
        if (kind == 12) return _reduceCall(party, market);
        if (kind == 13) {
            return abi.encodeWithSelector(perps.sweep.selector, market, _liveOf(market, 0));
        }
        if (kind < 16) return _forceCall(market);
        if (kind == 16) return _anyStop(market);
        if (kind == 17) return _signedCall(_anyEvil(), market);
        if (kind == 18) {
            return
                abi.encodeCall(
                    ILedger.transfer, (address(usdc), _anyEvil().wallet, _roll(2_000e6))
                );
        }
        return
            abi.encodeCall(ILedger.withdraw, (address(usdc), _between(1, 1_000e6), party.wallet));
    }

    /// Inside the spread, across it, or far away; dust, or as much as counts.
    function _anyPlace(uint32 market, uint256 kind) private returns (bytes memory) {
        (uint24 bid, uint24 ask) = _bestOf(market);
        bool buy = _oneIn(2);
        uint24 tick = buy ? ask - 1 : bid + 1;
        if (kind < 2) tick = buy ? bid + 1 : ask - 1;
        if (kind == 2) tick = uint24(uint256(buy ? bid : ask) * _between(9_000, 11_000) / 10_000);
        if (kind == 3) tick = buy ? ask : bid;
        uint256 value = _oneIn(3) ? _between(9, 12) : _between(100, _oneIn(3) ? 80_000 : 5_000);
        return _placeCall(market, buy, tick, _lotsOf(market, value), _oneIn(8));
    }

    function _ownOf(Party memory party, uint32 market) private returns (uint40[] memory orders) {
        orders = _liveOf(market, party.account);
        if (_oneIn(2) || _next[market] < 4) return orders;
        orders = new uint40[](3);
        for (uint40 i = 0; i < 3; i++) {
            orders[i] = _next[market] - 1 - i; // what this plan has placed
        }
    }

    /// Dust is left of an order.
    function _reduceCall(Party memory party, uint32 market) private returns (bytes memory) {
        uint40[] memory orders = _liveOf(market, party.account);
        if (orders.length == 0) return abi.encodeCall(IPerpsAdmin.poke, (market));
        uint40 order = orders[_roll(orders.length)];
        uint64 lots = perps.orderAt(market, order).lots;
        return
            abi.encodeWithSelector(perps.reduce.selector, market, order, lots > 1 ? lots - 1 : 1);
    }

    /// Somebody is to be closed by force: an honest trader, or an account of the adversary's own.
    function _forceCall(uint32 market) private returns (bytes memory) {
        uint40 account = uint40(_between(1, FIRST_EVIL + EVIL - 1));
        for (uint256 i = 0; i < 8 && !_isUnder(account); i++) {
            account = uint40(_between(3, FIRST_EVIL + EVIL - 1));
        }
        uint40[] memory orders = _liveOf(market, account);
        if (_oneIn(4)) return abi.encodeCall(ILiquidation.cancelFor, (account, market, orders));
        if (!_oneIn(4)) return abi.encodeCall(ILiquidation.liquidate, (account, market, orders));
        return _deleverageCall(account, market, orders);
    }

    /// Somebody is named to give up a profit, or does.
    function _deleverageCall(uint40 loser, uint32 market, uint40[] memory orders)
        private
        returns (bytes memory)
    {
        uint40 winner = uint40(_between(3, FIRST_EVIL + EVIL - 1));
        if (_oneIn(8)) return abi.encodeWithSignature("coverDebt(uint40)", loser);
        if (_oneIn(2)) {
            return abi.encodeWithSignature("nominate(uint40,uint40,uint32)", loser, winner, market);
        }
        return abi.encodeWithSignature("deleverage(uint40,uint32,uint40[])", loser, market, orders);
    }

    /* SIGNED */

    function _anyStop(uint32 market) private returns (bytes memory) {
        if (_stops.length == 0) return abi.encodeCall(IPerpsAdmin.poke, (market));
        _next[market] += 1;
        return _stops[_roll(_stops.length)];
    }

    function _sign(Party memory party, SignedOrder memory order) private returns (bytes memory) {
        order.account = party.wallet;
        (order.salt, order.deadline) = (++_salt, block.timestamp + 1 days);
        bytes32 digest = keccak256(
            abi.encodePacked("\x19\x01", _domain, keccak256(abi.encode(ORDER_TYPE, order)))
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(party.secret, digest);
        return abi.encodeCall(IBook.placeSigned, (order, abi.encodePacked(r, s, v)));
    }

    function _signedOrder(uint32 market, bool buy, uint24 tick, uint64 lots)
        private
        pure
        returns (SignedOrder memory order)
    {
        (order.market, order.isBuy) = (market, buy);
        order.limitPrice = tick * _priceStep(market);
        order.amount = uint256(lots) * (market == 1 ? 1e15 : 1e14);
    }

    /// An order of another of its accounts.
    function _signedCall(Party memory party, uint32 market) private returns (bytes memory) {
        (uint24 bid, uint24 ask) = _bestOf(market);
        bool buy = _oneIn(2);
        _next[market] += 1;
        return _sign(
            party,
            _signedOrder(
                market, buy, buy ? ask - 1 : bid + 1, _lotsOf(market, _between(10, 30_000))
            )
        );
    }

    /// A trader leaves a stop with a relayer: close when the mark is a little against it.
    function _writeStop(uint256 who, uint32 market) internal {
        int64 lots = perps.positionOf(market, _parties[who].account).lots;
        if (lots == 0) return;
        uint256 mark = perps.quoteOf(market).mark;
        uint24 tick = uint24(mark * (lots > 0 ? 95 : 105) / 100 / _priceStep(market));
        SignedOrder memory order =
            _signedOrder(market, lots < 0, tick, uint64(lots < 0 ? -lots : lots));
        (order.reduceOnly, order.timeInForce) = (true, uint8(TimeInForce.IOC));
        order.triggerKind = lots > 0 ? 2 : 1;
        order.triggerPrice =
            mark * (lots > 0 ? _between(990, 999) : _between(1_001, 1_010)) / 1_000;
        bytes memory call = _sign(_parties[who], order);
        if (_stops.length < STOPS_MAX) _stops.push(call);
        else _stops[_roll(STOPS_MAX)] = call;
    }

    /* WHAT IT CAME TO */

    /// One line a run: the most taken in a strike, all that was taken, all that others agreed to.
    function _reportTaken() internal {
        string memory path = CHEATS.envOr("FUZZ_TAKEN", "");
        if (bytes(path).length == 0) return;
        string memory figures =
            string.concat(CHEATS.toString(takenMost), " ", CHEATS.toString(taken));
        CHEATS.writeLine(path, string.concat(figures, " ", CHEATS.toString(agreed)));
    }

    function _push() internal virtual;
}
