// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {Funding} from "../../src/Funding.sol";
import {Positions} from "../../src/Positions.sol";
import {Test, Vm} from "../Vm.sol";
import {IBook} from "../../src/interfaces/IBook.sol";
import {IPerps, IPerpsEvents} from "../../src/interfaces/IPerps.sol";

/// Tests pokes, the mark, funding hours and the payments of positions.
contract PerpsFundingTest is PerpsSetup {
    int256 private constant INTEREST = 0.0000125e18;

    /* poke */

    function test_poke_reverts_within_60_seconds() public {
        perps.poke(market);
        _pass(59);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.PokeTooSoon.selector, START + 60));
        perps.poke(market);
        _pass(1);
        perps.poke(market);
    }

    function test_poke_reverts_for_an_unknown_market() public {
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(3)));
        perps.poke(3);
    }

    function test_poke_on_a_stale_index_takes_no_sample() public {
        _pass(61);
        perps.poke(market);
        vm.assertEq(_activity().sampledSeconds, 0);
        vm.assertEq(_activity().pokedAt, START - 60);
        _index(2_000e18);
        perps.poke(market); // the first one did not count
        vm.assertEq(_activity().sampledSeconds, 61);
    }

    /* hours */

    function test_an_hour_without_samples_has_no_rate() public {
        _pass(3600);
        _index(2_000e18);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.FundingSettled(market, uint40(START + 3600), 0, 2_000e18, 0, 0, 0);
        perps.poke(market);
    }

    function test_the_rate_is_that_of_the_mean_premium_and_accrues_each_second() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _bookAround(TICK + 400); // 0.2%
        _pokeForAnHour();
        uint256 mark = _nextHour(2_000e18);
        // All but the two minutes before the end, which the poke after it counts no more.
        int256 mean = int256(0.002e18) * 3_480 / 3_600;
        int256 rate = mean / 8 - 0.0000625e18;
        int256 perSecond = rate * int256(mark / 1000) / (3600 * 1e18);
        (Funding.Carry memory carry,) = perps.fundingOf(market);
        vm.assertEq(carry.perSecond, perSecond);
        _pass(1_800);
        vm.assertEq(perps.quoteOf(market).fundingIndex, perSecond * 1_800);

        int256 before = _collateral(alice);
        _index(2_000e18);
        // Settles the funding of the long position; bids of carol rest at +390.
        _trade(ALICE, CAROL, TICK + 405, 1_000);
        int256 fee = Positions.feeUp(1_000 * uint256(TICK + 405) * UNIT, 350);
        vm.assertEq(_collateral(alice) - before, -fee - 1_000 * perSecond * 1_800);
        vm.assertEq(_position(alice).fundingIndex, perSecond * 1_800);
    }

    /// Time without a sample counts as a zero premium: the samples of a quarter do not count for
    /// the whole hour.
    function test_time_without_a_sample_counts_as_no_premium() public {
        _bookAround(TICK + 2_000); // 1%
        for (uint256 i = 0; i < 15; i++) {
            _pass(60);
            _index(2_000e18);
            perps.poke(market);
        }
        vm.assertEq(_activity().sampledSeconds, 60 + 14 * 60);
        _nextHour(2_000e18);
        int256 mean = 0.01e18 / 4;
        vm.assertEq(_activity().rate, mean / 8 - 0.0000625e18);
    }

    function test_a_sample_counts_at_most_two_minutes_and_none_of_the_hour_before() public {
        _pass(1_800);
        _index(2_000e18);
        perps.poke(market);
        vm.assertEq(_activity().sampledSeconds, 120);
        _pass(1_830);
        _index(2_000e18);
        perps.poke(market);
        vm.assertEq(_activity().sampledSeconds, 30);
    }

    function test_the_index_stands_still_from_the_end_of_its_hour_to_its_settlement() public {
        _bookAround(TICK + 400);
        _pass(1);
        perps.poke(market);
        _nextHour(2_000e18);
        (Funding.Carry memory carry,) = perps.fundingOf(market);
        _pass(3_600);
        vm.assertEq(perps.quoteOf(market).fundingIndex, int256(carry.perSecond) * 3_600);
        _pass(1_000);
        vm.assertEq(perps.quoteOf(market).fundingIndex, int256(carry.perSecond) * 3_600);
    }

    function test_a_closed_position_forgets_its_funding_index() public {
        _bookAround(TICK + 400);
        _pass(1);
        perps.poke(market);
        _nextHour(2_000e18);
        _pass(60);
        _trade(ALICE, BOB, TICK + 405, 1_000);
        vm.assertTrue(_position(alice).fundingIndex != 0);
        _trade(BOB, ALICE, TICK + 405, 1_000);
        vm.assertEq(_position(alice).fundingIndex, int256(0));
        vm.assertEq(_position(alice).lots, int256(0));
    }

    function test_settled_rows_follow_each_other() public {
        _bookAround(TICK + 400);
        _pass(1);
        perps.poke(market);
        uint256 mark = _nextHour(2_000e18); // opens an hour with a rate
        int256 rate = INTEREST; // a premium of two minutes is none of an hour
        int256 perSecond = rate * int256(mark / 1000) / (3600 * 1e18);
        _pass(60);
        _index(2_000e18);
        perps.poke(market);
        _pass(3540);
        _index(2_100e18);
        vm.expectEmit(address(perps));
        // The hour accrued at the mark of its own start. It was sampled once.
        emit IPerpsEvents.FundingSettled(
            market,
            uint40(START + 7200),
            rate,
            mark,
            perSecond * 3600,
            rate,
            rate * int256(perps.quoteOf(market).markPerLot) / (3600 * 1e18)
        );
        perps.poke(market);
    }

    function test_missed_hours_are_settled_24_at_a_time_and_lose_nothing() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _bookAround(TICK + 400);
        _pass(1);
        perps.poke(market);
        _pass(30 hours);
        _index(2_000e18);
        vm.recordLogs();
        perps.poke(market);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 24); // and no Marked while hours are missing
        (Funding.Carry memory carry,) = perps.fundingOf(market);
        vm.assertEq(carry.time, START + 24 hours);
        vm.assertEq(carry.perSecond, int256(0));
        vm.assertEq(carry.cumulative, perps.quoteOf(market).fundingIndex);
        vm.recordLogs();
        perps.poke(market);
        vm.assertEq(vm.getRecordedLogs().length, 7); // six hours and a sample
        (carry,) = perps.fundingOf(market);
        vm.assertEq(carry.time, START + 30 hours);
    }

    function test_an_order_settles_the_hour_before_anything_else() public {
        _pass(3600);
        _index(2_000e18);
        vm.recordLogs();
        _bid(ALICE, TICK - 5, 100);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs[0].topics[0], IPerpsEvents.FundingSettled.selector);
        vm.assertEq(logs[1].topics[0], IBook.Placed.selector);
        vm.assertEq(logs.length, 2);
    }

    function testFuzz_funding_is_zero_sum(uint256 seed) public {
        int256 total = 300_000e18;
        for (uint256 i = 0; i < 12; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            _pass(60 + seed % 4_000);
            _index(1_900e18 + seed % 200e18);
            (address long, address short) = seed & 256 == 0 ? (ALICE, BOB) : (CAROL, ALICE);
            if (seed & 512 == 0) (long, short) = (short, long);
            _trade(long, short, TICK, uint64(100 + (seed >> 32) % 2_000));
            _bookAround(uint24(TICK - 500 + (seed >> 64) % 1_000));
            _pass(1 + seed % 40);
            perps.poke(market);
            _clearBook();
            vm.assertEq(_totalEquity(), total, "equity is made of deposits");
        }
    }

    function testFuzz_rate_is_bounded(int256 premium, uint256 sampled) public pure {
        sampled = bound(sampled, 0, 3600);
        premium = int256(bound(uint256(premium), 0, 0.02e18)) - 0.01e18;
        int256 rate = Funding.rateOf(premium * int256(sampled), sampled);
        vm.assertLe(rate, sampled == 0 ? int256(0) : int256(0.00125e18), "high");
        vm.assertGe(rate, sampled == 0 ? int256(0) : -0.00125e18, "low");
    }

    function test_rate_of_a_small_premium_is_the_interest() public pure {
        vm.assertEq(Funding.rateOf(0, 1), INTEREST);
        vm.assertEq(Funding.rateOf(0.0006e18 * 3600, 3600), INTEREST);
        vm.assertEq(Funding.rateOf(-0.0003e18 * 3600, 3600), INTEREST);
        vm.assertEq(Funding.rateOf(0.01e18 * 120, 120), INTEREST);
    }

    function _activity() private view returns (Funding.Activity memory activity) {
        (, activity) = perps.fundingOf(market);
    }

    /// Best levels 10 ticks around `mid`, with enough lots to count.
    function _bookAround(uint24 mid) private {
        _bid(CAROL, mid - 10, IMPACT_LOTS);
        _ask(CAROL, mid + 10, IMPACT_LOTS);
    }

    function _clearBook() private {
        uint40 next = perps.stateOf(market).nextOrder;
        uint40[] memory orders = new uint40[](2);
        (orders[0], orders[1]) = (next - 1, next - 2);
        vm.prank(CAROL);
        perps.cancelAll(market, orders);
    }

    /// A sample every two minutes, up to the end of the hour.
    function _pokeForAnHour() private {
        while (block.timestamp % 3600 != 3480) {
            _pass(120);
            _index(2_000e18);
            perps.poke(market);
        }
    }

    /// Returns the mark that the new hour accrues at.
    function _nextHour(uint256 index) private returns (uint256 mark) {
        _pass(3600 - block.timestamp % 3600);
        _index(index);
        mark = perps.quoteOf(market).mark;
        perps.poke(market);
    }

    function _totalEquity() private view returns (int256 total) {
        for (uint40 account = 1; account <= 5; account++) {
            total += _health(account).equity;
        }
    }
}
