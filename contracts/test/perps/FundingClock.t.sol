// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../src/Funding.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {Vm} from "../Vm.sol";
import {PerpsSetup} from "./PerpsSetup.sol";

/// Tests when the funding clock of a market starts, and that no hour after it is missing.
contract FundingClockTest is PerpsSetup {
    bytes32 private constant ASSET = "SOL";
    uint256 private constant PRICE = 150e18;
    uint24 private constant PRICE_TICK = 15_000;

    uint32 private early; // listed in the first second, before its asset's first price

    struct Row {
        uint256 time;
        int256 rate;
        uint256 mark;
    }

    function setUp() public override {
        super.setUp();
        early = _list();
    }

    function test_before_the_first_price_nothing_is_settled() public {
        for (uint256 i = 0; i < 5; i++) {
            _pass(1 hours);
            vm.assertEq(_settle(early).length, 0, "no row without a price");
            vm.recordLogs();
            perps.poke(early);
            vm.assertEq(vm.getRecordedLogs().length, 0, "nor by a poke");
        }
        (Funding.Carry memory carry, Funding.Activity memory activity) = perps.fundingOf(early);
        vm.assertEq(carry.time, 0);
        vm.assertEq(activity.hourMark, 0);
        vm.assertEq(perps.quoteOf(early).fundingIndex, int256(0));
    }

    /// So there are no positions when the clock starts, and its start benefits no account.
    function test_before_the_first_price_nobody_trades() public {
        market = early;
        bytes memory stale =
            abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, ASSET, uint256(0));
        _expectPlaceReverts(ALICE, _gtc(true, PRICE_TICK, 1_000), stale);
        _pass(5 hours);
        _expectPlaceReverts(ALICE, _gtc(false, PRICE_TICK, 1_000), stale);
    }

    function test_the_first_row_ends_the_hour_of_the_first_price() public {
        _pass(5 hours + 1_234);
        _price(PRICE);
        vm.assertEq(_settle(early).length, 0, "its hour runs");
        vm.warp(START + 6 hours - 1);
        vm.assertEq(_settle(early).length, 0, "to its last second");
        _pass(1);
        Row[] memory rows = _settle(early);
        vm.assertEq(rows.length, 1);
        vm.assertEq(rows[0].time, START + 6 hours);
        vm.assertEq(rows[0].rate, int256(0));
        vm.assertEq(rows[0].mark, PRICE);
    }

    function test_a_first_price_at_a_full_hour_begins_that_hour() public {
        _pass(5 hours);
        _price(PRICE);
        vm.assertEq(_settle(early).length, 0);
        vm.warp(START + 6 hours);
        Row[] memory rows = _settle(early);
        vm.assertEq(rows.length, 1);
        vm.assertEq(rows[0].time, START + 6 hours);
    }

    /// Independent of the first caller and the time of the call: the clock started with the price.
    function test_nobody_puts_the_start_off_by_not_calling() public {
        _pass(5 hours + 1);
        _price(PRICE);
        (Funding.Carry memory carry, Funding.Activity memory activity) = perps.fundingOf(early);
        vm.assertEq(carry.time, START + 5 hours, "a view says so at once");
        vm.assertEq(activity.hourMark, PRICE);
        _pass(30 hours);
        _price(PRICE + PRICE / 20);
        Row[] memory rows = _settle(early);
        vm.assertEq(rows.length, 24, "as many as a call settles");
        vm.assertEq(rows[0].time, START + 6 hours);
        vm.assertEq(rows[0].mark, PRICE, "the mark of its start");
        vm.assertEq(rows[1].mark, PRICE + PRICE / 20, "that of its settlement");
        rows = _settle(early);
        vm.assertEq(rows.length, 6);
        vm.assertEq(rows[5].time, START + 35 hours);
    }

    /// An order settles before anything else, the first one too.
    function test_an_order_settles_the_hours_since_the_first_price() public {
        _pass(5 hours);
        _price(PRICE);
        _pass(2 hours);
        _price(PRICE);
        market = early;
        vm.recordLogs();
        _bid(ALICE, PRICE_TICK, 1_000);
        Row[] memory rows = _rowsOf(vm.getRecordedLogs());
        vm.assertEq(rows.length, 2);
        vm.assertEq(rows[1].time, START + 7 hours);
    }

    function test_a_sample_counts_no_second_before_the_clock() public {
        _pass(5 hours + 30);
        _price(PRICE);
        perps.poke(early);
        (, Funding.Activity memory activity) = perps.fundingOf(early);
        vm.assertEq(activity.sampledSeconds, 30);
    }

    function test_a_market_listed_after_the_price_begins_with_its_listing() public {
        _price(PRICE);
        _pass(5 hours + 10);
        _price(PRICE + 1e18);
        uint32 late = _list();
        vm.warp(START + 6 hours);
        Row[] memory rows = _settle(late);
        vm.assertEq(rows.length, 1);
        vm.assertEq(rows[0].time, START + 6 hours);
        vm.assertEq(rows[0].mark, PRICE + 1e18);
        vm.assertEq(_settle(early).length, 6, "the other has its own clock");
    }

    /// Hours continue at the last mark, whatever happens to the index.
    function test_an_index_that_dies_for_days_leaves_no_gap() public {
        _price(PRICE);
        uint256 time = START;
        for (uint256 i = 0; i < 5; i++) {
            if (i == 2) _pauseAsset(true);
            _pass(1 days);
            if (i == 4) {
                _pauseAsset(false);
                _price(PRICE - 1e18);
            }
            time = _requireRows(_settle(early), time);
        }
        vm.assertEq(time, START + 5 days);
    }

    /// A market's rows follow one another from the hour of its first price on, each with a mark.
    function testFuzz_every_hour_has_its_row_and_every_row_a_mark(uint256 seed) public {
        uint256 silence = seed % 20 hours;
        _pass(silence);
        if (seed >> 255 == 0) _settle(early);
        // From the smallest first price there is on.
        uint256 price = 1e18 + (seed >> 8) % (uint256(1) << ((seed >> 104) % 74));
        _price(price);
        uint256 time = START + silence - silence % 1 hours;
        for (uint256 i = 0; i < 8; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            _pass(1 + seed % 15 hours);
            if (seed & 1 << 20 != 0) _price(price);
            if (seed & 3 << 21 == 0) _pauseAsset(seed & 1 << 23 == 0);
            if (seed & 1 << 24 != 0) time = _requireRows(_settle(early), time);
            else time = _requireRows(_poke(), time);
        }
        time = _requireRows(_settle(early), time);
        time = _requireRows(_settle(early), time);
        time = _requireRows(_settle(early), time);
        time = _requireRows(_settle(early), time);
        time = _requireRows(_settle(early), time);
        vm.assertEq(time, block.timestamp - block.timestamp % 1 hours, "up to this hour");
    }

    function _list() private returns (uint32) {
        vm.prank(OWNER);
        return perps.list("SOL-PERP", ASSET, 1e16, 1e16, IMPACT_VALUE, _parameters());
    }

    /// A paused asset takes none.
    function _price(uint256 price) private {
        if (oracle.isPaused(ASSET)) return;
        (bytes32[] memory assets, uint256[] memory prices) = (new bytes32[](1), new uint256[](1));
        (assets[0], prices[0]) = (ASSET, price);
        vm.prank(PUSHER);
        oracle.push(assets, prices, uint40(block.timestamp));
    }

    function _pauseAsset(bool paused) private {
        if (oracle.isPaused(ASSET) == paused) return;
        vm.prank(OWNER);
        oracle.pause(ASSET, paused);
    }

    function _settle(uint32 which) private returns (Row[] memory) {
        vm.recordLogs();
        perps.settleHours(which);
        return _rowsOf(vm.getRecordedLogs());
    }

    function _poke() private returns (Row[] memory rows) {
        vm.recordLogs();
        try perps.poke(early) {}
        catch {
            vm.getRecordedLogs();
            return new Row[](0);
        }
        return _rowsOf(vm.getRecordedLogs());
    }

    function _rowsOf(Vm.Log[] memory logs) private pure returns (Row[] memory rows) {
        rows = new Row[](logs.length);
        uint256 count;
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].topics[0] != IPerpsEvents.FundingSettled.selector) continue;
            (uint40 time, int256 rate, uint256 mark) =
                abi.decode(logs[i].data, (uint40, int256, uint256));
            rows[count++] = Row(time, rate, mark);
        }
        assembly ("memory-safe") {
            mstore(rows, count)
        }
    }

    /// Requires that `rows` follow on `time`, and returns the time of the last one.
    function _requireRows(Row[] memory rows, uint256 time) private pure returns (uint256) {
        for (uint256 i = 0; i < rows.length; i++) {
            time += 1 hours;
            vm.assertEq(rows[i].time, time, "hours follow one another");
            vm.assertGt(rows[i].mark, 0, "every row has a mark");
        }
        return time;
    }
}
