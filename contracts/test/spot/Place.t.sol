// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {Book} from "../../src/Book.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {ISpotEvents} from "../../src/interfaces/ISpot.sol";
import {SpotSetup} from "./SpotSetup.sol";

contract SpotPlaceTest is SpotSetup {
    uint256 private constant KEY = 0xBEEF;

    function _expectCancelled(uint40 account, uint40 order, uint64 lots, Reason reason) private {
        vm.expectEmit(address(spot));
        emit IBook.Cancelled(market, account, order, lots, reason);
    }

    function _expectFilled(
        uint40 maker,
        uint40 makerOrder,
        uint40 taker,
        uint40 takerOrder,
        uint24 tick,
        uint64 lots
    ) private {
        vm.expectEmit(address(spot));
        emit ISpotEvents.Filled(market, maker, makerOrder, taker, takerOrder, tick, lots);
    }

    function _expectRevert(bytes memory reason, OrderRequest memory request) private {
        vm.prank(ALICE);
        vm.expectRevert(reason);
        spot.place(request);
    }

    /* WHO MAY PLACE WHAT */

    function test_place_reverts_when_the_caller_has_no_account() public {
        vm.prank(address(0xBAD));
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, address(0xBAD)));
        spot.place(_gtc(true, TICK, 1000));
    }

    function test_place_by_a_signing_key_is_its_accounts() public {
        uint40 order = _place(_registerKey(), _gtc(true, TICK, 1000));
        vm.assertEq(spot.orderAt(market, order).account, accounts.accountOf(vm.addr(0xA11CE)));
    }

    /// A wallet whose private key we know, with a signing key.
    function _registerKey() private returns (address key) {
        address wallet = vm.addr(0xA11CE);
        _fund(wallet);
        key = vm.addr(KEY);
        uint256 expiry = block.timestamp + 1 days;
        bytes memory byWallet = _sign(
            0xA11CE,
            _grant("RegisterKey(address account,address key,uint256 expiry)", wallet, key, expiry)
        );
        bytes memory byKey = _sign(
            KEY,
            _grant("AcceptKey(address account,address key,uint256 expiry)", wallet, key, expiry)
        );
        accounts.register(wallet, key, expiry, byWallet, byKey);
    }

    function _grant(string memory message, address account, address key_, uint256 expiry)
        private
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(keccak256(bytes(message)), account, key_, expiry));
    }

    function _sign(uint256 privateKey, bytes32 message) private view returns (bytes memory) {
        bytes32 digest =
            keccak256(abi.encodePacked("\x19\x01", accounts.domainSeparator(), message));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }

    function test_place_reverts_when_the_market_is_unknown() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        request.market = 2;
        _expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, 2), request);
    }

    function test_place_reverts_when_the_market_is_halted() public {
        vm.prank(OWNER);
        spot.halt(market, true);
        _expectRevert(
            abi.encodeWithSelector(IBook.MarketHalted.selector, market), _gtc(true, TICK, 1000)
        );
    }

    function test_place_reverts_when_the_tick_is_reserved() public {
        _expectRevert(
            abi.encodeWithSelector(IBook.TickOutOfRange.selector, 0), _gtc(true, 0, 1000)
        );
        uint24 none = type(uint24).max;
        _expectRevert(
            abi.encodeWithSelector(IBook.TickOutOfRange.selector, none), _gtc(true, none, 1000)
        );
    }

    function test_place_reverts_without_lots() public {
        _expectRevert(abi.encodeWithSelector(IBook.LotsZero.selector), _gtc(true, TICK, 0));
    }

    function test_place_reverts_when_reduce_only() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        request.reduceOnly = true;
        _expectRevert(abi.encodeWithSelector(ISpotEvents.ReduceOnlyAtSpot.selector), request);
    }

    function test_place_reverts_outside_the_bounds_of_value() public {
        _bid(ALICE, TICK, 5); // exactly 1 USDC
        _expectRevert(
            abi.encodeWithSelector(IBook.OrderValueBelowMinimum.selector, 800_000, VALUE_MIN),
            _gtc(true, TICK, 4)
        );
        _bid(ALICE, TICK, 5_000_000); // exactly 1,000,000 USDC
        _expectRevert(
            abi.encodeWithSelector(
                IBook.OrderValueAboveMaximum.selector, uint256(VALUE_MAX) + TICK, VALUE_MAX
            ),
            _gtc(true, TICK, 5_000_001)
        );
    }

    function test_place_reverts_when_good_til_has_passed() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        request.timeInForce = TimeInForce.IOC;
        request.goodTil = uint40(block.timestamp);
        _place(ALICE, request);
        request.goodTil -= 1;
        _expectRevert(
            abi.encodeWithSelector(
                IBook.GoodTilTooEarly.selector, request.goodTil, block.timestamp
            ),
            request
        );
    }

    function test_place_reverts_when_it_may_rest_for_less_than_five_seconds() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        for (uint256 i = 0; i < 2; i++) {
            request.timeInForce = i == 0 ? TimeInForce.GTC : TimeInForce.POST_ONLY;
            request.goodTil = uint40(block.timestamp + 4);
            bytes memory reason = abi.encodeWithSelector(
                IBook.GoodTilTooEarly.selector, request.goodTil, block.timestamp + 5
            );
            _expectRevert(reason, request);
            request.goodTil += 1;
            _place(ALICE, request);
        }
    }

    function test_place_reverts_when_the_balance_does_not_cover_it() public {
        vm.prank(ALICE);
        spot.withdraw(address(usdc), USDC_DEPOSIT - 199_999_999, ALICE);
        _expectRevert(
            abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 200_000_000, 199_999_999),
            _gtc(true, TICK, 1000)
        );
    }

    function test_place_cannot_pay_with_what_it_earns() public {
        _ask(BOB, TICK, 1000);
        vm.prank(ALICE);
        spot.withdraw(address(usdc), USDC_DEPOSIT, ALICE);
        _expectRevert(
            abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 200_000_000, 0),
            _gtc(true, TICK, 1000)
        );
    }

    /* RESTING */

    function test_place_rests_with_its_value_in_escrow() public {
        vm.expectEmit(address(spot));
        emit IBook.Placed(market, alice, 1, true, TICK, 1000, TimeInForce.GTC, false, 0, 0);
        vm.assertEq(_bid(ALICE, TICK, 1000), 1);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 1000));
        vm.assertEq(_ask(BOB, TICK + 1, 700), 2);
        vm.assertEq(_eth(bob), ETH_DEPOSIT - 700 * LOT);
        vm.assertEq(_lotsOf(1), 1000);
        vm.assertEq(_lotsOf(2), 700);
    }

    function test_place_joins_the_end_of_the_queue() public {
        uint40 first = _bid(ALICE, TICK, 1000);
        uint40 second = _bid(BOB, TICK, 500);
        uint40 third = _bid(ALICE, TICK, 250);
        Book.Level memory level = spot.levelAt(market, TICK);
        vm.assertEq(level.head, first);
        vm.assertEq(level.tail, third);
        vm.assertEq(level.lots, 1750);
        vm.assertEq(level.count, 3);
        vm.assertEq(spot.orderAt(market, first).next, second);
        vm.assertEq(spot.orderAt(market, third).prev, second);
    }

    function test_place_moves_the_best_tick_only_when_better() public {
        _bid(ALICE, TICK, 1000);
        _bid(ALICE, TICK - 1, 1000);
        _ask(ALICE, TICK + 5, 1000);
        _ask(ALICE, TICK + 6, 1000);
        (uint24 bid, uint24 ask) = _best();
        vm.assertEq(bid, TICK);
        vm.assertEq(ask, TICK + 5);
        _bid(ALICE, TICK + 1, 1000);
        _ask(ALICE, TICK + 2, 1000);
        (bid, ask) = _best();
        vm.assertEq(bid, TICK + 1);
        vm.assertEq(ask, TICK + 2);
    }

    function test_place_cancels_an_IOC_that_meets_nobody() public {
        _expectCancelled(alice, 1, 1000, Reason.IOC_REMAINDER);
        _place(ALICE, _order(true, TICK, 1000, TimeInForce.IOC));
        vm.assertEq(_lotsOf(1), 0);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT);
    }

    /* FILLS */

    function test_place_fills_at_the_makers_tick_and_pays_both() public {
        _ask(BOB, TICK - 10, 1000);
        _expectFilled(bob, 1, alice, 2, TICK - 10, 1000);
        _bid(ALICE, TICK, 1000);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK - 10, 1000));
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 1000 * LOT);
        vm.assertEq(_usdc(bob), USDC_DEPOSIT + _value(TICK - 10, 1000));
        vm.assertEq(_eth(bob), ETH_DEPOSIT - 1000 * LOT);
    }

    function test_place_takes_better_levels_and_older_orders_first() public {
        uint40 third = _bid(BOB, TICK - 1, 100);
        uint40 first = _bid(BOB, TICK, 100);
        uint40 second = _bid(CAROL, TICK, 100);
        _expectFilled(bob, first, alice, 4, TICK, 100);
        _expectFilled(carol, second, alice, 4, TICK, 100);
        _expectFilled(bob, third, alice, 4, TICK - 1, 50);
        _ask(ALICE, TICK - 1, 250);
        (uint24 bid,) = _best();
        vm.assertEq(bid, TICK - 1);
        vm.assertEq(_lotsOf(third), 50);
    }

    function test_place_rests_what_is_left() public {
        _ask(BOB, TICK, 400);
        uint40 order = _bid(ALICE, TICK + 3, 1000);
        vm.assertEq(_lotsOf(order), 600);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 400) - _value(TICK + 3, 600));
        (uint24 bid, uint24 ask) = _best();
        vm.assertEq(bid, TICK + 3);
        vm.assertEq(ask, type(uint24).max);
    }

    function test_place_leaves_a_partly_filled_maker_in_its_place() public {
        uint40 first = _ask(BOB, TICK, 1000);
        uint40 second = _ask(CAROL, TICK, 1000);
        _bid(ALICE, TICK, 400);
        Book.Level memory level = spot.levelAt(market, TICK);
        vm.assertEq(level.head, first);
        vm.assertEq(level.tail, second);
        vm.assertEq(level.lots, 1600);
        vm.assertEq(level.count, 2);
    }

    function test_place_cancels_what_an_IOC_leaves() public {
        _ask(BOB, TICK, 400);
        _expectCancelled(alice, 2, 600, Reason.IOC_REMAINDER);
        _place(ALICE, _order(true, TICK, 1000, TimeInForce.IOC));
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 400));
    }

    function test_place_fills_a_FOK_that_can_be_filled() public {
        _ask(BOB, TICK, 400);
        _ask(BOB, TICK + 1, 600);
        _place(ALICE, _order(true, TICK + 1, 1000, TimeInForce.FOK));
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 1000 * LOT);
    }

    function test_place_reverts_a_FOK_that_cannot_be_filled() public {
        _ask(BOB, TICK, 400);
        _ask(BOB, TICK, 600);
        _expectRevert(
            abi.encodeWithSelector(IBook.FillOrKillUnfillable.selector, 1001, 1000),
            _order(true, TICK, 1001, TimeInForce.FOK)
        );
        OrderRequest memory request = _order(true, TICK, 1000, TimeInForce.FOK);
        request.maxFills = 1;
        _expectRevert(
            abi.encodeWithSelector(IBook.FillOrKillUnfillable.selector, 1000, 400), request
        );
    }

    function test_place_reverts_a_POST_ONLY_that_would_take() public {
        _ask(BOB, TICK, 400);
        _expectRevert(
            abi.encodeWithSelector(IBook.PostOnlyWouldCross.selector, TICK + 1, TICK),
            _order(true, TICK + 1, 1000, TimeInForce.POST_ONLY)
        );
        uint40 order = _place(ALICE, _order(true, TICK - 1, 1000, TimeInForce.POST_ONLY));
        vm.assertEq(_lotsOf(order), 1000);
    }

    function test_place_rests_a_POST_ONLY_over_expired_orders() public {
        uint40 expired = _expiring(BOB, TICK, 400);
        _expectCancelled(bob, expired, 400, Reason.EXPIRED);
        uint40 order = _place(ALICE, _order(true, TICK, 1000, TimeInForce.POST_ONLY));
        vm.assertEq(_lotsOf(order), 1000);
    }

    /// An ask whose good-til time has just passed.
    function _expiring(address wallet, uint24 tick, uint64 lots) private returns (uint40 order) {
        OrderRequest memory request = _gtc(false, tick, lots);
        request.goodTil = uint40(block.timestamp + 5);
        order = _place(wallet, request);
        vm.warp(block.timestamp + 6);
    }

    function test_place_cancels_own_orders_in_the_way_and_goes_on() public {
        uint40 own = _ask(ALICE, TICK, 300);
        uint40 other = _ask(BOB, TICK, 300);
        _expectCancelled(alice, own, 300, Reason.SELF_TRADE);
        _expectFilled(bob, other, alice, 3, TICK, 300);
        _bid(ALICE, TICK, 300);
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 300 * LOT);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 300));
    }

    function test_place_drops_expired_orders_in_the_way_and_goes_on() public {
        uint40 expired = _expiring(BOB, TICK, 300);
        uint40 live = _ask(CAROL, TICK, 300);
        _expectCancelled(bob, expired, 300, Reason.EXPIRED);
        _expectFilled(carol, live, alice, 3, TICK, 300);
        _bid(ALICE, TICK, 300);
        vm.assertEq(_eth(bob), ETH_DEPOSIT);
    }

    function test_place_fills_an_order_in_its_last_second() public {
        OrderRequest memory request = _gtc(false, TICK, 300);
        request.goodTil = uint40(block.timestamp + 5);
        uint40 order = _place(BOB, request);
        vm.warp(block.timestamp + 5);
        _expectFilled(bob, order, alice, 2, TICK, 300);
        _bid(ALICE, TICK, 300);
    }

    /* STEPS */

    function test_place_cancels_what_its_steps_leave_crossing() public {
        _ask(BOB, TICK, 100);
        _ask(BOB, TICK, 100);
        _ask(BOB, TICK, 100);
        OrderRequest memory request = _gtc(true, TICK, 300);
        request.maxFills = 2;
        _expectCancelled(alice, 4, 100, Reason.FILL_LIMIT);
        _place(ALICE, request);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 200));
    }

    function test_place_rests_when_its_last_step_clears_the_way() public {
        _ask(BOB, TICK, 100);
        OrderRequest memory request = _gtc(true, TICK, 300);
        request.maxFills = 1;
        vm.assertEq(_lotsOf(_place(ALICE, request)), 200);
    }

    function test_place_counts_drops_and_self_trades_apart_from_its_fills() public {
        _expiring(BOB, TICK, 100);
        _ask(ALICE, TICK, 100);
        uint40 live = _ask(BOB, TICK, 100);
        OrderRequest memory request = _gtc(true, TICK, 100);
        request.maxFills = 1;
        _place(ALICE, request);
        vm.assertEq(_lotsOf(live), 0);
        vm.assertEq(_eth(alice), ETH_DEPOSIT + 100 * LOT);
    }

    /// The 101st that cannot trade ends it; a hundred leave it all of its fills.
    function test_place_drops_at_most_101_orders_that_cannot_trade() public {
        for (uint256 i = 0; i < 202; i++) {
            _ask(ALICE, TICK, 10);
        }
        _ask(BOB, TICK, 10);
        _expectCancelled(alice, 204, 10, Reason.FILL_LIMIT);
        _bid(ALICE, TICK, 10);
        vm.assertEq(spot.levelAt(market, TICK).count, 102);
        uint40[] memory one = new uint40[](1);
        one[0] = 102;
        vm.prank(ALICE);
        spot.cancelAll(market, one);
        _bid(ALICE, TICK, 10);
        vm.assertEq(_eth(bob), ETH_DEPOSIT - 10 * LOT);
    }

    function test_place_makes_at_most_100_steps() public {
        for (uint256 i = 0; i < 101; i++) {
            _ask(BOB, TICK, 10);
        }
        OrderRequest memory request = _gtc(true, TICK, 1010);
        request.maxFills = 1000;
        _expectCancelled(alice, 102, 10, Reason.FILL_LIMIT);
        _place(ALICE, request);
        vm.assertEq(spot.levelAt(market, TICK).count, 1);
    }

    /* FUZZ */

    function testFuzz_place_swaps_exact_amounts(
        uint24 makerTick,
        uint24 takerTick,
        uint64 made,
        uint64 taken
    ) public {
        makerTick = uint24(bound(makerTick, 100_000, 300_000));
        takerTick = uint24(bound(takerTick, makerTick, 300_000));
        made = uint64(bound(made, 10, 1_000_000));
        taken = uint64(bound(taken, 10, 1_000_000));
        _ask(BOB, makerTick, made);
        uint40 order = _bid(ALICE, takerTick, taken);
        uint64 filled = made < taken ? made : taken;
        uint64 rested = _value(takerTick, taken - filled) < VALUE_MIN ? 0 : taken - filled;
        vm.assertEq(_usdc(bob), USDC_DEPOSIT + _value(makerTick, filled));
        bool isSmall = _value(makerTick, made - filled) < VALUE_MIN;
        vm.assertEq(_eth(bob), ETH_DEPOSIT - (isSmall ? filled : made) * LOT);
        vm.assertEq(_eth(alice), ETH_DEPOSIT + filled * LOT);
        vm.assertEq(
            _usdc(alice), USDC_DEPOSIT - _value(makerTick, filled) - _value(takerTick, rested)
        );
        vm.assertEq(_lotsOf(order), rested);
    }
}
