// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Readings} from "../Readings.sol";
import {GuardianStop} from "../../src/GuardianStop.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {PushOracle} from "../../src/PushOracle.sol";
import {IOracle, PriceStatus} from "../../src/interfaces/IOracle.sol";
import {IPriceStore} from "../../src/interfaces/IPriceStore.sol";
import {Test} from "../Vm.sol";

contract PushOracleTest is Test {
    uint40 private constant NOW = 1_800_000_000;
    address private constant OWNER = address(0x0A);
    address private constant PUSHER = address(0x0B);
    address private constant SOURCE = address(0x0D);
    address private constant GUARDIAN = address(0x0E);

    PushOracle private oracle;

    function setUp() public {
        vm.warp(NOW);
        oracle = PushOracle(
            vm.deployCode("out/shipped/PushOracle.sol/PushOracle.json", abi.encode(OWNER, PUSHER))
        );
        vm.expectEmit(address(oracle));
        emit IPriceStore.GuardianChanged(GUARDIAN);
        vm.prank(OWNER);
        oracle.setGuardian(GUARDIAN);
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
        vm.expectRevert(
            abi.encodeWithSelector(IOracle.PriceOlder.selector, bytes32("ETH"), next, first)
        );
        _push("ETH", 101, uint40(next));
    }

    function test_push_reverts_when_from_the_future() public {
        vm.expectRevert(
            abi.encodeWithSelector(IOracle.PriceFromFuture.selector, bytes32("ETH"), NOW + 1)
        );
        _push("ETH", 1, NOW + 1);
    }

    function test_push_reverts_when_a_price_is_zero() public {
        vm.expectRevert(abi.encodeWithSelector(IOracle.PriceZero.selector, bytes32("ETH")));
        _push("ETH", 0, NOW);
    }

    function test_push_reverts_when_a_price_is_too_high() public {
        uint256 high = oracle.PRICE_MAX() + 1;
        vm.expectRevert(
            abi.encodeWithSelector(IOracle.PriceTooHigh.selector, bytes32("ETH"), high)
        );
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
        vm.expectRevert(
            abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("ETH"), caller)
        );
        vm.prank(caller);
        oracle.push(assets, prices, NOW);
    }

    function test_read_returns_zeros_without_a_price() public view {
        _expectStatus("ETH", 0, PriceStatus.NONE);
    }

    function test_first_is_the_first_price_and_its_second_for_good() public {
        _expectFirst("ETH", 0, 0);
        _push("ETH", 3000e18, NOW - 30);
        _expectFirst("ETH", 3000e18, NOW);
        _push("ETH", 3001e18, NOW);
        vm.warp(NOW + 1 days);
        _push("ETH", 3002e18, NOW + 1 days);
        _push("ETH", 9000e18, NOW + 1 days); // held
        vm.prank(OWNER);
        oracle.pause("ETH", true);
        _expectFirst("ETH", 3000e18, NOW);
        _expectFirst("BTC", 0, 0);
    }

    function _expectFirst(bytes32 asset, uint256 price, uint256 time) private view {
        (uint256 firstPrice, uint256 firstTime) = oracle.first(asset);
        vm.assertEq(firstPrice, price);
        vm.assertEq(firstTime, time);
    }

    function test_setPusher_replaces_the_pusher() public {
        vm.prank(OWNER);
        oracle.setPusher(address(0x0C));
        (bytes32[] memory assets, uint256[] memory prices) = _batch();
        vm.expectRevert(
            abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("ETH"), PUSHER)
        );
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

    /* SOURCES */

    function test_an_asset_is_taken_from_its_source_alone() public {
        _setSource("ETH", SOURCE);
        vm.assertEq(oracle.sourceOf("ETH"), SOURCE);
        vm.expectRevert(
            abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("ETH"), PUSHER)
        );
        _push("ETH", 3000e18, NOW);
        vm.expectRevert(
            abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("BTC"), SOURCE)
        );
        _pushAs(SOURCE, "BTC", 60_000e18, NOW);
        _pushAs(SOURCE, "ETH", 3000e18, NOW);
        _push("BTC", 60_000e18, NOW);
        _expectPrice("ETH", 3000e18, NOW);
        _expectPrice("BTC", 60_000e18, NOW);
    }

    function test_one_foreign_asset_refuses_the_whole_batch() public {
        _setSource("BTC", SOURCE);
        (bytes32[] memory assets, uint256[] memory prices) = _batch();
        vm.expectRevert(
            abi.encodeWithSelector(IPriceStore.NotSource.selector, bytes32("BTC"), PUSHER)
        );
        vm.prank(PUSHER);
        oracle.push(assets, prices, NOW);
        _expectStatus("ETH", 0, PriceStatus.NONE);
    }

    function test_setSource_emits_and_zero_gives_the_asset_back_to_the_pusher() public {
        vm.expectEmit(address(oracle));
        emit IPriceStore.SourceChanged("ETH", SOURCE);
        _setSource("ETH", SOURCE);
        _setSource("ETH", address(0));
        _push("ETH", 3000e18, NOW);
        _expectPrice("ETH", 3000e18, NOW);
    }

    function test_a_new_source_is_held_to_the_accepted_price() public {
        _push("ETH", 3000e18, NOW - 1);
        _setSource("ETH", SOURCE);
        _pushAs(SOURCE, "ETH", 1, NOW);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
    }

    function testFuzz_setSource_reverts_for_all_but_the_owner(address caller) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        vm.prank(caller);
        oracle.setSource("ETH", caller);
    }

    /* JUMPS */

    function testFuzz_a_price_within_a_tenth_is_accepted_at_once(uint256 price) public {
        price = bound(price, 2700e18, 3300e18);
        _push("ETH", 3000e18, NOW);
        _push("ETH", price, NOW);
        _expectPrice("ETH", price, NOW);
    }

    function testFuzz_a_price_beyond_a_tenth_is_held(uint256 price) public {
        price = bound(price, 1, type(uint96).max);
        vm.assume(price < 2700e18 || price > 3300e18);
        _push("ETH", 3000e18, NOW - 5);
        vm.expectEmit(address(oracle));
        emit IPriceStore.JumpHeld("ETH", price, NOW);
        _push("ETH", price, NOW);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
    }

    function test_a_later_report_near_the_held_one_is_accepted() public {
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW);
        vm.warp(NOW + 1);
        vm.expectEmit(address(oracle));
        emit IOracle.Indexed("ETH", 2200e18, NOW + 1);
        _push("ETH", 2200e18, NOW + 1);
        _expectPrice("ETH", 2200e18, NOW + 1);
    }

    function test_a_later_report_far_from_the_held_one_takes_its_place() public {
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW);
        vm.warp(NOW + 1);
        _push("ETH", 2200e18 + 1, NOW + 1);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
        vm.warp(NOW + 2);
        _push("ETH", 2200e18, NOW + 2);
        _expectPrice("ETH", 2200e18, NOW + 2);
    }

    function test_a_jump_needs_a_report_with_a_later_time() public {
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW);
        vm.warp(NOW + 1);
        _push("ETH", 2000e18, NOW);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
    }

    function test_a_jump_needs_a_later_second_of_the_chain() public {
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW - 1);
        _push("ETH", 2000e18, NOW);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
        vm.warp(NOW + 1);
        _push("ETH", 2000e18, NOW + 1);
        _expectPrice("ETH", 2000e18, NOW + 1);
    }

    function test_an_earlier_report_does_not_take_the_place_of_a_held_one() public {
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW);
        vm.recordLogs();
        _push("ETH", 1000e18, NOW - 1);
        _push("ETH", 1000e18, NOW);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.warp(NOW + 1);
        _push("ETH", 2000e18, NOW + 1);
        _expectPrice("ETH", 2000e18, NOW + 1);
    }

    function test_an_accepted_price_in_between_forgets_what_was_held() public {
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW - 4);
        vm.warp(NOW + 1);
        _push("ETH", 3000e18, NOW);
        vm.warp(NOW + 2);
        _push("ETH", 2000e18, NOW + 2);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
        vm.warp(NOW + 3);
        _push("ETH", 3000e18, NOW + 3);
        _expectPrice("ETH", 3000e18, NOW + 3);
    }

    function testFuzz_reports_within_one_second_move_the_price_one_step(uint256 seed) public {
        _push("ETH", 3000e18, NOW - 5);
        vm.warp(NOW + 1);
        for (uint256 i = 0; i < 10; i++) {
            uint256 known = Readings.get(oracle, "ETH").price;
            uint256 next = seed >> i & 1 == 0 ? known * 9 / 10 : known * 11 / 10;
            _push("ETH", next, uint40(NOW - 4 + i / 2));
            known = Readings.get(oracle, "ETH").price;
            vm.assertGe(known, 2700e18, "a tenth below the price before this second");
            vm.assertLe(known, 3300e18, "a tenth above it");
        }
    }

    function test_the_first_price_of_an_asset_is_accepted() public {
        _push("ETH", 1, NOW);
        _expectPrice("ETH", 1, NOW);
    }

    function test_push_reverts_when_older_than_a_day() public {
        _push("ETH", 1, NOW - 1 days);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPriceStore.PriceTooOld.selector, bytes32("BTC"), NOW - 1 days - 1
            )
        );
        _push("BTC", 1, NOW - 1 days - 1);
    }

    /* STATUS */

    function test_a_confirmed_jump_counts_from_the_second_after_it_on() public {
        _push("ETH", 3000e18, NOW - 5);
        _expectStatus("ETH", 3000e18, PriceStatus.ACCEPTED);
        _push("ETH", 2000e18, NOW - 4);
        vm.warp(NOW + 1);
        _push("ETH", 2001e18, NOW);
        _expectStatus("ETH", 2001e18, PriceStatus.RETURNED);
        // The same holds for any other price of that second, whatever came between.
        _push("ETH", 2002e18, NOW);
        _expectStatus("ETH", 2002e18, PriceStatus.RETURNED);
        vm.prank(PUSHER);
        oracle.refuse("ETH");
        _push("ETH", 2003e18, NOW);
        _expectStatus("ETH", 2003e18, PriceStatus.RETURNED);
        _push("ETH", 1000e18, NOW); // held
        _push("ETH", 2004e18, NOW);
        _expectStatus("ETH", 2004e18, PriceStatus.RETURNED);
        vm.warp(NOW + 2);
        _expectStatus("ETH", 2004e18, PriceStatus.ACCEPTED);
        _push("ETH", 2005e18, NOW + 2);
        _expectStatus("ETH", 2005e18, PriceStatus.ACCEPTED);
    }

    /// There is a price of an earlier second to compare it with.
    function test_a_price_near_the_one_of_before_counts_at_once_whatever_the_doubt() public {
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW - 4);
        vm.warp(NOW + 1);
        _push("ETH", 3001e18, NOW);
        _expectStatus("ETH", 3001e18, PriceStatus.ACCEPTED);
        vm.warp(NOW + 2);
        vm.prank(PUSHER);
        oracle.refuse("ETH");
        _push("ETH", 3002e18, NOW + 2);
        _expectStatus("ETH", 3002e18, PriceStatus.ACCEPTED);
        vm.assertEq(Readings.get(oracle, "ETH").earlier, 3001e18);
    }

    function test_read_returns_the_price_of_before_this_second_as_well() public {
        _push("ETH", 3000e18, NOW);
        vm.assertEq(Readings.get(oracle, "ETH").earlier, 3000e18);
        vm.warp(NOW + 1);
        _push("ETH", 3100e18, NOW + 1);
        _push("ETH", 2900e18, NOW + 1);
        vm.assertEq(Readings.get(oracle, "ETH").earlier, 3000e18);
        vm.warp(NOW + 2);
        vm.assertEq(Readings.get(oracle, "ETH").earlier, 2900e18);
    }

    function test_changes_are_counted() public {
        _push("ETH", 3000e18, NOW - 5);
        vm.assertEq(oracle.changesOf("ETH"), 1);
        _push("ETH", 2000e18, NOW - 4); // held
        vm.assertEq(oracle.changesOf("ETH"), 2);
        _push("ETH", 1000e18, NOW - 4); // passed over
        vm.prank(PUSHER);
        oracle.refuse("ETH");
        vm.assertEq(oracle.changesOf("ETH"), 2);
        _pauseAs(GUARDIAN, true);
        vm.assertEq(oracle.changesOf("ETH"), 3);
        _pauseAs(OWNER, false);
        vm.assertEq(oracle.changesOf("ETH"), 3);
        vm.assertEq(oracle.changesOf("BTC"), 0);
    }

    function test_only_a_price_that_counts_is_refused() public {
        vm.startPrank(PUSHER);
        oracle.refuse("ETH");
        _expectStatus("ETH", 0, PriceStatus.NONE);
        vm.stopPrank();
        _push("ETH", 3000e18, NOW - 5);
        _push("ETH", 2000e18, NOW - 4);
        vm.prank(PUSHER);
        oracle.refuse("ETH");
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
        _push("ETH", 3000e18, NOW - 3);
        vm.expectEmit(address(oracle));
        emit IPriceStore.Refused("ETH");
        vm.prank(PUSHER);
        oracle.refuse("ETH");
        _expectStatus("ETH", 3000e18, PriceStatus.REFUSED);
        _pauseAs(OWNER, true);
        vm.prank(PUSHER);
        oracle.refuse("ETH");
        _expectStatus("ETH", 3000e18, PriceStatus.PAUSED);
    }

    /* PAUSES */

    function test_a_paused_asset_is_stale_at_once_and_takes_no_price() public {
        _push("ETH", 3000e18, NOW);
        vm.expectEmit(address(oracle));
        emit IPriceStore.Paused("ETH", true);
        _pauseAs(GUARDIAN, true);
        vm.assertTrue(oracle.isPaused("ETH"));
        _expectStatus("ETH", 3000e18, PriceStatus.PAUSED);
        vm.expectRevert(abi.encodeWithSelector(IPriceStore.AssetPaused.selector, bytes32("ETH")));
        _push("ETH", 3000e18, NOW);
        _push("BTC", 60_000e18, NOW);
    }

    function test_a_resumed_asset_is_held_to_its_last_price() public {
        _push("ETH", 3000e18, NOW);
        _pauseAs(GUARDIAN, true);
        _pauseAs(OWNER, false);
        _push("ETH", 1000e18, NOW);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
        _push("ETH", 3100e18, NOW);
        _expectPrice("ETH", 3100e18, NOW);
    }

    function test_resuming_what_is_not_paused_changes_no_price() public {
        _push("ETH", 3000e18, NOW);
        _pauseAs(OWNER, false);
        _expectPrice("ETH", 3000e18, NOW);
    }

    /// A report held before a pause, or in place of another one, confirms nothing.
    function test_a_pause_forgets_what_was_held() public {
        _push("ETH", 3000e18, NOW);
        _pauseAs(GUARDIAN, true);
        _pauseAs(OWNER, false);
        _push("ETH", 1000e18, NOW);
        vm.warp(NOW + 1);
        _push("ETH", 3000e18, NOW + 1);
        _pauseAs(OWNER, true);
        _pauseAs(OWNER, false);
        vm.warp(NOW + 2);
        _push("ETH", 1000e18, NOW + 2);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
        _pauseAs(OWNER, true);
        _pauseAs(OWNER, false);
        vm.warp(NOW + 3);
        _push("ETH", 1000e18, NOW + 3);
        _expectStatus("ETH", 3000e18, PriceStatus.HELD);
    }

    function test_the_guardian_cannot_resume_nor_do_anything_else() public {
        _pauseAs(GUARDIAN, true);
        vm.startPrank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(GuardianStop.NotYet.selector, NOW + 3 days));
        oracle.pause("ETH", false);
        bytes memory reason = abi.encodeWithSelector(IOwned.NotOwner.selector, GUARDIAN);
        vm.expectRevert(reason);
        oracle.setPusher(GUARDIAN);
        vm.expectRevert(reason);
        oracle.setSource("ETH", GUARDIAN);
        vm.expectRevert(reason);
        oracle.setGuardian(GUARDIAN);
        vm.expectRevert(reason);
        oracle.offerOwnership(GUARDIAN);
        vm.stopPrank();
    }

    function testFuzz_pause_and_setGuardian_revert_for_strangers(address caller, bool paused)
        public
    {
        vm.assume(caller != OWNER && caller != GUARDIAN && caller != address(0));
        vm.startPrank(caller);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        oracle.pause("ETH", paused);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, caller));
        oracle.setGuardian(caller);
        vm.stopPrank();
    }

    function _setSource(bytes32 asset, address source) private {
        vm.prank(OWNER);
        oracle.setSource(asset, source);
    }

    function _pauseAs(address caller, bool paused) private {
        vm.prank(caller);
        oracle.pause("ETH", paused);
    }

    function _batch() private pure returns (bytes32[] memory assets, uint256[] memory prices) {
        assets = new bytes32[](2);
        prices = new uint256[](2);
        (assets[0], prices[0]) = ("ETH", 3000e18);
        (assets[1], prices[1]) = ("BTC", 60_000e18);
    }

    function _push(bytes32 asset, uint256 price, uint40 time) private {
        _pushAs(PUSHER, asset, price, time);
    }

    function _pushAs(address caller, bytes32 asset, uint256 price, uint40 time) private {
        bytes32[] memory assets = new bytes32[](1);
        uint256[] memory prices = new uint256[](1);
        (assets[0], prices[0]) = (asset, price);
        vm.prank(caller);
        oracle.push(assets, prices, time);
    }

    /// The price counts, now or from the next second on.
    function _expectPrice(bytes32 asset, uint256 price, uint256 time) private view {
        Readings.Reading memory reading = Readings.get(oracle, asset);
        vm.assertEq(reading.price, price);
        vm.assertEq(reading.time, time);
        vm.assertTrue(
            reading.status == PriceStatus.ACCEPTED || reading.status == PriceStatus.RETURNED
        );
    }

    function _expectStatus(bytes32 asset, uint256 price, PriceStatus status) private view {
        vm.assertEq(Readings.get(oracle, asset).price, price);
        vm.assertEq(uint8(Readings.get(oracle, asset).status), uint8(status));
    }
}
