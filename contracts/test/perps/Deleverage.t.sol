// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {IBook, Reason} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests deleveraging: when insurance cannot pay, a winner's position closes against the loser's at
/// the price that brings the loser's equity to zero.
contract DeleverageTest is LiquidationSetup {
    /* a loser whom insurance cannot take */

    /// At 1,400 DAVE's equity is -450.7. His long of 1,000 lots from 2,000 goes to ALICE's short at
    /// 1,400 + 450.7 = 1,850.7 an ETH: she gains 149.3, and not 600.
    function test_the_winner_closes_at_the_losers_bankruptcy_price() public {
        _short(ALICE, 1_500);
        int256 alices = _collateral(alice);
        uint64 openInterest = _openInterest();
        _index(1_400e18);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.InsuranceExhausted.selector, int256(0))
        );
        _liquidate(dave);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Nominated(market, dave, alice);
        _nominate(dave, alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, dave, alice, 1_000, 1.8507e18);
        _carryOut(dave);
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
        _nominate(erin, alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, erin, alice, -1_000, 2.1493e18);
        _carryOut(erin);
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
        _nominate(dave, alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, dave, alice, 250, 1.8507e18);
        _carryOut(dave);
        vm.assertEq(_lots(dave), 750);
        vm.assertEq(_lots(alice), 0);
        vm.assertEq(_equity(dave), -338.025e18);
    }

    /// GRACE's debt is of BTC, which fell by nine tenths; 52.5 of the 67.5 of her margin are her
    /// short of ETH's, and so would be that part of -4,502.8. But ALICE has won 100 on ETH, and
    /// that is all she gives: the price stays what her long has cost, and the rest stays with
    /// GRACE.
    function test_a_winner_gives_up_what_it_has_won_and_no_more() public {
        address grace = address(0x64);
        uint40 account = _open(grace, 1_000e6, false, 1_000);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(grace, _btc(_gtc(true, BTC_TICK, 1_000)));
        _trade(ALICE, CAROL, TICK, 1_000);
        _index2(2_100e18, 6_000e18);
        vm.assertEq(_equity(account), -4_502.8e18);
        int256 alices = _collateral(alice);
        _nominate(account, alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, account, alice, -1_000, 2e18);
        _carryOut(account);
        vm.assertEq(_collateral(alice), alices);
        vm.assertEq(_equity(account), -4_402.8e18);
    }

    /// 150.00007 for 1,507 lots: the profit per lot is rounded down, never up.
    function test_what_a_lot_has_won_is_rounded_for_the_winner() public {
        _index(1_500e18);
        _bid(CAROL, 150_000, 1_500);
        _ask(ALICE, 150_000, 1_500);
        _bid(CAROL, 150_001, 7);
        _ask(ALICE, 150_001, 7);
        _index(1_400e18);
        int256 before = _equity(alice);
        int256 won = _position(alice).quote - 1_507 * 1.4e18;
        vm.assertEq(won, 150.70007e18);
        _deleverage(dave, alice);
        vm.assertEq(before - _equity(alice), won / 1_507 * 1_000);
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
        perps.nominate(dave, carol, btcMarket);
        _nominate(dave, alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, dave, alice, 1_000, 1.530972972972972973e18);
        _carryOut(dave);
        PerpsState.Health memory health = _health(dave);
        vm.assertEq(health.equity, -121.827027027027027e18); // -152.8 * 147.5 / 185
        vm.assertEq(health.maintenanceMargin, 147.5e18);
        perps.deleverage(dave, btcMarket, none);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
        vm.assertEq(_equity(dave), -21.827027027027027e18); // CAROL's short of BTC had won 100
    }

    /* who may, and when */

    function test_whom_insurance_can_take_is_not_deleveraged() public {
        _short(ALICE, 1_000);
        _insure(500e18);
        _index(1_400e18);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.InsuranceSuffices.selector, int256(500e18))
        );
        perps.nominate(dave, alice, market);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.InsuranceSuffices.selector, int256(500e18))
        );
        _carryOut(dave);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_000);
    }

    function test_nobody_above_two_thirds_of_the_margin_is_deleveraged() public {
        _short(ALICE, 1_000);
        _index(1_890e18);
        _expectNotLiquidatable(dave);
        perps.nominate(dave, alice, market);
        _index(2_000e18);
        _expectNotLiquidatable(dave);
        perps.nominate(dave, alice, market);
        _expectNotLiquidatable(dave);
        _carryOut(dave);
    }

    function test_the_losers_orders_that_are_named_are_cancelled() public {
        uint40 bid = _bid(DAVE, TICK - 9_000, 10);
        _short(ALICE, 1_000);
        _index(1_400e18);
        _nominate(dave, alice);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, bid, 10, Reason.LIQUIDATION);
        perps.deleverage(dave, market, _orders(bid));
        vm.assertEq(perps.holdingOf(dave).markets, 0);
    }

    /* the winner */

    function test_a_winner_must_have_an_opposite_position_in_profit() public {
        _trade(BOB, CAROL, TICK, 2_000);
        _index(1_400e18);
        _expectNotWinner(bob, 2_000, -1_200e18); // the same side
        perps.nominate(dave, bob, market);
        _expectNotWinner(dave, 1_000, -600e18); // the loser itself
        perps.nominate(dave, dave, market);
        _expectNotWinner(99, 0, 0); // an unknown account
        perps.nominate(dave, 99, market);
    }

    function test_a_winner_without_profit_is_none() public {
        _index(1_400e18);
        _bid(BOB, 139_900, 2_000);
        _ask(ALICE, 139_900, 2_000); // a short from 1,399: 2 lost
        _expectNotWinner(alice, -2_000, -2e18);
        perps.nominate(dave, alice, market);
    }

    /// Insurance holds a short that is in profit, and still less than DAVE's debt.
    function test_insurance_is_no_winner() public {
        _insure(40e18);
        _bid(CAROL, TICK, 100);
        _ask(INSURER, TICK, 100);
        _bid(CAROL, TICK, 100);
        _index(1_400e18);
        _expectNotWinner(INSURANCE, -100, 60e18);
        perps.nominate(dave, INSURANCE, market);
    }

    /// GRACE has won 600 on ETH and lost 800 on BTC: of 217.2 she needs 130 for the rest, and gives
    /// 87.2.
    function test_a_winner_keeps_its_maintenance_margin() public {
        uint40 account = _hedged();
        _index2(1_400e18, 52_000e18);
        vm.assertEq(_equity(account), 217.2e18);
        _nominate(dave, account);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, dave, account, 1_000, 1.4872e18);
        _carryOut(dave);
        PerpsState.Health memory health = _health(account);
        vm.assertEq(health.equity, 130e18);
        vm.assertEq(health.maintenanceMargin, 130e18);
        vm.assertEq(_equity(dave), -363.5e18); // the part not covered by that
    }

    function test_who_is_below_its_own_margin_is_no_winner() public {
        uint40 account = _hedged();
        _index2(1_400e18, 51_000e18);
        vm.assertEq(_equity(account), 117.2e18); // of 162.5
        _expectNotWinner(account, -1_000, 600e18);
        perps.nominate(dave, account, market);
    }

    /// Between its nomination and the end a winner may close.
    function test_who_is_no_winner_any_more_is_spared() public {
        _short(ALICE, 1_000);
        _index(1_400e18);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 30_000)));
        _place(ALICE, _btc(_gtc(true, BTC_TICK, 30_000)));
        _nominate(dave, alice);
        _indexOne("BTC", 20_000e18); // below her margin
        _expectNotWinner(alice, -1_000, 600e18);
        _carryOut(dave);
    }

    /* insurance itself */

    /// Insurance took DAVE over at 1,880 with 29.3, and 200 of its own. At 1,600 it is 50.7 below
    /// zero: ALICE closes its long at 1,650.7.
    function test_insurance_below_zero_is_deleveraged() public {
        _insure(200e18);
        _short(ALICE, 400);
        _short(BOB, 600);
        _index(1_880e18);
        _liquidate(dave);
        _index(1_650.7e18);
        vm.assertEq(_equity(INSURANCE), int256(0));
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.InsuranceSuffices.selector, int256(0)));
        perps.nominate(INSURANCE, alice, market);
        _index(1_600e18);
        vm.assertEq(_equity(INSURANCE), -50.7e18);
        _nominate(INSURANCE, alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, INSURANCE, alice, 400, 1.6507e18);
        _carryOut(INSURANCE);
        vm.assertEq(_equity(INSURANCE), -30.42e18);
        _deleverage(INSURANCE, bob);
        vm.assertEq(_equity(INSURANCE), int256(0));
        vm.assertEq(_lots(INSURANCE), 0);
    }

    /// While its equity is negative, insurance takes over no position, even with equity to gain.
    function test_insurance_below_zero_takes_nobody_over() public {
        _insure(200e18);
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
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.InsuranceExhausted.selector, int256(200e18 + 29.3e18 - 300e18)
            )
        );
        _liquidate(account);
        _bid(CAROL, 157_900, 1_000);
        _liquidate(account); // the book still does
        vm.assertEq(_lots(account), 0);
    }

    function _short(address wallet, uint64 lots) private {
        _bid(CAROL, TICK, lots);
        _ask(wallet, TICK, lots);
    }

    /// GRACE, with 420, shorts 1,000 lots of ETH and buys 1,000 of BTC, for 2.8 of fees.
    function _hedged() private returns (uint40) {
        address grace = address(0x64);
        _deposit(grace, 420e6);
        _bid(CAROL, TICK, 1_000);
        _ask(grace, TICK, 1_000);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(grace, _btc(_gtc(true, BTC_TICK, 1_000)));
        return accounts.accountOf(grace);
    }

    function _index2(uint256 eth, uint256 btc) private {
        _indexOne("ETH", eth);
        _indexOne("BTC", btc);
    }

    function _expectNotWinner(uint40 account, int64 lots, int256 profit) private {
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.NotWinner.selector, account, lots, profit)
        );
    }

    function _expectRatioKept(PerpsState.Health memory before, PerpsState.Health memory later)
        private
        pure
    {
        vm.assertGe(
            later.equity * int256(before.maintenanceMargin),
            before.equity * int256(later.maintenanceMargin),
            "equity over maintenance margin"
        );
    }
}
