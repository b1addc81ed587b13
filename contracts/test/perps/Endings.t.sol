// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {IBook, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests that a market whose index has died ends at its last mark, three days after the
/// announcement.
contract EndingsTest is LiquidationSetup {
    uint40[] private all;

    function setUp() public override {
        super.setUp();
        all = [dave, carol, erin, alice, bob];
        _index(1_900e18);
        _pass(61);
    }

    function test_every_position_ends_at_the_last_mark_and_insurance_holds_nothing() public {
        int256[5] memory equities;
        for (uint256 i = 0; i < 5; i++) {
            equities[i] = _equity(all[i]);
        }
        _announce();
        _pass(3 days);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, dave, 1_000, 1.9e18, 0);
        perps.endPositions(market, all, none);
        for (uint256 i = 0; i < 5; i++) {
            vm.assertEq(_lots(all[i]), 0);
            vm.assertEq(_collateral(all[i]), equities[i]);
            vm.assertEq(perps.holdingOf(all[i]).markets, 0);
        }
        vm.assertEq(_lots(INSURANCE), 0);
        vm.assertEq(_collateral(INSURANCE), int256(0));
        vm.assertEq(_openInterest(), 0);
        _withdraw(DAVE, 49.3e6); // is free again
    }

    function test_positions_end_in_any_parts_and_nobody_twice() public {
        _announce();
        _pass(3 days);
        perps.endPositions(market, _orders(dave), none);
        perps.endPositions(market, _orders(dave), none);
        vm.assertEq(_lots(INSURANCE), 1_000);
        perps.endPositions(market, _orders(INSURANCE), none);
        vm.assertEq(_lots(INSURANCE), 1_000);
        perps.endPositions(market, all, none);
        vm.assertEq(_lots(INSURANCE), 0);
    }

    function test_orders_are_taken_off_whosever_they_are() public {
        _indexOne("ETH", 1_900e18);
        uint40 order = _bid(ALICE, 180_000, 100);
        _pass(61);
        _announce();
        _pass(3 days);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, order, 100, Reason.LIQUIDATION);
        perps.endPositions(market, none, _orders(order));
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 0);
        perps.endPositions(market, none, _orders(order)); // passed over
    }

    /// Later debts are covered by insurance.
    function test_a_loss_beyond_all_is_a_debt() public {
        _indexOne("ETH", 1_700e18);
        _pass(61);
        _announce();
        _pass(3 days);
        perps.endPositions(market, all, none);
        vm.assertEq(_collateral(dave), -150.7e18);
        _insure(200e18);
        perps.coverDebt(dave);
        vm.assertEq(_collateral(dave), int256(0));
    }

    /* what has ended */

    function test_the_first_position_fixes_the_mark_of_all() public {
        int256 whole;
        for (uint256 i = 0; i < 5; i++) {
            whole += _equity(all[i]);
        }
        _announce();
        _pass(3 days);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Ended(market, 1_900e18, 0);
        perps.endPositions(market, _orders(dave), none);
        _indexOne("ETH", 1_000e18); // the feed is back, at half
        vm.assertEq(perps.quoteOf(market).mark, 1_900e18);
        vm.assertTrue(perps.quoteOf(market).ended);
        vm.assertEq(_equity(INSURANCE), int256(0), "insurance wins and loses nothing");
        _pass(30 days);
        perps.endPositions(market, all, none);
        int256 left;
        for (uint256 i = 0; i < 5; i++) {
            left += _collateral(all[i]);
        }
        vm.assertEq(left, whole);
        vm.assertEq(_collateral(INSURANCE), int256(0));
    }

    function test_nothing_happens_in_a_market_that_has_ended_but_endings_and_cancels() public {
        _indexOne("ETH", 1_900e18);
        uint40 order = _bid(ALICE, 180_000, 100);
        _pass(61);
        _announce();
        _pass(3 days);
        perps.endPositions(market, none, none);
        _index(1_900e18);
        bytes memory ended = abi.encodeWithSelector(IPerpsEvents.MarketEnded.selector, market);
        _expectPlaceReverts(ALICE, _gtc(true, 180_000, 100), ended);
        _expectPlaceReverts(DAVE, _order(false, TICK, 100, TimeInForce.IOC, true), ended);
        vm.expectRevert(ended);
        perps.poke(market);
        vm.expectRevert(ended);
        perps.liquidate(dave, market, none);
        vm.expectRevert(ended);
        perps.nominate(dave, erin, market);
        vm.startPrank(OWNER);
        vm.expectRevert(ended);
        perps.announceEnd(market);
        vm.expectRevert(ended);
        perps.revokeEnd(market);
        vm.stopPrank();
        perps.settleHours(market);
        vm.prank(ALICE);
        perps.cancel(market, order);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 0);
    }

    /// Funding up to the second of the end is owed, and none after it.
    function test_funding_stands_still_from_the_end_on() public {
        _announce();
        _pass(3 days);
        perps.endPositions(market, none, none);
        int256 fundingIndex = perps.quoteOf(market).fundingIndex;
        int256 equity = _equity(dave);
        _pass(2 hours);
        perps.settleHours(market);
        vm.assertEq(perps.quoteOf(market).fundingIndex, fundingIndex);
        vm.assertEq(_equity(dave), equity);
    }

    /// An account waiting for the end of its position can withdraw the collateral that this does
    /// not need.
    function test_an_ended_position_holds_back_no_more_than_its_margin() public {
        _announce();
        _pass(3 days);
        perps.endPositions(market, none, none);
        _withdraw(ALICE, 1e6);
    }

    function test_the_owner_announces_a_market_that_is_paused() public {
        _indexOne("ETH", 1_900e18);
        vm.prank(OWNER);
        oracle.pause("ETH", true);
        _announce();
        _pass(3 days);
        perps.endPositions(market, all, none);
        vm.assertEq(_lots(INSURANCE), 0);
    }

    /* when */

    function test_nothing_ends_without_an_announcement_or_before_three_days() public {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.EndNotAnnounced.selector, market));
        perps.endPositions(market, all, none);
        _announce();
        uint256 endTime = block.timestamp + 3 days;
        _pass(3 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.EndTooEarly.selector, endTime));
        perps.endPositions(market, all, none);
    }

    function test_a_live_index_is_not_announced() public {
        _indexOne("ETH", 1_900e18);
        vm.prank(OWNER);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.IndexFresh.selector, bytes32("ETH"), block.timestamp
            )
        );
        perps.announceEnd(market);
    }

    /// A later price voids the announcement, however long ago it was: it cannot be used in the next
    /// gap.
    function test_an_index_that_came_back_makes_the_announcement_void() public {
        _announce();
        _pass(1 days);
        _indexOne("ETH", 1_900e18);
        _pass(5 days);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.EndVoid.selector, market));
        perps.endPositions(market, all, none);
        _announce(); // again
        _pass(3 days);
        perps.endPositions(market, all, none);
    }

    function test_the_owner_takes_it_back() public {
        _announce();
        vm.expectEmit(address(perps));
        emit IPerpsEvents.EndRevoked(market);
        vm.prank(OWNER);
        perps.revokeEnd(market);
        _pass(3 days);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.EndNotAnnounced.selector, market));
        perps.endPositions(market, all, none);
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.EndNotAnnounced.selector, market));
        perps.revokeEnd(market);
    }

    function test_only_the_owner_announces_and_revokes() public {
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, address(this)));
        perps.announceEnd(market);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, address(this)));
        perps.revokeEnd(market);
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9)));
        perps.announceEnd(9);
    }

    function _announce() private {
        vm.expectEmit(address(perps));
        emit IPerpsEvents.EndAnnounced(market, block.timestamp + 3 days);
        vm.prank(OWNER);
        perps.announceEnd(market);
    }
}
