// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Timelock} from "solady/accounts/Timelock.sol";
import {EnumerableRoles} from "solady/auth/EnumerableRoles.sol";
import {Governance} from "../../src/Governance.sol";
import {Treasury} from "../../src/Treasury.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {GovernanceSetup} from "./GovernanceSetup.sol";

/// Tests that a change that loosens anything waits in the timelock, visible to everyone.
contract GovernanceTest is GovernanceSetup {
    struct Change {
        address target;
        bytes call_;
    }

    function test_the_timelock_owns_engines_and_oracle() public view {
        vm.assertEq(spot.owner(), address(governance));
        vm.assertEq(perps.owner(), address(governance));
        vm.assertEq(oracle.owner(), address(governance));
    }

    function test_every_change_of_the_owner_is_announced_and_waits_the_delay() public {
        Change[] memory changes = _changes();
        for (uint256 i = 0; i < changes.length; i++) {
            bytes memory data = _dataOf(changes[i].target, changes[i].call_);
            bytes32 id = keccak256(abi.encode(MODE, keccak256(data)));
            vm.expectEmit(address(governance));
            emit Timelock.Proposed(id, MODE, data, block.timestamp + DELAY);
            _propose(data);
            _pass(DELAY - 1);
            vm.expectRevert(
                abi.encodeWithSelector(Timelock.TimelockInvalidOperation.selector, id, 4)
            );
            _execute(data);
            _pass(1);
            vm.expectEmit(address(governance));
            emit Timelock.Executed(id, MODE, data);
            _execute(data);
        }
        vm.assertEq(uint256(perps.marketCount()), 3);
        vm.assertEq(uint256(spot.marketCount()), 2);
        vm.assertEq(oracle.sourceOf("ETH"), BOB);
    }

    function test_nobody_makes_a_change_without_the_timelock() public {
        Change[] memory changes = _changes();
        vm.startPrank(address(governance));
        perps.setOutflowLimit(address(usdc), 5000, 0);
        spot.setOutflowLimit(address(usdc), 5000, 0);
        perps.setDepositCap(address(usdc), 2 ** 90, 2 ** 90);
        spot.setDepositCap(address(usdc), 2 ** 90, 2 ** 90);
        vm.stopPrank();
        address[6] memory callers = [OWNER, PROPOSER, EXECUTOR, CANCELLER, GUARDIAN, ALICE];
        for (uint256 i = 0; i < changes.length; i++) {
            for (uint256 j = 0; j < callers.length; j++) {
                vm.prank(callers[j]);
                (bool done, bytes memory reason) = changes[i].target.call(changes[i].call_);
                vm.assertFalse(done);
                vm.assertTrue(
                    bytes4(reason) == IOwned.NotOwner.selector || callers[j] == GUARDIAN,
                    "by ownership"
                );
            }
        }
    }

    function test_a_change_that_is_cancelled_never_comes() public {
        bytes memory data =
            _dataOf(address(oracle), abi.encodeCall(oracle.setSource, ("ETH", ALICE)));
        bytes32 id = _propose(data);
        _pass(DELAY);
        vm.expectEmit(address(governance));
        emit Timelock.Cancelled(id);
        vm.prank(CANCELLER);
        governance.cancel(id);
        vm.expectRevert(abi.encodeWithSelector(Timelock.TimelockInvalidOperation.selector, id, 4));
        _execute(data);
    }

    function test_each_role_does_its_own_part_alone() public {
        bytes memory data = _dataOf(address(oracle), abi.encodeCall(oracle.setPusher, (ALICE)));
        bytes4 refusal = EnumerableRoles.EnumerableRolesUnauthorized.selector;
        address[5] memory others = [EXECUTOR, CANCELLER, GUARDIAN, OWNER, ALICE];
        for (uint256 i = 0; i < others.length; i++) {
            vm.expectRevert(refusal);
            vm.prank(others[i]);
            governance.propose(MODE, data, DELAY);
        }
        bytes32 id = _propose(data);
        _pass(DELAY);
        others[0] = PROPOSER;
        for (uint256 i = 0; i < others.length; i++) {
            vm.expectRevert(refusal);
            vm.prank(others[i]);
            governance.execute(MODE, data);
            if (others[i] == CANCELLER) continue;
            vm.expectRevert(refusal);
            vm.prank(others[i]);
            governance.cancel(id);
        }
        _execute(data);
        vm.assertEq(oracle.pusher(), ALICE);
    }

    function test_a_proposal_cannot_ask_for_less_than_the_delay() public {
        bytes memory data = _dataOf(address(oracle), abi.encodeCall(oracle.setPusher, (ALICE)));
        vm.expectRevert(
            abi.encodeWithSelector(Timelock.TimelockInsufficientDelay.selector, DELAY - 1, DELAY)
        );
        vm.prank(PROPOSER);
        governance.propose(MODE, data, DELAY - 1);
    }

    function test_a_proposal_cannot_wait_for_more_than_thirty_days() public {
        bytes memory data = _dataOf(address(oracle), abi.encodeCall(oracle.setPusher, (ALICE)));
        vm.expectRevert(
            abi.encodeWithSelector(
                Governance.DelayOutOfRange.selector, uint256(30 days + 1), DELAY, uint256(30 days)
            )
        );
        vm.prank(PROPOSER);
        governance.propose(MODE, data, 30 days + 1);
        vm.prank(PROPOSER);
        governance.propose(MODE, data, 30 days);
    }

    function test_roles_and_delay_change_only_by_proposals() public {
        address[5] memory callers = [PROPOSER, EXECUTOR, CANCELLER, GUARDIAN, OWNER];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.startPrank(callers[i]);
            vm.expectRevert(EnumerableRoles.EnumerableRolesUnauthorized.selector);
            governance.setRole(callers[i], 1, true);
            vm.expectRevert(Timelock.TimelockUnauthorized.selector);
            governance.setMinDelay(1 days);
            vm.stopPrank();
        }
        bytes memory data =
            _dataOf(address(governance), abi.encodeCall(governance.setMinDelay, (1 days)));
        _propose(data);
        _pass(DELAY);
        _execute(data);
        vm.assertEq(governance.minDelay(), 1 days);
    }

    function test_the_delay_keeps_its_bounds() public {
        Governance fresh = new Governance();
        uint256[2] memory bad = [uint256(1 days - 1), 30 days + 1];
        for (uint256 i = 0; i < 2; i++) {
            bytes memory reason = abi.encodeWithSelector(
                Governance.DelayOutOfRange.selector, bad[i], uint256(1 days), uint256(30 days)
            );
            vm.expectRevert(reason);
            fresh.initialize(
                bad[i], address(0), _only(PROPOSER), _only(EXECUTOR), _only(CANCELLER)
            );
            vm.expectRevert(reason);
            vm.prank(address(governance));
            governance.setMinDelay(bad[i]);
        }
        fresh.initialize(1 days, address(0), _only(PROPOSER), _only(EXECUTOR), _only(CANCELLER));
        vm.prank(address(governance));
        governance.setMinDelay(30 days);
    }

    function test_it_is_set_up_once_and_without_an_admin() public {
        Governance fresh = new Governance();
        vm.expectRevert(abi.encodeWithSelector(Governance.AdminRefused.selector, OWNER));
        fresh.initialize(DELAY, OWNER, _only(PROPOSER), _only(EXECUTOR), _only(CANCELLER));
        vm.expectRevert(Timelock.TimelockUnauthorized.selector);
        vm.prank(ALICE, ALICE);
        fresh.initialize(DELAY, address(0), _only(ALICE), _only(ALICE), _only(ALICE));
        vm.expectRevert(Timelock.TimelockAlreadyInitialized.selector);
        governance.initialize(DELAY, address(0), _only(OWNER), _only(OWNER), _only(OWNER));
    }

    function test_it_accepts_at_once_what_was_offered_to_it_and_nothing_else() public {
        Treasury treasury = new Treasury(OWNER);
        vm.expectRevert(
            abi.encodeWithSelector(IOwned.NotPendingOwner.selector, address(governance))
        );
        vm.prank(ALICE);
        governance.acceptOwnership(treasury);
        vm.prank(OWNER);
        treasury.offerOwnership(address(governance));
        vm.prank(ALICE);
        governance.acceptOwnership(treasury);
        vm.assertEq(treasury.owner(), address(governance));
        vm.assertEq(treasury.pendingOwner(), address(0));
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, OWNER));
        vm.prank(OWNER);
        treasury.offerOwnership(OWNER);
    }

    /// One call of every function restricted to the owner.
    function _changes() private view returns (Change[] memory changes) {
        PerpParameters memory looser = _parameters();
        looser.maxNotionalValue += 1;
        changes = new Change[](22);
        address engine = address(perps);
        changes[0] = Change(
            engine,
            abi.encodeCall(perps.list, ("SOL-PERP", "SOL", 1e16, 1e17, 1_000e18, _parameters()))
        );
        changes[1] = Change(engine, abi.encodeCall(perps.change, (market, looser)));
        changes[2] = Change(engine, abi.encodeCall(perps.setImpactValue, (market, 2_000e18)));
        changes[3] = Change(engine, abi.encodeCall(perps.setIndexAgeMax, (market, 600)));
        changes[4] = Change(engine, abi.encodeCall(perps.announceEnd, (market)));
        changes[5] =
            Change(engine, abi.encodeCall(perps.setOutflowLimit, (address(usdc), 10_000, 0)));
        changes[6] = Change(engine, abi.encodeCall(IMarkets.halt, (market, false)));
        changes[7] = Change(engine, abi.encodeCall(spot.setGuardian, (BOB)));
        changes[8] = Change(
            address(spot),
            abi.encodeCall(
                spot.list, ("ETH-USD", address(eth), address(usdc), 1e4, 1e14, 1e6, 1e12)
            )
        );
        changes[9] = Change(address(spot), abi.encodeCall(spot.change, (spotMarket, 1e6, 1e12)));
        changes[10] = Change(
            address(spot), abi.encodeCall(spot.setOutflowLimit, (address(usdc), 10_000, 0))
        );
        changes[11] = Change(address(spot), abi.encodeCall(IMarkets.halt, (spotMarket, false)));
        changes[12] = Change(address(spot), abi.encodeCall(spot.setGuardian, (BOB)));
        changes[13] = Change(address(oracle), abi.encodeCall(oracle.setSource, ("ETH", BOB)));
        changes[14] = Change(address(oracle), abi.encodeCall(oracle.setPusher, (BOB)));
        changes[15] = Change(address(oracle), abi.encodeCall(oracle.setGuardian, (BOB)));
        changes[16] = Change(address(oracle), abi.encodeCall(oracle.pause, ("ETH", false)));
        changes[17] = Change(address(oracle), abi.encodeCall(IOwned.offerOwnership, (BOB)));
        changes[18] = Change(engine, abi.encodeCall(IOwned.offerOwnership, (BOB)));
        changes[19] = Change(engine, abi.encodeCall(perps.revokeEnd, (market)));
        bytes memory caps = abi.encodeCall(perps.setDepositCap, (address(usdc), 2 ** 91, 2 ** 91));
        (changes[20], changes[21]) = (Change(engine, caps), Change(address(spot), caps));
    }
}
