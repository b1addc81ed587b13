// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Timelock} from "solady/accounts/Timelock.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {GovernanceSetup} from "../governance/GovernanceSetup.sol";

/// April 2026: stolen admin keys listed a worthless token immediately, and about 285 million
/// dollars of other tokens were withdrawn against it.
contract StolenAdminKeysTest is GovernanceSetup {
    address private constant THIEF = address(0xBAD);

    DevToken private junk;

    function setUp() public override {
        super.setUp();
        junk = new DevToken("Junk", "JUNK", 18);
        junk.mint(THIEF, 1e36);
        _deposit(ALICE, 1_000_000e6);
        usdc.mint(BOB, 1_000_000e6);
        vm.startPrank(BOB);
        usdc.approve(address(spot), 1_000_000e6);
        spot.deposit(address(usdc), 1_000_000e6);
        vm.stopPrank();
    }

    /// The thief has every key but the canceller's.
    function test_a_listing_by_stolen_keys_is_seen_for_the_delay_and_cancelled() public {
        bytes memory data = _listing();
        bytes32 id = keccak256(abi.encode(MODE, keccak256(data)));
        vm.expectEmit(address(governance));
        emit Timelock.Proposed(id, MODE, data, block.timestamp + DELAY);
        _propose(data);
        vm.expectRevert(abi.encodeWithSelector(Timelock.TimelockInvalidOperation.selector, id, 4));
        _execute(data);
        _pass(DELAY - 1);
        vm.prank(CANCELLER);
        governance.cancel(id);
        _pass(1);
        vm.expectRevert(abi.encodeWithSelector(Timelock.TimelockInvalidOperation.selector, id, 4));
        _execute(data);
        vm.assertEq(uint256(spot.marketCount()), 1);
    }

    function test_the_guardians_stolen_key_lists_nothing() public {
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, GUARDIAN));
        vm.prank(GUARDIAN);
        spot.list("JUNK-USDC", address(junk), address(usdc), 1e4, 1e14, 1e6, VALUE_MAX);
    }

    function test_a_worthless_token_that_is_listed_takes_nobodys_funds() public {
        bytes memory data = _listing();
        _propose(data);
        _pass(DELAY);
        _execute(data);
        vm.startPrank(THIEF);
        junk.approve(address(spot), type(uint256).max);
        junk.approve(address(perps), type(uint256).max);
        spot.deposit(address(junk), 1e30);
        vm.expectRevert(abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 1, 0));
        spot.withdraw(address(usdc), 1, THIEF);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(junk)));
        perps.deposit(address(junk), 1e30); // the collateral token never changes
        vm.stopPrank();
    }

    function _listing() private view returns (bytes memory) {
        return _dataOf(
            address(spot),
            abi.encodeCall(
                spot.list, ("JUNK-USDC", address(junk), address(usdc), 1e4, 1e14, 1e6, VALUE_MAX)
            )
        );
    }
}
