// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {ChainlinkSource} from "../../src/ChainlinkSource.sol";
import {PushOracle} from "../../src/PushOracle.sol";
import {IAggregatorV3} from "../../src/interfaces/IAggregatorV3.sol";
import {IOracle, PriceStatus} from "../../src/interfaces/IOracle.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPriceSource} from "../../src/interfaces/IPriceSource.sol";
import {IPriceStore} from "../../src/interfaces/IPriceStore.sol";
import {Test} from "../Vm.sol";

/// A feed with an answer that the test sets.
contract Feed is IAggregatorV3 {
    uint8 public decimals = 8;
    uint80 private _round;
    uint80 private _answeredIn;
    int256 private _answer;
    uint256 private _updatedAt;

    function setDecimals(uint8 decimals_) external {
        decimals = decimals_;
    }

    function set(uint80 round, uint80 answeredIn, int256 answer, uint256 updatedAt) external {
        (_round, _answeredIn, _answer, _updatedAt) = (round, answeredIn, answer, updatedAt);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (_round, _answer, _updatedAt, _updatedAt, _answeredIn);
    }
}

contract ChainlinkSourceTest is Test {
    uint40 private constant NOW = 1_800_000_000;
    address private constant OWNER = address(0x0A);

    PushOracle private oracle;
    ChainlinkSource private source;
    Feed private feed;

    function setUp() public {
        vm.warp(NOW);
        oracle = PushOracle(
            vm.deployCode(
                "out/shipped/PushOracle.sol/PushOracle.json", abi.encode(OWNER, address(0))
            )
        );
        source = ChainlinkSource(
            vm.deployCode(
                "out/shipped/ChainlinkSource.sol/ChainlinkSource.json",
                abi.encode(oracle, OWNER, address(0))
            )
        );
        feed = new Feed();
        vm.startPrank(OWNER);
        vm.expectEmit(address(source));
        emit ChainlinkSource.FeedChanged("ETH", address(feed));
        source.setFeed("ETH", feed);
        oracle.setSource("ETH", address(source));
        vm.stopPrank();
    }

    function testFuzz_an_answer_of_any_decimals_comes_to_18(uint256 decimals) public {
        decimals = bound(decimals, 0, 36);
        feed.setDecimals(uint8(decimals));
        feed.set(1, 1, int256(3000 * 10 ** decimals), NOW - 100);
        source.report("ETH");
        vm.assertEq(Readings.get(oracle, "ETH").price, 3000e18);
        vm.assertEq(Readings.get(oracle, "ETH").time, NOW - 100);
    }

    function test_rounds_without_an_answer_of_their_own_are_refused() public {
        _expectRefused(
            0,
            0,
            3000e8,
            NOW,
            abi.encodeWithSelector(ChainlinkSource.RoundUnanswered.selector, bytes32("ETH"), 0, 0)
        );
        _expectRefused(
            5,
            4,
            3000e8,
            NOW,
            abi.encodeWithSelector(ChainlinkSource.RoundUnanswered.selector, bytes32("ETH"), 5, 4)
        );
        _expectRefused(
            5,
            5,
            3000e8,
            0,
            abi.encodeWithSelector(ChainlinkSource.RoundUnanswered.selector, bytes32("ETH"), 5, 5)
        );
    }

    function test_answers_that_are_no_price_are_refused() public {
        _expectRefused(
            1,
            1,
            0,
            NOW,
            abi.encodeWithSelector(
                IPriceSource.PriceNotPositive.selector, bytes32("ETH"), int256(0)
            )
        );
        _expectRefused(
            1,
            1,
            -3000e8,
            NOW,
            abi.encodeWithSelector(
                IPriceSource.PriceNotPositive.selector, bytes32("ETH"), int256(-3000e8)
            )
        );
        _expectRefused(
            1,
            1,
            type(int256).max,
            NOW,
            abi.encodeWithSelector(
                IOracle.PriceTooHigh.selector, bytes32("ETH"), uint256(type(int256).max)
            )
        );
        uint256 high = 2 ** 96;
        feed.setDecimals(18);
        _expectRefused(
            1,
            1,
            int256(high),
            NOW,
            abi.encodeWithSelector(IOracle.PriceTooHigh.selector, bytes32("ETH"), high)
        );
    }

    function test_an_answer_from_the_future_is_refused() public {
        feed.set(1, 1, 3000e8, NOW + 11);
        _expectDoubted(IOracle.PriceFromFuture.selector);
    }

    function test_an_answer_older_than_a_day_is_refused() public {
        feed.set(1, 1, 3000e8, NOW - 1 days - 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPriceStore.PriceTooOld.selector, bytes32("ETH"), NOW - 1 days - 1
            )
        );
        source.report("ETH");
    }

    function test_an_older_round_is_refused() public {
        feed.set(2, 2, 3000e8, NOW);
        source.report("ETH");
        feed.set(1, 1, 3000e8, NOW - 1);
        vm.expectRevert(
            abi.encodeWithSelector(IOracle.PriceOlder.selector, bytes32("ETH"), NOW - 1, NOW)
        );
        source.report("ETH");
    }

    function test_reportAll_passes_over_a_feed_that_reverts_without_a_reason() public {
        vm.prank(OWNER);
        source.setFeed("ETH", IAggregatorV3(address(oracle)));
        bytes32[] memory assets = new bytes32[](1);
        assets[0] = "ETH";
        vm.expectEmit(address(source));
        emit IPriceSource.PassedOver("ETH", bytes4(0));
        source.reportAll(assets);
    }

    function test_an_asset_without_a_feed_is_refused() public {
        vm.expectRevert(abi.encodeWithSelector(IPriceSource.FeedUnknown.selector, bytes32("SOL")));
        source.report("SOL");
    }

    function testFuzz_setFeed_reverts_for_all_but_the_owner(address caller) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        vm.prank(caller);
        source.setFeed("ETH", feed);
    }

    function _expectRefused(
        uint80 round,
        uint80 answeredIn,
        int256 answer,
        uint256 updatedAt,
        bytes memory reason
    ) private {
        feed.set(round, answeredIn, answer, updatedAt);
        vm.expectRevert(reason);
        source.reading("ETH");
        _expectDoubted(bytes4(reason));
    }

    /// Reporting puts the price of the store in doubt.
    function _expectDoubted(bytes4 reason) private {
        vm.expectEmit(address(source));
        emit IPriceSource.PassedOver("ETH", reason);
        source.report("ETH");
        vm.assertTrue(Readings.get(oracle, "ETH").status != PriceStatus.ACCEPTED);
    }
}
