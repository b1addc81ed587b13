// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";

/// Tests which orders are accepted, which are cut, and where a taker stops.
contract PerpsOrdersTest is PerpsSetup {
    /* what may grow the risk */
    function test_place_reverts_when_halted() public {
        _halt();
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 100),
            abi.encodeWithSelector(IBook.MarketHalted.selector, market)
        );
    }

    function test_place_reverts_when_the_index_is_stale() public {
        _pass(61);
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 100),
            abi.encodeWithSelector(
                IPerpsEvents.IndexStale.selector, bytes32("ETH"), block.timestamp - 61
            )
        );
    }

    function test_place_is_taken_at_the_age_limit() public {
        _pass(60);
        _bid(ALICE, TICK, 100);
    }

    function test_place_reverts_when_the_index_was_never_reported() public {
        vm.prank(OWNER);
        uint32 sol = perps.list("SOL-PERP", "SOL", 1e16, 1e15, IMPACT_VALUE, _parameters());
        OrderRequest memory request = _gtc(true, TICK, 100);
        request.market = sol;
        _expectPlaceReverts(
            ALICE,
            request,
            abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, bytes32("SOL"), uint256(0))
        );
    }

    function test_place_reverts_when_another_positions_index_is_stale() public {
        OrderRequest memory request = _gtc(false, BTC_TICK, 100);
        request.market = btcMarket;
        _place(BOB, request);
        request.buy = true;
        _place(ALICE, request);
        vm.prank(OWNER);
        perps.setIndexAgeMax(market, 600);
        _pass(61);
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 100),
            abi.encodeWithSelector(
                IPerpsEvents.IndexStale.selector, bytes32("BTC"), block.timestamp - 61
            )
        );
        _bid(CAROL, TICK, 100); // has no position there
    }

    function test_place_reverts_below_the_initial_margin_of_a_resting_order() public {
        // 100,000 at 20x carries 2,000,000: two orders of 1,000,000 and nothing more
        _raiseCap();
        _bid(ALICE, TICK, 500_000);
        _bid(ALICE, TICK, 500_000);
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 5),
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(100_000e18), 100_000.5e18
            )
        );
    }

    function test_place_counts_the_fees_against_the_margin() public {
        _raiseCap();
        _deposit(BOB, 100_000e6);
        _ask(BOB, TICK, 500_000);
        _ask(BOB, TICK, 500_000);
        _bid(ALICE, TICK, 500_000);
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 500_000),
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(100_000e18 - 700e18), 100_000e18
            )
        );
    }

    function test_orders_of_both_sides_share_their_margin() public {
        _raiseCap();
        _bid(ALICE, TICK - 10, 500_000);
        _bid(ALICE, TICK - 10, 490_000);
        _ask(ALICE, TICK + 10, 500_000);
        _ask(ALICE, TICK + 10, 490_000);
        vm.assertEq(_health(alice).initialMargin, 99_000e18);
    }

    function test_place_reverts_above_the_accounts_cap() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxNotionalValue = 10_000e18;
        _change(parameters);
        _bid(ALICE, TICK - 10, 3_000);
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 2_001),
            abi.encodeWithSelector(
                IPerpsEvents.NotionalAboveMaximum.selector, 10_002e18, 10_000e18
            )
        );
        _bid(ALICE, TICK, 2_000);
        _ask(ALICE, TICK + 10, 5_000);
    }

    function test_place_reverts_above_the_cap_of_open_interest() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxOpenInterest = 1_000;
        _change(parameters);
        _trade(ALICE, BOB, TICK, 900);
        _ask(BOB, TICK, 500);
        _expectPlaceReverts(
            CAROL,
            _gtc(true, TICK, 101),
            abi.encodeWithSelector(
                IPerpsEvents.OpenInterestAboveMaximum.selector, uint256(1_001), uint256(1_000)
            )
        );
        _bid(CAROL, TICK, 100);
    }

    function test_above_a_lowered_cap_open_interest_may_change_hands_and_fall() public {
        _trade(ALICE, BOB, TICK, 1_000);
        PerpParameters memory parameters = _parameters();
        parameters.maxOpenInterest = 10;
        _change(parameters);
        _trade(CAROL, ALICE, TICK, 600); // changes hands
        vm.assertEq(_openInterest(), 1_000);
        _trade(BOB, CAROL, TICK, 500);
        vm.assertEq(_openInterest(), 500);
    }

    function test_place_checks_the_value_at_the_limit() public {
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 4),
            abi.encodeWithSelector(IBook.OrderValueBelowMinimum.selector, 8e18, 10e18)
        );
        _expectPlaceReverts(
            ALICE,
            _gtc(true, TICK, 500_001),
            abi.encodeWithSelector(
                IBook.OrderValueAboveMaximum.selector, 1_000_002e18, 1_000_000e18
            )
        );
    }

    /* reduce-only */
    function test_reduce_only_reverts_without_an_opposite_position() public {
        bytes memory reason =
            abi.encodeWithSelector(IPerpsEvents.ReduceOnlyWouldGrow.selector, int64(0));
        _expectPlaceReverts(ALICE, _order(true, TICK, 100, TimeInForce.GTC, true), reason);
        _trade(ALICE, BOB, TICK, 1_000);
        reason = abi.encodeWithSelector(IPerpsEvents.ReduceOnlyWouldGrow.selector, int64(1_000));
        _expectPlaceReverts(ALICE, _order(true, TICK, 100, TimeInForce.GTC, true), reason);
    }

    function test_reduce_only_is_cut_to_the_position() public {
        _trade(ALICE, BOB, TICK, 1_000);
        vm.expectEmit(address(perps));
        emit IBook.Placed(market, alice, 3, false, TICK, 1_000, TimeInForce.GTC, true, 0, 0);
        _place(ALICE, _order(false, TICK, 5_000, TimeInForce.GTC, true));
        vm.assertEq(Lots.unwrap(_position(alice).askLots), 1_000);
    }

    function test_reduce_only_is_cut_by_other_such_orders() public {
        _trade(ALICE, BOB, TICK, 1_000);
        uint40 first = _place(ALICE, _order(false, TICK + 5, 700, TimeInForce.GTC, true));
        uint40 next = _place(ALICE, _order(false, TICK + 6, 700, TimeInForce.GTC, true));
        vm.assertEq(_lotsOf(next), 300);
        _expectPlaceReverts(
            ALICE,
            _order(false, TICK + 7, 1, TimeInForce.IOC, true),
            abi.encodeWithSelector(IPerpsEvents.ReduceOnlyWouldGrow.selector, int64(1_000))
        );
        vm.prank(ALICE);
        perps.cancel(market, first);
        next = _place(ALICE, _order(false, TICK + 7, 5_000, TimeInForce.GTC, true));
        vm.assertEq(_lotsOf(next), 700);
    }

    function test_a_filled_reduce_only_maker_makes_room_for_another() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _place(ALICE, _order(false, TICK + 5, 1_000, TimeInForce.GTC, true));
        _bid(CAROL, TICK + 5, 400);
        _bid(BOB, TICK - 1, 100);
        _bid(ALICE, TICK + 1, 100);
        _ask(BOB, TICK + 1, 100); // alice is 700 long, and 600 of them are for sale
        uint40 order = _place(ALICE, _order(false, TICK + 6, 1_000, TimeInForce.GTC, true));
        vm.assertEq(_lotsOf(order), 100);
    }

    function test_reduce_only_is_taken_when_halted_and_stale() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _ask(BOB, TICK + 1, 100);
        _bid(BOB, TICK - 1, 400);
        _halt();
        _pass(1 days);
        _place(ALICE, _order(false, TICK - 1, 400, TimeInForce.IOC, true));
        vm.assertEq(_position(alice).lots, 600);
    }

    function test_a_small_position_can_be_closed() public {
        _trade(ALICE, BOB, TICK, 1_001);
        _trade(BOB, ALICE, TICK, 1_000);
        _bid(BOB, TICK, 5);
        _place(ALICE, _order(false, TICK, 1, TimeInForce.IOC, true));
        vm.assertEq(_position(alice).lots, 0);
    }

    function test_reduce_only_below_maintenance_must_improve() public {
        _deepen();
        _trade(ALICE, BOB, TICK, 900_000 / 2);
        _trade(ALICE, BOB, TICK, 900_000 / 2);
        // 1,800,000 long on about 99,400; at -3% equity is about 45,400 of 43,650 needed, at -3.5%
        // below
        _index(1_930e18);
        vm.assertLt(
            uint256(_health(alice).equity), _health(alice).maintenanceMargin, "below maintenance"
        );
        _bid(BOB, TICK - 7_000, 1_000); // at the mark
        _place(ALICE, _order(false, TICK - 7_000, 1_000, TimeInForce.IOC, true));
        vm.assertEq(_position(alice).lots, 899_000);

        // 6% below the mark: each lot sold loses more than it frees.
        _bid(BOB, TICK - 19_000, 1_000);
        OrderRequest memory request = _order(false, TICK - 19_000, 1_000, TimeInForce.IOC, true);
        vm.expectRevert();
        _place(ALICE, request);
    }

    function test_reduce_only_under_water_is_left_to_liquidation() public {
        _deepen();
        _trade(ALICE, BOB, TICK, 900_000 / 2);
        _trade(ALICE, BOB, TICK, 900_000 / 2);
        _index(1_880e18);
        vm.assertLt(uint256(-_health(alice).equity), uint256(100_000e18), "under water");
        _bid(BOB, TICK - 12_000, 1_000);
        vm.expectRevert();
        _place(ALICE, _order(false, TICK - 12_000, 1_000, TimeInForce.IOC, true));
    }

    /* price band */
    function test_a_buyer_stops_at_ten_percent_above_the_mark() public {
        _ask(BOB, TICK * 11 / 10, 100);
        _ask(BOB, TICK * 11 / 10 + 1, 100);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, 3, 50, Reason.PRICE_BAND);
        _bid(ALICE, TICK * 11 / 10 + 5, 150);
        vm.assertEq(_position(alice).lots, 100);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 0);
    }

    function test_a_seller_stops_at_ten_percent_below_the_mark() public {
        _bid(BOB, TICK * 9 / 10, 100);
        _bid(BOB, TICK * 9 / 10 - 1, 100);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, 3, 50, Reason.PRICE_BAND);
        _place(ALICE, _order(false, TICK / 2, 150, TimeInForce.IOC, false));
        vm.assertEq(_position(alice).lots, -100);
    }

    function test_an_order_beyond_the_band_rests_when_it_crosses_nothing() public {
        uint40 order = _bid(ALICE, TICK * 12 / 10, 100);
        vm.assertEq(_lotsOf(order), 100);
    }

    function test_fill_or_kill_reverts_at_the_band() public {
        _ask(BOB, TICK * 12 / 10, 100);
        _expectPlaceReverts(
            ALICE,
            _order(true, TICK * 12 / 10, 100, TimeInForce.FOK, false),
            abi.encodeWithSelector(IBook.FillOrKillUnfillable.selector, uint64(100), uint64(0))
        );
    }

    function test_post_only_beyond_the_band_reverts_as_crossing() public {
        _ask(BOB, TICK * 12 / 10, 100);
        _expectPlaceReverts(
            ALICE,
            _order(true, TICK * 12 / 10, 100, TimeInForce.POST_ONLY, false),
            abi.encodeWithSelector(
                IBook.PostOnlyWouldCross.selector, TICK * 12 / 10, TICK * 12 / 10
            )
        );
    }

    function testFuzz_no_taker_trades_beyond_the_band(uint256 index, uint256 makerTick, bool buy)
        public
    {
        index = bound(index, 1_000, 20_000);
        _index(index * 1e18);
        uint24 tick = uint24(bound(makerTick, TICK / 4, TICK * 12));
        _place(BOB, _gtc(!buy, tick, 100));
        _place(ALICE, _order(buy, buy ? TICK * 12 : TICK / 4, 100, TimeInForce.IOC, false));
        uint256 price = uint256(tick) * 1e16;
        bool within = buy ? price <= index * 1.1e18 : price >= index * 0.9e18;
        vm.assertEq(_position(alice).lots != 0, within);
    }

    /* leaving */
    function test_cancel_and_sweep_work_when_halted_and_stale() public {
        uint40 order = _bid(ALICE, TICK - 5, 100);
        OrderRequest memory request = _gtc(true, TICK - 6, 100);
        request.goodTil = uint40(block.timestamp + 5);
        uint40 expiring = _place(ALICE, request);
        _halt();
        _pass(1 days);
        vm.prank(ALICE);
        perps.cancel(market, order);
        uint40[] memory orders = new uint40[](1);
        orders[0] = expiring;
        perps.sweep(market, orders);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 0);
        vm.assertEq(perps.holdingOf(alice).markets, 0);
    }

    function _halt() private {
        vm.prank(OWNER);
        perps.halt(market, true);
    }

    function _deepen() private {
        _raiseCap();
        _deposit(BOB, 10_000_000e6);
    }
}
