// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {Book} from "../../../src/Book.sol";
import {IPerps} from "../../../src/interfaces/IPerps.sol";
import {PerpsState} from "../../../src/PerpsState.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {OrderRequest, TimeInForce} from "../../../src/interfaces/IBook.sol";
import {PerpsReplay} from "./PerpsReplay.sol";

/// Random traders. What the engine may refuse is tried; what it must never refuse is called outright.
contract PerpsHandler is PerpsReplay {
    uint256 private constant ACTORS = 5;

    Accounts private immutable ACCOUNTS;
    PushOracle private immutable ORACLE;
    DevToken private immutable USDC;
    address private immutable OWNER;
    address private immutable PUSHER;

    uint256[2] private _indexes = [uint256(2_000e18), 60_000e18];
    bool public halted;
    mapping(string what => uint256) public seen;

    constructor(Accounts accounts, PushOracle oracle, IPerps engine, DevToken usdc, address owner, address pusher) {
        (ACCOUNTS, ORACLE, USDC, OWNER, PUSHER) = (accounts, oracle, usdc, owner, pusher);
        perps = engine;
    }

    function start() external {
        _startReplay(1);
        _startReplay(2);
        vm.recordLogs();
        for (uint256 i = 0; i < ACTORS; i++) {
            deposit(i, 4_000e6);
        }
    }

    function actor(uint256 seed) public pure returns (address) {
        return address(uint160(0xAC7000 + seed % ACTORS));
    }

    /* ORDERS */

    struct Before {
        bool stale;
        int64 lots;
        bool reduceOnly;
        uint32 market;
        uint40 account;
    }

    /// `kind` picks side, time in force, reduce-only, good-til and steps.
    function place(uint256 who, uint256 kind, uint256 tick, uint256 lots) external {
        kind = uint256(keccak256(abi.encode(kind))); // the fuzzer likes small numbers
        if ((kind >> 80) % 8 != 0) _push(); // else the index may be stale
        OrderRequest memory request = _request(kind, tick, lots);
        Before memory before;
        before.market = request.market;
        before.account = ACCOUNTS.accountOf(actor(who));
        before.stale = perps.quoteOf(request.market).stale;
        before.lots = perps.positionOf(request.market, before.account).lots;
        before.reduceOnly = request.reduceOnly;
        vm.prank(actor(who));
        try perps.place(request) returns (uint40 order) {
            _replay();
            _expectSoundPlacement(before, order);
            seen[request.reduceOnly ? "reduce-only" : "placed"] += 1;
        } catch {
            _forget();
            seen["refused"] += 1;
        }
    }

    function _request(uint256 kind, uint256 tick, uint256 lots) private view returns (OrderRequest memory request) {
        request.market = uint32(1 + kind % 2);
        uint256 middle = _indexes[request.market - 1] / (request.market == 1 ? 1e16 : 1e17);
        request.buy = (kind >> 8) & 1 == 0;
        // Mostly near the index, on either side of it; sometimes beyond the price band.
        uint256 width = (kind >> 16) % 8 == 0 ? middle / 6 : middle / 100;
        request.tick = uint24(middle - width + bound(tick, 0, 2 * width));
        request.lots = uint64(bound(lots, 5, 12_000));
        request.timeInForce = (kind >> 24) % 3 == 0 ? TimeInForce(uint8((kind >> 32) % 4)) : TimeInForce.GTC;
        request.reduceOnly = (kind >> 40) % 4 == 0;
        if ((kind >> 48) % 8 == 0) request.goodTil = uint40(block.timestamp + (kind >> 56) % 600);
        request.maxFills = uint16((kind >> 64) % 4);
    }

    function _expectSoundPlacement(Before memory before, uint40 order) private {
        int64 lots = perps.positionOf(before.market, before.account).lots;
        uint64 resting = perps.orderAt(before.market, order).lots;
        vm.assertEq(resting, orderTold(before.market, order).resting, "what rests was told");
        if (lots != before.lots) seen["filled"] += 1;
        if (before.reduceOnly) return; // PerpsReplay checks each of its fills
        vm.assertFalse(before.stale, "a stale index takes only reduce-only orders");
        vm.assertFalse(halted && before.market == 1, "a halted market takes only reduce-only orders");
        if (lots == before.lots && resting == 0) return;
        PerpsState.Health memory health = perps.healthOf(before.account);
        vm.assertGe(health.equity, int256(health.initialMargin), "initial margin after growing the risk");
    }

    /// Must always succeed.
    function cancel(uint256 marketSeed, uint256 seed) external {
        (uint32 market, uint40 id, Book.Order memory order) = _find(marketSeed, seed);
        if (order.lots != 0) cancelOne(market, id);
    }

    function cancelOne(uint32 market, uint40 id) public {
        address wallet = ACCOUNTS.walletOf(perps.orderAt(market, id).account);
        vm.prank(wallet);
        perps.cancel(market, id);
        _replay();
        seen["cancelled"] += 1;
    }

    function reduce(uint256 marketSeed, uint256 seed, uint256 lots) external {
        (uint32 market, uint40 id, Book.Order memory order) = _find(marketSeed, seed);
        if (order.lots < 2) return;
        address wallet = ACCOUNTS.walletOf(order.account);
        vm.prank(wallet);
        perps.reduce(market, id, uint64(bound(lots, 1, order.lots - 1)));
        _replay();
    }

    function sweep(uint256 marketSeed, uint256 seed) external {
        (uint32 market, uint40 id,) = _find(marketSeed, seed);
        uint40[] memory orders = new uint40[](2);
        (orders[0], orders[1]) = (id, id + 1);
        perps.sweep(market, orders);
        _replay();
    }

    function _find(uint256 marketSeed, uint256 seed)
        private
        view
        returns (uint32 market, uint40 id, Book.Order memory order)
    {
        market = uint32(1 + marketSeed % 2);
        uint40 count = ordersTold[market];
        if (count == 0) return (market, 1, order);
        id = uint40(1 + seed % count);
        for (uint256 i = 0; i < 10 && order.lots == 0; i++) {
            id = id % count + 1;
            order = perps.orderAt(market, id);
        }
    }

    /* MONEY */

    function deposit(uint256 who, uint256 amount) public {
        amount = bound(amount, 1, 4_000e6);
        USDC.mint(actor(who), amount);
        vm.prank(actor(who));
        USDC.approve(address(perps), amount);
        vm.prank(actor(who));
        perps.deposit(address(USDC), amount);
        _replay();
    }

    function withdraw(uint256 who, uint256 amount) external {
        uint40 account = ACCOUNTS.accountOf(actor(who));
        PerpsState.Holding memory holding = perps.holdingOf(account);
        if (holding.collateral < 1e12) return;
        uint256 held = uint128(holding.collateral) / 1e12;
        if (amount % 4 != 0) held = held / 20 + 1;
        amount = bound(amount, 1, held);
        vm.prank(actor(who));
        if (holding.markets == 0) {
            perps.withdraw(address(USDC), amount, actor(who)); // must always succeed
        } else {
            try perps.withdraw(address(USDC), amount, actor(who)) {
                _expectWithdrawable(account);
                seen["withdrawn"] += 1;
            } catch {
                _forget();
            }
        }
        _replay();
    }

    function transfer(uint256 who, uint256 to, uint256 amount) external {
        uint40 account = ACCOUNTS.accountOf(actor(who));
        amount = bound(amount, 1, 500e6);
        vm.prank(actor(who));
        try perps.transfer(address(USDC), actor(to), amount) {
            _expectWithdrawable(account);
        } catch {
            _forget();
        }
        _replay();
    }

    function _expectWithdrawable(uint40 account) private view {
        PerpsState.Health memory health = perps.healthOf(account);
        vm.assertGe(health.equity, int256(health.initialMargin), "initial margin after a withdrawal");
        vm.assertGe(health.equity * 10, int256(health.notional), "a tenth of the notional after a withdrawal");
        vm.assertEq(health.staleAsset, bytes32(0), "no withdrawal on a stale index");
    }

    function setLeverage(uint256 who, uint256 market, uint256 leverage) external {
        vm.prank(actor(who));
        try perps.setLeverage(uint32(1 + market % 2), uint16(bound(leverage, 0, 20))) {
            seen["leverage"] += 1;
        } catch {
            _forget();
        }
        _replay();
    }

    /* PRICES AND TIME */

    function move(uint256 eth, uint256 btc, uint256 skip) external {
        if (skip % 4 == 0) vm.warp(block.timestamp + bound(eth, 1, 50));
        _indexes[0] = _walk(_indexes[0], eth, 2_000e18);
        _indexes[1] = _walk(_indexes[1], btc, 60_000e18);
        _push();
    }

    function _push() private {
        bytes32[] memory assets = new bytes32[](2);
        uint256[] memory prices = new uint256[](2);
        (assets[0], assets[1]) = ("ETH", "BTC");
        (prices[0], prices[1]) = (_indexes[0], _indexes[1]);
        vm.prank(PUSHER);
        ORACLE.push(assets, prices, uint40(block.timestamp));
    }

    /// Up to 4% either way, within half and double of `home`.
    function _walk(uint256 price, uint256 seed, uint256 home) private pure returns (uint256) {
        price = price * bound(seed, 9_600, 10_400) / 10_000;
        return price < home / 2 ? home / 2 : price > home * 2 ? home * 2 : price;
    }

    function poke(uint256 market, uint256 wait) external {
        if (wait % 2 == 0) vm.warp(block.timestamp + 60);
        try perps.poke(uint32(1 + market % 2)) {
            seen["poked"] += 1;
        } catch {
            _forget();
        }
        _replay();
    }

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + (time % 8 == 0 ? bound(time, 1, 30 hours) : bound(time, 1, 1_800)));
    }

    function halt(uint256 seed) external {
        halted = seed % 3 == 0;
        vm.prank(OWNER);
        perps.halt(1, halted);
        _replay();
    }
}
