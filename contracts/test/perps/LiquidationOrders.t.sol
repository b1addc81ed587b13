// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests liquidations with orders of the account itself, and with orders of others in the way.
contract LiquidationOrdersTest is LiquidationSetup {
    /* its own orders */

    function test_the_orders_that_are_named_are_cancelled_first() public {
        uint40 bid = _place(DAVE, _order(true, TICK - 9_000, 10, TimeInForce.GTC, false));
        uint40 ask = _place(DAVE, _order(false, TICK + 9_000, 400, TimeInForce.GTC, true));
        _index(1_890e18);
        uint40 carols = _bid(CAROL, 188_900, LOTS);
        uint40[] memory orders = new uint40[](5);
        (orders[0], orders[1], orders[2], orders[3], orders[4]) = (ask, carols, 999, bid, ask);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, ask, 400, Reason.LIQUIDATION);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, bid, 10, Reason.LIQUIDATION);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Liquidating(market, dave, carols + 1);
        _liquidateAs(KEEPER, dave, orders);
        vm.assertEq(Lots.unwrap(_position(dave).bidLots), 0);
        vm.assertEq(Lots.unwrap(_position(dave).askLots), 0);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
        vm.assertEq(_lotsOf(bid), 0);
        vm.assertEq(perps.stateOf(market).bestAsk, type(uint24).max);
    }

    /// The forced order is reduce-only; resting reduce-only orders for all of the position leave it
    /// all.
    function test_reduce_only_orders_that_are_not_named_reserve_nothing() public {
        uint40 ask = _place(DAVE, _order(false, TICK + 9_000, LOTS, TimeInForce.GTC, true));
        _index(1_890e18);
        _bid(CAROL, 188_900, 400);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 600);
        vm.assertEq(_lotsOf(ask), LOTS);
        // The reservation is restored: another reduce-only order has no room.
        _expectPlaceReverts(
            DAVE,
            _order(false, TICK + 9_000, 100, TimeInForce.GTC, true),
            abi.encodeWithSelector(IPerpsEvents.ReduceOnlyWouldGrow.selector, int64(600))
        );
        vm.prank(DAVE);
        perps.cancel(market, ask);
        vm.assertEq(Lots.unwrap(_position(dave).askLots), 0);
        _place(DAVE, _order(false, TICK + 9_000, 100, TimeInForce.GTC, true));
    }

    function test_the_same_holds_for_a_short() public {
        uint40 bid = _place(ERIN, _order(true, TICK - 9_000, LOTS, TimeInForce.GTC, true));
        _index(2_100e18);
        _ask(BOB, 210_100, 400);
        _liquidate(erin);
        vm.assertEq(_lots(erin), -600);
        vm.assertEq(_lotsOf(bid), LOTS);
        vm.prank(ERIN);
        perps.cancel(market, bid);
        vm.assertEq(Lots.unwrap(_position(erin).bidLots), 0);
    }

    function test_an_absorbed_position_leaves_orders_that_can_be_cancelled() public {
        _insure(1_000e18);
        uint40 ask = _place(DAVE, _order(false, TICK + 9_000, LOTS, TimeInForce.GTC, true));
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(Lots.unwrap(_position(dave).askLots), LOTS);
        vm.assertEq(perps.holdingOf(dave).markets, 1);
        vm.prank(DAVE);
        perps.cancel(market, ask);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
    }

    /// An order of the account itself that the forced one meets is dropped, like any own order.
    function test_own_orders_in_the_way_are_dropped() public {
        uint40 own = _bid(DAVE, 188_950, 10);
        _index(1_890e18);
        _bid(CAROL, 188_900, LOTS);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, own, 10, Reason.SELF_TRADE);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(Lots.unwrap(_position(dave).bidLots), 0);
    }

    /// Dropping them all fills nothing; the book is not empty, and insurance is not used.
    function test_a_book_behind_own_orders_is_not_empty() public {
        _deposit(DAVE, 300e6); // to rest this many
        _index(1_900e18);
        for (uint256 i = 0; i < 102; i++) {
            _bid(DAVE, 158_950, 7);
        }
        _index(1_590e18); // 39.3 of 39.75
        _bid(CAROL, 158_900, LOTS);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 1_000);
        vm.assertEq(Lots.unwrap(_position(dave).bidLots), 7);
        vm.assertEq(_lots(INSURANCE), 0);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(Lots.unwrap(_position(dave).bidLots), 0);
        vm.assertEq(_lots(INSURANCE), 0);
    }

    /// When they are all there is, insurance takes the position, and the books agree afterwards.
    function test_insurance_takes_over_after_own_orders_were_dropped() public {
        _insure(1_000e18);
        _bid(DAVE, 188_950, 10);
        _index(1_890e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_000);
        vm.assertEq(Lots.unwrap(_position(dave).bidLots), 0);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
    }

    function test_cancelLiquidatable_takes_down_the_orders_of_whoever_can_be_liquidated() public {
        uint40 bid = _bid(DAVE, TICK - 9_000, 10);
        _expectBacked(dave);
        perps.cancelLiquidatable(dave, market, _orders(bid));
        _index(1_890e18);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, bid, 10, Reason.LIQUIDATION);
        perps.cancelLiquidatable(dave, market, _orders(bid));
        vm.assertEq(Lots.unwrap(_position(dave).bidLots), 0);
        vm.assertEq(_lots(dave), 1_000);
        uint40 carols = _bid(CAROL, 188_900, LOTS);
        perps.cancelLiquidatable(dave, market, _orders(carols)); // not his: passed over
        vm.assertEq(_lotsOf(carols), LOTS);
    }

    /* the orders of others */

    function test_expired_orders_are_dropped_on_the_way() public {
        _index(1_890e18);
        OrderRequest memory request = _gtc(true, 188_950, 10);
        request.goodTil = uint40(block.timestamp + 5);
        for (uint256 i = 0; i < 25; i++) {
            _place(BOB, request);
        }
        _bid(CAROL, 188_900, LOTS);
        _pass(6);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_lots(INSURANCE), 0);
        vm.assertEq(perps.stateOf(market).bestBid, 0);
    }

    /// FRANK's bid would leave him below his maintenance margin: dropped, and the next one fills.
    function test_a_maker_without_margin_is_dropped_and_the_next_one_fills() public {
        _index(2_000e18);
        address frank = address(0xF4);
        uint40 account = _open(frank, 150e6, true, 1_000);
        uint40 franks = _bid(frank, 188_950, 400);
        _index(1_890e18);
        uint40 carols = _bid(CAROL, 188_900, LOTS);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, account, franks, 400, Reason.MARGIN);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Filled(
            market, carol, carols, dave, carols + 1, 188_900, LOTS, 0.1889e18, 0.66115e18
        );
        _liquidate(dave);
        vm.assertEq(_lots(account), 1_000);
        vm.assertEq(Lots.unwrap(_position(account).bidLots), 0);
    }

    function test_a_makers_rebate_does_not_come_from_the_account() public {
        vm.prank(OWNER);
        perps.change(market, _withMakerFee(-100));
        _index(1_890e18);
        _bid(CAROL, 188_900, LOTS);
        int256 fees = _collateral(FEES);
        _liquidate(dave);
        vm.assertEq(_collateral(dave), 18.73885e18);
        vm.assertEq(_collateral(FEES), fees + 0.66115e18 - 0.1889e18);
    }

    /// A hundred makers per call; the next call continues.
    function test_a_forced_order_meets_at_most_a_hundred_makers() public {
        _index(1_890e18);
        for (uint256 i = 0; i < 110; i++) {
            _bid(CAROL, 187_000, 9);
        }
        _liquidate(dave);
        vm.assertEq(_lots(dave), 100);
        vm.assertEq(perps.stateOf(market).bestBid, 187_000);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 10);
    }

    /// A call with more gas closes more, and one with little at least one fill.
    function test_a_forced_order_goes_on_for_as_long_as_its_gas() public {
        _index(1_890e18);
        for (uint256 i = 0; i < 90; i++) {
            _bid(i % 2 == 0 ? CAROL : ALICE, 187_000, 10);
        }
        _seeBelow(dave);
        perps.liquidate{gas: 1_000_000}(dave, market, none);
        vm.assertEq(_lots(dave), 990);
        perps.liquidate{gas: 5_000_000}(dave, market, none);
        int64 left = _lots(dave);
        vm.assertLt(left, int64(950), "some fills for a million more than is kept");
        vm.assertGt(left, int64(500), "not all");
        perps.liquidate{gas: 6_000_000}(dave, market, none);
        vm.assertGt(left - _lots(dave), 990 - left, "more for two million");
    }

    /* the ends of the price axis */

    /// Ticks end at 167,772.14. At an index of 170,000 a short may pay up to the last one.
    function test_above_the_last_tick_a_short_buys_what_there_is() public {
        _insure(10_000e18);
        _deposit(ERIN, 168_000e6 + 4_000e6 - 149.3e6);
        _index(170_000e18);
        vm.assertEq(_equity(erin), 4_000e18); // of 4,250
        _ask(ALICE, type(uint24).max - 1, 10);
        _liquidate(erin);
        vm.assertEq(_lots(erin), -990);
        _liquidate(erin); // rest of the slice: 95% of 198
        vm.assertEq(_lots(INSURANCE), -189);
    }

    /// At 172,000 a long would have to get 168,560, which is above the highest possible bid.
    function test_above_the_last_tick_a_long_goes_to_insurance() public {
        _insure(10_000e18);
        address frank = address(0xF4);
        _index(167_700e18);
        _deposit(frank, 4_300e6);
        uint40 account = accounts.accountOf(frank);
        _ask(ALICE, 16_770_000, 500);
        _bid(frank, 16_770_000, 500);
        _index(172_000e18);
        vm.prank(OWNER);
        perps.change(market, _withLeverage(6));
        vm.assertEq(_equity(account), 6_420.6525e18); // of 7,166.7
        _bid(BOB, type(uint24).max - 1, 100);
        _liquidate(account);
        vm.assertEq(_lots(INSURANCE), 500);
        vm.assertEq(perps.stateOf(market).bestBid, type(uint24).max - 1);
    }

    function test_at_an_index_of_next_to_nothing_insurance_takes_the_position() public {
        _insure(3_000e18);
        _index(1); // a lot is worth nothing: all margins are 0
        vm.assertEq(_health(dave).maintenanceMargin, 0);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_equity(dave), int256(0));
        vm.assertEq(_equity(INSURANCE), 3_000e18 + 149.3e18 - 2_000e18);
    }

    function _withMakerFee(int32 fee) private pure returns (PerpParameters memory parameters) {
        parameters = _parameters();
        parameters.makerFee = fee;
    }

    function _withLeverage(uint16 maximum)
        private
        pure
        returns (PerpParameters memory parameters)
    {
        parameters = _parameters();
        parameters.maxLeverage = maximum;
    }
}
