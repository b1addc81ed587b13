// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../src/Funding.sol";
import {GuardianStop} from "../../src/GuardianStop.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {GovernanceSetup} from "./GovernanceSetup.sol";

/// Tests that the guardian can halt and tighten immediately, and do nothing else.
contract GuardianTest is GovernanceSetup {
    /* HALTING */

    function test_it_halts_at_once_and_cannot_resume() public {
        IMarkets[2] memory engines = [IMarkets(address(perps)), IMarkets(address(spot))];
        for (uint256 i = 0; i < engines.length; i++) {
            vm.startPrank(GUARDIAN);
            vm.expectEmit(address(engines[i]));
            emit IMarkets.Halted(1, true);
            engines[i].halt(1, true);
            vm.expectRevert(
                abi.encodeWithSelector(GuardianStop.NotYet.selector, block.timestamp + 3 days)
            );
            engines[i].halt(1, false);
            vm.stopPrank();
            vm.prank(address(governance));
            engines[i].halt(1, false);
        }
    }

    function test_strangers_neither_halt_nor_tighten() public {
        vm.startPrank(ALICE);
        bytes memory reason = abi.encodeWithSelector(IOwned.NotOwner.selector, ALICE);
        vm.expectRevert(reason);
        perps.halt(market, true);
        vm.expectRevert(reason);
        spot.halt(spotMarket, true);
        vm.expectRevert(reason);
        perps.tighten(market, _parameters());
        vm.expectRevert(reason);
        perps.setOutflowLimit(address(usdc), 1000, 0);
        vm.stopPrank();
    }

    function test_no_guardian_means_nobody() public {
        vm.startPrank(address(governance));
        perps.setGuardian(address(0));
        spot.setGuardian(address(0));
        vm.stopPrank();
        vm.prank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, GUARDIAN));
        perps.halt(market, true);
    }

    /* TIGHTENING */

    function test_it_tightens_the_three_limits_at_once() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxOrderValue -= 1e18;
        parameters.maxNotionalValue -= 1;
        parameters.maxOpenInterest -= 1;
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Changed(market, parameters);
        _tighten(parameters);
        _expectNotTighter(_parameters());
        parameters.maxNotionalValue = 0;
        parameters.maxOpenInterest = 0;
        _tighten(parameters);
    }

    function test_it_loosens_no_limit_by_one_unit() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxOrderValue += 1;
        _expectNotTighter(parameters);
        parameters = _parameters();
        parameters.maxNotionalValue += 1;
        _expectNotTighter(parameters);
        parameters = _parameters();
        parameters.maxOpenInterest += 1;
        _expectNotTighter(parameters);
    }

    function test_it_leaves_all_else_as_it_is() public {
        PerpParameters memory parameters = _parameters();
        for (int32 by = -1; by <= 1; by += 2) {
            parameters = _parameters();
            parameters.minOrderValue =
                uint128(uint256(int256(uint256(parameters.minOrderValue)) + by));
            _expectNotTighter(parameters);
            parameters = _parameters();
            parameters.maxLeverage = uint16(uint256(int256(uint256(parameters.maxLeverage)) + by));
            _expectNotTighter(parameters);
            parameters = _parameters();
            parameters.makerFee += by;
            _expectNotTighter(parameters);
            parameters = _parameters();
            parameters.takerFee += by;
            _expectNotTighter(parameters);
        }
        _tighten(_parameters());
    }

    function test_what_it_tightens_keeps_the_index_age_and_the_impact_lots() public {
        (Funding.Carry memory carry, Funding.Activity memory activity) = perps.fundingOf(market);
        PerpParameters memory parameters = _parameters();
        parameters.maxOpenInterest = 1;
        _tighten(parameters);
        (Funding.Carry memory carryAfter, Funding.Activity memory after_) = perps.fundingOf(market);
        vm.assertEq(keccak256(abi.encode(carry)), keccak256(abi.encode(carryAfter)));
        vm.assertEq(keccak256(abi.encode(activity)), keccak256(abi.encode(after_)));
    }

    function test_it_limits_the_outflow_of_both_engines() public {
        vm.startPrank(GUARDIAN);
        perps.setOutflowLimit(address(usdc), 1000, 5);
        spot.setOutflowLimit(address(usdc), 1000, 5);
        bytes memory reason =
            abi.encodeWithSelector(ILedger.OutflowNotTighter.selector, address(usdc));
        vm.expectRevert(reason);
        perps.setOutflowLimit(address(usdc), 1001, 5);
        vm.expectRevert(reason);
        spot.setOutflowLimit(address(usdc), 1001, 5);
        vm.stopPrank();
        uint256 room = 3 * DEPOSIT / 10;
        uint256 nextTime = block.timestamp + 1 hours;
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.OutflowAboveLimit.selector, room + 6, room, nextTime)
        );
        _withdraw(ALICE, room + 6);
        _withdraw(ALICE, room);
        _withdraw(BOB, 5);
    }

    /* NOTHING ELSE */

    function test_it_calls_nothing_of_the_owners() public {
        bytes[] memory calls = new bytes[](7);
        calls[0] = abi.encodeCall(perps.list, ("SOL-PERP", "SOL", 1e16, 1e17, 1, _parameters()));
        calls[1] = abi.encodeCall(perps.change, (market, _parameters()));
        calls[2] = abi.encodeCall(perps.setImpactValue, (market, 2_000e18));
        calls[3] = abi.encodeCall(perps.setIndexAgeMax, (market, 10));
        calls[4] = abi.encodeCall(perps.announceEnd, (market));
        calls[5] = abi.encodeCall(spot.setGuardian, (GUARDIAN));
        calls[6] = abi.encodeCall(IOwned.offerOwnership, (GUARDIAN));
        for (uint256 i = 0; i < calls.length; i++) {
            _expectRefused(address(perps), calls[i]);
        }
        _expectRefused(address(spot), calls[5]);
        _expectRefused(address(spot), calls[6]);
        _expectRefused(
            address(spot), abi.encodeCall(spot.change, (spotMarket, 1e6, VALUE_MAX - 1))
        );
        _expectRefused(
            address(spot),
            abi.encodeCall(spot.list, ("ETH-USD", address(eth), address(usdc), 1e4, 1e14, 1, 1e12))
        );
    }

    function _expectRefused(address target, bytes memory call_) private {
        vm.prank(GUARDIAN);
        (bool done, bytes memory reason) = target.call(call_);
        vm.assertFalse(done);
        vm.assertEq(
            keccak256(reason),
            keccak256(abi.encodeWithSelector(IOwned.NotOwner.selector, GUARDIAN))
        );
    }

    function _tighten(PerpParameters memory parameters) private {
        vm.prank(GUARDIAN);
        perps.tighten(market, parameters);
    }

    function _expectNotTighter(PerpParameters memory parameters) private {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotTighter.selector, market));
        _tighten(parameters);
    }
}
