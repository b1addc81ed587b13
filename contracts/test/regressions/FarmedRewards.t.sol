// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Rewards for urgent work must not pay for creating it: two accounts of one person trade with each
/// other until insurance takes one of them over, and a third collects the reward.
contract FarmedRewardsTest is LiquidationSetup {
    address private constant CALLER = address(0xFA3);
    uint256 private constant STEPS = 5;

    function test_tiny_positions_that_insurance_takes_over_gain_nothing_at_any_fee() public {
        int32[2][4] memory fees =
            [[int32(100), 350], [int32(0), 0], [int32(-350), 350], [int32(10_000), 0]];
        _insure(1_000e18);
        _deposit(CALLER, 1e6);
        for (uint256 i = 0; i < 4; i++) {
            for (uint256 step = 0; step < STEPS; step++) {
                _farm(fees[i], 10e6, step, i * STEPS + step);
            }
        }
    }

    /// The most that is paid is 10, which a large position brings in with its equity.
    function test_large_positions_that_insurance_takes_over_gain_nothing() public {
        _insure(100_000e18);
        _deposit(CALLER, 1e6);
        for (uint256 step = 0; step < STEPS; step++) {
            _farm([int32(0), 0], 250_000e6, step, step);
        }
    }

    function test_a_position_with_nothing_behind_it_is_taken_over_for_two_basis_points() public {
        _insure(1_000e18);
        _deposit(CALLER, 1e6);
        int256 before = _equity(accounts.accountOf(CALLER));
        _index(1_800e18);
        vm.prank(CALLER);
        perps.liquidate(dave, market, none);
        vm.assertEq(_equity(accounts.accountOf(CALLER)) - before, 0.36e18);
    }

    function test_half_of_what_insurance_takes_over_is_paid_up_to_ten() public {
        _insure(1_000e18);
        _deposit(CALLER, 1e6);
        uint40 caller = accounts.accountOf(CALLER);
        int256 before = _equity(caller);
        _index(1_866e18); // 15.3 left
        vm.prank(CALLER);
        perps.liquidate(dave, market, none);
        vm.assertEq(_equity(caller) - before, 7.65e18);
        vm.assertEq(_equity(INSURANCE), 1_007.65e18);
        before = _equity(caller);
        _index(2_120e18); // ERIN has 29.3
        vm.prank(CALLER);
        perps.liquidate(erin, market, none);
        vm.assertEq(_equity(caller) - before, 10e18);
    }

    /// Insurance pays no more than it has. It is short DAVE's long, and has lost on BTC.
    function test_the_reward_leaves_insurance_at_zero() public {
        _insure(500e18);
        _deposit(CALLER, 1e6);
        _bid(CAROL, TICK, LOTS);
        _ask(INSURER, TICK, LOTS);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(INSURER, _btc(_gtc(true, BTC_TICK, 1_000)));
        _index(1_800e18); // DAVE owes 50.7
        _indexOne("BTC", 60_000e18 - 10 * uint256(_equity(INSURANCE) - 50.9e18));
        vm.assertEq(_equity(INSURANCE), 50.9e18);
        vm.prank(CALLER);
        perps.liquidate(dave, market, none);
        vm.assertEq(_equity(INSURANCE), int256(0));
        vm.assertEq(_equity(accounts.accountOf(CALLER)), 1.2e18);
    }

    /// A buyer with no more than it must have loses a part of that, from nothing to all; the seller
    /// wins it.
    function _farm(int32[2] memory fees, uint256 value, uint256 step, uint256 salt) private {
        _setFees(fees);
        _index(2_000e18);
        (address a, address b) =
            (address(uint160(0xA0000 + salt)), address(uint160(0xB0000 + salt)));
        uint256 paidIn = value / 50 + value * uint256(int256(fees[1])) / 1e6 + 1;
        _deposit(a, paidIn);
        _deposit(b, value);
        (uint40 buyer, uint40 seller) = (accounts.accountOf(a), accounts.accountOf(b));
        uint40 caller = accounts.accountOf(CALLER);
        int256 before = _equity(caller) + int256(paidIn + value) * 1e12;
        _ask(b, TICK, uint64(value / 2e6));
        _bid(a, TICK, uint64(value / 2e6));
        vm.assertGt(_lots(buyer), int64(0), "opened");
        _index(2_000e18 - 40e18 * step / (STEPS - 1));
        if (_equity(buyer) < int256(_health(buyer).maintenanceMargin)) {
            vm.prank(CALLER);
            perps.liquidate(buyer, market, none);
        }
        vm.assertLe(
            _equity(buyer) + _equity(seller) + _equity(caller), before, "nothing is gained"
        );
    }

    function _setFees(int32[2] memory fees) private {
        PerpParameters memory parameters = _parameters();
        (parameters.makerFee, parameters.takerFee, parameters.maxLeverage) = (fees[0], fees[1], 50);
        vm.prank(OWNER);
        perps.change(market, parameters);
    }
}
