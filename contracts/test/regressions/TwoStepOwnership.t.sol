// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MockPyth} from "@pythnetwork/pyth-sdk-solidity/MockPyth.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// Contracts were lost to a mistyped new owner, to zero, and to offers that were forgotten. Every
/// owned contract is tried.
contract TwoStepOwnershipTest is PerpsSetup {
    address private constant MISTYPED = address(0x0A12);
    address private constant NEXT = address(0xAE);

    IOwned[] private _owned;

    function setUp() public override {
        super.setUp();
        MockPyth pyth = new MockPyth(60, 0);
        _owned.push(IOwned(address(perps)));
        _owned.push(IOwned(address(oracle)));
        _owned.push(
            IOwned(vm.deployCode("out/shipped/Spot.sol/Spot.json", abi.encode(accounts, OWNER)))
        );
        _owned.push(
            IOwned(
                vm.deployCode(
                    "out/shipped/PythSource.sol/PythSource.json", abi.encode(oracle, pyth, OWNER)
                )
            )
        );
        bytes memory arguments = abi.encode(oracle, OWNER, address(0));
        _owned.push(
            IOwned(
                vm.deployCode("out/shipped/ChainlinkSource.sol/ChainlinkSource.json", arguments)
            )
        );
        _owned.push(
            IOwned(vm.deployCode("out/shipped/Treasury.sol/Treasury.json", abi.encode(OWNER)))
        );
    }

    function test_an_offer_to_a_mistyped_owner_changes_nothing_and_is_taken_back() public {
        for (uint256 i = 0; i < _owned.length; i++) {
            _offer(i, MISTYPED);
            vm.assertEq(_owned[i].owner(), OWNER);
            _offer(i, address(0));
            vm.assertEq(_owned[i].pendingOwner(), address(0));
            _expectRefused(i, MISTYPED);
        }
    }

    function test_a_newer_offer_takes_the_place_of_a_forgotten_one() public {
        for (uint256 i = 0; i < _owned.length; i++) {
            _offer(i, MISTYPED);
            _offer(i, NEXT);
            _expectRefused(i, MISTYPED);
            _accept(i, NEXT);
            vm.assertEq(_owned[i].owner(), NEXT);
        }
    }

    function test_an_offer_is_accepted_once_and_ends_the_old_owner() public {
        for (uint256 i = 0; i < _owned.length; i++) {
            _offer(i, NEXT);
            vm.expectEmit(address(_owned[i]));
            emit IOwned.OwnershipAccepted(NEXT);
            _accept(i, NEXT);
            _expectRefused(i, NEXT);
            vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, OWNER));
            _offer(i, OWNER);
        }
    }

    function testFuzz_only_the_owner_offers(address caller) public {
        vm.assume(caller != OWNER);
        for (uint256 i = 0; i < _owned.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
            vm.prank(caller);
            _owned[i].offerOwnership(caller);
        }
    }

    function test_a_contract_without_an_owner_is_not_created() public {
        vm.expectRevert();
        vm.deployCode("out/shipped/PushOracle.sol/PushOracle.json", abi.encode(address(0), PUSHER));
        vm.expectRevert();
        vm.deployCode("out/shipped/Spot.sol/Spot.json", abi.encode(accounts, address(0)));
    }

    function _offer(uint256 i, address to) private {
        vm.prank(OWNER);
        _owned[i].offerOwnership(to);
    }

    function _accept(uint256 i, address who) private {
        vm.prank(who);
        _owned[i].acceptOwnership();
    }

    function _expectRefused(uint256 i, address who) private {
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotPendingOwner.selector, who));
        _accept(i, who);
    }
}
