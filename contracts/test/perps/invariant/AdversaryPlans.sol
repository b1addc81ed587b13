// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../../src/PerpsState.sol";
import {Book} from "../../../src/Book.sol";
import {AccountId, Lots, Tick} from "../../../src/ValueTypes.sol";
import {IBook, OrderRequest, SignedOrder, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {ILiquidation, IPerpsMarks} from "../../../src/interfaces/IPerps.sol";
import {AdversaryBooks} from "./AdversaryBooks.sol";

/// Plans the calls of an adversary: anything that accounts, keys and callers may do.
abstract contract AdversaryPlans is AdversaryBooks {
    uint256 private constant STOPS_MAX = 8;
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant ORDER_TYPE = keccak256(
        "Order(address account,uint32 market,bool isBuy,uint256 limitPrice,uint256 amount,uint8 timeInForce,bool reduceOnly,uint8 triggerKind,uint256 triggerPrice,uint256 goodTil,uint8 maxFills,bytes32 replaces,uint256 replacesAmount,uint256 salt,uint256 deadline)"
    );
    bytes32 private _domain;
    uint256 private _salt;
    bytes[] private _stops; // calls that place signed stops of honest traders
    uint40[4] internal _next; // by market: the number that the next placement of the plan gets

    function _startSigned() internal {
        _domain = keccak256(
            abi.encode(
                DOMAIN_TYPE, keccak256("openvenue"), keccak256("1"), block.chainid, address(perps)
            )
        );
        vm.assertEq(perps.domainSeparator(), _domain, "the domain that keys sign in");
    }

    function _anyMarket() internal returns (uint32) {
        return uint32(1 + _roll(BOOKS));
    }

    function _anyEvil() internal returns (Party memory) {
        return _parties[HONEST + _roll(EVIL)];
    }

    function _healthOf(uint40 account) internal view returns (int256, int256, int256) {
        PerpsState.Health memory health = perps.healthOf(account);
        return (health.equity, int256(health.maintenanceMargin), int256(health.notional));
    }

    function _isUnder(uint40 account) internal view returns (bool) {
        (int256 equity, int256 margin,) = _healthOf(account);
        return equity < margin;
    }

    function _bestOf(uint32 market) internal view returns (uint24 bid, uint24 ask) {
        (bid, ask) = (perps.stateOf(market).bestBid, perps.stateOf(market).bestAsk);
        uint24 middle = uint24(perps.quoteOf(market).index / _priceStep(market));
        if (bid == 0) bid = middle - middle / 100;
        if (ask == type(uint24).max) ask = middle + middle / 100;
    }

    /* THE BOOK */

    /// Resting orders from the best ones outwards: of `account` (0: of any account), at most 24.
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
                    if (account == 0 || AccountId.unwrap(order.account) == account) {
                        orders[count++] = id;
                    }
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

    /// No resting order is worth less than the market's minimum: dust is a cost for takers.
    function _checkNoDust() internal view {
        for (uint32 market = 1; market <= MARKETS; market++) {
            uint256 least = perps.stateOf(market).minOrderValue;
            uint40[] memory orders = _liveOf(market, 0);
            for (uint256 i = 0; i < orders.length; i++) {
                Book.Order memory order = perps.orderAt(market, orders[i]);
                vm.assertGe(
                    uint256(Lots.unwrap(order.lots)) * Tick.unwrap(order.tick) * UNIT,
                    least,
                    "no order below the minimum rests"
                );
            }
        }
    }

    /* PLANS */

    function _startPlan() internal {
        for (uint32 market = 1; market <= MARKETS; market++) {
            _next[market] = perps.stateOf(market).nextOrder;
        }
    }

    /// Returns the number of lots worth about `value` units.
    function _lotsOf(uint32 market, uint256 value) internal view returns (uint64) {
        return uint64(value * 1e18 / uint256(_lotAtIndex(market)) + 1);
    }

    function _placeCall(uint32 market, bool buy, uint24 tick, uint64 lots, bool reduceOnly)
        internal
        returns (bytes memory)
    {
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) =
        (market, buy, Tick.wrap(tick), Lots.wrap(lots));
        request.reduceOnly = reduceOnly;
        if (_oneIn(8)) request.timeInForce = TimeInForce.IOC;
        if (_oneIn(8)) request.goodTil = uint40(block.timestamp + 5 + _roll(4));
        _next[market] += 1;
        return abi.encodeCall(IBook.place, (request));
    }

    function _anyCall(Party memory party, uint32 market) internal returns (bytes memory) {
        uint256 kind = _roll(20);
        if (kind < 8) return _anyPlace(market, kind);
        if (kind < 10) return abi.encodeCall(IPerpsMarks.poke, (market));
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
            orders[i] = _next[market] - 1 - i; // placed by this plan
        }
    }

    /// Dust is left of an order.
    function _reduceCall(Party memory party, uint32 market) private returns (bytes memory) {
        uint40[] memory orders = _liveOf(market, party.account);
        if (orders.length == 0) return abi.encodeCall(IPerpsMarks.poke, (market));
        uint40 order = orders[_roll(orders.length)];
        uint64 lots = Lots.unwrap(perps.orderAt(market, order).lots);
        return
            abi.encodeWithSelector(perps.reduce.selector, market, order, lots > 1 ? lots - 1 : 1);
    }

    /// Selects an account to close by force: an honest trader, or an account of the adversary's
    /// own.
    function _forceCall(uint32 market) private returns (bytes memory) {
        uint40 account = uint40(_between(1, FIRST_EVIL + EVIL - 1));
        for (uint256 i = 0; i < 8 && !_isUnder(account); i++) {
            account = uint40(_between(3, FIRST_EVIL + EVIL - 1));
        }
        uint40[] memory orders = _liveOf(market, account);
        if (_oneIn(4)) {
            return abi.encodeCall(ILiquidation.cancelLiquidatable, (account, market, orders));
        }
        if (!_oneIn(4)) return abi.encodeCall(ILiquidation.liquidate, (account, market, orders));
        return _deleverageCall(account, market, orders);
    }

    /// Nominates a winner to give up a profit, or deleverages it.
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
        if (_stops.length == 0) return abi.encodeCall(IPerpsMarks.poke, (market));
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
        order.amount = uint256(lots) * _amountStep(market);
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
}
