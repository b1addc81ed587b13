// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A trader who knew the price before the index did traded with himself at the highest leverage:
/// one account won, the other lost more than it had, and insurance paid the difference.
contract LatencyAtHighLeverageTest is LiquidationSetup {
    address private constant A = address(0xAAA1);
    address private constant B = address(0xAAA2);

    function test_no_leverage_above_fifty_may_be_set() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxLeverage = 51;
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.LeverageOutOfRange.selector, uint16(51), uint16(50)
            )
        );
        vm.prank(OWNER);
        perps.change(market, parameters);
    }

    /// The maker of a position needed half the margin of its taker.
    function test_a_maker_has_behind_a_new_position_what_a_taker_must_have() public {
        PerpParameters memory parameters = _parameters();
        (parameters.maxLeverage, parameters.makerFee, parameters.takerFee) = (50, 0, 0);
        vm.prank(OWNER);
        perps.change(market, parameters);
        _insure(50_000e18);
        _deposit(A, 10_100e6);
        _deposit(B, 10_100e6);
        (uint40 a, uint40 b) = (accounts.accountOf(A), accounts.accountOf(B));
        // A bids half a percent above the mark, and so gives half of its margin to B
        _bid(A, TICK + TICK / 200, 250_000);
        _ask(B, TICK + TICK / 200, 250_000);
        _index(1_960e18);
        if (_lots(a) != 0) _liquidate(a);
        vm.assertLe(_equity(a) + _equity(b), int256(20_200e18), "nothing is gained");
        vm.assertGe(_equity(INSURANCE), int256(50_000e18), "nor lost by insurance");
    }
}
