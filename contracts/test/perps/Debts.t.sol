// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests that a loss that no winner covered stays a debt until insurance can pay it.
contract DebtsTest is LiquidationSetup {
    /// At 1,400 DAVE owes 450.7; BOB, who has won 1, pays that, and takes the lots.
    function setUp() public override {
        super.setUp();
        _index(1_401e18);
        _bid(CAROL, 140_100, 1_000);
        _ask(BOB, 140_100, 1_000);
        _index(1_400e18);
        _deleverage(dave, bob);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_equity(dave), -449.7e18);
    }

    function test_insurance_pays_a_debt_when_it_can() public {
        _insure(500e18);
        vm.expectEmit(address(perps));
        emit ILedger.Transferred(INSURANCE, dave, address(usdc), 449.7e6);
        perps.coverDebt(dave);
        vm.assertEq(_collateral(dave), int256(0));
        vm.assertEq(_collateral(INSURANCE), 50.3e18);
    }

    function test_insurance_pays_no_more_than_it_has() public {
        _insure(100e18);
        perps.coverDebt(dave);
        vm.assertEq(_collateral(dave), -349.7e18);
        vm.assertEq(_equity(INSURANCE), int256(0));
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.InsuranceExhausted.selector, int256(0))
        );
        perps.coverDebt(dave);
    }

    /// Insurance cannot pay with the losses of its positions.
    function test_insurance_pays_out_of_its_equity() public {
        _insure(100e18);
        _bid(INSURER, 140_000, 100);
        _ask(CAROL, 140_000, 100);
        _index(1_300e18);
        perps.coverDebt(dave);
        vm.assertGe(_equity(INSURANCE), int256(0), "not below zero");
        vm.assertLt(_equity(INSURANCE), int256(1e12), "nor more than was to be had");
        vm.assertLt(_collateral(dave), -359e18, "some 90 of 100");
        vm.assertGt(_collateral(dave), -361e18, "some 90 of 100");
    }

    function test_who_owes_nothing_or_has_a_position_is_no_debtor() public {
        _insure(500e18);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.NoDebt.selector, alice, _collateral(alice))
        );
        perps.coverDebt(alice);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.NoDebt.selector, uint40(99), int256(0))
        );
        perps.coverDebt(99);
    }

    /// GRACE closes a long of ETH at a loss of twice her collateral; the profit of her short of BTC
    /// equals it.
    function test_a_debt_with_a_position_is_for_liquidation() public {
        _insure(500e18);
        address grace = address(0x64);
        _deposit(grace, 1_000e6);
        uint40 account = accounts.accountOf(grace);
        _index(2_000e18);
        _ask(CAROL, TICK, 2_000);
        _bid(grace, TICK, 2_000);
        _place(CAROL, _btc(_gtc(true, BTC_TICK, 1_000)));
        _place(grace, _btc(_gtc(false, BTC_TICK, 1_000)));
        _index(1_000e18);
        _indexOne("BTC", 40_000e18);
        _bid(CAROL, 100_000, 2_000);
        _place(grace, _order(false, 100_000, 2_000, TimeInForce.IOC, true));
        vm.assertLt(_collateral(account), int256(0), "a debt");
        vm.assertGt(_equity(account), int256(0), "and a profit");
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.NoDebt.selector, account, _collateral(account))
        );
        perps.coverDebt(account);
    }
}
