// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, Reason} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Zaros, 2024: margin was checked before fees were charged, so an order could leave its account
/// below its margin. Here it is checked last, after funding, fills and fees.
contract FeeAfterMarginTest is LiquidationSetup {
    address private constant GRACE = address(0x64);

    /// 1,000 lots at 2,000 need 100; the taker fee is 0.7.
    function test_a_taker_needs_its_margin_after_the_fee() public {
        _ask(CAROL, TICK, 1_000);
        _deposit(GRACE, 100_699_999);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(99.999999e18), uint256(100e18)
            )
        );
        _bid(GRACE, TICK, 1_000);
        _deposit(GRACE, 1);
        _bid(GRACE, TICK, 1_000);
        vm.assertEq(_equity(accounts.accountOf(GRACE)), 100e18);
    }

    /// At 1,990 a buyer at 2,000 with 109.6 has 99.6 left of the 99.5 that opening asks for; the
    /// fee of 0.2 takes it below.
    function test_a_maker_needs_its_margin_after_the_fee() public {
        _deposit(GRACE, 109.6e6);
        uint40 order = _bid(GRACE, TICK, 1_000);
        _index(1_990e18);
        uint40 account = accounts.accountOf(GRACE);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, account, order, 1_000, Reason.MARGIN);
        _ask(CAROL, TICK, 1_000);
        vm.assertEq(_lots(account), 0);
    }

    function test_a_maker_whose_margin_bears_the_fee_is_filled() public {
        _deposit(GRACE, 109.7e6);
        _bid(GRACE, TICK, 1_000);
        _index(1_990e18);
        _ask(CAROL, TICK, 1_000);
        vm.assertEq(_equity(accounts.accountOf(GRACE)), 99.5e18);
    }

    /// A liquidation's fee comes last, too, and never lowers the ratio.
    function test_the_fee_of_a_liquidation_leaves_the_ratio() public {
        _index(1_890e18); // 39.3 of 47.25
        _bid(CAROL, 187_000, LOTS / 2);
        _liquidate(dave);
        vm.assertEq(_equity(dave), 39.3e18 / 2);
        vm.assertEq(_health(dave).maintenanceMargin, 47.25e18 / 2);
    }
}
