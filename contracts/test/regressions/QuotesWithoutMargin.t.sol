// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {AccountId} from "../../src/ValueTypes.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Orders need initial margin when they are placed. Whoever then lost that margin to a friend, by
/// closing another position far from the mark in an empty book, left quotes that nobody could trade
/// with: they moved mark and funding, and kept post-only orders away.
contract QuotesWithoutMarginTest is LiquidationSetup {
    address private constant GHOST = address(0x6057);
    address private constant FRIEND = address(0xF12);
    uint64 private constant BTC_LOTS = 174; // 1,044

    uint40 private ghost;

    function setUp() public override {
        super.setUp();
        _deposit(GHOST, 105.5e6);
        _deposit(FRIEND, 1_000e6);
        ghost = accounts.accountOf(GHOST);
        _place(FRIEND, _btc(_gtc(false, BTC_TICK, BTC_LOTS)));
        _place(GHOST, _btc(_gtc(true, BTC_TICK, BTC_LOTS)));
    }

    function test_a_taker_cannot_lose_what_backs_its_orders() public {
        _bid(GHOST, 202_000, 496);
        _place(FRIEND, _btc(_gtc(true, BTC_TICK * 9 / 10, BTC_LOTS)));
        OrderRequest memory close =
            _order(false, BTC_TICK * 9 / 10, BTC_LOTS, TimeInForce.IOC, true);
        _expectPlaceReverts(
            GHOST,
            _btc(close),
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(0.40574e18), uint256(24.8e18)
            )
        );
    }

    function test_nor_can_a_maker() public {
        _bid(GHOST, 202_000, 496);
        uint40 ask = _place(GHOST, _btc(_gtc(false, BTC_TICK * 9 / 10, BTC_LOTS)));
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(btcMarket, ghost, ask, BTC_LOTS, Reason.MARGIN);
        _place(FRIEND, _btc(_gtc(true, BTC_TICK * 9 / 10, BTC_LOTS)));
    }

    /// Somebody whose orders have become too many for his margin may still close at a fair price.
    function test_a_fair_close_is_taken_all_the_same() public {
        uint40 bid = _bid(GHOST, 190_000, 500);
        _indexOne("BTC", 54_700e18); // he has lost 92
        _seeUnbacked(bid);
        _place(FRIEND, _btc(_gtc(true, 547_000, BTC_LOTS)));
        _place(GHOST, _btc(_order(false, 547_000, BTC_LOTS, TimeInForce.IOC, true)));
        vm.assertEq(int256(perps.positionOf(btcMarket, ghost).lots), int256(0));
    }

    function test_anybody_cancels_the_orders_that_a_takeover_leaves() public {
        _insure(10_000e18);
        _deposit(DAVE, 50e6);
        uint40 bid = _bid(DAVE, 198_000, 500);
        _index(1_830e18);
        _liquidate(dave);
        vm.assertEq(_equity(dave), int256(0));
        _index(2_000e18);
        _seeUnbacked(bid);
    }

    /// What is left has the margin that it needs to stay, but not to be filled.
    function test_an_order_that_cannot_be_filled_keeps_no_post_only_order_away() public {
        uint40 ask = _ask(GHOST, 199_001, 6);
        _place(FRIEND, _btc(_gtc(true, BTC_TICK * 9 / 10, BTC_LOTS)));
        _place(GHOST, _btc(_order(false, BTC_TICK * 9 / 10, BTC_LOTS, TimeInForce.IOC, true)));
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, ghost, ask, 6, Reason.MARGIN);
        uint40 bid = _place(ALICE, _order(true, 199_900, 1_000, TimeInForce.POST_ONLY, false));
        vm.assertEq(uint256(_lotsOf(bid)), 1_000);
        vm.expectRevert(
            abi.encodeWithSelector(IBook.PostOnlyWouldCross.selector, 199_900, 199_900)
        );
        _place(BOB, _order(false, 199_900, 10, TimeInForce.POST_ONLY, false));
    }

    function test_a_poke_cancels_them() public {
        _bid(ALICE, TICK - 10, 600);
        _ask(BOB, TICK + 10, 600);
        uint40 bid = _bid(GHOST, TICK, 500);
        _indexOne("BTC", 54_700e18);
        _pass(60);
        _index(2_000e18);
        _indexOne("BTC", 54_700e18);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, ghost, bid, 500, Reason.MARGIN);
        perps.poke(market);
    }

    function test_a_price_of_this_second_does_not_keep_them_in_a_sample() public {
        _expectPokeCancels(58_000e18);
    }

    /// A report that is held makes the index stale, and a stale index favours its positions.
    function test_a_held_price_does_not_keep_them_in_a_sample() public {
        _expectPokeCancels(70_000e18);
    }

    /// Has GHOST lose its margin, reports `price` a second later and pokes in that second.
    function _expectPokeCancels(uint256 price) private {
        _bid(ALICE, TICK - 10, 600);
        _ask(BOB, TICK + 10, 600);
        uint40 bid = _bid(GHOST, TICK, 500);
        _indexOne("BTC", 54_700e18);
        _pass(60);
        _index(2_000e18);
        _indexOne("BTC", 54_700e18);
        _pass(1);
        _pushOne("BTC", price);
        PerpsState.Health memory health = perps.liquidationHealthOf(ghost);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.NotLiquidatable.selector, ghost, health.equity, health.exposureMargin
            )
        );
        perps.cancelLiquidatable(ghost, market, _orders(bid));
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, ghost, bid, 500, Reason.MARGIN);
        perps.poke(market);
    }

    function _seeUnbacked(uint40 order) private {
        uint40 account = AccountId.unwrap(perps.orderAt(market, order).account);
        uint256 checkpoint = vm.snapshotState();
        perps.cancelLiquidatable(account, market, _orders(order));
        vm.assertEq(uint256(_lotsOf(order)), 0);
        vm.revertToState(checkpoint);
    }
}
