// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {MockPyth} from "@pythnetwork/pyth-sdk-solidity/MockPyth.sol";
import {PythErrors} from "@pythnetwork/pyth-sdk-solidity/PythErrors.sol";
import {PushOracle} from "../../src/PushOracle.sol";
import {PythSource} from "../../src/PythSource.sol";
import {IOracle, PriceStatus} from "../../src/interfaces/IOracle.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPriceSource} from "../../src/interfaces/IPriceSource.sol";
import {Test} from "../Vm.sol";

/// Tests the source on Pyth's own mock, which has the real interface.
contract PythSourceTest is Test {
    uint40 private constant NOW = 1_800_000_000;
    uint256 private constant FEE = 7; // per update
    bytes32 private constant ETH_ID = bytes32(uint256(0xE7));
    bytes32 private constant BTC_ID = bytes32(uint256(0xB7));
    address private constant OWNER = address(0x0A);
    address private constant ANYONE = address(0x0F);

    PushOracle private oracle;
    MockPyth private pyth;
    PythSource private source;

    function setUp() public {
        vm.warp(NOW);
        oracle = PushOracle(
            vm.deployCode(
                "out/shipped/PushOracle.sol/PushOracle.json", abi.encode(OWNER, address(0))
            )
        );
        pyth = new MockPyth(60, FEE);
        source = PythSource(
            vm.deployCode(
                "out/shipped/PythSource.sol/PythSource.json", abi.encode(oracle, pyth, OWNER)
            )
        );
        vm.startPrank(OWNER);
        vm.expectEmit(address(source));
        emit PythSource.FeedChanged("ETH", ETH_ID);
        source.setFeed("ETH", ETH_ID);
        source.setFeed("BTC", BTC_ID);
        oracle.setSource("ETH", address(source));
        oracle.setSource("BTC", address(source));
        vm.stopPrank();
        vm.deal(ANYONE, 1 ether);
    }

    /* WHAT IS TAKEN */

    function test_update_reports_every_asset_for_the_exact_fee() public {
        bytes[] memory data = new bytes[](2);
        data[0] = _data(ETH_ID, 3000e8, 1e8, -8, NOW - 3);
        data[1] = _data(BTC_ID, 60_000e5, 1e5, -5, NOW - 1);
        vm.expectEmit(address(oracle));
        emit IOracle.Indexed("ETH", 3000e18, NOW - 3);
        vm.expectEmit(address(oracle));
        emit IOracle.Indexed("BTC", 60_000e18, NOW - 1);
        vm.prank(ANYONE);
        source.update{value: 2 * FEE}(data, _both());
        _expectPrice("ETH", 3000e18, NOW - 3);
        _expectPrice("BTC", 60_000e18, NOW - 1);
    }

    function test_update_reverts_for_any_other_fee() public {
        bytes[] memory data = new bytes[](1);
        data[0] = _data(ETH_ID, 3000e8, 0, -8, NOW);
        vm.startPrank(ANYONE);
        vm.expectRevert(abi.encodeWithSelector(PythSource.FeeDiffers.selector, FEE - 1, FEE));
        source.update{value: FEE - 1}(data, _both());
        vm.expectRevert(abi.encodeWithSelector(PythSource.FeeDiffers.selector, FEE + 1, FEE));
        source.update{value: FEE + 1}(data, _both());
        vm.stopPrank();
    }

    function testFuzz_every_exponent_comes_to_18_decimals(uint256 seed) public {
        int32 expo = -int32(uint32(bound(seed, 0, 17)));
        _feed(ETH_ID, 12_345_678_901, 0, expo, NOW);
        source.report("ETH");
        _expectPrice("ETH", 12_345_678_901 * 10 ** uint32(18 + expo), NOW);
    }

    function test_an_exponent_below_18_decimals_is_cut_and_one_above_zero_multiplies() public {
        _feed(ETH_ID, 3_000_000, 0, -20, NOW);
        _feed(BTC_ID, 6, 0, 4, NOW);
        source.report("ETH");
        source.report("BTC");
        _expectPrice("ETH", 30_000, NOW);
        _expectPrice("BTC", 60_000e18, NOW);
    }

    function test_absurd_exponents_are_refused() public {
        _feed(ETH_ID, 3000, 0, 2_147_483_647, NOW);
        _feed(BTC_ID, 3000, 0, -2_147_483_648, NOW);
        _expectRefused(
            "ETH", abi.encodeWithSelector(IOracle.PriceTooHigh.selector, bytes32("ETH"), 3000)
        );
        _expectRefused("BTC", abi.encodeWithSelector(IOracle.PriceZero.selector, bytes32("BTC")));
    }

    function test_a_report_that_the_store_knows_does_nothing() public {
        _feed(ETH_ID, 3000e8, 0, -8, NOW);
        source.report("ETH");
        vm.recordLogs();
        source.report("ETH");
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_a_clock_slightly_ahead_counts_as_now() public {
        _feed(ETH_ID, 3000e8, 0, -8, NOW + 10);
        source.report("ETH");
        _expectPrice("ETH", 3000e18, NOW);
    }

    /* WHAT IS REFUSED */

    function test_a_price_from_the_future_is_refused() public {
        _feed(ETH_ID, 3000e8, 0, -8, NOW);
        source.report("ETH");
        _feed(ETH_ID, 3000e8, 0, -8, NOW + 11);
        vm.expectEmit(address(source));
        emit IPriceSource.PassedOver("ETH", IOracle.PriceFromFuture.selector);
        source.report("ETH");
        _expectDoubt("ETH", PriceStatus.REFUSED);
    }

    function testFuzz_a_confidence_above_half_a_percent_is_refused(uint256 confidence) public {
        confidence = bound(confidence, 15e8 - 1000, 15e8 + 1000);
        _feed(ETH_ID, 3000e8, uint64(confidence), -8, NOW);
        if (confidence <= 15e8) {
            source.report("ETH");
            _expectPrice("ETH", 3000e18, NOW);
            return;
        }
        _expectRefused(
            "ETH",
            abi.encodeWithSelector(
                PythSource.ConfidenceTooWide.selector, bytes32("ETH"), confidence, 3000e8
            )
        );
    }

    function test_prices_that_are_not_positive_are_refused() public {
        _feed(ETH_ID, 0, 0, -8, NOW);
        _feed(BTC_ID, -1, 0, -8, NOW);
        _expectRefused(
            "ETH",
            abi.encodeWithSelector(
                IPriceSource.PriceNotPositive.selector, bytes32("ETH"), int256(0)
            )
        );
        _expectRefused(
            "BTC",
            abi.encodeWithSelector(
                IPriceSource.PriceNotPositive.selector, bytes32("BTC"), int256(-1)
            )
        );
    }

    function test_assets_without_a_feed_or_a_price_are_refused() public {
        vm.expectRevert(abi.encodeWithSelector(IPriceSource.FeedUnknown.selector, bytes32("SOL")));
        source.report("SOL");
        vm.expectRevert(PythErrors.PriceFeedNotFound.selector);
        source.report("ETH");
    }

    function test_reportAll_passes_over_what_cannot_be_used() public {
        _feed(ETH_ID, 3000e8, 16e8, -8, NOW);
        _feed(BTC_ID, 60_000e8, 0, -8, NOW);
        vm.expectEmit(address(source));
        emit IPriceSource.PassedOver("ETH", PythSource.ConfidenceTooWide.selector);
        source.reportAll(_both());
        _expectPrice("ETH", 0, 0);
        _expectPrice("BTC", 60_000e18, NOW);
    }

    /// A network's clock may be ahead of the chain's: then each second of the chain could make a
    /// new report of the same price.
    function test_a_price_from_ahead_counts_once_and_never_confirms_itself() public {
        _feed(ETH_ID, 3000e8, 0, -8, NOW);
        source.report("ETH");
        vm.warp(NOW + 1);
        _feed(ETH_ID, 1500e8, 0, -8, NOW + 6);
        for (uint256 i = 0; i < 8; i++) {
            source.report("ETH");
            _expectDoubt("ETH", PriceStatus.HELD);
            vm.warp(block.timestamp + 1);
        }
        _feed(ETH_ID, 1500e8, 0, -8, NOW + 7);
        source.report("ETH");
        _expectPrice("ETH", 1500e18, NOW + 7);
    }

    function test_a_price_that_jumps_waits_for_a_second_one() public {
        _feed(ETH_ID, 3000e8, 0, -8, NOW);
        source.report("ETH");
        vm.warp(NOW + 2);
        _feed(ETH_ID, 2000e8, 0, -8, NOW + 1);
        source.report("ETH");
        source.report("ETH");
        vm.warp(NOW + 3);
        source.report("ETH"); // the same report again does not count as a second one
        _expectDoubt("ETH", PriceStatus.HELD);
        _feed(ETH_ID, 2001e8, 0, -8, NOW + 2);
        source.report("ETH");
        _expectPrice("ETH", 2001e18, NOW + 2);
    }

    function testFuzz_setFeed_reverts_for_all_but_the_owner(address caller) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        vm.prank(caller);
        source.setFeed("ETH", BTC_ID);
    }

    function _feed(bytes32 id, int64 price, uint64 confidence, int32 expo, uint256 time) private {
        bytes[] memory data = new bytes[](1);
        data[0] = _data(id, price, confidence, expo, time);
        vm.deal(address(this), FEE);
        pyth.updatePriceFeeds{value: FEE}(data);
    }

    function _data(bytes32 id, int64 price, uint64 confidence, int32 expo, uint256 time)
        private
        view
        returns (bytes memory)
    {
        return pyth.createPriceFeedUpdateData(
            id, price, confidence, expo, price, confidence, uint64(time), uint64(time)
        );
    }

    function _both() private pure returns (bytes32[] memory assets) {
        assets = new bytes32[](2);
        (assets[0], assets[1]) = ("ETH", "BTC");
    }

    /// The reading reverts with the reason, and reporting it leaves the store without a price.
    function _expectRefused(bytes32 asset, bytes memory reason) private {
        vm.expectRevert(reason);
        source.reading(asset);
        vm.expectEmit(address(source));
        emit IPriceSource.PassedOver(asset, bytes4(reason));
        source.report(asset);
        _expectDoubt(asset, PriceStatus.NONE);
    }

    function _expectDoubt(bytes32 asset, PriceStatus status) private view {
        vm.assertEq(uint8(Readings.get(oracle, asset).status), uint8(status));
    }

    function _expectPrice(bytes32 asset, uint256 price, uint256 time) private view {
        vm.assertEq(Readings.get(oracle, asset).price, price);
        vm.assertEq(Readings.get(oracle, asset).time, time);
    }
}
