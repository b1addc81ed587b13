// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {MockPyth} from "@pythnetwork/pyth-sdk-solidity/MockPyth.sol";
import {PythSource} from "../../src/PythSource.sol";
import {TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {IPriceSource} from "../../src/interfaces/IPriceSource.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// Tests the way of a price from Pyth through its source and the store to the orders that a market
/// takes.
contract OracleMarketTest is PerpsSetup {
    bytes32 private constant ETH_ID = bytes32(uint256(0xE7));
    address private constant GUARDIAN = address(0x6A);
    address private constant DAVE = address(0xDA);

    MockPyth private pyth;
    PythSource private source;
    uint40 private resting;

    function setUp() public override {
        super.setUp();
        pyth = new MockPyth(60, 0);
        source = PythSource(
            vm.deployCode(
                "out/shipped/PythSource.sol/PythSource.json", abi.encode(oracle, pyth, OWNER)
            )
        );
        vm.startPrank(OWNER);
        source.setFeed("ETH", ETH_ID);
        oracle.setSource("ETH", address(source));
        oracle.setGuardian(GUARDIAN);
        vm.stopPrank();
        _pass(1);
        _publish(2000e8, 1e8);
        _trade(ALICE, BOB, TICK, 1000);
        resting = _bid(CAROL, TICK - 100, 1000);
        _bid(CAROL, TICK - 50, 1000);
        _deposit(DAVE, DEPOSIT);
    }

    function test_a_fresh_price_of_pyth_opens_the_market() public {
        _pass(59);
        _publish(2000e8, 1e8);
        _ask(ALICE, TICK + 10, 100);
    }

    function test_a_price_that_stops_makes_the_market_reduce_only() public {
        uint256 published = block.timestamp;
        _pass(60);
        _ask(ALICE, TICK + 10, 100);
        _pass(1);
        _expectReduceOnly(published);
        _publish(2000e8, 1e8);
        _ask(ALICE, TICK + 10, 100);
    }

    function test_a_confidence_that_widens_makes_the_market_reduce_only() public {
        uint256 published = block.timestamp;
        _pass(1);
        _publishRefused(2000e8, 10e8 + 1, PythSource.ConfidenceTooWide.selector);
        _expectReduceOnly(published);
        _pass(1);
        _publish(2000e8, 10e8);
        _pass(1);
        _ask(ALICE, TICK + 10, 100);
    }

    function test_a_price_that_turns_negative_makes_the_market_reduce_only() public {
        uint256 published = block.timestamp;
        _pass(1);
        _publishRefused(-2000e8, 0, IPriceSource.PriceNotPositive.selector);
        _expectReduceOnly(published);
    }

    function test_a_paused_asset_is_reduce_only_at_once() public {
        vm.prank(GUARDIAN);
        oracle.pause("ETH", true);
        _expectReduceOnly(Readings.get(oracle, "ETH").time);
    }

    function test_a_jump_moves_the_mark_at_the_second_report() public {
        uint256 mark = perps.quoteOf(market).mark;
        _pass(1);
        _publish(1400e8, 1e8);
        vm.assertEq(perps.quoteOf(market).mark, mark, "one report moves nothing");
        _pass(1);
        _publish(1390e8, 1e8);
        vm.assertEq(perps.quoteOf(market).index, 1390e18);
    }

    /// New risk is rejected, also by withdrawal, and no account is liquidated; cancels and closes
    /// continue.
    function _expectReduceOnly(uint256 time) private {
        bytes memory stale =
            abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, bytes32("ETH"), time);
        _expectPlaceReverts(ALICE, _gtc(false, TICK + 10, 100), stale);
        vm.expectRevert(stale);
        _withdraw(ALICE, 1e6);
        vm.expectRevert(stale);
        perps.liquidate(alice, market, new uint40[](0));
        vm.prank(CAROL);
        perps.cancel(market, resting);
        vm.assertEq(uint256(_lotsOf(resting)), 0, "cancelled");
        int64 held = _position(alice).lots;
        _place(ALICE, _order(false, TICK - 50, 300, TimeInForce.IOC, true));
        vm.assertEq(int256(_position(alice).lots), held - 300, "a reduce-only order fills");
        _withdraw(DAVE, 1e6); // no position: withdraws
    }

    function _publish(int64 price, uint64 confidence) private {
        bytes[] memory data = new bytes[](1);
        uint64 now_ = uint64(block.timestamp);
        data[0] = pyth.createPriceFeedUpdateData(
            ETH_ID, price, confidence, -8, price, confidence, now_, now_
        );
        bytes32[] memory assets = new bytes32[](1);
        assets[0] = "ETH";
        source.update(data, assets);
    }

    function _publishRefused(int64 price, uint64 confidence, bytes4 reason) private {
        vm.expectEmit(address(source));
        emit IPriceSource.PassedOver("ETH", reason);
        _publish(price, confidence);
    }
}
