// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {ChainlinkSource} from "../../src/ChainlinkSource.sol";
import {PushOracle} from "../../src/PushOracle.sol";
import {IAggregatorV3} from "../../src/interfaces/IAggregatorV3.sol";
import {PriceStatus} from "../../src/interfaces/IOracle.sol";
import {Test} from "../Vm.sol";

/// A feed, its own aggregator or a sequencer's feed, with answers that the test sets.
contract AnyFeed is IAggregatorV3 {
    uint8 public constant decimals = 8;
    int192 public minAnswer = 1e8;
    int192 public maxAnswer = 100_000e8;
    int256 private _answer;
    uint256 private _startedAt;

    function set(int256 answer, uint256 startedAt) external {
        (_answer, _startedAt) = (answer, startedAt);
    }

    function aggregator() external view returns (address) {
        return address(this);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, _answer, _startedAt, block.timestamp, 1);
    }
}

/// May 2022: LUNA fell below the minimum answer of its feed, which continued to report 0.10
/// dollars, and venues lent against that. And prices from before a sequencer's outage liquidate
/// users who could not react.
contract StoppedFeedsTest is Test {
    uint40 private constant NOW = 1_800_000_000;
    address private constant OWNER = address(0x0A);

    PushOracle private oracle;
    ChainlinkSource private source;
    AnyFeed private feed;
    AnyFeed private sequencer;

    function setUp() public {
        vm.warp(NOW);
        feed = new AnyFeed();
        sequencer = new AnyFeed();
        sequencer.set(0, NOW - 30 days);
        oracle = PushOracle(
            vm.deployCode(
                "out/shipped/PushOracle.sol/PushOracle.json", abi.encode(OWNER, address(0))
            )
        );
        source = ChainlinkSource(
            vm.deployCode(
                "out/shipped/ChainlinkSource.sol/ChainlinkSource.json",
                abi.encode(oracle, OWNER, sequencer)
            )
        );
        vm.startPrank(OWNER);
        source.setFeed("LUNA", feed);
        oracle.setSource("LUNA", address(source));
        vm.stopPrank();
    }

    function test_an_answer_at_the_feeds_own_bound_is_no_price() public {
        feed.set(1e8, NOW);
        vm.assertFalse(_reports(), "the least that it can say");
        feed.set(1e8 - 1, NOW);
        vm.assertFalse(_reports(), "less than it can say");
        feed.set(100_000e8, NOW);
        vm.assertFalse(_reports(), "the most that it can say");
        feed.set(1e8 + 1, NOW);
        vm.assertTrue(_reports());
    }

    function test_nothing_is_reported_while_the_sequencer_stands_still() public {
        feed.set(50e8, NOW);
        sequencer.set(1, NOW - 1 days);
        vm.assertFalse(_reports(), "it is down");
        sequencer.set(0, 0);
        vm.assertFalse(_reports(), "its feed has not begun");
    }

    function test_nothing_is_reported_in_the_first_hour_after_the_sequencer_stood_still() public {
        feed.set(50e8, NOW);
        sequencer.set(0, NOW);
        vm.assertFalse(_reports());
        vm.warp(NOW + 1 hours);
        vm.assertFalse(_reports(), "a second early");
        vm.warp(NOW + 1 hours + 1);
        vm.assertTrue(_reports());
    }

    /// The answer of before the stop counts again, unless there is a newer one.
    function test_what_was_reported_before_a_stop_is_in_doubt_until_the_hour_is_over() public {
        feed.set(50e8, NOW);
        vm.assertTrue(_reports());
        sequencer.set(0, NOW + 600);
        vm.warp(NOW + 600);
        vm.assertFalse(_reports());
        vm.assertEq(Readings.get(oracle, "LUNA").price, 50e18);
        vm.warp(NOW + 600 + 1 hours + 1);
        source.report("LUNA");
        vm.warp(block.timestamp + 1);
        vm.assertTrue(Readings.get(oracle, "LUNA").status == PriceStatus.ACCEPTED);
    }

    function _reports() private returns (bool) {
        source.report("LUNA");
        return Readings.get(oracle, "LUNA").status == PriceStatus.ACCEPTED;
    }
}
