// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPlaceFor} from "../../src/Distressed.sol";
import {PerpsAdmin} from "../../src/PerpsAdmin.sol";
import {OrderRequest} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPerps} from "../../src/interfaces/IPerps.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// Contracts that others delegate to were destroyed or taken over at their own address, since their
/// storage was not initialised. Here the parts own themselves, and calls to them affect no engine.
contract PartsAtTheirOwnAddressTest is PerpsSetup {
    IPerps private liquidation;
    IPerps private admin;

    function setUp() public override {
        super.setUp();
        address marks = vm.deployCode(
            "out/shipped/Marks.sol/Marks.json", abi.encode(accounts, oracle, address(usdc))
        );
        liquidation = IPerps(
            vm.deployCode("out/shipped/Liquidation.sol/Liquidation.json", abi.encode(marks))
        );
        admin = IPerps(
            vm.deployCode("out/shipped/PerpsAdmin.sol/PerpsAdmin.json", abi.encode(liquidation))
        );
        perps = IPerps(vm.deployCode("out/shipped/Perps.sol/Perps.json", abi.encode(admin, OWNER)));
    }

    function testFuzz_nobody_owns_the_parts(address caller) public {
        vm.assume(caller != address(admin) && caller != address(liquidation));
        vm.startPrank(caller);
        bytes memory reason = abi.encodeWithSelector(IOwned.NotOwner.selector, caller);
        vm.expectRevert(reason);
        admin.list("ETH-PERP", "ETH", 1e16, 1e15, IMPACT_VALUE, _parameters());
        vm.expectRevert(reason);
        admin.announceEnd(1);
        vm.expectRevert(reason);
        admin.setGuardian(caller);
        vm.expectRevert(reason);
        liquidation.announceEnd(1);
        vm.expectRevert(reason);
        admin.offerOwnership(caller);
        vm.expectRevert(); // it has no such function
        liquidation.offerOwnership(caller);
        vm.stopPrank();
    }

    function test_the_parts_have_no_markets_and_place_no_orders() public {
        bytes memory reason = abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(1));
        vm.expectRevert(reason);
        liquidation.liquidate(alice, 1, new uint40[](0));
        vm.expectRevert(reason);
        admin.liquidate(alice, 1, new uint40[](0));
        OrderRequest memory request;
        vm.expectRevert();
        IPlaceFor(address(admin)).placeFor(alice, request);
        vm.expectRevert();
        IPlaceFor(address(liquidation)).placeFor(alice, request);
    }

    /// Collateral deposited at PerpsAdmin's own address is there and nowhere else, and can be
    /// withdrawn.
    function test_a_deposit_with_the_admin_itself_is_not_lost() public {
        usdc.mint(ALICE, 5e6);
        vm.startPrank(ALICE);
        usdc.approve(address(admin), 5e6);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(usdc)));
        admin.deposit(address(usdc), 5e6);
        PerpsAdmin(address(admin)).listCollateral();
        admin.deposit(address(usdc), 5e6);
        vm.assertEq(perps.holdingOf(alice).collateral, int256(0));
        admin.withdraw(address(usdc), 5e6, ALICE);
        vm.stopPrank();
        vm.assertEq(usdc.balanceOf(ALICE), 5e6);
    }

    function test_the_collateral_is_listed_once() public {
        vm.recordLogs();
        PerpsAdmin(address(perps)).listCollateral();
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(uint256(perps.tokenCount()), 1);
    }

    function test_the_engine_knows_no_other_function() public {
        (bool done,) = address(perps).call(hex"00000000");
        vm.assertFalse(done, "an unknown selector");
        (done,) = address(perps).call("");
        vm.assertFalse(done, "no selector");
        vm.deal(address(this), 1);
        (done,) = address(perps).call{value: 1}("");
        vm.assertFalse(done, "the chain's own coin");
    }
}
