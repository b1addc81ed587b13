// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {IBook, Reason} from "../../src/interfaces/IBook.sol";
import {IPerpsFacts} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// When insurance cannot pay, a winner's position closes against the loser's at the price that takes
/// the loser's equity to nothing.
contract DeleverageTest is LiquidationSetup {
    /* a loser whom insurance cannot take */

    /// At 1,400 DAVE's equity is -450.7. His long of 1,000 lots from 2,000 goes to ALICE's short at
    /// 1,400 + 450.7 = 1,850.7 an ETH: she gains 149.3, and not 600.
    function test_the_winner_closes_at_the_losers_bankruptcy_price() public {
        _short(ALICE, 1_500);
        int256 alices = _collateral(alice);
        uint64 openInterest = _openInterest();
        _index(1_400e18);
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.InsuranceExhausted.selector, int256(-450.7e18)));
        _liquidate(dave);
        vm.expectEmit(address(perps));
        emit IPerpsFacts.Deleveraged(market, dave, alice, 1_000, 1.8507e18);
        _deleverage(dave, alice, 1_000);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_collateral(dave), int256(0));
        vm.assertEq(_lots(alice), -500);
        vm.assertEq(_collateral(alice), alices + 149.3e18);
        vm.assertEq(_position(alice).quote, 1_000e18);
        vm.assertEq(_openInterest(), openInterest - 1_000);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
    }

    /// ERIN's short from 2,000 at 2,600: equity -450.7. ALICE sells her long at 2,600 - 450.7.
    function test_a_losing_short_closes_against_a_long() public {
        _trade(ALICE, CAROL, TICK, 1_000);
        int256 alices = _collateral(alice);
        _index(2_600e18);
        vm.expectEmit(address(perps));
        emit IPerpsFacts.Deleveraged(market, erin, alice, -1_000, 2.1493e18);
        _deleverage(erin, alice, 1_000);
        vm.assertEq(_lots(erin), 0);
        vm.assertEq(_collateral(erin), int256(0));
        vm.assertEq(_lots(alice), 0);
        vm.assertEq(_collateral(alice), alices + 149.3e18);
        vm.assertEq(perps.holdingOf(alice).markets, 0);
    }

    /// A part leaves the loser's ratio where it was: 3/4 of the debt for 3/4 of the margin.
    function test_a_part_takes_its_part_of_the_debt() public {
        _short(ALICE, 250);
        _index(1_400e18);
        vm.expectEmit(address(perps));
        emit IPerpsFacts.Deleveraged(market, dave, alice, 250, 1.8507e18);
        _deleverage(dave, alice, 250);
        vm.assertEq(_lots(dave), 750);
        vm.assertEq(_lots(alice), 0);
        vm.assertEq(_equity(dave), -338.025e18);
    }

    function test_more_lots_than_the_loser_has_are_as_many_as_it_has() public {
        _short(ALICE, 1_500);
        _index(1_400e18);
        _deleverage(dave, alice, 1_400);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_lots(alice), -500);
    }

    /// GRACE's debt is of BTC, which fell by nine tenths; 52.5 of the 67.5 of her margin are her short of
    /// ETH's, and so is that part of -4,502.8. Whoever closes it pays for selling.
    function test_the_price_may_be_below_zero() public {
        address grace = address(0x64);
        uint40 account = _open(grace, 1_000e6, false, 1_000);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(grace, _btc(_gtc(true, BTC_TICK, 1_000)));
        _trade(ALICE, CAROL, TICK, 1_000);
        _index2(2_100e18, 6_000e18);
        PerpsState.Health memory before = _health(account);
        vm.assertEq(before.equity, -4_502.8e18);
        int256 alices = _collateral(alice);
        vm.expectEmit(address(perps));
        emit IPerpsFacts.Deleveraged(market, account, alice, -1_000, -1.402177777777777778e18);
        _deleverage(account, alice, 1_000);
        vm.assertEq(_collateral(alice), alices - 3_402.177777777777778e18);
        _expectRatioKept(before, _health(account));
    }

    /// Each position of the loser's goes at its own price, with its own part of the debt.
    function test_a_loser_with_several_positions_is_closed_one_by_one() public {
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000)));
        _short(ALICE, 1_000);
        _index2(1_500e18, 59_000e18);
        // 447.2 - 500 - 100 = -152.8 of 37.5 + 147.5 = 185
        vm.assertEq(_equity(dave), -152.8e18);
        vm.expectEmit(address(perps));
        emit IPerpsFacts.Deleveraged(market, dave, alice, 1_000, 1.530972972972972973e18);
        _deleverage(dave, alice, 1_000);
        PerpsState.Health memory health = _health(dave);
        vm.assertEq(health.equity, -121.827027027027027e18); // -152.8 * 147.5 / 185
        vm.assertEq(health.maintenanceMargin, 147.5e18);
        vm.prank(DELEVERAGER);
        perps.deleverage(dave, carol, btcMarket, 1_000, none);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
        vm.assertGe(_equity(dave), 0, "no debt left");
        vm.assertLt(_equity(dave), 1e6, "but for what rounding gave");
    }

    /* who may, and when */

    function test_only_the_deleverager_deleverages() public {
        _short(ALICE, 1_000);
        _index(1_400e18);
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.NotDeleverager.selector, KEEPER));
        vm.prank(KEEPER);
        perps.deleverage(dave, alice, market, 1_000, none);
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.NotDeleverager.selector, OWNER));
        vm.prank(OWNER);
        perps.deleverage(dave, alice, market, 1_000, none);
    }

    function test_whom_insurance_can_take_is_not_deleveraged() public {
        _short(ALICE, 1_000);
        _insure(450.7e18);
        _index(1_400e18);
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.InsuranceSuffices.selector, int256(0)));
        _deleverage(dave, alice, 1_000);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_000);
    }

    function test_nobody_above_two_thirds_of_the_margin_is_deleveraged() public {
        _short(ALICE, 1_000);
        _index(1_890e18);
        _expectNotLiquidatable(dave);
        _deleverage(dave, alice, 1_000);
        _index(2_000e18);
        _expectNotLiquidatable(dave);
        _deleverage(dave, alice, 1_000);
    }

    function test_no_lots_revert() public {
        _short(ALICE, 1_000);
        _index(1_400e18);
        vm.expectRevert(abi.encodeWithSelector(IBook.LotsZero.selector));
        _deleverage(dave, alice, 0);
    }

    function test_the_losers_orders_that_are_named_are_cancelled() public {
        uint40 bid = _bid(DAVE, TICK - 9_000, 10);
        _short(ALICE, 1_000);
        _index(1_400e18);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, bid, 10, Reason.LIQUIDATION);
        vm.prank(DELEVERAGER);
        perps.deleverage(dave, alice, market, 1_000, _orders(bid));
        vm.assertEq(perps.holdingOf(dave).markets, 0);
    }

    /* the winner */

    function test_a_winner_must_have_an_opposite_position_of_as_many_lots_in_profit() public {
        _short(ALICE, 999);
        _trade(BOB, CAROL, TICK, 2_000);
        _index(1_400e18);
        _expectNotWinner(alice, -999, 599.4e18); // too few lots
        _deleverage(dave, alice, 1_000);
        _expectNotWinner(bob, 2_000, -1_200e18); // the same side
        _deleverage(dave, bob, 1_000);
        _expectNotWinner(dave, 1_000, -600e18); // the loser itself
        _deleverage(dave, dave, 1_000);
        _expectNotWinner(99, 0, 0); // nobody
        _deleverage(dave, 99, 1_000);
    }

    function test_a_winner_without_profit_is_none() public {
        _index(1_400e18);
        _bid(BOB, 139_900, 2_000);
        _ask(ALICE, 139_900, 2_000); // a short from 1,399: 2 lost
        _expectNotWinner(alice, -2_000, -2e18);
        _deleverage(dave, alice, 1_000);
    }

    /// Insurance holds a short that is in profit, and still less than DAVE's debt.
    function test_insurance_is_no_winner() public {
        _insure(40e18);
        _bid(CAROL, TICK, 100);
        _ask(INSURER, TICK, 100);
        _bid(CAROL, TICK, 100);
        _index(1_400e18);
        int256 profit = 60e18;
        _expectNotWinner(INSURANCE, -100, profit);
        _deleverage(dave, INSURANCE, 100);
    }

    /// ALICE has won on ETH and lost all of it on BTC. The price would leave her below her margin, and
    /// at a worse ratio than she has: refused.
    function test_a_winner_is_not_made_a_loser() public {
        address grace = address(0x64);
        _deposit(grace, 420e6);
        uint40 account = accounts.accountOf(grace);
        _bid(CAROL, TICK, 1_000);
        _ask(grace, TICK, 1_000);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(grace, _btc(_gtc(true, BTC_TICK, 1_000)));
        _index2(1_400e18, 53_000e18); // +600 - 700 on 417.2
        vm.assertGt(_equity(account), int256(_health(account).maintenanceMargin), "healthy");
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.MarginTooLow.selector, int256(-133.5e18), uint256(132.5e18)));
        _deleverage(dave, account, 1_000);
    }

    /* insurance itself */

    /// Insurance took DAVE over at 1,880 with 29.3, and 100 of its own. At 1,700 it is 50.7 below zero:
    /// ALICE closes its long at 1,750.7.
    function test_insurance_below_zero_is_deleveraged() public {
        _insure(100e18);
        _short(ALICE, 1_000);
        _index(1_880e18);
        _liquidate(dave);
        _index(1_750.7e18);
        vm.assertEq(_equity(INSURANCE), int256(0));
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.InsuranceSuffices.selector, int256(0)));
        _deleverage(INSURANCE, alice, 1_000);
        _index(1_700e18);
        vm.assertEq(_equity(INSURANCE), -50.7e18);
        vm.expectEmit(address(perps));
        emit IPerpsFacts.Deleveraged(market, INSURANCE, alice, 400, 1.7507e18);
        _deleverage(INSURANCE, alice, 400);
        vm.assertEq(_equity(INSURANCE), -30.42e18);
        _deleverage(INSURANCE, alice, 600);
        vm.assertEq(_equity(INSURANCE), int256(0));
        vm.assertEq(_lots(INSURANCE), 0);
    }

    /// While insurance is below zero it takes nobody over, even with equity to gain.
    function test_insurance_below_zero_takes_nobody_over() public {
        _insure(100e18);
        _index(1_880e18);
        _liquidate(dave);
        address grace = address(0x64);
        _index(1_700e18);
        _deposit(grace, 150e6);
        uint40 account = accounts.accountOf(grace);
        _ask(CAROL, 170_000, 1_000);
        _bid(grace, 170_000, 1_000);
        _index(1_580e18); // 150 - 0.595 - 120 = 29.405 of 39.5: above two thirds
        vm.assertEq(_equity(account), 29.405e18);
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.InsuranceExhausted.selector, int256(-170.7e18 + 29.405e18)));
        _liquidate(account);
        _bid(CAROL, 157_900, 1_000);
        _liquidate(account); // the book still does
        vm.assertEq(_lots(account), 0);
    }

    function _short(address wallet, uint64 lots) private {
        _bid(CAROL, TICK, lots);
        _ask(wallet, TICK, lots);
    }

    function _index2(uint256 eth, uint256 btc) private {
        _indexOne("ETH", eth);
        _indexOne("BTC", btc);
    }

    function _expectNotWinner(uint40 account, int64 lots, int256 profit) private {
        vm.expectRevert(abi.encodeWithSelector(IPerpsFacts.NotWinner.selector, account, lots, profit));
    }

    function _expectRatioKept(PerpsState.Health memory before, PerpsState.Health memory later) private pure {
        vm.assertGe(
            later.equity * int256(before.maintenanceMargin),
            before.equity * int256(later.maintenanceMargin),
            "equity over maintenance margin"
        );
    }
}
