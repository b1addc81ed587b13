// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {OrderRequest} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IBook} from "../../src/interfaces/IBook.sol";
import {IPerps, IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {PerpsState} from "../../src/PerpsState.sol";

/// Tests how much may be withdrawn, and how leverage changes the required remainder.
contract PerpsMarginTest is PerpsSetup {
    /* deposit, withdraw, transfer */

    function test_collateral_is_scaled_to_18_decimals() public {
        vm.assertEq(_collateral(alice), 100_000e18);
        vm.expectEmit(address(perps));
        emit ILedger.Withdrawn(alice, address(usdc), 1, ALICE);
        _withdraw(ALICE, 1);
        vm.assertEq(_collateral(alice), 100_000e18 - 1e12);
        vm.assertEq(usdc.balanceOf(ALICE), 1);
    }

    function test_only_the_collateral_is_taken() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(this)));
        perps.deposit(address(this), 1);
    }

    function test_withdraw_reverts_above_the_collateral() public {
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.BalanceTooLow.selector, DEPOSIT + 1, DEPOSIT)
        );
        _withdraw(ALICE, DEPOSIT + 1);
    }

    function testFuzz_withdraw_and_transfer_revert_when_the_scaled_amount_would_wrap(uint256 amount)
        public
    {
        amount = bound(amount, type(uint128).max / uint256(1e12), type(uint256).max);
        vm.expectRevert();
        _withdraw(ALICE, amount);
        vm.expectRevert();
        vm.prank(ALICE);
        perps.transfer(address(usdc), BOB, amount);
        // 2^256 - amount * 1e12 is small for this one: it would raise one balance and lower the
        // other
        uint256 wrapping = type(uint256).max / 1e12;
        vm.expectRevert();
        vm.prank(ALICE);
        perps.transfer(address(usdc), BOB, wrapping);
    }

    function test_unrealised_profit_does_not_leave() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _index(4_000e18);
        _pass(10);
        vm.assertGt(uint256(_health(alice).equity), 101_000e18, "in profit");
        uint256 held = uint256(_collateral(alice)) / 1e12;
        vm.expectRevert(abi.encodeWithSelector(ILedger.BalanceTooLow.selector, held + 1, held));
        _withdraw(ALICE, held + 1);
    }

    function testFuzz_withdraw_leaves_a_tenth_of_the_notional(uint256 amount) public {
        _trade(ALICE, BOB, TICK, 400_000); // 800,000
        amount = bound(amount, 1, uint256(_collateral(alice)) / 1e12);
        int256 left = _health(alice).equity - int256(amount * 1e12);
        if (left < 80_000e18) {
            vm.expectRevert(
                abi.encodeWithSelector(IPerpsEvents.MarginTooLow.selector, left, 80_000e18)
            );
        }
        _withdraw(ALICE, amount);
    }

    function test_withdraw_leaves_the_initial_margin_of_resting_orders() public {
        _bid(ALICE, TICK, 400_000); // 800,000 at 20x
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(40_000e18 - 1e12), uint256(40_000e18)
            )
        );
        _withdraw(ALICE, 60_000e6 + 1);
        _withdraw(ALICE, 60_000e6);
    }

    function test_withdraw_reverts_on_a_stale_index_of_a_position() public {
        _trade(ALICE, BOB, TICK, 100);
        _pass(61);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, bytes32("ETH"), START)
        );
        _withdraw(ALICE, 1);
        _withdraw(CAROL, DEPOSIT); // without positions always
    }

    function test_withdraw_works_when_halted() public {
        _trade(ALICE, BOB, TICK, 100);
        vm.prank(OWNER);
        perps.halt(market, true);
        _withdraw(ALICE, 50_000e6);
    }

    function test_withdraw_reverts_for_a_signing_key() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, address(0x5EC)));
        _withdraw(address(0x5EC), 1);
    }

    function test_transfer_moves_collateral_and_opens_the_receivers_account() public {
        address newcomer = address(0x777);
        vm.expectEmit(address(perps));
        emit ILedger.Transferred(alice, 6, address(usdc), 7e6);
        vm.prank(ALICE);
        perps.transfer(address(usdc), newcomer, 7e6);
        vm.assertEq(_collateral(6), 7e18);
        vm.assertEq(_collateral(alice), 99_993e18);
    }

    function test_transfer_leaves_the_margin_too() public {
        _bid(ALICE, TICK, 400_000);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(40_000e18 - 1e12), uint256(40_000e18)
            )
        );
        vm.prank(ALICE);
        perps.transfer(address(usdc), BOB, 60_000e6 + 1);
    }

    /* leverage */

    function test_setLeverage_changes_the_initial_margin_only() public {
        _trade(ALICE, BOB, TICK, 1_000);
        PerpsState.Health memory before = _health(alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.LeverageSet(market, alice, 5);
        _setLeverage(ALICE, 5);
        PerpsState.Health memory health = _health(alice);
        vm.assertEq(before.initialMargin, 100e18);
        vm.assertEq(health.initialMargin, 400e18);
        vm.assertEq(health.maintenanceMargin, 50e18);
        vm.assertEq(health.equity, before.equity);
        _setLeverage(ALICE, 0);
        vm.assertEq(_health(alice).initialMargin, 100e18);
    }

    function test_setLeverage_reverts_above_the_maximum() public {
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.LeverageOutOfRange.selector, uint16(21), uint16(20)
            )
        );
        _setLeverage(ALICE, 21);
    }

    function test_setLeverage_reverts_when_equity_does_not_carry_it() public {
        _bid(ALICE, TICK, 400_000); // 800,000
        _setLeverage(ALICE, 8);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(100_000e18), 114285714285714285714286
            )
        );
        _setLeverage(ALICE, 7);
        _setLeverage(ALICE, 9); // raising it asks for nothing
    }

    function test_setLeverage_reverts_for_an_unknown_market_and_for_strangers() public {
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9)));
        vm.prank(ALICE);
        perps.setLeverage(9, 5);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, address(0x999)));
        _setLeverage(address(0x999), 5);
    }

    function test_setLeverage_above_a_lowered_maximum_counts_as_the_maximum() public {
        _setLeverage(ALICE, 20);
        _trade(ALICE, BOB, TICK, 1_000);
        _lowerMaximum(4);
        vm.assertEq(_health(alice).initialMargin, 500e18);
        vm.assertEq(_health(alice).maintenanceMargin, 250e18);
    }

    /* many markets */

    function test_margins_add_up_over_markets() public {
        _trade(ALICE, BOB, TICK, 1_000);
        OrderRequest memory request = _gtc(false, BTC_TICK, 1_000); // 0.1 BTC: 6,000
        request.market = btcMarket;
        _place(BOB, request);
        request.buy = true;
        _place(ALICE, request);
        _index(2_100e18);
        PerpsState.Health memory health = _health(alice);
        vm.assertEq(health.initialMargin, 105e18 + 300e18);
        vm.assertEq(health.maintenanceMargin, 52.5e18 + 150e18);
        vm.assertEq(health.notional, 8_100e18);
        vm.assertEq(health.equity, _collateral(alice) + 100e18);
        vm.assertEq(perps.holdingOf(alice).markets, 3);
    }

    function _setLeverage(address wallet, uint16 leverage) private {
        vm.prank(wallet);
        perps.setLeverage(market, leverage);
    }

    function _lowerMaximum(uint16 leverage) private {
        PerpParameters memory parameters = _parameters();
        parameters.maxLeverage = leverage;
        vm.prank(OWNER);
        perps.change(market, parameters);
    }
}
