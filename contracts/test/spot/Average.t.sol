// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../src/Book.sol";
import {SpotSetup} from "./SpotSetup.sol";

/// Tests the time-weighted average of the mids, from which both engines take their mark.
contract SpotAverageTest is SpotSetup {
    uint24 private constant LOW = TICK - 500;
    uint24 private constant HIGH = TICK + 500;

    uint40 private lowBid;
    uint40 private highAsk;

    function setUp() public override {
        super.setUp();
        lowBid = _bid(BOB, LOW, 1_000);
        highAsk = _ask(CAROL, HIGH, 1_000);
    }

    function _wait(uint256 seconds_) private {
        vm.warp(block.timestamp + seconds_);
    }

    /// Makes the book count the mid that lasted until now, and changes no best tick.
    function _changeBook() private returns (Book.StateView memory) {
        _bid(BOB, LOW - 100, 1_000);
        return spot.stateOf(market);
    }

    function _average() private returns (uint256) {
        return _changeBook().averageTick;
    }

    function _cancel(address wallet, uint40 order) private {
        vm.prank(wallet);
        spot.cancel(market, order);
    }

    function test_there_is_none_before_both_sides_have_stood() public {
        vm.assertEq(spot.stateOf(market).averageTick, 0);
        vm.assertEq(_average(), 0, "in the second of the first quotes");
        _wait(1);
        vm.assertEq(_average(), uint256(TICK) * 256, "the first mid that stood");
    }

    function test_a_mid_counts_by_the_time_that_it_stood() public {
        _wait(10);
        _ask(CAROL, TICK, 1_000); // the mid falls by 250
        vm.assertEq(
            spot.stateOf(market).averageTick, uint256(TICK) * 256, "what stood before the change"
        );
        _wait(60);
        vm.assertEq(_average(), uint256(TICK) * 256 - 125 * 256, "half way in a minute");
        _wait(15);
        vm.assertEq(
            _average(), uint256(TICK) * 256 - 150 * 256, "a fifth of the rest in a quarter"
        );
    }

    function test_the_mid_halves_a_tick() public {
        _wait(1);
        _ask(CAROL, HIGH - 1, 1_000);
        _average();
        _wait(60);
        vm.assertEq(_average(), uint256(TICK) * 256 - 64);
    }

    function test_it_arrives_at_a_mid_that_stays() public {
        _wait(1);
        _ask(CAROL, HIGH - 2, 1_000);
        for (uint256 i = 0; i < 256; i++) {
            _wait(1);
            _average();
        }
        vm.assertEq(_average(), uint256(TICK - 1) * 256);
    }

    function test_what_came_and_went_within_a_second_counts_nothing() public {
        _wait(10);
        _average();
        for (uint256 i = 0; i < 3; i++) {
            uint40 flash = _ask(CAROL, LOW + 1, 1_000);
            vm.assertEq(_average(), uint256(TICK) * 256);
            _cancel(CAROL, flash);
        }
        _bid(CAROL, HIGH, 1_000); // takes the ask away
        _ask(CAROL, HIGH, 1_000); // and puts it back
        _wait(60);
        vm.assertEq(_average(), uint256(TICK) * 256);
    }

    /// A cancel is the first change of its second as well as a placement is.
    function test_a_cancel_that_moves_a_best_tick_counts_the_mid_before_it() public {
        _wait(1);
        uint40 ask = _ask(CAROL, TICK, 1_000);
        _wait(60);
        _cancel(CAROL, ask);
        Book.StateView memory state = spot.stateOf(market);
        vm.assertEq(state.averageTick, uint256(TICK) * 256 - 125 * 256);
        vm.assertEq(state.changedTime, block.timestamp);
        vm.assertEq(state.bestAsk, HIGH);
        vm.assertEq(state.freshOrders, 0);
        _wait(60);
        vm.assertEq(_average(), uint256(TICK) * 256 - 125 * 128);
    }

    function test_a_cancel_of_the_best_bid_counts_the_mid_before_it() public {
        _wait(1);
        uint40 bid = _bid(BOB, TICK, 1_000);
        _wait(60);
        _cancel(BOB, bid);
        vm.assertEq(spot.stateOf(market).averageTick, uint256(TICK) * 256 + 125 * 256);
        vm.assertEq(spot.stateOf(market).bestBid, LOW);
    }

    function test_what_moves_no_best_tick_leaves_the_state_alone() public {
        uint40 second = _ask(CAROL, HIGH, 1_000);
        uint256 time = block.timestamp;
        _wait(5);
        _cancel(CAROL, second); // its level remains
        vm.prank(CAROL);
        spot.reduce(market, highAsk, 1);
        vm.assertEq(spot.stateOf(market).changedTime, time);
        vm.assertEq(spot.stateOf(market).averageTick, 0);
    }

    function test_it_stands_still_while_a_side_is_empty() public {
        _wait(10);
        _cancel(CAROL, highAsk);
        _wait(1 days);
        vm.assertEq(_average(), uint256(TICK) * 256);
        _ask(CAROL, HIGH + 200, 1_000);
        _wait(60);
        vm.assertEq(_average(), uint256(TICK) * 256 + 50 * 256, "only since the side is back");
    }

    function test_orders_of_a_second_are_counted() public {
        vm.assertEq(spot.stateOf(market).freshOrders, 2);
        _changeBook();
        vm.assertEq(spot.stateOf(market).freshOrders, 3);
        _wait(1);
        vm.assertEq(_changeBook().freshOrders, 1);
        vm.assertEq(spot.stateOf(market).nextOrder, 5);
    }

    /// At the highest ticks nothing overflows; the average is between the mids of the period.
    function testFuzz_it_is_between_the_mids_that_stood(uint256 seed) public {
        _cancel(BOB, lowBid);
        _cancel(CAROL, highAsk);
        vm.prank(OWNER);
        spot.change(market, 17, 17e6); // from a lot at tick 17 to one at the highest
        (uint256 least, uint256 most) = (type(uint256).max, 0);
        for (uint256 i = 0; i < 8; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint24 bid = uint24(17 + seed % (2 ** 24 - 20));
            uint24 ask = uint24(bid + 1 + (seed >> 64) % (2 ** 24 - 2 - bid));
            uint40 first = _bid(BOB, bid, 1);
            uint40 second = _ask(CAROL, ask, 1);
            uint256 mid = (uint256(bid) + ask) * 128;
            if (mid < least) least = mid;
            if (mid > most) most = mid;
            _wait(1 + (seed >> 128) % 1_000);
            _cancel(BOB, first);
            uint256 average = spot.stateOf(market).averageTick;
            vm.assertGe(average, least, "not below all mids");
            vm.assertLe(average, most, "not above all mids");
            _cancel(CAROL, second);
        }
    }
}
