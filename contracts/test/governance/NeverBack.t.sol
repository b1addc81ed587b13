// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {ISpotEvents} from "../../src/interfaces/ISpot.sol";
import {GovernanceSetup} from "./GovernanceSetup.sol";

/// Tests that no parameter that governance may set revives an attack that the contracts prevent:
/// repeats the attack with each parameter at its loosest.
contract NeverBackTest is GovernanceSetup {
    uint256 private constant BPS = 10_000;

    /* DUST */

    /// The largest order is at most a million times the smallest, in any token: a hundred of the
    /// smallest in front of a book are at least a ten-thousandth of the order that they stop.
    function test_no_bounds_of_an_order_let_dust_into_a_spot_market() public {
        uint128[2][4] memory loosest =
            [[uint128(1), 1e6], [uint128(1e6), 1e12], [uint128(2e6), 2e12], [uint128(1e18), 1e24]];
        vm.startPrank(address(governance));
        for (uint256 i = 0; i < loosest.length; i++) {
            (uint128 least, uint128 most) = (loosest[i][0], loosest[i][1]);
            spot.change(spotMarket, least, most);
            _expectTooLow(0, most, least);
            uint128 step = least < 1e9 ? 1 : least / 1e9; // has few enough digits
            if (least > 1) _expectTooLow(least - step, most, least);
            step = least * 100;
            _expectTooLow(least, most + step, (uint256(most) + step - 1) / 1e6 + 1);
        }
        vm.expectRevert(abi.encodeWithSelector(ISpotEvents.OrderValueMinimumTooLow.selector, 0, 1));
        spot.list("ETH-USD", address(eth), address(usdc), 1e4, 1e14, 0, 0);
    }

    function testFuzz_a_spot_markets_least_order_is_a_millionth_of_its_largest(
        uint128 least,
        uint128 most
    ) public {
        vm.prank(address(governance));
        (bool done,) = address(spot).call(abi.encodeCall(spot.change, (spotMarket, least, most)));
        if (!done) return;
        vm.assertGt(uint256(spot.stateOf(spotMarket).minOrderValue), 0, "never nothing");
        vm.assertLe(uint256(most), 1e6 * uint256(least), "never dust");
    }

    /* OUTFLOW */

    /// With every share and every small amount, against thirty accounts that withdraw again and
    /// again.
    function testFuzz_no_limit_lets_more_than_eleven_tenths_of_its_share_out(
        uint256 share,
        uint256 small
    ) public {
        share = bound(share, 1_000, BPS - 1);
        small = bound(small, 0, type(uint112).max);
        vm.prank(address(governance));
        perps.setOutflowLimit(address(usdc), uint16(share), small);
        uint256 held = usdc.balanceOf(address(perps));
        for (uint160 i = 0; i < 30; i++) {
            address wallet = address(0xBAD00 + i);
            vm.prank(i % 2 == 0 ? ALICE : BOB);
            perps.transfer(address(usdc), wallet, 6_000e6);
            _drain(wallet);
        }
        _drain(CAROL);
        uint256 out = held - usdc.balanceOf(address(perps));
        vm.assertLe(out, held * share / BPS * 11 / 10, "share and a tenth of it");
    }

    /// Raising a limit, lifting it and setting it again add nothing to the hour at hand.
    function test_no_order_of_settings_opens_the_hour_again() public {
        vm.startPrank(address(governance));
        perps.setOutflowLimit(address(usdc), 1_000, type(uint112).max);
        vm.stopPrank();
        _drain(ALICE);
        uint256 left = usdc.balanceOf(address(perps));
        vm.startPrank(address(governance));
        perps.setOutflowLimit(address(usdc), uint16(BPS), 0);
        perps.setOutflowLimit(address(usdc), 9_999, type(uint112).max);
        perps.setOutflowLimit(address(usdc), 1_000, type(uint112).max);
        vm.stopPrank();
        _drain(BOB);
        vm.assertEq(usdc.balanceOf(address(perps)), left);
    }

    /// Withdraws as much as possible, in ever smaller pieces.
    function _drain(address wallet) private {
        for (uint256 amount = 4_096e6; amount > 50e6; amount /= 2) {
            vm.prank(wallet);
            (bool done,) = address(perps)
                .call(abi.encodeCall(ILedger.withdraw, (address(usdc), amount, wallet)));
            if (done) amount *= 2;
        }
    }

    /* DELAYS */

    /// At the shortest and the longest delay a change waits, and expires two weeks after.
    function test_no_delay_lets_a_change_come_unseen_or_late() public {
        uint256[2] memory delays = [uint256(1 days), 30 days];
        for (uint256 i = 0; i < 2; i++) {
            vm.prank(address(governance));
            governance.setMinDelay(delays[i]);
            bytes memory data = _dataOf(
                address(oracle), abi.encodeCall(oracle.setPusher, (address(uint160(i + 1))))
            );
            vm.prank(PROPOSER);
            governance.propose(MODE, data, delays[i]);
            _pass(delays[i] - 1);
            _expectExecuted(data, false);
            _pass(14 days + 2);
            _expectExecuted(data, false);
        }
        vm.assertEq(oracle.pusher(), PUSHER);
    }

    function _expectExecuted(bytes memory data, bool expected) private {
        vm.prank(EXECUTOR);
        (bool done,) = address(governance).call(abi.encodeCall(governance.execute, (MODE, data)));
        vm.assertEq(done, expected);
    }

    function _expectTooLow(uint128 least, uint128 most, uint256 nearest) private {
        vm.expectRevert(
            abi.encodeWithSelector(ISpotEvents.OrderValueMinimumTooLow.selector, least, nearest)
        );
        spot.change(spotMarket, least, most);
    }
}
