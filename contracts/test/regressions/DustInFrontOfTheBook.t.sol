// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";
import {SpotSetup} from "../spot/SpotSetup.sol";

/// A placement takes a bounded number of steps. A hundred orders of one lot, or a hundred that
/// could no longer trade, in front of a book used up those steps for next to nothing: takers of
/// 1,500 lots got 100 or none, and a liquidation closed 2.5 % a call.
contract DustInFrontOfTheBookTest is LiquidationSetup {
    address private constant FRIEND = address(0xF12);
    uint64 private constant SMALL = 6; // lots: 12 USD, the minimum being 10
    uint256 private constant COUNT = 100;

    uint40 private friend;

    function setUp() public virtual override {
        super.setUp();
        _deposit(FRIEND, 100_000e6);
        friend = accounts.accountOf(FRIEND);
        _insure(10_000e18);
    }

    function test_orders_reduced_to_one_lot_in_front_of_the_book_stop_no_taker() public {
        for (uint256 i = 0; i < COUNT; i++) {
            uint40 order = _ask(FRIEND, TICK, SMALL);
            vm.prank(FRIEND);
            perps.reduce(market, order, SMALL - 1);
        }
        _expectTakerGetsAll();
    }

    function test_orders_filled_down_to_one_lot_in_front_of_the_book_stop_no_taker() public {
        for (uint24 tick = TICK + uint24(COUNT); tick > TICK; tick--) {
            _ask(FRIEND, tick, SMALL);
            _bid(BOB, tick, SMALL - 1);
        }
        _expectTakerGetsAll();
    }

    /// His orders meet one that leaves them a lot short of all.
    function test_takers_filled_down_to_one_lot_in_front_of_the_book_stop_no_taker() public {
        for (uint24 tick = TICK + uint24(COUNT); tick > TICK; tick--) {
            _bid(BOB, tick, SMALL - 1);
            _ask(FRIEND, tick, SMALL);
        }
        _expectTakerGetsAll();
    }

    function test_a_reduce_only_order_cut_to_one_lot_does_not_rest() public {
        _trade(FRIEND, BOB, TICK, 1_001);
        _place(FRIEND, _order(false, TICK + 5_000, 1_000, TimeInForce.GTC, true));
        uint40 cut = _place(FRIEND, _order(false, TICK, SMALL, TimeInForce.GTC, true));
        vm.assertEq(_lotsOf(cut), 0, "one lot would rest in front of the book");
    }

    function test_expired_orders_in_front_of_the_book_stop_no_taker() public {
        for (uint256 i = 0; i < COUNT; i++) {
            OrderRequest memory request = _gtc(false, TICK - 1_000, SMALL);
            request.goodTil = uint40(block.timestamp + 5);
            _place(FRIEND, request);
        }
        _pass(6);
        _expectTakerGetsAll();
    }

    /// They were never at risk: no one could trade with them in the second before they expired.
    function test_no_order_rests_for_less_than_five_seconds() public {
        OrderRequest memory request = _gtc(false, TICK, SMALL);
        request.goodTil = uint40(block.timestamp);
        vm.expectRevert();
        _place(FRIEND, request);
        request.goodTil += 4;
        vm.expectRevert();
        _place(FRIEND, request);
        request.goodTil += 1;
        _place(FRIEND, request);
    }

    /// Orders that close a position which is no longer there cannot trade at all.
    function test_orders_of_a_position_that_is_gone_in_front_of_the_book_stop_no_taker() public {
        _putGhosts();
        _expectTakerGetsAll();
    }

    function test_orders_of_a_position_that_is_gone_can_be_swept() public {
        uint40[] memory ghosts = _putGhosts();
        perps.sweep(market, ghosts);
        vm.assertEq(perps.levelAt(market, TICK).lots, 0, "what cannot trade is no depth");
    }

    /// DAVE has to be closed, and behind his friend's dust the book has enough.
    function test_a_friends_dust_shields_no_liquidation() public {
        _index(1_890e18);
        _bid(CAROL, 188_900, 2 * LOTS);
        for (uint256 i = 0; i < COUNT; i++) {
            uint40 order = _bid(FRIEND, 188_901, SMALL);
            vm.prank(FRIEND);
            perps.reduce(market, order, SMALL - 1);
        }
        _liquidate(dave);
        vm.assertEq(int256(_lots(dave)), 0, "one call closes him");
    }

    function test_a_friends_expired_orders_shield_no_liquidation() public {
        for (uint256 i = 0; i < COUNT; i++) {
            OrderRequest memory request = _gtc(true, 188_901, SMALL);
            request.goodTil = uint40(block.timestamp + 5);
            _place(FRIEND, request);
        }
        _pass(6);
        _index(1_890e18);
        _bid(CAROL, 188_900, 2 * LOTS);
        _liquidate(dave);
        vm.assertEq(int256(_lots(dave)), 0, "one call closes him");
    }

    /// FRIEND's reduce-only asks at TICK, whose position is closed elsewhere.
    function _putGhosts() private returns (uint40[] memory ghosts) {
        _trade(FRIEND, BOB, TICK, uint64(COUNT) * SMALL);
        ghosts = new uint40[](COUNT);
        for (uint256 i = 0; i < COUNT; i++) {
            ghosts[i] = _place(FRIEND, _order(false, TICK, SMALL, TimeInForce.GTC, true));
        }
        _bid(BOB, TICK - 1, uint64(COUNT) * SMALL);
        _ask(FRIEND, TICK - 1, uint64(COUNT) * SMALL);
        vm.assertEq(int256(_lots(friend)), 0);
    }

    function _expectTakerGetsAll() private {
        _ask(CAROL, TICK + 200, 5_000);
        int64 before = _lots(alice);
        _bid(ALICE, TICK + 200, 1_500);
        vm.assertEq(
            int256(_lots(alice) - before), 1_500, "behind the dust the book had enough all along"
        );
    }
}

/// The same at spot, where dust costs no margin and pays no fee.
contract DustInFrontOfTheSpotBookTest is SpotSetup {
    uint64 private constant SMALL = 6; // lots: 1.2 USDC, the minimum being 1

    function test_orders_reduced_to_one_lot_in_front_of_the_book_stop_no_taker() public {
        for (uint256 i = 0; i < 100; i++) {
            uint40 order = _ask(BOB, TICK, SMALL);
            vm.prank(BOB);
            spot.reduce(market, order, SMALL - 1);
        }
        _expectTakerGetsAll();
    }

    function test_expired_orders_in_front_of_the_book_stop_no_taker() public {
        for (uint256 i = 0; i < 100; i++) {
            OrderRequest memory request = _gtc(false, TICK, SMALL);
            request.goodTil = uint40(block.timestamp + 5);
            _place(BOB, request);
        }
        vm.warp(block.timestamp + 6);
        _expectTakerGetsAll();
    }

    function _expectTakerGetsAll() private {
        _ask(CAROL, TICK + 1, 5_000);
        _bid(ALICE, TICK + 1, 1_500);
        vm.assertEq(
            _eth(alice), ETH_DEPOSIT + 1_500 * LOT, "behind the dust the book had enough all along"
        );
    }
}
