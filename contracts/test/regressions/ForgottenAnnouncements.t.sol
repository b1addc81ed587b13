// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// The end of a market is announced while its feed has failed, and then the feed recovers. An
/// engine that treated "in doubt" and "paused" as "no price since" let anyone execute that
/// announcement in the first second of the next doubt, years later: the losing side of a jump went
/// to insurance at the price before it.
contract ForgottenAnnouncementsTest is LiquidationSetup {
    address private constant GUARDIAN = address(0x6A);

    function setUp() public override {
        super.setUp();
        vm.prank(OWNER);
        oracle.setGuardian(GUARDIAN);
        _pass(120);
        vm.prank(OWNER);
        perps.announceEnd(market);
    }

    function test_a_doubt_revives_no_announcement_that_a_price_has_ended() public {
        _pass(60);
        _pushOne("ETH", 2_000e18);
        _pass(3 days);
        _pushOne("ETH", 2_000e18);
        _pass(1);
        _pushOne("ETH", 1_600e18); // held
        _expectVoid();
    }

    function test_a_pause_revives_none_either() public {
        _pass(60);
        _pushOne("ETH", 2_000e18);
        _pass(3 days);
        vm.prank(GUARDIAN);
        oracle.pause("ETH", true);
        _expectVoid();
    }

    function test_a_report_that_is_held_ends_it_as_well() public {
        _pass(3 days);
        _pushOne("ETH", 1_600e18);
        _expectVoid();
    }

    /// A feed that is back cannot be kept from saying so.
    function test_nor_does_a_pause_after_it_carry_it_out() public {
        vm.prank(GUARDIAN);
        oracle.pause("ETH", true);
        _pass(3 days);
        _expectVoid();
    }

    function test_it_ends_by_itself_four_days_after_it_could_have_been_carried_out() public {
        uint256 expiry = block.timestamp + 7 days;
        vm.warp(expiry);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.EndExpired.selector, expiry));
        perps.endPositions(market, _orders(dave), none);
        vm.warp(expiry - 1);
        perps.endPositions(market, _orders(dave), none);
    }

    function _expectVoid() private {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.EndVoid.selector, market));
        perps.endPositions(market, _orders(dave), none);
    }
}
