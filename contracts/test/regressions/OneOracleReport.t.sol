// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {IPriceStore} from "../../src/interfaces/IPriceStore.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// Venues were emptied within one transaction by one false price: borrowed against, traded at or
/// used to liquidate. Here one report moves nothing, and one second moves a tenth.
contract OneOracleReportTest is PerpsSetup {
    function setUp() public override {
        super.setUp();
        _trade(ALICE, BOB, TICK, 400_000); // 8 times the collateral of each
        _pass(1);
        _index(2000e18);
    }

    function test_one_report_moves_no_margin_no_mark_and_no_liquidation() public {
        int256 equity = _health(alice).equity;
        uint256 mark = perps.quoteOf(market).mark;
        _pass(1);
        vm.expectEmit(address(oracle));
        emit IPriceStore.JumpHeld("ETH", 20_000e18, uint40(block.timestamp));
        _report(20_000e18);
        vm.assertEq(_health(alice).equity, equity);
        vm.assertEq(perps.quoteOf(market).mark, mark);
        _expectUnchanged(bob);
        _report(1e18);
        _expectUnchanged(alice);
        _pass(1);
        _report(2000e18);
        _pass(1); // a price counts from the second after the doubt on
        _expectHealthy(bob);
        _expectHealthy(alice);
    }

    function test_no_number_of_reports_within_a_second_moves_more_than_a_tenth() public {
        _pass(1);
        for (uint256 i = 0; i < 50; i++) {
            _report(Readings.get(oracle, "ETH").price * 11 / 10);
        }
        vm.assertEq(perps.quoteOf(market).index, 2200e18);
    }

    function test_a_false_price_is_gone_with_the_second_true_one() public {
        _pass(1);
        _report(3000e18);
        _pass(1);
        _report(3000e18);
        vm.assertEq(perps.quoteOf(market).index, 3000e18);
        _pass(1);
        _report(2000e18);
        _pass(1);
        _report(2000e18);
        vm.assertEq(perps.quoteOf(market).index, 2000e18);
    }

    function _report(uint256 price) private {
        bytes32[] memory assets = new bytes32[](1);
        uint256[] memory prices = new uint256[](1);
        (assets[0], prices[0]) = ("ETH", price);
        vm.prank(PUSHER);
        oracle.push(assets, prices, uint40(block.timestamp));
    }

    /// Not even looked at, while the price is in doubt.
    function _expectUnchanged(uint40 account) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.IndexStale.selector, bytes32("ETH"), Readings.get(oracle, "ETH").time
            )
        );
        perps.liquidate(account, market, new uint40[](0));
    }

    function _expectHealthy(uint40 account) private {
        PerpsState.Health memory health = _health(account);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.NotLiquidatable.selector,
                account,
                health.equity,
                health.maintenanceMargin
            )
        );
        perps.liquidate(account, market, new uint40[](0));
    }
}
