// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A held report shows everyone where the price goes next. An account that could still trade at the
/// old one would buy from itself, keep the winning side and leave the loss of the other to
/// insurance.
contract TradingAtAHeldPriceTest is LiquidationSetup {
    bytes private stale;

    function setUp() public override {
        super.setUp();
        _pass(1);
        _pushOne("ETH", 2000e18);
    }

    function test_nobody_trades_with_himself_on_a_jump_that_waits() public {
        _ask(ALICE, TICK, 400_000);
        _jump();
        _expectPlaceReverts(BOB, _gtc(true, TICK, 400_000), stale);
        _expectPlaceReverts(CAROL, _gtc(false, TICK, 100), stale);
    }

    function test_nobody_withdraws_on_a_jump_that_waits() public {
        _trade(ALICE, BOB, TICK, 100_000);
        _jump();
        vm.expectRevert(stale);
        _withdraw(ALICE, 1);
    }

    function test_nobody_is_liquidated_on_a_jump_that_waits() public {
        _pass(1);
        _pushOne("ETH", 1890e18); // DAVE is below his margin at the price that is now in doubt
        _jump();
        vm.expectRevert(stale);
        _liquidate(dave);
    }

    function test_a_report_that_denies_the_jump_opens_the_market_again() public {
        _jump();
        _pass(1);
        _pushOne("ETH", 2001e18);
        _trade(ALICE, BOB, TICK, 1_000);
    }

    function test_a_report_that_confirms_the_jump_opens_the_market_again() public {
        _jump();
        _pass(1);
        _pushOne("ETH", 1600e18);
        _expectPlaceReverts(BOB, _gtc(true, 160_000, 1_000), _stale()); // not in its own second
        _pass(1);
        _trade(ALICE, BOB, 160_000, 1_000);
    }

    function test_closing_and_cancelling_go_on() public {
        uint40 order = _bid(CAROL, TICK, 100);
        _jump();
        _place(DAVE, _order(false, TICK, 50, TimeInForce.IOC, true));
        vm.assertEq(int256(_lots(dave)), 950);
        vm.prank(CAROL);
        perps.cancel(market, order);
    }

    /// A report 20% below.
    function _jump() private {
        _pass(1);
        _pushOne("ETH", 1600e18);
        stale = _stale();
        vm.assertTrue(perps.quoteOf(market).index > 1600e18, "not accepted yet");
    }

    function _stale() private view returns (bytes memory) {
        return abi.encodeWithSelector(
            IPerpsEvents.IndexStale.selector, bytes32("ETH"), Readings.get(oracle, "ETH").time
        );
    }
}
