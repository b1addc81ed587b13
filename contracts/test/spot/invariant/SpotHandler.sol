// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {Book} from "../../../src/Book.sol";
import {Spot} from "../../../src/Spot.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IBook, OrderRequest, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {ILedger} from "../../../src/interfaces/ILedger.sol";
import {SpotReplay} from "./SpotReplay.sol";

/// Random traders on two markets that share their quote token. Every refusal must be one that the
/// action can have earned; a cancel or a withdrawal is never refused.
contract SpotHandler is SpotReplay {
    uint256 private constant ACTORS = 4;
    /// Ticks stand on both sides of a boundary of the tick set's uppermost words.
    uint24 private constant CENTER = 3 << 16;
    uint24 private constant SPREAD = 4; // narrow, so that queues get long
    uint64 private constant LOTS_MAX = 500;
    /// Worst gas of an order: a new level in the first words of a set, then per
    /// step a maker whose balance was zero and whose level's three words all empty.
    uint256 private constant PLACE_GAS_MAX = 175_000;
    uint256 private constant STEP_GAS_MAX = 52_000;

    Accounts private immutable ACCOUNTS;
    address private immutable OWNER;
    DevToken[3] private _tokens;

    uint256 public placements;
    uint256 public fills;

    constructor(Accounts accounts_, Spot spot_, address owner_, DevToken[3] memory tokens_) {
        ACCOUNTS = accounts_;
        spot = spot_;
        OWNER = owner_;
        _tokens = tokens_;
    }

    /// Opens the actors' accounts and fills them.
    function start() external {
        vm.recordLogs();
        for (uint256 i = 0; i < ACTORS; i++) {
            for (uint256 j = 0; j < 3; j++) {
                _deposit(wallet(i), _tokens[j], 1e24);
            }
        }
        _replay();
    }

    function wallet(uint256 actor) public pure returns (address) {
        return address(uint160(0xAC0 + actor % ACTORS));
    }

    function accountsEnd() external view returns (uint40) {
        return ACCOUNTS.accounts() + 1;
    }

    /* ORDERS */

    function place(uint256 actor, uint256 shape, uint256 tick, uint256 lots) external {
        OrderRequest memory request;
        request.market = _market(shape >> 8);
        request.buy = shape & 1 == 0;
        // Most are near the middle; some are far enough to need other words of the set.
        uint24 distance = uint24(1 + tick % (tick >> 24 & 7 == 0 ? 1 << 15 : SPREAD));
        bool passive = tick >> 28 & 3 != 0;
        request.tick = request.buy == passive ? CENTER - distance : CENTER + distance;
        request.lots = uint64(bound(lots, 1, LOTS_MAX));
        request.timeInForce = shape >> 1 & 1 == 0 ? TimeInForce.GTC : TimeInForce(shape >> 2 & 3);
        if (shape >> 4 & 3 == 0) request.goodTil = uint40(block.timestamp + lots % 60);
        if (shape >> 6 & 3 == 0) request.maxFills = uint16(1 + shape % 4);
        _place(wallet(actor), request);
    }

    function _place(address from, OrderRequest memory request) private {
        uint40 expected = spot.stateOf(request.market).nextOrder;
        vm.recordLogs();
        vm.prank(from);
        uint256 gas = gasleft();
        try spot.place(request) returns (uint40 order) {
            gas -= gasleft();
            placements += 1;
            vm.assertEq(order, expected, "the order gets the next number");
            vm.assertFalse(spot.unitsOf(request.market).halted, "no order of a halted market");
            uint256 steps = _replay();
            fills += steps;
            vm.assertLe(gas, PLACE_GAS_MAX + steps * STEP_GAS_MAX, "gas of an order is bounded by its steps");
            _checkTimeInForce(request, order);
        } catch (bytes memory reason) {
            _checkRefusal(request, reason);
        }
    }

    function _checkTimeInForce(OrderRequest memory request, uint40 order) private view {
        Told memory told_ = told(request.market, order);
        uint64 rests = spot.orderAt(request.market, order).lots;
        if (request.timeInForce == TimeInForce.IOC) vm.assertEq(rests, 0, "IOC never rests");
        if (request.timeInForce == TimeInForce.FOK) {
            vm.assertEq(told_.filled, request.lots, "FOK fills all or nothing");
        }
        if (request.timeInForce == TimeInForce.POST_ONLY) vm.assertEq(told_.filled, 0, "post-only never takes");
    }

    function _checkRefusal(OrderRequest memory request, bytes memory reason) private view {
        Book.State memory state = spot.stateOf(request.market);
        bool crosses = request.buy ? request.tick >= state.bestAsk : request.tick <= state.bestBid;
        bytes4 rule = bytes4(reason);
        bool earned = rule == ILedger.BalanceTooLow.selector
            || (rule == IBook.MarketHalted.selector && spot.unitsOf(request.market).halted)
            || (rule == IBook.PostOnlyWouldCross.selector && request.timeInForce == TimeInForce.POST_ONLY && crosses)
            || (rule == IBook.FillOrKillUnfillable.selector && request.timeInForce == TimeInForce.FOK)
            || rule == IBook.OrderValueBelowMinimum.selector;
        vm.assertTrue(earned, "an order is refused only for what it is");
    }

    function cancel(uint256 seed) external {
        (uint32 market, uint40 order, Book.Order memory resting) = _resting(seed);
        if (resting.lots == 0) return;
        vm.recordLogs();
        vm.prank(ACCOUNTS.walletOf(resting.account));
        spot.cancel(market, order);
        _replay();
        vm.assertEq(spot.orderAt(market, order).lots, 0, "a cancelled order is off the book");
    }

    function cancelAll(uint256 seed, uint256 actor) external {
        seed >>= 8; // room to count up
        uint32 market = _market(seed);
        uint40[] memory orders = new uint40[](5);
        for (uint256 i = 0; i < orders.length; i++) {
            (,, Book.Order memory resting) = _resting(seed + 2 * i);
            orders[i] = resting.lots == 0 ? uint40(seed % 1000) : _orderOf(seed + 2 * i);
        }
        vm.recordLogs();
        vm.prank(wallet(actor));
        uint256 cancelled = spot.cancelAll(market, orders);
        vm.assertEq(_replay(), cancelled, "cancelAll counts what it cancels");
    }

    function reduce(uint256 seed, uint64 lots) external {
        (uint32 market, uint40 order, Book.Order memory resting) = _resting(seed);
        if (resting.lots < 2) return;
        lots = uint64(bound(lots, 1, resting.lots - 1));
        vm.recordLogs();
        vm.prank(ACCOUNTS.walletOf(resting.account));
        spot.reduce(market, order, lots);
        _replay();
    }

    function sweep(uint256 seed) external {
        (uint32 market, uint40 order,) = _resting(seed);
        uint40[] memory orders = new uint40[](2);
        orders[0] = order;
        orders[1] = order + 1;
        vm.recordLogs();
        spot.sweep(market, orders);
        _replay();
    }

    /* MONEY */

    function deposit(uint256 actor, uint256 token, uint256 amount) external {
        vm.recordLogs();
        _deposit(wallet(actor), _tokens[token % 3], bound(amount, 1, 1e24));
        _replay();
    }

    function withdraw(uint256 actor, uint256 token, uint256 amount) external {
        address asset = address(_tokens[token % 3]);
        uint256 balance = spot.balanceOf(ACCOUNTS.accountOf(wallet(actor)), asset);
        if (balance == 0) return;
        // Often all of it, so that traders also run out of money.
        amount = amount & 1 == 0 ? balance : bound(amount, 1, balance);
        vm.recordLogs();
        vm.prank(wallet(actor));
        spot.withdraw(asset, amount, address(0xDEAD));
        _replay();
    }

    function transfer(uint256 from, uint256 to, uint256 token, uint256 amount) external {
        address asset = address(_tokens[token % 3]);
        uint256 balance = spot.balanceOf(ACCOUNTS.accountOf(wallet(from)), asset);
        if (balance == 0) return;
        vm.recordLogs();
        vm.prank(wallet(from));
        spot.transfer(asset, wallet(to), bound(amount, 1, balance));
        _replay();
    }

    /* THE WORLD */

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + time % 30);
    }

    function halt(uint256 seed) external {
        vm.prank(OWNER);
        spot.halt(_market(seed), seed >> 1 & 7 == 0);
    }

    function _market(uint256 seed) private pure returns (uint32) {
        return uint32(1 + seed % 2);
    }

    function _orderOf(uint256 seed) private view returns (uint40) {
        uint40 last = ordersTold[_market(seed)];
        return last == 0 ? 0 : uint40(1 + (seed >> 1) % last);
    }

    /// A random order, or the next one after it that rests, if any.
    function _resting(uint256 seed) private view returns (uint32 market, uint40 order, Book.Order memory resting) {
        market = _market(seed);
        for (order = _orderOf(seed); order <= ordersTold[market]; order++) {
            resting = spot.orderAt(market, order);
            if (resting.lots != 0) break;
        }
    }

    function _deposit(address from, DevToken token, uint256 amount) private {
        token.mint(from, amount);
        vm.prank(from);
        token.approve(address(spot), amount);
        vm.prank(from);
        spot.deposit(address(token), amount);
    }
}
