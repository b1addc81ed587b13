// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPriceStore} from "../../src/interfaces/IPriceStore.sol";
import {GovernanceSetup} from "../governance/GovernanceSetup.sol";

/// A guardian, or a thief of its key, could halt a market or pause an asset until the owner's
/// timelock had run, and do it again a second later. Now anyone may end its stop after three days,
/// and it can stop the same thing again only three days after that.
contract GuardianForEverTest is GovernanceSetup {
    uint256 private constant LIFE = 3 days;

    /// A switch of the guardian's, at one of the three contracts that have one.
    struct Switch {
        address target;
        bytes stop;
        bytes resume;
    }

    function test_anybody_ends_what_the_guardian_stopped_after_three_days() public {
        Switch[3] memory all = _switches();
        for (uint256 i = 0; i < 3; i++) {
            vm.assertTrue(_call(GUARDIAN, all[i].target, all[i].stop));
        }
        _pass(LIFE - 1);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertFalse(_call(ALICE, all[i].target, all[i].resume), "a second early");
            vm.assertFalse(_call(GUARDIAN, all[i].target, all[i].resume), "not even its own");
        }
        _pass(1);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertTrue(_call(ALICE, all[i].target, all[i].resume), "it ends");
        }
        vm.assertFalse(perps.unitsOf(market).halted);
        vm.assertFalse(spot.unitsOf(spotMarket).halted);
        vm.assertFalse(oracle.isPaused("ETH"));
    }

    function test_the_guardian_stops_the_same_thing_again_only_as_long_after() public {
        Switch[3] memory all = _switches();
        for (uint256 i = 0; i < 3; i++) {
            vm.assertTrue(_call(GUARDIAN, all[i].target, all[i].stop));
        }
        _pass(1 hours);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertFalse(_call(GUARDIAN, all[i].target, all[i].stop), "it prolongs nothing");
            vm.assertTrue(_call(address(governance), all[i].target, all[i].resume));
            vm.assertFalse(
                _call(GUARDIAN, all[i].target, all[i].stop), "also when the owner has ended it"
            );
        }
        _pass(2 * LIFE - 1 hours - 1);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertFalse(_call(GUARDIAN, all[i].target, all[i].stop), "a second early");
        }
        _pass(1);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertTrue(_call(GUARDIAN, all[i].target, all[i].stop));
        }
        vm.assertTrue(
            _call(GUARDIAN, address(perps), abi.encodeCall(IMarkets.halt, (btcMarket, true))),
            "another one"
        );
    }

    function test_what_the_owner_stopped_stays_until_the_owner_ends_it() public {
        Switch[3] memory all = _switches();
        for (uint256 i = 0; i < 3; i++) {
            vm.assertTrue(_call(address(governance), all[i].target, all[i].stop));
            vm.assertFalse(
                _call(GUARDIAN, all[i].target, all[i].stop),
                "a stop of the guardian's would end it"
            );
        }
        _pass(10 * LIFE);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertFalse(_call(ALICE, all[i].target, all[i].resume));
            vm.assertTrue(_call(address(governance), all[i].target, all[i].resume));
        }
    }

    function test_the_owner_makes_a_stop_of_the_guardian_its_own() public {
        Switch[3] memory all = _switches();
        for (uint256 i = 0; i < 3; i++) {
            vm.assertTrue(_call(GUARDIAN, all[i].target, all[i].stop));
            vm.assertTrue(_call(address(governance), all[i].target, all[i].stop));
        }
        _pass(10 * LIFE);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertFalse(_call(ALICE, all[i].target, all[i].resume));
        }
    }

    function test_strangers_end_nothing_that_runs_and_resume_nothing_that_does_not() public {
        Switch[3] memory all = _switches();
        for (uint256 i = 0; i < 3; i++) {
            vm.assertFalse(_call(ALICE, all[i].target, all[i].resume), "nothing was stopped");
            vm.assertTrue(_call(GUARDIAN, all[i].target, all[i].stop));
        }
        _pass(LIFE);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertFalse(_call(ALICE, all[i].target, all[i].stop));
            vm.assertTrue(_call(ALICE, all[i].target, all[i].resume));
            vm.assertFalse(_call(ALICE, all[i].target, all[i].resume), "once");
        }
    }

    function _switches() private view returns (Switch[3] memory all) {
        all[0] = Switch(
            address(perps),
            abi.encodeCall(IMarkets.halt, (market, true)),
            abi.encodeCall(IMarkets.halt, (market, false))
        );
        all[1] = Switch(
            address(spot),
            abi.encodeCall(IMarkets.halt, (spotMarket, true)),
            abi.encodeCall(IMarkets.halt, (spotMarket, false))
        );
        all[2] = Switch(
            address(oracle),
            abi.encodeCall(IPriceStore.pause, ("ETH", true)),
            abi.encodeCall(IPriceStore.pause, ("ETH", false))
        );
    }

    function _call(address caller, address target, bytes memory data) private returns (bool done) {
        vm.prank(caller);
        (done,) = target.call(data);
    }
}
