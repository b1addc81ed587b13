// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {IBook, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";

/// Tests makers that cannot fill all of their order: without margin, or with less to reduce.
contract PerpsMakersTest is PerpsSetup {
    function test_a_maker_without_margin_is_dropped_and_the_taker_goes_on() public {
        _raiseCap();
        uint40 poor = _ask(ALICE, TICK + 5_000, 500_000);
        uint40 rich = _ask(BOB, TICK + 5_000, 1_000);
        _index(2_200e18); // alice would sell at 2,050: a loss of 75,000 and then 27,500 to maintain
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, poor, 500_000, Reason.MARGIN);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Filled(
            market, bob, rich, carol, 3, TICK + 5_000, 1_000, 0.205e18, 0.7175e18
        );
        _place(CAROL, _order(true, TICK + 5_000, 500_000, TimeInForce.IOC, false));
        vm.assertEq(Lots.unwrap(_position(alice).askLots), 0);
        vm.assertEq(_position(alice).lots, 0);
        vm.assertEq(perps.holdingOf(alice).markets, 0);
    }

    function test_a_reduce_only_maker_fills_its_position_and_drops_the_rest() public {
        _trade(ALICE, BOB, TICK, 1_000);
        uint40 order = _place(ALICE, _order(false, TICK + 10, 1_000, TimeInForce.GTC, true));
        _bid(BOB, TICK - 1, 600);
        _ask(ALICE, TICK - 1, 600); // 400 left
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Filled(
            market, alice, order, carol, 6, TICK + 10, 400, 0.080004e18, 0.280014e18
        );
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, order, 600, Reason.REDUCE_ONLY_CAPPED);
        _place(CAROL, _order(true, TICK + 10, 1_000, TimeInForce.IOC, false));
        vm.assertEq(_position(alice).lots, 0);
        vm.assertEq(perps.holdingOf(alice).markets, 0);
    }

    function test_a_reduce_only_maker_on_the_wrong_side_is_dropped_unfilled() public {
        _trade(ALICE, BOB, TICK, 1_000);
        uint40 order = _place(ALICE, _order(false, TICK + 10, 1_000, TimeInForce.GTC, true));
        _bid(BOB, TICK - 1, 1_500);
        _ask(ALICE, TICK - 1, 1_500); // now 500 short
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, order, 1_000, Reason.REDUCE_ONLY_CAPPED);
        _place(CAROL, _order(true, TICK + 10, 1_000, TimeInForce.IOC, false));
        vm.assertEq(_position(alice).lots, -500);
        vm.assertEq(_position(carol).lots, 0);
    }
}
