// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Rules that protect accounts kept two traders from reducing their risk.
contract HeldBackFromClosingTest is LiquidationSetup {
    /// DAVE is below his margin and asks for a good price. A buyer would save him: the order was
    /// dropped, while as a taker he could close at a worse price.
    function test_a_reduce_only_maker_in_distress_is_filled_where_that_restores_him() public {
        uint40 ask = _place(DAVE, _order(false, 190_000, 100, TimeInForce.GTC, true));
        _index(1_890e18);
        vm.assertLt(_equity(dave), int256(_health(dave).maintenanceMargin), "in distress");
        _bid(ALICE, 190_000, 100);
        vm.assertEq(int256(_lots(dave)), 900, "closed");
        vm.assertEq(_lotsOf(ask), 0);
    }

    /// He may not fill at a price that leaves him worse off, neither as maker nor as taker.
    function test_a_reduce_only_maker_in_distress_is_dropped_where_the_fill_harms_him() public {
        uint40 ask = _place(DAVE, _order(false, 178_000, 100, TimeInForce.GTC, true));
        _index(1_890e18);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, ask, 100, Reason.MARGIN);
        _bid(ALICE, 190_000, 100);
        vm.assertEq(int256(_lots(dave)), 1_000, "not closed at 1,780");
    }

    function test_a_maker_in_distress_who_takes_risk_is_dropped() public {
        _deposit(DAVE, 1_000e6);
        uint40 bid = _bid(DAVE, 168_000, 100);
        vm.prank(DAVE);
        perps.withdraw(address(usdc), 800e6, DAVE);
        _index(1_685e18);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, bid, 100, Reason.MARGIN);
        _ask(ALICE, 168_000, 100);
    }

    /// The asset is dead at 2,000 and worth 1,000 everywhere else. The longs want out, and the
    /// shorts would let them out at 1,000: the band around the dead mark forbade it.
    function test_a_dead_marks_band_holds_back_nobody_who_only_closes() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _place(BOB, _order(true, 100_000, 1_000, TimeInForce.GTC, true));
        _pass(61);
        _place(ALICE, _order(false, 100_000, 1_000, TimeInForce.IOC, true));
        vm.assertEq(int256(_lots(alice)), 0, "out at their price");
        vm.assertEq(int256(_lots(bob)), 0, "out at their price");
    }

    /// While the mark is fresh, its band also applies to closing orders.
    function test_a_living_marks_band_holds() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _place(BOB, _order(true, 100_000, 1_000, TimeInForce.GTC, true));
        uint40 number = _place(ALICE, _order(false, 100_000, 1_000, TimeInForce.IOC, true));
        vm.assertEq(int256(_lots(alice)), 1_000, "not at half the mark");
        vm.assertEq(_lotsOf(number), 0);
    }

    /// A taker at a dead mark must still be no worse off by it.
    function test_the_margin_rule_holds_at_a_dead_mark() public {
        _place(CAROL, _order(true, 150_000, 1_000, TimeInForce.GTC, false));
        _pass(61);
        vm.expectRevert();
        _place(DAVE, _order(false, 150_000, 1_000, TimeInForce.IOC, true));
    }
}
