// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {Lots} from "../../src/ValueTypes.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests sweeping orders that can no longer trade, orders too small to rest, and the lots that
/// reduce-only orders reserve.
contract PerpsSweepsTest is LiquidationSetup {
    uint256 private constant BOUNTY = 0.02e18; // a five-hundredth of 10

    /* who sweeps is paid */

    function test_sweep_pays_its_caller_out_of_the_orders_account() public {
        uint40[] memory orders = _expired(ALICE, 3);
        vm.expectEmit(address(perps));
        emit ILedger.Transferred(alice, bob, address(usdc), BOUNTY / 1e12);
        _sweep(BOB, orders);
        vm.assertEq(_collateral(bob), 100_000e18 + int256(3 * BOUNTY));
        vm.assertEq(_collateral(alice), 100_000e18 - int256(3 * BOUNTY));
    }

    function test_sweep_pays_once() public {
        uint40[] memory orders = _expired(ALICE, 1);
        _sweep(BOB, orders);
        _sweep(BOB, orders);
        vm.assertEq(_collateral(bob), 100_000e18 + int256(BOUNTY));
    }

    function test_sweep_pays_nobody_without_an_account_nor_the_owner_himself() public {
        _sweep(KEEPER, _expired(ALICE, 1));
        _sweep(ALICE, _expired(ALICE, 1));
        vm.assertEq(_collateral(alice), 100_000e18);
    }

    /// Insurance would have to replace a bounty of an account below its maintenance margin.
    function test_sweep_takes_nothing_that_positions_need() public {
        OrderRequest memory request = _gtc(true, TICK - 50_000, 10);
        request.goodTil = uint40(block.timestamp + 5);
        uint40 order = _place(DAVE, request);
        _pass(6);
        _index(1_890e18); // 39.3 of 47.25
        _sweep(BOB, _orders(order));
        vm.assertEq(_lotsOf(order), 0, "swept all the same");
        vm.assertEq(_equity(dave), 39.3e18);
    }

    /// 50 lots from 2,000 with 10 of collateral: at 1,846.34 equity is 2.317 and 2.307925 to
    /// maintain.
    function test_sweep_takes_what_an_account_can_spare_and_no_more() public {
        address frank = address(0xF4);
        _deposit(frank, 10.035e6);
        _trade(frank, BOB, TICK, 50);
        uint40[] memory orders = _expired(frank, 1);
        _index(1_846.34e18);
        int256 before = _collateral(carol);
        _sweep(CAROL, orders);
        vm.assertEq(_collateral(carol) - before, 0.009075e18);
        uint40 account = accounts.accountOf(frank);
        vm.assertEq(_equity(account), int256(_health(account).maintenanceMargin));
    }

    function test_sweep_takes_no_bounty_at_a_dead_mark() public {
        uint40 order = _expired(DAVE, 1)[0];
        _pass(61);
        _sweep(BOB, _orders(order));
        vm.assertEq(_lotsOf(order), 0);
        vm.assertEq(_collateral(dave), 149.3e18);
    }

    /* reduce-only orders beyond their position */

    function test_sweep_cuts_what_a_position_can_no_longer_close() public {
        (uint40 near, uint40 far) = _twoBeyond();
        // 1,000 are for sale and 700 are held: the far one goes down to 300
        vm.expectEmit(address(perps));
        emit IBook.Reduced(market, alice, far, 300);
        _sweep(BOB, _orders(far));
        vm.assertEq(_lotsOf(far), 300);
        vm.assertEq(_lotsOf(near), 400);
        vm.assertEq(Lots.unwrap(perps.reduceOnlyOf(market, alice).askLots), 700);
        _sweep(BOB, _orders(near));
        vm.assertEq(_lotsOf(near), 400, "all that is left can close");
        vm.assertEq(_collateral(alice), _collateralAfterTrades() - int256(BOUNTY));
    }

    function test_sweep_takes_all_of_an_order_that_no_position_backs() public {
        (uint40 near, uint40 far) = _twoBeyond();
        _bid(BOB, TICK - 1, 700);
        _ask(ALICE, TICK - 1, 700);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, near, 400, Reason.REDUCE_ONLY_CAPPED);
        _sweep(BOB, _orders(near));
        _sweep(BOB, _orders(far));
        vm.assertEq(Lots.unwrap(perps.reduceOnlyOf(market, alice).askLots), 0);
        vm.assertEq(Lots.unwrap(_position(alice).askLots), 0);
        vm.assertEq(perps.holdingOf(alice).markets, 0);
    }

    function test_sweep_takes_all_when_what_it_leaves_would_be_too_small() public {
        _trade(ALICE, BOB, TICK, 100);
        uint40 order = _place(ALICE, _order(false, TICK + 10, 100, TimeInForce.GTC, true));
        _bid(BOB, TICK - 1, 97);
        _ask(ALICE, TICK - 1, 97);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, order, 100, Reason.BELOW_MINIMUM);
        _sweep(BOB, _orders(order));
    }

    function test_sweep_passes_over_what_can_close() public {
        _trade(ALICE, BOB, TICK, 1_000);
        uint40 order = _place(ALICE, _order(false, TICK + 10, 1_000, TimeInForce.GTC, true));
        uint40 plain = _ask(ALICE, TICK + 10, 5_000);
        _sweep(BOB, _orders(order));
        _sweep(BOB, _orders(plain));
        vm.assertEq(_lotsOf(order), 1_000);
        vm.assertEq(_lotsOf(plain), 5_000);
    }

    /* what reduce-only orders reserve */

    /// Whatever happens to the orders, the reservation is the sum of those that rest.
    function test_the_reservation_follows_every_way_of_a_reduce_only_order() public {
        _trade(ALICE, BOB, TICK, 1_000);
        uint40 a = _place(ALICE, _order(false, TICK + 1, 300, TimeInForce.GTC, true));
        uint40 b = _place(ALICE, _order(false, TICK + 2, 300, TimeInForce.GTC, true));
        OrderRequest memory request = _order(false, TICK + 3, 300, TimeInForce.GTC, true);
        request.goodTil = uint40(block.timestamp + 5);
        uint40 c = _place(ALICE, request);
        _expectReserved(900);
        _bid(CAROL, TICK + 1, 100);
        _expectReserved(800);
        vm.startPrank(ALICE);
        perps.reduce(market, a, 50);
        _expectReserved(750);
        perps.cancel(market, b);
        vm.stopPrank();
        _expectReserved(450);
        _pass(6);
        _sweep(BOB, _orders(c));
        _expectReserved(150);
        _bid(CAROL, TICK + 1, 150);
        _expectReserved(0);
        vm.assertEq(_position(alice).lots, 750);
        // and its reserved lots can be offered again, to the last one
        vm.assertEq(
            _lotsOf(_place(ALICE, _order(false, TICK + 1, 5_000, TimeInForce.GTC, true))), 750
        );
    }

    function test_a_liquidation_leaves_the_reservation_of_what_still_rests() public {
        _place(DAVE, _order(false, 195_000, 600, TimeInForce.GTC, true));
        _index(1_890e18);
        _bid(CAROL, 188_900, 200);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 800);
        vm.assertEq(Lots.unwrap(perps.reduceOnlyOf(market, dave).askLots), 600);
        vm.assertEq(Lots.unwrap(perps.reduceOnlyOf(market, dave).bidLots), 0);
    }

    /* too small to rest */

    function test_what_a_fill_leaves_of_a_maker_is_cancelled_when_it_is_too_small() public {
        uint40 order = _ask(BOB, TICK, 100);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, bob, order, 4, Reason.BELOW_MINIMUM);
        _bid(ALICE, TICK, 96);
        vm.assertEq(Lots.unwrap(_position(bob).askLots), 0);
        vm.assertEq(perps.levelAt(market, TICK).count, 0);
    }

    function test_what_a_fill_leaves_of_a_maker_rests_from_the_minimum_on() public {
        uint40 order = _ask(BOB, TICK, 100);
        _bid(ALICE, TICK, 95);
        vm.assertEq(_lotsOf(order), 5);
    }

    function test_what_a_fill_leaves_of_a_taker_is_cancelled_when_it_is_too_small() public {
        _ask(BOB, TICK, 96);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, 6, 4, Reason.BELOW_MINIMUM);
        _bid(ALICE, TICK, 100);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 0);
        _ask(BOB, TICK, 95);
        vm.assertEq(_lotsOf(_bid(ALICE, TICK, 100)), 5);
    }

    function test_a_cut_reduce_only_order_still_takes_before_its_rest_is_cancelled() public {
        _trade(ALICE, BOB, TICK, 104);
        _place(ALICE, _order(false, TICK + 10, 100, TimeInForce.GTC, true));
        _bid(BOB, TICK, 10);
        _place(ALICE, _order(false, TICK, 50, TimeInForce.GTC, true));
        vm.assertEq(_position(alice).lots, 100);
        vm.assertEq(Lots.unwrap(perps.reduceOnlyOf(market, alice).askLots), 100);
    }

    /* HELPERS */

    /// ALICE sells 400 and 600 of the 1,000 she holds, and closes 300 elsewhere.
    function _twoBeyond() private returns (uint40 near, uint40 far) {
        _trade(ALICE, BOB, TICK, 1_000);
        near = _place(ALICE, _order(false, TICK + 10, 400, TimeInForce.GTC, true));
        far = _place(ALICE, _order(false, TICK + 20, 600, TimeInForce.GTC, true));
        _bid(BOB, TICK - 1, 300);
        _ask(ALICE, TICK - 1, 300);
        vm.assertEq(Lots.unwrap(perps.reduceOnlyOf(market, alice).askLots), 1_000);
    }

    /// A long of 1,000 at 2,000, of which 300 closed 0.01 lower; 3.5 basis points on both.
    function _collateralAfterTrades() private pure returns (int256) {
        return 100_000e18 - 0.7e18 - 0.003e18 - 0.20999895e18;
    }

    function _expired(address wallet, uint256 count) private returns (uint40[] memory orders) {
        orders = new uint40[](count);
        OrderRequest memory request = _gtc(true, TICK - 50_000, 10);
        request.goodTil = uint40(block.timestamp + 5);
        for (uint256 i = 0; i < count; i++) {
            orders[i] = _place(wallet, request);
        }
        _pass(6);
    }

    function _sweep(address wallet, uint40[] memory orders) private {
        vm.prank(wallet);
        perps.sweep(market, orders);
    }

    function _expectReserved(uint64 lots) private view {
        PerpsState.ReduceOnly memory resting = perps.reduceOnlyOf(market, alice);
        vm.assertEq(Lots.unwrap(resting.askLots), lots);
        vm.assertEq(Lots.unwrap(resting.bidLots), 0);
    }
}
