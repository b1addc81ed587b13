// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {MockPyth} from "@pythnetwork/pyth-sdk-solidity/MockPyth.sol";
import {ChainlinkSource} from "../../src/ChainlinkSource.sol";
import {PushOracle} from "../../src/PushOracle.sol";
import {PythSource} from "../../src/PythSource.sol";
import {Feed} from "../oracle/ChainlinkSource.t.sol";
import {Test} from "../Vm.sol";

/// Refuses answers that other venues took for prices: zero, negative, and long out of date.
contract BadOracleAnswersTest is Test {
    uint40 private constant NOW = 1_800_000_000;
    bytes32 private constant ID = bytes32(uint256(1));
    address private constant OWNER = address(0x0A);
    address private constant PUSHER = address(0x0B);

    PushOracle private oracle;
    MockPyth private pyth;
    PythSource private pythSource;
    Feed private feed;
    ChainlinkSource private chainlinkSource;

    function setUp() public {
        vm.warp(NOW);
        oracle = PushOracle(
            vm.deployCode("out/shipped/PushOracle.sol/PushOracle.json", abi.encode(OWNER, PUSHER))
        );
        pyth = new MockPyth(60, 0);
        feed = new Feed();
        pythSource = PythSource(
            vm.deployCode(
                "out/shipped/PythSource.sol/PythSource.json", abi.encode(oracle, pyth, OWNER)
            )
        );
        chainlinkSource = ChainlinkSource(
            vm.deployCode(
                "out/shipped/ChainlinkSource.sol/ChainlinkSource.json",
                abi.encode(oracle, OWNER, address(0))
            )
        );
        vm.startPrank(OWNER);
        pythSource.setFeed("PYTH", ID);
        chainlinkSource.setFeed("LINK", feed);
        oracle.setSource("PYTH", address(pythSource));
        oracle.setSource("LINK", address(chainlinkSource));
        vm.stopPrank();
    }

    function test_a_good_answer_is_taken() public {
        _report(3000e8, NOW);
        _expectPrices(3000e18);
    }

    function test_a_zero_answer_is_no_price() public {
        _expectIgnored(0, NOW);
    }

    function testFuzz_a_negative_answer_is_no_price(int64 answer) public {
        _expectIgnored(answer < 0 ? answer : -1 - answer, NOW);
    }

    function testFuzz_an_ancient_answer_is_no_price(uint256 age) public {
        age = bound(age, 1 days + 1, NOW - 1);
        _expectIgnored(3000e8, NOW - age);
    }

    /// Neither as the first answer nor after a good one.
    function _expectIgnored(int64 answer, uint256 time) private {
        _report(answer, time);
        _expectPrices(0);
        vm.warp(NOW + 2 days);
        _report(3000e8, NOW + 2 days);
        vm.warp(NOW + 2 days + 1);
        _report(answer, time == NOW ? NOW + 2 days + 1 : time);
        _expectPrices(3000e18);
    }

    function _report(int64 answer, uint256 time) private {
        bytes[] memory data = new bytes[](1);
        data[0] = pyth.createPriceFeedUpdateData(
            ID, answer, 0, -8, answer, 0, uint64(time), uint64(time)
        );
        bytes32[] memory assets = new bytes32[](1);
        assets[0] = "PYTH";
        pythSource.update(data, assets);
        feed.set(1, 1, answer, time);
        assets[0] = "LINK";
        chainlinkSource.reportAll(assets);
        assets[0] = "PUSHED";
        uint256[] memory prices = new uint256[](1);
        prices[0] = answer < 0 ? uint256(int256(answer)) : uint256(uint64(answer)) * 1e10;
        vm.prank(PUSHER);
        try oracle.push(assets, prices, uint40(time)) {}
        catch (bytes memory reason) {
            vm.assertGt(reason.length, 3, "with a reason");
        }
    }

    function _expectPrices(uint256 price) private view {
        bytes32[3] memory assets = [bytes32("PYTH"), "LINK", "PUSHED"];
        for (uint256 i = 0; i < 3; i++) {
            vm.assertEq(Readings.get(oracle, assets[i]).price, price);
        }
    }
}
