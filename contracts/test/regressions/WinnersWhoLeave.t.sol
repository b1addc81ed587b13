// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {AccountId} from "../../src/ValueTypes.sol";
import {IBook, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A winner saw his nomination, moved the position to a second account at the mark and withdrew his
/// profit; or closed and withdrew in the transaction after the price. The last accounts to withdraw
/// bore the loss.
contract WinnersWhoLeaveTest is LiquidationSetup {
    address private constant WINNER = address(0xAAA1);
    address private constant SECOND = address(0xAAA2);
    address private constant LOSER = address(0xAAA3);

    uint40 private winner;
    uint40 private loser;

    /// WINNER is short 980,000 against LOSER, who has 49,500. Insurance has nothing.
    function setUp() public override {
        super.setUp();
        _deposit(WINNER, 200_000e6);
        _deposit(SECOND, 200_000e6);
        _deposit(LOSER, 49_500e6);
        (winner, loser) = (accounts.accountOf(WINNER), accounts.accountOf(LOSER));
        _ask(WINNER, TICK, 490_000);
        _bid(LOSER, TICK, 490_000);
        _pass(20);
        _index(2_000e18);
    }

    /// 10% down: LOSER has lost 98,000.
    function _crash() private {
        _pushOne("ETH", 1_800e18);
        _pass(1);
    }

    function test_a_nominee_keeps_its_position() public {
        uint40 resting = _bid(WINNER, 170_000, 100);
        _crash();
        perps.nominate(loser, winner, market);
        _place(SECOND, _gtc(false, 180_000, 490_000));
        uint256 until = block.timestamp + 120;
        _expectPlaceReverts(
            WINNER,
            _order(true, 180_000, 490_000, TimeInForce.IOC, true),
            abi.encodeWithSelector(IPerpsEvents.PositionFrozen.selector, until)
        );
        vm.prank(SECOND);
        perps.cancelAll(market, _orders(resting + 3));
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, winner, resting, 100, Reason.MARGIN);
        _place(SECOND, _gtc(false, 170_000, 100));
        _pass(10);
        _index(1_800e18);
        perps.deleverage(loser, market, none);
        vm.assertEq(int256(_lots(loser)), int256(0), "the loser is closed against the nominee");
        vm.assertEq(int256(_lots(winner)), int256(0));
    }

    function test_a_nomination_that_is_void_frees_the_position() public {
        _crash();
        perps.nominate(loser, winner, market);
        _pass(121);
        _index(1_800e18);
        _place(SECOND, _gtc(false, 180_000, 10));
        _place(WINNER, _order(true, 180_000, 10, TimeInForce.IOC, true));
        vm.assertEq(int256(_lots(winner)), int256(-489_990));
    }

    function test_nothing_leaves_while_a_loss_is_flagged() public {
        _crash();
        perps.flagLoss(loser, market);
        _pass(60);
        _index(1_800e18);
        _closeWinner();
        bytes memory uncovered =
            abi.encodeWithSelector(IPerpsEvents.LossUncovered.selector, loser, market);
        vm.startPrank(WINNER);
        vm.expectRevert(uncovered);
        perps.withdraw(address(usdc), 1e6, WINNER);
        vm.expectRevert(uncovered);
        perps.transfer(address(usdc), SECOND, 1e6);
        vm.stopPrank();
        vm.expectRevert(uncovered);
        perps.clearLoss();
        // A payment to insurance releases withdrawals again.
        vm.prank(SECOND);
        perps.transfer(address(usdc), INSURER, 100_000e6);
        perps.clearLoss();
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.ClearTooSoon.selector, block.timestamp + 10)
        );
        perps.clearLoss();
        vm.prank(WINNER);
        vm.expectRevert(uncovered);
        perps.withdraw(address(usdc), 1e6, WINNER);
        _pass(10);
        _index(1_800e18);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.LossCleared(market, loser);
        perps.clearLoss();
        vm.prank(WINNER);
        perps.withdraw(address(usdc), 1e6, WINNER);
    }

    /// While the first loss is seen to be covered, another one can be flagged.
    function test_a_second_loss_takes_the_place_of_one_that_is_covered() public {
        _crash();
        perps.flagLoss(loser, market);
        perps.nominate(loser, winner, market);
        _pass(10);
        _index(1_800e18);
        perps.deleverage(loser, market, none);
        perps.clearLoss();
        vm.expectEmit(address(perps));
        emit IPerpsEvents.LossFlagged(market, dave);
        perps.flagLoss(dave, market);
        PerpsState.Loss memory loss = perps.flaggedLoss();
        vm.assertEq(AccountId.unwrap(loss.account), dave);
        vm.assertEq(loss.coveredTime, 0);
    }

    /// In the second of a price, and until there was time to flag its effect.
    function test_nothing_leaves_in_the_ten_seconds_after_a_price_has_moved_far() public {
        uint256 openTime = block.timestamp + 10;
        _pushOne("ETH", 1_800e18);
        _closeWinner();
        vm.startPrank(WINNER);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.PriceMoved.selector, openTime));
        perps.withdraw(address(usdc), 1e6, WINNER);
        vm.warp(openTime - 1);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.PriceMoved.selector, openTime));
        perps.withdraw(address(usdc), 1e6, WINNER);
        vm.warp(openTime);
        perps.withdraw(address(usdc), 1e6, WINNER);
    }

    function test_a_move_of_one_percent_stops_nobody() public {
        _pushOne("ETH", 1_980e18);
        vm.prank(SECOND);
        perps.withdraw(address(usdc), 1e6, SECOND);
        _pushOne("ETH", 1_979e18);
        vm.prank(SECOND);
        vm.expectPartialRevert(IPerpsEvents.PriceMoved.selector);
        perps.withdraw(address(usdc), 1e6, SECOND);
    }

    function test_only_a_loss_that_insurance_cannot_carry_is_flagged() public {
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        perps.flagLoss(loser, market);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NoLoss.selector));
        perps.clearLoss();
        _insure(100_000e18);
        _crash();
        vm.expectPartialRevert(IPerpsEvents.InsuranceSuffices.selector);
        perps.flagLoss(loser, market);
    }

    function _closeWinner() private {
        _place(SECOND, _gtc(false, 180_000, 490_000));
        _place(WINNER, _order(true, 180_000, 490_000, TimeInForce.IOC, true));
    }
}
