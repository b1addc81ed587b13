// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {MockPyth} from "@pythnetwork/pyth-sdk-solidity/MockPyth.sol";
import {ChainlinkSource} from "../../src/ChainlinkSource.sol";
import {PythSource} from "../../src/PythSource.sol";
import {IAggregatorV3} from "../../src/interfaces/IAggregatorV3.sol";
import {PriceStatus} from "../../src/interfaces/IOracle.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {IPriceSource} from "../../src/interfaces/IPriceSource.sol";
import {IPriceStore} from "../../src/interfaces/IPriceStore.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Uses 1.5 million gas to answer 2,000.
contract ExpensiveFeed is IAggregatorV3 {
    uint8 public constant decimals = 8;

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        uint256 start = gasleft();
        while (start - gasleft() < 1_500_000) {}
        return (1, 2_000e8, block.timestamp, block.timestamp, 1);
    }
}

/// In a crash a network's publishers disagree, and its price must not be used. Then the one before
/// it must not be used either: for as long as an old index is accepted, an attacker bought a
/// million from himself at the price before the crash.
contract OldPriceAfterARefusalTest is LiquidationSetup {
    bytes32 private constant ETH_ID = bytes32(uint256(0xE7));

    MockPyth private pyth;
    PythSource private source;

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
        vm.stopPrank();
        _pass(1);
        _publish(2_000e8, 1e8);
        source.report("ETH");
        _pass(1);
    }

    function test_nobody_opens_or_withdraws_at_a_price_whose_next_one_is_refused() public {
        _ask(ALICE, TICK, 1_000);
        _refuse();
        bytes memory stale = abi.encodeWithSelector(
            IPerpsEvents.IndexStale.selector, bytes32("ETH"), block.timestamp - 1
        );
        _expectPlaceReverts(BOB, _gtc(true, TICK, 1_000), stale);
        vm.expectRevert(stale);
        _withdraw(DAVE, 1); // has a position
    }

    function test_the_next_price_that_may_be_used_ends_the_doubt() public {
        _refuse();
        source.report("ETH"); // again: nothing new to report
        _pass(1);
        _publish(1_990e8, 1e8);
        source.report("ETH");
        vm.assertEq(uint8(Readings.get(oracle, "ETH").status), uint8(PriceStatus.ACCEPTED));
        _trade(ALICE, BOB, TICK, 1_000);
    }

    /// A call that runs out of gas within an expensive feed, with enough left to continue, is not
    /// evidence about the price.
    function testFuzz_no_want_of_gas_puts_a_good_price_in_doubt(uint256 given) public {
        ChainlinkSource expensive = ChainlinkSource(
            vm.deployCode(
                "out/shipped/ChainlinkSource.sol/ChainlinkSource.json",
                abi.encode(oracle, OWNER, address(0))
            )
        );
        vm.startPrank(OWNER);
        expensive.setFeed("ETH", new ExpensiveFeed());
        oracle.setSource("ETH", address(expensive));
        vm.stopPrank();
        expensive.report("ETH");
        vm.assertTrue(Readings.get(oracle, "ETH").status == PriceStatus.ACCEPTED);
        (bool done,) = address(expensive).call{gas: bound(given, 1_400_000, 1_600_000)}(
            abi.encodeCall(expensive.report, (bytes32("ETH")))
        );
        vm.assertTrue(Readings.get(oracle, "ETH").status == PriceStatus.ACCEPTED);
        done; // either way
    }

    function test_only_the_source_refuses() public {
        vm.expectRevert(
            abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("ETH"), PUSHER)
        );
        vm.prank(PUSHER);
        oracle.refuse("ETH");
        vm.expectRevert(
            abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("BTC"), ALICE)
        );
        vm.prank(ALICE);
        oracle.refuse("BTC");
    }

    function _refuse() private {
        _publish(1_700e8, 1_020e6); // 10.2 on 1,700
        vm.expectEmit(address(oracle));
        emit IPriceStore.Refused("ETH");
        vm.expectEmit(address(source));
        emit IPriceSource.PassedOver("ETH", PythSource.ConfidenceTooWide.selector);
        source.report("ETH");
        vm.assertEq(uint8(Readings.get(oracle, "ETH").status), uint8(PriceStatus.REFUSED));
    }

    function _publish(int64 price, uint64 confidence) private {
        bytes[] memory data = new bytes[](1);
        data[0] = _data(price, confidence, block.timestamp);
        pyth.updatePriceFeeds(data);
    }

    function _data(int64 price, uint64 confidence, uint256 time)
        private
        view
        returns (bytes memory)
    {
        return pyth.createPriceFeedUpdateData(
            ETH_ID, price, confidence, -8, price, confidence, uint64(time), uint64(time) - 1
        );
    }
}
