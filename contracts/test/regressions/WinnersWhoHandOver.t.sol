// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// In the second of a crash the winner closes against a second account of his, which wins next to
/// nothing. That one is deleveraged, the loser has no position left, and its debt stays: no
/// collateral leaves until the debt is paid.
contract WinnersWhoHandOverTest is LiquidationSetup {
    address private constant WINNER = address(0xAAA1);
    address private constant SECOND = address(0xAAA2);
    address private constant LOSER = address(0xAAA3);
    address private constant ANOTHER = address(0xAAA4);

    uint40 private loser;

    function setUp() public override {
        super.setUp();
        _deposit(WINNER, 200_000e6);
        _deposit(SECOND, 200_000e6);
        _deposit(LOSER, 49_500e6);
        loser = accounts.accountOf(LOSER);
        _ask(WINNER, TICK, 490_000);
        _bid(LOSER, TICK, 490_000);
        _pass(20);
        _index(2_000e18);
        _pushOne("ETH", 1_800e18);
        _place(SECOND, _gtc(false, 180_010, 490_000));
        _place(WINNER, _order(true, 180_010, 490_000, TimeInForce.IOC, true));
        _pass(1);
    }

    function test_nothing_leaves_beside_a_debt_that_insurance_cannot_pay() public {
        perps.flagLoss(loser, market);
        _closeAgainstSecond();
        _expectUncovered();
        perps.clearLoss();
        _expectShut();
        _insure(uint256(-_collateral(loser)) - 1e12);
        _expectUncovered();
        perps.clearLoss();
        _insure(1e12);
        _open();
    }

    /// It was not flagged while the position was there, or another loss was flagged then.
    function test_such_a_debt_can_be_flagged_without_a_position() public {
        _closeAgainstSecond();
        _expectUncovered();
        perps.clearLoss();
        _insure(uint256(-_collateral(loser)));
        perps.clearLoss();
        _pass(10);
        perps.clearLoss();
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        perps.flagLoss(loser, market); // insurance can pay all of it now
        vm.prank(INSURER);
        perps.withdraw(address(usdc), 1e6, INSURER);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.LossFlagged(btcMarket, loser);
        perps.flagLoss(loser, btcMarket);
        _expectShut();
        _insure(1e18);
        _open();
    }

    /// A part of the debt is paid by `coverDebt`; the rest keeps all else inside.
    function test_what_insurance_cannot_pay_any_more_stays_flagged() public {
        perps.flagLoss(loser, market);
        _closeAgainstSecond();
        _insure(10_000e18);
        perps.coverDebt(loser);
        _expectUncovered();
        perps.clearLoss();
        _insure(uint256(-_collateral(loser)));
        perps.coverDebt(loser);
        vm.assertEq(_collateral(loser), 0);
        _open();
    }

    function _closeAgainstSecond() private {
        perps.nominate(loser, accounts.accountOf(SECOND), market);
        _pass(10);
        _index(1_800e18);
        perps.deleverage(loser, market, none);
        vm.assertLt(_collateral(loser), int256(-48_000e18), "the loser owes");
        vm.assertEq(_lots(loser), 0);
        _pass(10);
        _index(1_800e18);
    }

    function _expectUncovered() private {
        vm.expectPartialRevert(IPerpsEvents.LossUncovered.selector);
    }

    function _expectShut() private {
        vm.expectPartialRevert(IPerpsEvents.LossUncovered.selector);
        vm.prank(WINNER);
        perps.withdraw(address(usdc), 290_000e6, WINNER);
    }

    function _open() private {
        perps.clearLoss();
        _pass(10);
        perps.clearLoss();
        _withdraw(WINNER, 290_000e6);
        vm.assertEq(usdc.balanceOf(WINNER), 290_000e6);
    }
}
