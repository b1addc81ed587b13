// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwned} from "../../src/interfaces/IOwned.sol";
import {PushOracle} from "../../src/PushOracle.sol";
import {IOracle} from "../../src/interfaces/IOracle.sol";
import {IPriceStore} from "../../src/interfaces/IPriceStore.sol";
import {Test} from "../Vm.sol";

contract PushOracleTest is Test {
    uint40 private constant NOW = 1_800_000_000;
    address private constant OWNER = address(0x0A);
    address private constant PUSHER = address(0x0B);

    PushOracle private oracle;

    function setUp() public {
        vm.warp(NOW);
        oracle = PushOracle(vm.deployCode("out/PushOracle.sol/PushOracle.json", abi.encode(OWNER, PUSHER)));
    }

    function test_push_keeps_every_asset_of_the_batch() public {
        (bytes32[] memory assets, uint256[] memory prices) = _batch();
        vm.expectEmit(address(oracle));
        emit IOracle.Indexed("ETH", 3000e18, NOW - 2);
        vm.expectEmit(address(oracle));
        emit IOracle.Indexed("BTC", 60_000e18, NOW - 2);
        vm.prank(PUSHER);
        oracle.push(assets, prices, NOW - 2);
        _expectPrice("ETH", 3000e18, NOW - 2);
        _expectPrice("BTC", 60_000e18, NOW - 2);
    }

    function testFuzz_push_takes_times_that_do_not_fall(uint256 first, uint256 next) public {
        first = bound(first, NOW - 1 days, NOW);
        next = bound(next, first, NOW);
        _push("ETH", 100, uint40(first));
        _push("ETH", 101, uint40(next));
        _expectPrice("ETH", 101, next);
    }

    function testFuzz_push_reverts_when_older_than_the_newest(uint256 first, uint256 next) public {
        first = bound(first, NOW - 1 days + 1, NOW);
        next = bound(next, NOW - 1 days, first - 1);
        _push("ETH", 100, uint40(first));
        vm.expectRevert(abi.encodeWithSelector(IOracle.PriceOlder.selector, bytes32("ETH"), next, first));
        _push("ETH", 101, uint40(next));
    }

    function test_push_reverts_when_from_the_future() public {
        vm.expectRevert(abi.encodeWithSelector(IOracle.PriceFromFuture.selector, bytes32("ETH"), NOW + 1));
        _push("ETH", 1, NOW + 1);
    }

    function test_push_reverts_when_a_price_is_zero() public {
        vm.expectRevert(abi.encodeWithSelector(IOracle.PriceZero.selector, bytes32("ETH")));
        _push("ETH", 0, NOW);
    }

    function test_push_reverts_when_a_price_is_too_high() public {
        uint256 high = oracle.PRICE_MAX() + 1;
        vm.expectRevert(abi.encodeWithSelector(IOracle.PriceTooHigh.selector, bytes32("ETH"), high));
        _push("ETH", high, NOW);
    }

    function test_push_reverts_when_lengths_differ() public {
        (bytes32[] memory assets,) = _batch();
        vm.expectRevert(abi.encodeWithSelector(IPriceStore.LengthsDiffer.selector, 2, 1));
        vm.prank(PUSHER);
        oracle.push(assets, new uint256[](1), NOW);
    }

    function testFuzz_push_reverts_for_all_but_the_pusher(address caller) public {
        vm.assume(caller != PUSHER);
        (bytes32[] memory assets, uint256[] memory prices) = _batch();
        vm.expectRevert(abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("ETH"), caller));
        vm.prank(caller);
        oracle.push(assets, prices, NOW);
    }

    function test_read_returns_zeros_without_a_price() public view {
        _expectPrice("ETH", 0, 0);
    }

    function test_setPusher_replaces_the_pusher() public {
        vm.prank(OWNER);
        oracle.setPusher(address(0x0C));
        (bytes32[] memory assets, uint256[] memory prices) = _batch();
        vm.expectRevert(abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("ETH"), PUSHER));
        vm.prank(PUSHER);
        oracle.push(assets, prices, NOW);
        vm.prank(address(0x0C));
        oracle.push(assets, prices, NOW);
    }

    function testFuzz_setPusher_reverts_for_all_but_the_owner(address caller) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        vm.prank(caller);
        oracle.setPusher(caller);
    }

    function _batch() private pure returns (bytes32[] memory assets, uint256[] memory prices) {
        assets = new bytes32[](2);
        prices = new uint256[](2);
        (assets[0], prices[0]) = ("ETH", 3000e18);
        (assets[1], prices[1]) = ("BTC", 60_000e18);
    }

    function _push(bytes32 asset, uint256 price, uint40 time) private {
        bytes32[] memory assets = new bytes32[](1);
        uint256[] memory prices = new uint256[](1);
        (assets[0], prices[0]) = (asset, price);
        vm.prank(PUSHER);
        oracle.push(assets, prices, time);
    }

    function _expectPrice(bytes32 asset, uint256 price, uint256 time) private view {
        (uint256 value, uint256 updated) = oracle.read(asset);
        vm.assertEq(value, price);
        vm.assertEq(updated, time);
    }
}
