// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IOracle, PriceStatus} from "../../src/interfaces/IOracle.sol";
import {IPerps, IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";

/// Tests listing and parameters: only the owner sets them, within hard bounds.
contract PerpsOwnerTest is PerpsSetup {
    function test_constructor_lists_the_collateral() public {
        vm.expectEmit();
        emit ILedger.TokenListed(address(usdc), "USDC", "USD Coin", 6);
        _deployPerps(accounts, oracle, address(usdc), OWNER);
    }

    function test_list_emits_everything_that_an_indexer_needs() public {
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Listed(3, "SOL-PERP", "SOL", address(usdc), 1e16, 1e17, _parameters());
        vm.expectEmit(address(perps));
        emit IPerpsEvents.ImpactValueSet(3, 1_000e18);
        vm.prank(OWNER);
        vm.assertEq(perps.list("SOL-PERP", "SOL", 1e16, 1e17, 1_000e18, _parameters()), 3);
    }

    function test_list_reverts_when_steps_leave_a_remainder() public {
        vm.expectRevert(
            abi.encodeWithSelector(IMarkets.StepsIndivisible.selector, uint256(1e9), uint256(15e7))
        );
        _list("SOL", 1e9, 15e7);
    }

    function test_list_reverts_when_a_lot_is_too_dear() public {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 1e18, 1e17));
        _list("SOL", 1e18, 1e18);
    }

    function test_list_reverts_when_the_asset_is_too_long() public {
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.AssetTooLong.selector, bytes32("THIRTEENBYTES"))
        );
        _list("THIRTEENBYTES", 1e16, 1e15);
    }

    function test_list_reverts_after_64_markets() public {
        for (uint256 i = 0; i < 62; i++) {
            _list("SOL", 1e16, 1e15);
        }
        vm.expectRevert(IPerpsEvents.TooManyMarkets.selector);
        _list("SOL", 1e16, 1e15);
    }

    function testFuzz_the_owners_calls_revert_for_others(address caller) public {
        // Zero is the guardian that is not there.
        vm.assume(caller != OWNER && caller != address(0));
        bytes memory reason = abi.encodeWithSelector(IOwned.NotOwner.selector, caller);
        vm.startPrank(caller);
        vm.expectRevert(reason);
        perps.list("SOL-PERP", "SOL", 1e16, 1e15, 1_000e18, _parameters());
        vm.expectRevert(reason);
        perps.change(market, _parameters());
        vm.expectRevert(reason);
        perps.setImpactValue(market, 2_000e18);
        vm.expectRevert(reason);
        perps.setIndexAgeMax(market, 100);
        vm.expectRevert(reason);
        perps.halt(market, true);
        vm.stopPrank();
    }

    function test_the_owners_calls_revert_for_an_unknown_market() public {
        bytes memory reason = abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9));
        vm.startPrank(OWNER);
        vm.expectRevert(reason);
        perps.change(9, _parameters());
        vm.expectRevert(reason);
        perps.setImpactValue(9, 1);
        vm.expectRevert(reason);
        perps.setIndexAgeMax(9, 100);
        vm.stopPrank();
    }

    function test_change_emits_and_applies() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxLeverage = 10;
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Changed(market, parameters);
        _change(parameters);
        _trade(ALICE, BOB, TICK, 1_000);
        vm.assertEq(_health(alice).initialMargin, 200e18);
    }

    function _within20_000(int32 x) private pure returns (int32) {
        uint256 zero = 2 ** 31; // `bound` takes no negative numbers
        uint256 bounded = bound(uint256(int256(zero) + x), zero - 20_000, zero + 20_000);
        return int32(int256(bounded) - int256(zero));
    }

    function testFuzz_fees_keep_their_bounds(int32 maker, int32 taker) public {
        maker = _within20_000(maker);
        taker = _within20_000(taker);
        PerpParameters memory parameters = _parameters();
        (parameters.makerFee, parameters.takerFee) = (maker, taker);
        bool sound = taker >= 0 && taker <= 10_000 && maker <= 10_000 && maker + taker >= 0;
        if (!sound) {
            vm.expectRevert(
                abi.encodeWithSelector(IPerpsEvents.FeesOutOfRange.selector, maker, taker)
            );
        }
        _change(parameters);
    }

    function test_limits_keep_their_bounds() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxLeverage = 0;
        _expectChangeReverts(
            parameters,
            abi.encodeWithSelector(IPerpsEvents.LeverageOutOfRange.selector, uint16(0), uint16(50))
        );
        parameters.maxLeverage = 51;
        _expectChangeReverts(
            parameters,
            abi.encodeWithSelector(
                IPerpsEvents.LeverageOutOfRange.selector, uint16(51), uint16(50)
            )
        );
        parameters = _parameters();
        parameters.maxNotionalValue = 2 ** 96;
        _expectChangeReverts(
            parameters,
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 2 ** 96, 2 ** 96 - 1)
        );
        parameters = _parameters();
        parameters.maxOpenInterest = 2 ** 62 + 1;
        _expectChangeReverts(
            parameters,
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 2 ** 62 + 1, 2 ** 62)
        );
        parameters = _parameters();
        parameters.minOrderValue = parameters.maxOrderValue + 1;
        vm.expectRevert();
        _change(parameters);
    }

    function test_setIndexAgeMax_keeps_its_bounds() public {
        vm.startPrank(OWNER);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, uint256(9), uint256(10))
        );
        perps.setIndexAgeMax(market, 9);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.LimitOutOfRange.selector, uint256(1_081), uint256(1_080)
            )
        );
        perps.setIndexAgeMax(market, 1_081);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.IndexAgeMaxSet(market, 1_080);
        perps.setIndexAgeMax(market, 1_080);
        vm.stopPrank();
        _pass(1_080);
        _bid(ALICE, TICK, 100);
    }

    function test_an_index_beyond_what_the_arithmetic_holds_is_refused() public {
        WildOracle wild = new WildOracle();
        IPerps engine = _deployPerps(accounts, IOracle(address(wild)), address(usdc), OWNER);
        vm.expectRevert(
            abi.encodeWithSelector(IOracle.PriceTooHigh.selector, bytes32("ETH"), 2 ** 96)
        );
        vm.prank(OWNER);
        engine.list("ETH-PERP", "ETH", 1e16, 1e15, 1_000e18, _parameters());
    }

    function _list(bytes32 asset, uint256 priceStep, uint256 amountStep) private {
        vm.prank(OWNER);
        perps.list("SOL-PERP", asset, priceStep, amountStep, 1_000e18, _parameters());
    }

    function _expectChangeReverts(PerpParameters memory parameters, bytes memory reason) private {
        vm.expectRevert(reason);
        _change(parameters);
    }
}

/// An oracle that keeps no bounds.
contract WildOracle {
    function read(bytes32) external view returns (uint256, uint256, uint256, PriceStatus) {
        return (2 ** 96, block.timestamp, 2 ** 96, PriceStatus.ACCEPTED);
    }
}
