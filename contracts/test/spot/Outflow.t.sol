// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DevToken} from "../../src/dev/DevToken.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {SpotSetup} from "./SpotSetup.sol";

/// Tests the limit on the outflow of an hour. The engine holds 30 million USDC; a tenth is 3
/// million.
contract SpotOutflowTest is SpotSetup {
    uint256 private constant HELD = 3 * USDC_DEPOSIT;
    uint256 private constant TENTH = HELD / 10;
    uint256 private constant SMALL = 1000e6;
    address private constant GUARDIAN = address(0x6A);

    function setUp() public override {
        super.setUp();
        vm.prank(OWNER);
        spot.setGuardian(GUARDIAN);
        vm.expectEmit(address(spot));
        emit ILedger.OutflowLimitSet(address(usdc), 1000, SMALL);
        _limit(OWNER, 1000, SMALL);
    }

    /* THE LIMIT */

    function test_a_new_token_has_no_limit() public {
        (uint16 shareBps, uint256 small, int256 room) = spot.outflowOf(address(eth));
        vm.assertEq(uint256(shareBps), 10_000);
        vm.assertEq(small, 0);
        vm.assertEq(room, int256(3 * ETH_DEPOSIT));
        for (uint256 i = 0; i < 3; i++) {
            address wallet = [ALICE, BOB, CAROL][i];
            vm.prank(wallet);
            spot.withdraw(address(eth), ETH_DEPOSIT, wallet);
        }
    }

    function test_the_share_leaves_at_once_and_no_more() public {
        _expectRoom(int256(TENTH));
        _withdraw(ALICE, TENTH - 10e6);
        _expectRoom(10e6);
        _expectAboveLimit(BOB, SMALL + 10e6 + 1, 10e6);
        _withdraw(BOB, 10e6);
        _expectAboveLimit(BOB, SMALL + 1, 0);
    }

    /// At a perpetual engine an account may have more than that, while another has a debt.
    function test_more_than_the_engine_holds_is_above_the_limit() public {
        vm.prank(address(spot));
        usdc.transfer(address(0xDEAD), HELD - USDC_DEPOSIT / 2);
        vm.expectRevert(
            abi.encodeWithSelector(
                ILedger.OutflowAboveLimit.selector,
                USDC_DEPOSIT,
                USDC_DEPOSIT / 20,
                block.timestamp + 1 hours
            )
        );
        _withdraw(ALICE, USDC_DEPOSIT);
    }

    function test_the_room_grows_evenly_to_the_share_of_what_is_left_within_an_hour() public {
        _withdraw(ALICE, TENTH);
        uint256 whole = (HELD - TENTH) / 10;
        uint256 start = block.timestamp;
        vm.warp(start + 900);
        _expectRoom(int256(whole / 4));
        vm.warp(start + 3_599);
        _expectRoom(int256(whole * 3_599 / 3_600));
        vm.warp(start + 1 hours);
        _expectRoom(int256(whole));
        vm.warp(start + 30 days);
        _expectRoom(int256(whole));
        _withdraw(ALICE, whole);
        _expectAboveLimit(ALICE, SMALL + 1, 0);
    }

    function test_a_refusal_names_the_time_at_which_there_is_room() public {
        _withdraw(ALICE, TENTH);
        uint256 whole = (HELD - TENTH) / 10;
        uint256 start = block.timestamp;
        vm.expectRevert(
            abi.encodeWithSelector(
                ILedger.OutflowAboveLimit.selector, whole / 2, 0, start + 30 minutes
            )
        );
        _withdraw(BOB, whole / 2);
        vm.warp(start + 30 minutes - 1);
        _expectAboveLimit(BOB, whole / 2 + SMALL, whole * 1_799 / 3_600);
        vm.warp(start + 30 minutes);
        _withdraw(BOB, whole / 2);
    }

    function test_a_deposit_adds_its_amount() public {
        _withdraw(ALICE, TENTH);
        _deposit(BOB, usdc, 7_000e6);
        _expectRoom(7_000e6);
        _expectAboveLimit(BOB, 7_000e6 + SMALL + 1, 7_000e6);
        _withdraw(BOB, 7_000e6);
    }

    function test_what_a_deposit_adds_beyond_the_share_goes_within_an_hour() public {
        _deposit(BOB, usdc, 5_000_000e6);
        _expectRoom(int256(TENTH + 5_000_000e6));
        uint256 start = block.timestamp;
        vm.warp(start + 30 minutes);
        _expectRoom(int256(TENTH + 500_000e6 + 4_500_000e6 / 2));
        vm.warp(start + 1 hours);
        _expectRoom(int256(TENTH + 500_000e6));
    }

    function test_transfers_inside_are_not_limited() public {
        vm.prank(ALICE);
        spot.transfer(address(usdc), BOB, USDC_DEPOSIT);
        _expectRoom(int256(TENTH));
    }

    /* BEYOND THE SHARE */

    function test_an_account_takes_its_small_amount_beyond_the_room_and_it_counts() public {
        _withdraw(ALICE, TENTH);
        _withdraw(BOB, SMALL - 1);
        _withdraw(CAROL, SMALL);
        _expectAboveLimit(BOB, 2, 0);
        _withdraw(BOB, 1);
        _expectAboveLimit(CAROL, 1, 0);
        _expectRoom(-int256(2 * SMALL));
        _deposit(CAROL, usdc, 2 * SMALL + 5);
        _expectRoom(5);
    }

    function test_what_the_room_covers_is_not_counted_as_small() public {
        _withdraw(ALICE, TENTH - 5);
        _expectAboveLimit(BOB, SMALL + 6, 5);
        _withdraw(BOB, SMALL + 5);
        _expectRoom(-int256(SMALL));
        _expectAboveLimit(BOB, 1, 0);
    }

    function test_the_next_hour_gives_each_account_its_small_amount_anew() public {
        _withdraw(ALICE, TENTH + SMALL);
        _expectAboveLimit(ALICE, 1, 0);
        vm.warp(block.timestamp + 1 hours);
        _withdraw(ALICE, (HELD - TENTH - SMALL) / 10 + SMALL);
        _expectAboveLimit(ALICE, 1, 0);
    }

    function test_all_accounts_take_no_more_than_a_tenth_of_the_share_beyond_it() public {
        _limit(OWNER, 1000, type(uint112).max);
        _withdraw(ALICE, TENTH);
        // A tenth of a tenth of the remainder: x <= (27,000,000 - x) / 100.
        uint256 most = (HELD - TENTH) / 101;
        _withdraw(BOB, most - SMALL);
        _expectAboveLimit(CAROL, SMALL + 1, 0);
        _withdraw(CAROL, SMALL);
        _expectRoom(-int256(most));
    }

    function test_the_free_part_is_of_the_hour_that_a_later_limit_finds() public {
        _withdraw(ALICE, TENTH);
        _withdraw(BOB, SMALL);
        _limit(OWNER, 10_000, SMALL);
        _limit(OWNER, 1000, SMALL);
        _expectAboveLimit(BOB, 1, 0);
    }

    function testFuzz_no_order_of_calls_lets_more_than_share_deposits_and_a_tenth_out(uint256 seed)
        public
    {
        uint256 in_;
        uint256 out;
        for (uint256 i = 0; i < 20; i++) {
            uint256 draw = uint256(keccak256(abi.encode(seed, i)));
            address wallet = [ALICE, BOB, CAROL][draw % 3];
            uint256 amount = bound(draw >> 8, 1, TENTH);
            if (draw >> 4 & 3 == 0) {
                _deposit(wallet, usdc, amount);
                in_ += amount;
                continue;
            }
            if (draw >> 4 & 3 == 1) amount = bound(draw >> 8, 1, SMALL);
            vm.prank(wallet);
            try spot.withdraw(address(usdc), amount, wallet) {
                out += amount;
            } catch (bytes memory reason) {
                if (bytes4(reason) == ILedger.BalanceTooLow.selector) continue;
                vm.assertGt(out + amount, TENTH + in_, "what has room passes");
            }
            vm.assertLe(out, TENTH + in_ + 3 * SMALL, "share, deposits, and what is small");
        }
        _expectRoom(int256(TENTH + in_) - int256(out));
    }

    /* SETTING IT */

    function test_the_share_keeps_its_bounds() public {
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.OutflowShareOutOfRange.selector, 999, 1000, 10_000)
        );
        _limit(OWNER, 999, 0);
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.OutflowShareOutOfRange.selector, 10_001, 1000, 10_000)
        );
        _limit(OWNER, 10_001, 0);
        _limit(OWNER, 1000, 0);
        _limit(OWNER, 10_000, 0);
    }

    function test_the_small_amount_keeps_its_bound() public {
        uint256 highest = type(uint112).max;
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.OutflowSmallTooLarge.selector, highest + 1, highest)
        );
        _limit(OWNER, 1000, highest + 1);
        _limit(OWNER, 1000, highest);
        _expectAboveLimit(ALICE, USDC_DEPOSIT, TENTH);
    }

    function test_an_unlisted_token_has_no_limit_to_set() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(0xDEAD)));
        vm.prank(OWNER);
        spot.setOutflowLimit(address(0xDEAD), 1000, 0);
    }

    function testFuzz_strangers_set_no_limit(address caller) public {
        vm.assume(caller != OWNER && caller != GUARDIAN && caller != address(0));
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        _limit(caller, 1000, SMALL);
    }

    function test_the_guardian_lowers_a_share_and_nothing_else() public {
        _limit(OWNER, 5000, SMALL);
        bytes memory reason =
            abi.encodeWithSelector(ILedger.OutflowNotTighter.selector, address(usdc));
        vm.expectRevert(reason);
        _limit(GUARDIAN, 5001, SMALL);
        vm.expectRevert(reason);
        _limit(GUARDIAN, 5000, SMALL - 1);
        vm.expectRevert(reason);
        _limit(GUARDIAN, 5000, SMALL + 1);
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.OutflowShareOutOfRange.selector, 999, 1000, 10_000)
        );
        _limit(GUARDIAN, 999, SMALL);
        _limit(GUARDIAN, 5000, SMALL);
        _limit(GUARDIAN, 1000, SMALL);
    }

    function test_the_guardian_sets_the_first_limit_of_a_token() public {
        _limit(OWNER, 10_000, SMALL);
        _limit(GUARDIAN, 2000, SMALL / 2);
        (uint16 shareBps, uint256 small,) = spot.outflowOf(address(usdc));
        vm.assertEq(uint256(shareBps), 2000);
        vm.assertEq(small, SMALL / 2);
    }

    function test_setting_a_limit_adds_no_room_to_the_hour() public {
        _withdraw(ALICE, TENTH);
        _limit(GUARDIAN, 1000, SMALL);
        _expectRoom(0);
        _limit(OWNER, 10_000, SMALL);
        _limit(OWNER, 9000, SMALL);
        _expectAboveLimit(ALICE, SMALL + 1, 0);
        vm.warp(block.timestamp + 1 minutes);
        _withdraw(ALICE, SMALL + 1);
    }

    function test_a_lower_share_counts_at_once() public {
        _limit(OWNER, 5000, SMALL);
        _withdraw(ALICE, TENTH);
        _limit(GUARDIAN, 1000, SMALL);
        _expectRoom(int256((HELD - TENTH) / 10));
    }

    /* EXTREMES */

    function test_amounts_beyond_what_is_counted_keep_withdrawals_possible() public {
        DevToken huge = new DevToken("Huge", "HUGE", 18);
        vm.prank(OWNER);
        spot.list("HUGE-USDC", address(huge), address(usdc), 1e4, LOT, VALUE_MIN, VALUE_MAX);
        vm.prank(OWNER);
        spot.setOutflowLimit(address(huge), 9_999, 1e18);
        _deposit(ALICE, huge, type(uint256).max / 2);
        (,, int256 room) = spot.outflowOf(address(huge));
        vm.assertEq(room, type(int112).max);
        vm.prank(ALICE);
        spot.withdraw(address(huge), uint256(int256(type(int112).max)), ALICE);
        vm.prank(ALICE);
        spot.withdraw(address(huge), 1e18, ALICE);
    }

    function _limit(address caller, uint16 shareBps, uint256 small) private {
        vm.prank(caller);
        spot.setOutflowLimit(address(usdc), shareBps, small);
    }

    function _withdraw(address wallet, uint256 amount) private {
        vm.prank(wallet);
        spot.withdraw(address(usdc), amount, wallet);
    }

    function _expectRoom(int256 room) private view {
        (,, int256 left) = spot.outflowOf(address(usdc));
        vm.assertEq(left, room);
    }

    function _expectAboveLimit(address wallet, uint256 amount, uint256 room) private {
        (uint256 share,, int256 signed) = spot.outflowOf(address(usdc));
        uint256 whole = usdc.balanceOf(address(spot)) * share / 10_000;
        uint256 wait = 1 hours;
        if (amount < whole) {
            wait = (uint256(int256(amount) - signed) * 1 hours + whole - 1) / whole;
            if (wait > 1 hours) wait = 1 hours;
        }
        bytes memory reason = abi.encodeWithSelector(
            ILedger.OutflowAboveLimit.selector, amount, room, block.timestamp + wait
        );
        vm.expectRevert(reason);
        _withdraw(wallet, amount);
    }
}
