// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TimeInForce} from "../../src/interfaces/IBook.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// An account that brings two prices in one transaction could fill its own resting bid at the high
/// and leave it with a debt at the low, for others to pay. A maker that opens needs margin for the
/// move of its second, like a taker.
contract MakersInAWickTest is LiquidationSetup {
    address private constant WINNER = address(0xAAA1);
    address private constant LOSER = address(0xAAA3);

    function test_a_maker_that_opens_needs_margin_for_the_move_of_its_second() public {
        _deposit(WINNER, 400_000e6);
        _deposit(LOSER, 54_000e6);
        uint40 loser = accounts.accountOf(LOSER);
        uint40 bid = _bid(LOSER, 218_000, 440_000);
        _pass(1);
        _index(2_000e18);
        _pass(1);
        _pushOne("ETH", 2_190e18);
        _place(WINNER, _order(false, 218_000, 440_000, TimeInForce.IOC, false));
        vm.assertEq(_lots(loser), 0);
        vm.assertEq(_lotsOf(bid), 0, "dropped");
        _pushOne("ETH", 1_810e18);
        vm.assertEq(_equity(loser), 54_000e18);
    }

    /// 2,000 of value and 0.5 % of it, plus twice the maintenance margin of 100.
    function test_a_maker_with_margin_for_the_move_fills() public {
        _deposit(LOSER, 111e6);
        uint40 loser = accounts.accountOf(LOSER);
        _bid(LOSER, TICK, LOTS);
        _pass(1);
        _pushOne("ETH", 2_000e18);
        _pass(1);
        _pushOne("ETH", 2_010e18);
        _place(BOB, _order(false, TICK, LOTS, TimeInForce.IOC, false));
        vm.assertEq(_lots(loser), int64(LOTS));
    }
}
