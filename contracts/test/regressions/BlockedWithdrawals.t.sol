// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// Room for withdrawals was reset at each clock hour. EVE took all of it in an hour's first second
/// and deposited it again in the last one, when it gave room to no one: with a tenth of the balance
/// she stopped everyone else permanently.
contract BlockedWithdrawalsTest is PerpsSetup {
    address private constant EVE = address(0xE7E);
    uint256 private constant AMOUNT = 5_000e6;
    uint256 private constant HELD = 3 * DEPOSIT + 34_000e6;

    function setUp() public override {
        super.setUp();
        _deposit(EVE, 34_000e6);
        vm.prank(OWNER);
        perps.setOutflowLimit(address(usdc), 1_000, 0);
        _pass(1 hours);
    }

    function test_a_tenth_of_the_balance_that_comes_and_goes_holds_up_nobody_for_long() public {
        uint256 refused;
        for (uint256 hour = 0; hour < 24; hour++) {
            _takeAll();
            for (uint256 minute = 0; minute < 59; minute++) {
                _pass(60);
                if (_room() < AMOUNT) refused += 1;
            }
            _pass(59);
            _payBack();
            _pass(1);
        }
        vm.assertLe(refused, 10, "minutes of a day");
    }

    /// She withdraws and deposits in one call, so that no other call comes between: no more leaves
    /// than the room.
    function test_what_is_paid_in_again_blocks_for_as_long_as_money_is_left() public {
        _takeAll();
        uint256 refused;
        for (uint256 minute = 0; minute < 24 * 60; minute++) {
            _pass(60);
            _payBack();
            _takeAll();
            if (_room() < AMOUNT) refused += 1;
        }
        vm.assertLe(refused, 12, "minutes of a day");
    }

    function test_who_was_refused_withdraws_at_the_time_that_the_refusal_named() public {
        _withdraw(EVE, _room());
        uint256 whole = (HELD - 33_400e6) / 10;
        uint256 openTime = block.timestamp + (AMOUNT * 3_600 + whole - 1) / whole;
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.OutflowAboveLimit.selector, AMOUNT, 0, openTime)
        );
        _withdraw(ALICE, AMOUNT);
        vm.warp(openTime);
        _withdraw(ALICE, AMOUNT);
    }

    /// Where a clock hour ended, two shares left within two seconds.
    function test_the_turn_of_an_hour_gives_nothing() public {
        vm.warp((block.timestamp / 1 hours + 1) * 1 hours - 1);
        _withdraw(ALICE, _room());
        _pass(1);
        vm.assertLe(_room(), HELD / 10 / 3_600, "what a second gives");
    }

    /// A deposit is room for as much as it brought, and not for another share.
    function test_a_deposit_that_leaves_again_takes_no_room_with_it() public {
        uint256 before = _room();
        _deposit(EVE, 1_000_000e6);
        vm.assertEq(_room(), before + 1_000_000e6);
        _withdraw(EVE, 1_000_000e6);
        vm.assertEq(_room(), before);
    }

    function test_room_that_a_deposit_brought_does_not_wait_for_a_drain() public {
        uint256 before = _room();
        _deposit(ALICE, 1_000_000e6);
        _pass(1 hours);
        vm.assertEq(_room(), before + 100_000e6, "the share of all that is there");
    }

    /// EVE withdraws up to the room and her balance.
    function _takeAll() private {
        uint256 room = _room();
        uint256 hers = uint256(_collateral(accounts.accountOf(EVE))) / 1e12;
        _withdraw(EVE, room < hers ? room : hers);
    }

    function _payBack() private {
        uint256 amount = usdc.balanceOf(EVE);
        vm.prank(EVE);
        usdc.approve(address(perps), amount);
        vm.prank(EVE);
        perps.deposit(address(usdc), amount);
    }

    function _room() private view returns (uint256) {
        (,, int256 room) = perps.outflowOf(address(usdc));
        return uint256(room);
    }
}
