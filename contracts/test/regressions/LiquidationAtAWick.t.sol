// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// With a price network anyone may report prices, several in one transaction. An attacker chose the
/// lowest of the last seconds to close a long into his own bid, or to sample a premium, and
/// reported the newest one after it.
contract LiquidationAtAWickTest is LiquidationSetup {
    function setUp() public override {
        super.setUp();
        _pass(1);
        _pushOne("ETH", 2_000e18);
        _pass(1);
    }

    /// DAVE falls below his margin at 1,898.2.
    function test_nobody_is_closed_at_a_price_that_no_earlier_second_has_seen() public {
        _pushOne("ETH", 1_890e18);
        PerpsState.Health memory health = _health(dave);
        vm.assertTrue(health.equity < int256(health.maintenanceMargin), "below at the new price");
        health = perps.liquidationHealthOf(dave);
        bytes memory reason = abi.encodeWithSelector(
            IPerpsEvents.NotLiquidatable.selector, dave, health.equity, health.maintenanceMargin
        );
        vm.assertEq(health.equity, 149.3e18, "counted at 2,000");
        vm.expectRevert(reason);
        _liquidate(dave);
        vm.expectRevert(reason);
        perps.nominate(dave, erin, market);
        vm.expectRevert(reason);
        perps.cancelLiquidatable(dave, market, none);
        _pushOne("ETH", 2_000e18);
        _pass(1);
        _expectNotLiquidatable(dave);
        _liquidate(dave);
    }

    /// ERIN, who is short, falls below at 2,096.9.
    function test_nor_is_a_short_at_a_high() public {
        _pushOne("ETH", 2_110e18);
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        _liquidate(erin);
    }

    function test_a_price_that_stood_for_a_second_decides() public {
        _insure(1_000e18);
        _pushOne("ETH", 1_890e18);
        _pass(1);
        _pushOne("ETH", 1_880e18); // below at both
        _liquidate(dave);
        vm.assertEq(_lots(dave), int64(0));
    }

    /// At 1,895 DAVE is below his margin, but not far; a price of this second has him owe.
    function test_who_owes_at_a_price_of_this_second_alone_is_closed_in_the_next() public {
        _insure(1_000e18);
        _pushOne("ETH", 1_895e18);
        _pass(1);
        _pushOne("ETH", 1_800e18);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LimitOpening.selector, block.timestamp + 1)
        );
        _liquidate(dave);
        _pass(1);
        _liquidate(dave);
        vm.assertEq(_lots(dave), int64(0));
    }

    /// A close cannot be delayed by reporting a new price in every second.
    function test_a_new_price_in_every_second_saves_nobody() public {
        _insure(1_000e18);
        for (uint256 i = 0; i < 3; i++) {
            _pushOne("ETH", 1_895e18 - i * 1e18);
            _pass(1);
        }
        _pushOne("ETH", 1_892e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), int64(0));
    }

    function test_a_jump_that_was_confirmed_closes_nobody_in_its_own_second() public {
        _insure(1_000e18);
        _pushOne("ETH", 1_600e18);
        _pass(1);
        _pushOne("ETH", 1_600e18);
        vm.expectPartialRevert(IPerpsEvents.IndexStale.selector);
        _liquidate(dave);
        _pushOne("ETH", 1_580e18); // and no other price of that second either
        vm.expectPartialRevert(IPerpsEvents.IndexStale.selector);
        _liquidate(dave);
    }

    function test_a_poke_measures_the_book_against_the_price_of_before() public {
        _bid(ALICE, TICK - 10, 3_000);
        _ask(BOB, TICK + 10, 3_000);
        _pass(60);
        _pushOne("ETH", 2_000e18);
        _pass(1);
        _pushOne("ETH", 1_980e18);
        vm.recordLogs();
        perps.poke(market);
        (, int256 basis, int256 premium,) =
            abi.decode(vm.getRecordedLogs()[0].data, (uint256, int256, int256, uint256));
        vm.assertEq(premium, int256(0), "the book is at 2,000, as the index was");
        vm.assertEq(basis, int256(0));
    }

    /// One transaction may report a price, trade at it and report another one, so an order needs
    /// margin for the difference.
    function test_new_risk_needs_margin_for_the_move_of_its_second() public {
        address frank = address(0xF4);
        _deposit(frank, 110e6);
        _ask(ALICE, 198_000, 1_000);
        uint256 checkpoint = vm.snapshotState();
        _pushOne("ETH", 1_980e18);
        _expectPlaceReverts(
            frank,
            _gtc(true, 198_000, 1_000),
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(109.307e18), uint256(99e18 + 20e18)
            )
        );
        vm.revertToState(checkpoint);
        _pushOne("ETH", 1_980e18);
        _pass(1);
        _bid(frank, 198_000, 1_000);
    }
}
