// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {GovernanceSetup} from "./GovernanceSetup.sol";

/// Caps on deposits: a launch that went wrong would lose all that was paid in, with nothing to
/// bound that.
contract DepositCapsTest is GovernanceSetup {
    uint96 private constant NONE = type(uint96).max;
    uint256 private constant HELD = 3 * DEPOSIT;
    address private constant DAVE = address(0xDA);
    address private constant INSURANCE_WALLET = address(0x1);
    address private constant FEES = address(0x2);

    function setUp() public override {
        super.setUp();
        address[2] memory wallets = [ALICE, DAVE];
        for (uint256 i = 0; i < 2; i++) {
            usdc.mint(wallets[i], 1_000e6);
            vm.prank(wallets[i]);
            usdc.approve(address(perps), 1_000e6);
        }
    }

    function test_a_token_has_no_caps_at_first() public {
        _expectCaps(NONE, NONE);
        _deposit(DAVE, 1e15);
    }

    function test_no_more_is_paid_in_than_the_token_may_hold() public {
        _set(address(governance), uint96(HELD + 100e6), NONE);
        _expectAboveCap(HELD + 100e6 + 1, HELD + 100e6, 100e6 + 1);
        _deposit(DAVE, 60e6);
        _expectAboveCap(HELD + 100e6 + 1, HELD + 100e6, 40e6 + 1);
        _withdraw(ALICE, 10e6);
        _deposit(DAVE, 50e6);
    }

    function test_no_more_is_paid_in_than_an_account_may_hold() public {
        _set(address(governance), NONE, uint96(DEPOSIT));
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.DepositAboveAccountCap.selector, DEPOSIT + 1, DEPOSIT)
        );
        _payIn(ALICE, 1);
        _deposit(DAVE, DEPOSIT);
        _withdraw(DAVE, 5);
        _deposit(DAVE, 5);
    }

    function test_the_caps_of_spot_are_its_own() public {
        vm.prank(address(governance));
        spot.setDepositCap(address(usdc), NONE, 7);
        usdc.mint(DAVE, 8);
        vm.startPrank(DAVE);
        usdc.approve(address(spot), 8);
        vm.expectRevert(abi.encodeWithSelector(ILedger.DepositAboveAccountCap.selector, 8, 7));
        spot.deposit(address(usdc), 8);
        spot.deposit(address(usdc), 7);
        vm.stopPrank();
        _deposit(DAVE, 8); // at the perpetual engine
    }

    function test_a_permit_evades_no_cap() public {
        _set(address(governance), 0, NONE);
        usdc.mint(DAVE, 1);
        vm.startPrank(DAVE);
        usdc.approve(address(perps), 1);
        vm.expectRevert(abi.encodeWithSelector(ILedger.DepositAboveCap.selector, HELD + 1, 0));
        perps.depositWithPermit(address(usdc), 1, 0, 0, 0, 0);
        vm.stopPrank();
    }

    function test_insurance_and_fees_are_paid_in_above_the_caps() public {
        _set(address(governance), 0, 0);
        _deposit(INSURANCE_WALLET, 1_000e6);
        _deposit(FEES, 1_000e6);
        vm.assertEq(_collateral(1), int256(1_000e18));
        vm.assertEq(_collateral(2), int256(1_000e18));
    }

    function test_caps_hold_back_nothing_that_leaves_or_trades() public {
        _set(address(governance), 0, 0);
        _trade(ALICE, BOB, TICK, 1_000);
        vm.prank(ALICE);
        perps.transfer(address(usdc), CAROL, 1_000e6);
        _withdraw(CAROL, DEPOSIT + 1_000e6);
    }

    function test_the_guardian_lowers_caps_at_once_and_raises_none() public {
        _set(GUARDIAN, 500e6, 50e6);
        _set(GUARDIAN, 500e6, 49e6);
        _set(GUARDIAN, 499e6, 49e6);
        bytes memory reason =
            abi.encodeWithSelector(ILedger.DepositCapNotTighter.selector, address(usdc));
        vm.expectRevert(reason);
        _set(GUARDIAN, 500e6, 49e6);
        vm.expectRevert(reason);
        _set(GUARDIAN, 499e6, 50e6);
        vm.expectRevert(reason);
        _set(GUARDIAN, NONE, NONE);
        _expectCaps(499e6, 49e6);
        _set(address(governance), NONE, NONE);
        _expectCaps(NONE, NONE);
    }

    function testFuzz_strangers_set_no_caps(address caller) public {
        vm.assume(caller != address(governance) && caller != GUARDIAN && caller != address(0));
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        _set(caller, 0, 0);
    }

    function test_an_unlisted_token_has_no_caps_to_set() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(0xDEAD)));
        vm.prank(address(governance));
        perps.setDepositCap(address(0xDEAD), 0, 0);
    }

    function _set(address caller, uint96 total, uint96 perAccount) private {
        vm.prank(caller);
        perps.setDepositCap(address(usdc), total, perAccount);
    }

    function _expectAboveCap(uint256 held, uint256 cap, uint256 amount) private {
        vm.expectRevert(abi.encodeWithSelector(ILedger.DepositAboveCap.selector, held, cap));
        _payIn(DAVE, amount);
    }

    /// The approval comes first, so that an expected revert applies to the deposit.
    function _payIn(address wallet, uint256 amount) private {
        vm.prank(wallet);
        perps.deposit(address(usdc), amount);
    }

    function _expectCaps(uint96 total, uint96 perAccount) private view {
        (uint96 total_, uint96 perAccount_) = perps.depositCapOf(address(usdc));
        vm.assertEq(uint256(total_), uint256(total));
        vm.assertEq(uint256(perAccount_), uint256(perAccount));
    }
}
