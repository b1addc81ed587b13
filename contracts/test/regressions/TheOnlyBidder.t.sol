// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// The only maker of a market moved its mark by half a percent in minutes, and then bought out, 2%
/// below that mark, accounts within half a percent of their margin.
contract TheOnlyBidderTest is LiquidationSetup {
    /// DAVE falls below his margin at 1,898.2. The mark is 1,893.
    function test_nobody_is_closed_by_force_whose_margin_is_there_at_the_index() public {
        _moveMark(189_000, 1_900e18);
        PerpsState.Health memory health = _health(dave);
        vm.assertTrue(health.equity < int256(health.maintenanceMargin), "below at the mark");
        health = perps.liquidationHealthOf(dave);
        vm.assertEq(health.equity, 49.3e18, "counted at the index");
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        _liquidate(dave);
        _index(1_890e18);
        _liquidate(dave);
    }

    function test_nor_a_short_whose_margin_is_there() public {
        _moveMark(211_000, 2_095e18);
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        _liquidate(erin);
    }

    /// A bid 1% below the mark has to wait 13 seconds, in which others may bid more.
    function test_the_limit_of_a_forced_order_opens_in_thirty_seconds() public {
        _index(1_890e18);
        _bid(BOB, 187_110, LOTS);
        _close();
        vm.assertEq(_lots(dave), int64(1_000), "the first call starts the clock");
        uint256 openTime = block.timestamp + 30;
        _expectOpening(openTime);
        _pass(12);
        _index(1_890e18);
        _expectOpening(openTime);
        _pass(1);
        _index(1_890e18);
        _close();
        vm.assertEq(_lots(dave), int64(0));
        vm.assertEq(_lots(accounts.accountOf(BOB)), int64(1_000));
    }

    function test_a_bid_within_a_quarter_of_a_percent_is_taken_at_once() public {
        _index(1_890e18);
        _bid(BOB, 188_528, LOTS);
        _close();
        vm.assertEq(_lots(dave), int64(0));
    }

    function test_insurance_takes_the_rest_at_the_mark_after_that() public {
        _insure(1_000e18);
        _index(1_890e18);
        _close();
        _pass(30);
        _index(1_890e18);
        _close();
        vm.assertEq(_lots(dave), int64(0));
        vm.assertEq(_lots(INSURANCE), int64(1_000));
    }

    /// An account that had its margin a minute ago is not sold at the widest limit.
    function test_a_minute_without_a_call_closes_the_limit() public {
        _index(1_890e18);
        _bid(BOB, 187_110, LOTS);
        _close();
        _pass(61);
        _index(1_890e18);
        _close();
        vm.assertEq(_lots(dave), int64(1_000));
        _expectOpening(block.timestamp + 30);
    }

    function _close() private {
        vm.prank(KEEPER);
        perps.liquidate(dave, market, none);
    }

    function _expectOpening(uint256 openTime) private {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.LimitOpening.selector, openTime));
        _close();
    }

    /// A single maker moves the mark by half a percent, with a constant index.
    function _moveMark(uint24 mid, uint256 index) private {
        _index(index);
        _bid(BOB, mid - 10, 2_000);
        _ask(BOB, mid + 10, 2_000);
        for (uint256 i = 0; i < 20; i++) {
            _pass(60);
            _index(index);
            perps.poke(market);
        }
        _pass(1);
        _index(index);
    }
}
