// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Decimals} from "../../src/Decimals.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {GovernanceSetup} from "./GovernanceSetup.sol";

/// Sets every parameter to its last legal value, and to the first illegal one. The tests of oracle,
/// outflow and timelock do that for their own.
contract BoundsTest is GovernanceSetup {
    uint256 private constant LOTS_HIGHEST = 2 ** 62;

    function setUp() public override {
        super.setUp();
        vm.startPrank(address(governance));
    }

    function test_the_order_values_of_a_perpetual() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxOrderValue = VALUE_HIGHEST;
        perps.change(market, parameters);
        parameters.maxOrderValue = parameters.minOrderValue;
        perps.change(market, parameters);
        (parameters.minOrderValue, parameters.maxOrderValue) = (0, 2 ** 96);
        _expectUnfit(parameters);
        (parameters.minOrderValue, parameters.maxOrderValue) = (1, 0);
        _expectUnfit(parameters);
    }

    function test_the_order_values_of_a_spot_market() public {
        spot.change(spotMarket, VALUE_HIGHEST, VALUE_HIGHEST);
        spot.change(spotMarket, 1, 1e6);
        uint128[2][2] memory unfit = [[uint128(0), 2 ** 96], [uint128(1), 0]];
        for (uint256 i = 0; i < unfit.length; i++) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IMarkets.OrderValueBoundsUnfit.selector, unfit[i][0], unfit[i][1]
                )
            );
            spot.change(spotMarket, unfit[i][0], unfit[i][1]);
        }
    }

    /// A bound of an order's value is kept in 40 bits: 32 of digits, 8 of zeros.
    function test_an_order_value_with_more_digits_than_are_kept() public {
        spot.change(spotMarket, 2 ** 32 - 1, (2 ** 32 - 1) * 1e6);
        vm.assertEq(spot.stateOf(spotMarket).minOrderValue, 2 ** 32 - 1);
        vm.assertEq(spot.stateOf(spotMarket).maxOrderValue, (2 ** 32 - 1) * 1e6);
        spot.change(spotMarket, (2 ** 32 - 1) * 1e19, (2 ** 32 - 1) * 1e19);
        vm.assertEq(spot.stateOf(spotMarket).minOrderValue, (2 ** 32 - 1) * 1e19);
        uint128[2][3] memory beyond = [
            [uint128(2 ** 32), 4_294_967_290],
            [uint128(1e10 + 1), 1e10],
            [uint128(2 ** 96 - 1), VALUE_HIGHEST]
        ];
        for (uint256 i = 0; i < beyond.length; i++) {
            (uint128 value, uint128 nearest) = (beyond[i][0], beyond[i][1]);
            vm.expectRevert(
                abi.encodeWithSelector(Decimals.TooManyDigits.selector, value, nearest)
            );
            spot.change(spotMarket, 0, value);
            vm.expectRevert(
                abi.encodeWithSelector(Decimals.TooManyDigits.selector, value, nearest)
            );
            spot.change(spotMarket, value, 2 ** 96 - 1);
            spot.change(spotMarket, nearest, nearest);
            vm.assertEq(spot.stateOf(spotMarket).maxOrderValue, nearest);
        }
    }

    function testFuzz_a_bound_of_the_order_value_is_kept_to_the_last_digit(
        uint32 digits,
        uint8 zeros
    ) public {
        vm.assume(digits != 0);
        uint128 value = uint128(digits * 10 ** (zeros % 20));
        spot.change(spotMarket, value, value);
        vm.assertEq(spot.stateOf(spotMarket).minOrderValue, value);
        vm.assertEq(spot.stateOf(spotMarket).maxOrderValue, value);
    }

    function test_the_caps() public {
        PerpParameters memory parameters = _parameters();
        (parameters.maxNotionalValue, parameters.maxOpenInterest) =
        (2 ** 96 - 1, uint64(LOTS_HIGHEST));
        perps.change(market, parameters);
        parameters.maxNotionalValue = 2 ** 96;
        _expectOutOfRange(parameters, 2 ** 96, 2 ** 96 - 1);
        parameters.maxNotionalValue = 0;
        parameters.maxOpenInterest = uint64(LOTS_HIGHEST + 1);
        _expectOutOfRange(parameters, LOTS_HIGHEST + 1, LOTS_HIGHEST);
        parameters.maxOpenInterest = 0;
        perps.change(market, parameters);
    }

    function test_the_leverage() public {
        PerpParameters memory parameters = _parameters();
        uint16[2] memory edges = [uint16(1), 50];
        uint16[2] memory beyond = [uint16(0), 51];
        for (uint256 i = 0; i < 2; i++) {
            parameters.maxLeverage = edges[i];
            perps.change(market, parameters);
            parameters.maxLeverage = beyond[i];
            vm.expectRevert(
                abi.encodeWithSelector(
                    IPerpsEvents.LeverageOutOfRange.selector, beyond[i], uint16(50)
                )
            );
            perps.change(market, parameters);
        }
    }

    function test_the_fees() public {
        int32[2][4] memory sound =
            [[int32(10_000), 10_000], [int32(-10_000), 10_000], [int32(0), 0], [int32(10_000), 0]];
        int32[2][4] memory unsound = [
            [int32(10_001), 10_000], [int32(-10_001), 10_000], [int32(0), -1], [int32(0), 10_001]
        ];
        PerpParameters memory parameters = _parameters();
        for (uint256 i = 0; i < 4; i++) {
            (parameters.makerFee, parameters.takerFee) = (sound[i][0], sound[i][1]);
            perps.change(market, parameters);
            (parameters.makerFee, parameters.takerFee) = (unsound[i][0], unsound[i][1]);
            vm.expectRevert(
                abi.encodeWithSelector(
                    IPerpsEvents.FeesOutOfRange.selector, unsound[i][0], unsound[i][1]
                )
            );
            perps.change(market, parameters);
        }
    }

    function test_the_impact_value() public {
        perps.setImpactValue(market, 1_000e18);
        perps.setImpactValue(market, type(uint128).max); // honest depth has no bound
        _expectImpactUnfit(1_000e18 - 1, 1_000e18);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 0, 1_000e18));
        perps.list("SOL-PERP", "SOL", 1e16, 1e17, 0, _parameters());
        PerpParameters memory parameters = _parameters();
        parameters.minOrderValue = 30e18;
        perps.change(market, parameters);
        _expectImpactUnfit(3_000e18 - 1, 3_000e18); // 100 orders
        perps.setImpactValue(market, 3_000e18);
    }

    /// The impact value is far above dust, and so is the value of four hundred orders.
    function test_the_least_order_value_beside_the_impact_value() public {
        PerpParameters memory parameters = _parameters();
        parameters.minOrderValue = 10.01e18;
        _expectOutOfRange(parameters, 1_000e18, 1_001e18);
        parameters.minOrderValue = 2.5e18;
        perps.change(market, parameters);
        parameters.minOrderValue = 2.4e18;
        _expectOutOfRange(parameters, 2.4e18, 2.5e18);
        parameters.minOrderValue = 0;
        _expectOutOfRange(parameters, 0, 2.5e18);
    }

    function _expectImpactUnfit(uint128 value, uint256 nearest) private {
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, value, nearest)
        );
        perps.setImpactValue(market, value);
    }

    function test_the_age_of_an_index() public {
        _setLeverage(3);
        perps.setIndexAgeMax(market, 10);
        perps.setIndexAgeMax(market, 12 hours);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 9, 10));
        perps.setIndexAgeMax(market, 9);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 12 hours + 1, 12 hours)
        );
        perps.setIndexAgeMax(market, 12 hours + 1);
    }

    /// Age times the square of the leverage is at most 432,000, whichever of the two is set last.
    function test_the_age_of_an_index_and_the_leverage_belong_together() public {
        uint16[4] memory leverages = [uint16(50), 20, 10, 4];
        uint16[4] memory ages = [uint16(172), 1_080, 4_320, 27_000];
        for (uint256 i = 0; i < 4; i++) {
            _setLeverage(leverages[i]);
            perps.setIndexAgeMax(market, ages[i]);
            bytes memory reason = abi.encodeWithSelector(
                IPerpsEvents.LimitOutOfRange.selector, ages[i] + 1, ages[i]
            );
            vm.expectRevert(reason);
            perps.setIndexAgeMax(market, ages[i] + 1);
            PerpParameters memory parameters = _parameters();
            parameters.maxLeverage = leverages[i] + 1;
            vm.expectRevert(
                abi.encodeWithSelector(
                    IPerpsEvents.LeverageOutOfRange.selector, parameters.maxLeverage, leverages[i]
                )
            );
            perps.change(market, parameters);
        }
    }

    function _setLeverage(uint16 maximum) private {
        PerpParameters memory parameters = _parameters();
        parameters.maxLeverage = maximum;
        perps.change(market, parameters);
    }

    function test_the_steps_of_a_perpetual() public {
        perps.list("SOL-PERP", "SOL", 1e18, 1e17, 1_000e18, _parameters());
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 1e17 + 1, 1e17)
        );
        perps.list("SOL-PERP", "SOL", 1e18 + 10, 1e17, 1_000e18, _parameters());
        perps.list("SOL-PERP", "SOL", 1e15, 18e18, 1_000e18, _parameters());
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 19e18, type(uint64).max)
        );
        perps.list("SOL-PERP", "SOL", 1e15, 19e18, 1_000e18, _parameters());
        perps.list("SOL-PERP", "TWELVE_BYTES", 1e16, 1e15, 1_000e18, _parameters());
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.AssetTooLong.selector, bytes32("THIRTEEN_BYTE"))
        );
        perps.list("SOL-PERP", "THIRTEEN_BYTE", 1e16, 1e15, 1_000e18, _parameters());
    }

    function test_setters_refuse_a_market_that_is_not_listed() public {
        bytes memory reason = abi.encodeWithSelector(IMarkets.MarketUnknown.selector, 9);
        vm.expectRevert(reason);
        perps.change(9, _parameters());
        vm.expectRevert(reason);
        perps.tighten(9, _parameters());
        vm.expectRevert(reason);
        perps.setImpactValue(9, 1);
        vm.expectRevert(reason);
        perps.setIndexAgeMax(9, 60);
        vm.expectRevert(reason);
        perps.halt(9, true);
        vm.expectRevert(reason);
        spot.halt(9, true);
        vm.expectRevert(reason);
        spot.change(9, 0, 0);
    }

    function _expectUnfit(PerpParameters memory parameters) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                IMarkets.OrderValueBoundsUnfit.selector,
                parameters.minOrderValue,
                parameters.maxOrderValue
            )
        );
        perps.change(market, parameters);
    }

    function _expectOutOfRange(PerpParameters memory parameters, uint256 limit, uint256 edge)
        private
    {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, limit, edge));
        perps.change(market, parameters);
    }
}
