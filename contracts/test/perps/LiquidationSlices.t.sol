// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests that positions above 100,000 close a fifth at a time, 30 seconds apart.
contract LiquidationSlicesTest is LiquidationSetup {
    address private constant FRANK = address(0xF4);
    uint64 private constant BIG = 100_000; // 200,000 at 2,000

    uint40 private frank;

    /// FRANK paid 70 of taker fee: at 1,890 his equity is 14,930 - 11,000 = 3,930 of 4,725.
    function setUp() public override {
        super.setUp();
        _insure(100_000e18);
        frank = _open(FRANK, 15_000e6, true, BIG);
        _index(1_890e18);
    }

    function test_a_slice_is_a_fifth_then_nothing_for_thirty_seconds() public {
        _bid(CAROL, 187_000, BIG);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidated(market, frank, BIG / 5, 372.91e18, 0);
        _liquidate(frank);
        vm.assertEq(_lots(frank), 80_000);
        // 3,930 - 400 of slippage - 13.09 of taker fee - 372.91: 4/5 of before
        vm.assertEq(_equity(frank), 3_144e18);
        PerpsState.Holding memory holding = perps.holdingOf(frank);
        vm.assertEq(holding.partlyLiquidatedAt, START);
        vm.assertEq(holding.sliceClosed, type(uint24).max);
        _pass(29);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LiquidationTooSoon.selector, START + 30)
        );
        _liquidate(frank);
        _pass(1);
        _liquidate(frank);
        vm.assertEq(_lots(frank), 64_000);
    }

    function test_up_to_a_hundred_thousand_all_is_closed_at_once() public {
        address grace = address(0x64);
        _index(2_000e18);
        uint40 account = _open(grace, 8_000e6, true, 52_900);
        _index(1_890e18); // 99,981
        _bid(CAROL, 188_900, BIG);
        vm.assertEq(_health(account).notional, 99_981e18);
        _liquidate(account);
        vm.assertEq(_lots(account), 0);
        vm.assertEq(_lots(INSURANCE), 0);
        vm.assertEq(perps.holdingOf(account).partlyLiquidatedAt, 0);
    }

    function test_one_lot_above_a_hundred_thousand_is_closed_in_slices() public {
        address grace = address(0x64);
        _index(2_000e18);
        uint40 account = _open(grace, 8_000e6, true, 52_911);
        _index(1_890e18); // 100,001.79
        _bid(CAROL, 188_900, BIG);
        _liquidate(account);
        vm.assertEq(_lots(account), 52_911 - 10_583); // a fifth is 10,582.2
    }

    function test_after_the_pause_the_rest_below_a_hundred_thousand_goes_at_once() public {
        _bid(CAROL, 187_000, BIG);
        int64[4] memory left = [int64(80_000), 64_000, 51_200, 0];
        for (uint256 i = 0; i < 4; i++) {
            _liquidate(frank);
            vm.assertEq(_lots(frank), left[i]);
            if (i == 2) continue; // 51,200 lots are worth 96,768: no pause
            _pass(30);
        }
    }

    function test_a_healthy_account_is_left_alone_after_a_slice() public {
        _bid(CAROL, 189_000, BIG);
        _liquidate(frank);
        _pass(30);
        _liquidate(frank);
        // at the mark each slice raises the ratio: 3,930 / 4,725, 3,539 / 3,780, 3,211 / 3,024
        _pass(30);
        _expectNotLiquidatable(frank);
        _liquidate(frank);
    }

    /* a slice in parts */

    /// One lot of a friend's closes one twenty-thousandth of the slice, and gains no pause.
    function test_a_fill_of_one_lot_gains_no_pause() public {
        _bid(CAROL, 188_900, 10);
        _liquidate(frank);
        vm.assertEq(_lots(frank), 99_990);
        _bid(CAROL, 188_900, BIG);
        _liquidate(frank); // the rest of the slice: a fifth of 99,990, less the ten, rounded up
        vm.assertEq(_lots(frank), 80_001);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LiquidationTooSoon.selector, START + 30)
        );
        _liquidate(frank);
    }

    /// However it is cut, no more than a fifth goes until 30 s have passed: 27.5% of the slice,
    /// 29.1% of the next smaller one, 30.9%, and the 12.5% that are left then.
    function test_parts_of_a_slice_add_up_to_one_slice() public {
        for (uint256 i = 0; i < 4; i++) {
            _bid(CAROL, 187_000, 5_500);
            _liquidate(frank);
        }
        vm.assertEq(_lots(frank), 81_412);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LiquidationTooSoon.selector, START + 30)
        );
        _liquidate(frank);
    }

    function test_thirty_seconds_after_its_last_part_a_new_slice_begins() public {
        _bid(CAROL, 187_000, 10_000); // half of a slice
        _liquidate(frank);
        _wait(29);
        _bid(CAROL, 187_000, BIG);
        _liquidate(frank); // half of a fifth of 90,000
        vm.assertEq(_lots(frank), 81_000);
        _wait(29);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LiquidationTooSoon.selector, START + 59)
        );
        _liquidate(frank);
        _wait(1);
        _liquidate(frank);
        vm.assertEq(_lots(frank), 64_800);
    }

    function test_a_part_of_a_slice_is_forgotten_after_thirty_seconds() public {
        _bid(CAROL, 187_000, 10_000);
        _liquidate(frank);
        _wait(30);
        _bid(CAROL, 187_000, BIG);
        _liquidate(frank); // all of a fifth of 90,000
        vm.assertEq(_lots(frank), 72_000);
    }

    function _wait(uint256 seconds_) private {
        _pass(seconds_);
        _index(1_890e18);
    }

    /* without a book */

    /// Insurance takes the slice at the mark, with its fifth of the equity, not the whole position.
    function test_without_a_book_insurance_takes_the_slice() public {
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, frank, 20_000, 1.89e18, 786e18);
        _liquidate(frank);
        vm.assertEq(_lots(frank), 80_000);
        vm.assertEq(_equity(frank), 3_144e18);
        vm.assertEq(_equity(INSURANCE), 100_786e18);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LiquidationTooSoon.selector, START + 30)
        );
        _liquidate(frank);
    }

    function test_insurance_takes_what_the_book_left_of_a_slice() public {
        _bid(CAROL, 188_900, 5_000);
        _liquidate(frank);
        _liquidate(frank);
        vm.assertEq(_lots(INSURANCE), 14_250); // three quarters of a fifth of 95,000
        vm.assertEq(_lots(frank), 80_750);
    }

    function test_far_below_the_margin_there_is_no_pause() public {
        _bid(CAROL, 188_900, BIG);
        _liquidate(frank);
        _index(1_870e18);
        vm.assertLt(_equity(frank) * 3, int256(_health(frank).maintenanceMargin) * 2, "far below");
        _liquidate(frank);
        vm.assertEq(_lots(frank), 0);
        vm.assertEq(_lots(INSURANCE), 80_000);
    }

    /// The pause applies to the account, so also to its other large position; the small ones
    /// continue to close.
    function test_the_pause_holds_for_the_account() public {
        address grace = address(0x64);
        _index(2_000e18);
        uint40 account = _open(grace, 19_000e6, true, BIG);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 5_000)));
        _place(grace, _btc(_gtc(true, BTC_TICK, 5_000))); // 30,000 of BTC
        _index(1_863e18);
        vm.assertEq(_health(account).maintenanceMargin, 4_657.5e18 + 750e18);
        _liquidate(account);
        vm.assertEq(_lots(account), 80_000);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LiquidationTooSoon.selector, START + 30)
        );
        _liquidate(account);
        perps.liquidate(account, btcMarket, none);
        vm.assertEq(perps.positionOf(btcMarket, account).lots, 0);
    }
}
