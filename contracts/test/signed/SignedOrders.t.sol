// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "../../src/Book.sol";
import {AccountId, Lots, Tick} from "../../src/ValueTypes.sol";
import {IBook, Reason, SignedOrder, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {ISpotEvents} from "../../src/interfaces/ISpot.sol";
import {ITrimming} from "../../src/interfaces/ITrimming.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "./SignedSetup.sol";

/// Tests orders with a valid signature: their members, salts and replacements.
abstract contract SignedOrderCases is SignedSetup {
    /* PRICE AND AMOUNT */
    function test_price_and_amount_become_tick_and_lots() public {
        SignedOrder memory order = _bidOf(1);
        order.goodTil = block.timestamp + 60;
        order.timeInForce = uint8(TimeInForce.POST_ONLY);
        Book.Order memory resting = IMarkets(address(engine)).orderAt(listed, _send(order));
        vm.assertEq(AccountId.unwrap(resting.account), account);
        vm.assertEq(Tick.unwrap(resting.tick), LOW);
        vm.assertEq(Lots.unwrap(resting.lots), SIZE);
        vm.assertEq(resting.flags, Book.BUY);
        vm.assertEq(resting.goodTil, block.timestamp + 60);
    }

    function test_an_ask_is_an_ask() public {
        SignedOrder memory order = _bidOf(1);
        (order.isBuy, order.limitPrice) = (false, (MID + 1_000) * priceStep);
        vm.assertEq(IMarkets(address(engine)).orderAt(listed, _send(order)).flags, 0);
        vm.assertEq(IMarkets(address(engine)).stateOf(listed).bestAsk, MID + 1_000);
    }

    function testFuzz_a_price_between_steps_is_refused_with_the_step(uint256 price) public {
        vm.assume(price % priceStep != 0);
        SignedOrder memory order = _bidOf(1);
        order.limitPrice = price;
        _refuse(order, abi.encodeWithSelector(IBook.PriceOffStep.selector, price, priceStep));
    }

    function testFuzz_an_amount_between_steps_is_refused_with_the_step(uint256 amount) public {
        vm.assume(amount % amountStep != 0);
        SignedOrder memory order = _bidOf(1);
        order.amount = amount;
        _refuse(order, abi.encodeWithSelector(IBook.AmountOffStep.selector, amount, amountStep));
    }

    function testFuzz_a_price_beyond_the_ticks_is_refused(uint256 tick) public {
        tick = bound(tick, type(uint24).max, type(uint256).max / priceStep);
        SignedOrder memory order = _bidOf(1);
        order.limitPrice = tick * priceStep;
        _refuse(order, abi.encodeWithSelector(IBook.TickOutOfRange.selector, tick));
    }

    function test_a_price_of_nothing_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        order.limitPrice = 0;
        _refuse(order, abi.encodeWithSelector(IBook.TickOutOfRange.selector, 0));
    }

    function testFuzz_an_amount_beyond_the_lots_is_refused(uint256 lots) public {
        lots = bound(lots, uint256(type(uint64).max) + 1, type(uint256).max / amountStep);
        SignedOrder memory order = _bidOf(1);
        order.amount = lots * amountStep;
        uint256 maximum = uint256(type(uint64).max) * amountStep;
        _refuse(
            order,
            abi.encodeWithSelector(IBook.AmountTooLarge.selector, lots * amountStep, maximum)
        );
    }

    function test_the_greatest_amount_is_taken_as_it_is_and_fails_by_its_value() public {
        SignedOrder memory order = _bidOf(1);
        order.amount = uint256(type(uint64).max) * amountStep;
        bytes memory signature = _signed(KEY_SECRET, order);
        vm.expectPartialRevert(IBook.OrderValueAboveMaximum.selector);
        engine.placeSigned(order, signature);
    }

    function test_an_amount_of_nothing_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        order.amount = 0;
        _refuse(order, abi.encodeWithSelector(IBook.LotsZero.selector));
    }

    function test_an_unlisted_market_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        order.market = 99;
        bytes memory unknown = abi.encodeWithSelector(IMarkets.MarketUnknown.selector, 99);
        _refuse(order, unknown);
        order.triggerKind = AT_OR_ABOVE;
        _refuse(order, unknown);
    }

    function test_a_halted_market_takes_no_signed_order_either() public {
        vm.prank(address(0xA11)); // the owner in both setups
        IMarkets(address(engine)).halt(listed, true);
        _refuse(_bidOf(1), abi.encodeWithSelector(IBook.MarketHalted.selector, listed));
    }

    /* TIME IN FORCE */
    function test_an_unknown_time_in_force_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        for (uint256 kind = 4; kind < 256; kind += 63) {
            order.timeInForce = uint8(kind);
            _refuse(order, abi.encodeWithSelector(IBook.TimeInForceUnknown.selector, uint8(kind)));
        }
    }

    function test_an_immediate_order_never_rests() public {
        SignedOrder memory order = _bidOf(1);
        order.timeInForce = uint8(TimeInForce.IOC);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, _next(), SIZE, Reason.IOC_REMAINDER);
        vm.assertEq(_resting(_send(order)), 0);
        // Its salt is still spent: it has been placed.
        _refuse(order, abi.encodeWithSelector(IBook.SaltSpent.selector, 1));
    }

    function test_fill_or_kill_is_refused_and_keeps_its_salt() public {
        _quote(false, LOW, SIZE - 1);
        SignedOrder memory order = _bidOf(1);
        order.timeInForce = uint8(TimeInForce.FOK);
        _refuse(order, abi.encodeWithSelector(IBook.FillOrKillUnfillable.selector, SIZE, SIZE - 1));
        order.amount -= amountStep;
        _send(order);
    }

    function test_post_only_is_refused_when_it_would_cross() public {
        _quote(false, LOW, SIZE);
        SignedOrder memory order = _bidOf(1);
        order.timeInForce = uint8(TimeInForce.POST_ONLY);
        _refuse(order, abi.encodeWithSelector(IBook.PostOnlyWouldCross.selector, LOW, LOW));
    }

    function test_a_signed_order_meets_the_book_as_any_other() public {
        uint40 maker = _quote(false, LOW - 10, SIZE / 2);
        uint40 number = _send(_bidOf(1));
        vm.assertEq(_resting(maker), 0);
        vm.assertEq(_resting(number), SIZE - SIZE / 2);
    }

    /* MAX FILLS */
    function test_a_signed_order_meets_no_more_makers_than_it_says() public {
        for (uint256 i = 0; i < 3; i++) {
            _quote(false, LOW - 10, SIZE / 4);
        }
        SignedOrder memory order = _bidOf(1);
        order.maxFills = 2;
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, _next(), SIZE - 2 * (SIZE / 4), Reason.FILL_LIMIT);
        _send(order);
        order = _bidOf(2);
        order.maxFills = 0; // as many as there are
        vm.assertEq(_resting(_send(order)), SIZE - SIZE / 4);
    }

    /* GOOD TIL */
    function test_a_good_til_beyond_40_bits_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        order.goodTil = uint256(type(uint40).max) + 1;
        _refuse(order, abi.encodeWithSelector(IBook.GoodTilTooLarge.selector, order.goodTil));
        order.goodTil = type(uint40).max;
        vm.assertEq(
            IMarkets(address(engine)).orderAt(listed, _send(order)).goodTil, type(uint40).max
        );
    }

    function test_a_good_til_within_five_seconds_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        order.goodTil = block.timestamp + 4;
        _refuse(
            order,
            abi.encodeWithSelector(
                IBook.GoodTilTooEarly.selector, order.goodTil, block.timestamp + 5
            )
        );
        order.goodTil = block.timestamp + 5;
        _send(order);
    }

    function test_anyone_sweeps_a_signed_order_after_its_good_til_and_not_before() public {
        SignedOrder memory order = _bidOf(1);
        order.goodTil = block.timestamp + 30;
        uint40 number = _send(order);
        uint40[] memory numbers = new uint40[](1);
        numbers[0] = number;
        _wait(30);
        vm.prank(RELAYER);
        ITrimming(address(engine)).sweep(listed, numbers);
        vm.assertEq(_resting(number), SIZE);
        _wait(1);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, number, SIZE, Reason.EXPIRED);
        vm.prank(RELAYER);
        ITrimming(address(engine)).sweep(listed, numbers);
        vm.assertEq(_resting(number), 0);
    }

    /* SALTS */
    function test_a_salt_is_spent_once_whatever_becomes_of_the_order() public {
        SignedOrder memory order = _bidOf(7);
        uint40 number = _send(order);
        bytes memory spent = abi.encodeWithSelector(IBook.SaltSpent.selector, 7);
        _refuse(order, spent);
        vm.prank(wallet);
        engine.cancel(listed, number);
        _refuse(order, spent);
    }

    function test_a_salt_is_a_bit_of_a_word() public {
        uint256[5] memory salts = [uint256(0), 255, 256, 257, type(uint256).max];
        for (uint256 i = 0; i < salts.length; i++) {
            _send(_bidOf(salts[i]));
        }
        vm.assertEq(engine.saltsOf(account, 0), 1 | 1 << 255);
        vm.assertEq(engine.saltsOf(account, 1), 3);
        vm.assertEq(engine.saltsOf(account, type(uint256).max >> 8), 1 << 255);
        vm.assertEq(engine.saltsOf(otherAccount, 0), 0);
    }

    function testFuzz_a_salt_spends_no_other(uint256 salt, uint256 next) public {
        vm.assume(salt != next);
        _send(_bidOf(salt));
        _send(_bidOf(next));
        _refuse(_bidOf(salt), abi.encodeWithSelector(IBook.SaltSpent.selector, salt));
    }

    function test_accounts_have_salts_of_their_own() public {
        _send(_bidOf(1));
        SignedOrder memory order = _bidOf(1);
        order.account = other;
        _send(order, _signed(OTHER_KEY_SECRET, order));
    }

    function test_of_two_orders_that_share_a_salt_only_the_first_is_placed() public {
        SignedOrder memory take = _bidOf(1);
        SignedOrder memory stop = _bidOf(1);
        stop.limitPrice = (LOW - 1) * priceStep;
        _send(stop);
        _refuse(take, abi.encodeWithSelector(IBook.SaltSpent.selector, 1));
    }

    /* REPLACING */
    function test_an_order_replaces_another_in_one_call() public {
        uint40 old = _send(_bidOf(1));
        SignedOrder memory order = _bidOf(2);
        order.limitPrice = (LOW - 5) * priceStep;
        order.replaces = _id(old);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, old, SIZE, Reason.USER);
        uint40 number = _send(order);
        vm.assertEq(_resting(old), 0);
        vm.assertEq(_resting(number), SIZE);
        vm.assertEq(IMarkets(address(engine)).stateOf(listed).bestBid, LOW - 5);
    }

    /// Without a replacesAmount the new order has its full size, regardless of fills.
    function test_an_order_replaces_what_is_left_of_another() public {
        uint40 old = _send(_bidOf(1));
        _quote(false, LOW, SIZE - 40);
        vm.assertEq(_resting(old), 40);
        SignedOrder memory order = _bidOf(2);
        order.replaces = _id(old);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, old, 40, Reason.USER);
        vm.assertEq(_resting(_send(order)), SIZE);
    }

    function test_an_order_frees_what_it_replaces_before_it_needs_it() public {
        SignedOrder memory order = _bidOf(1);
        order.amount = _leaveFundsForOne() * amountStep;
        uint40 old = _send(order);
        order.salt = 2;
        bytes memory signature = _signed(KEY_SECRET, order);
        vm.expectRevert();
        engine.placeSigned(order, signature);
        order.replaces = _id(old);
        _send(order);
    }

    function test_a_refused_order_replaces_nothing() public {
        uint40 old = _send(_bidOf(1));
        SignedOrder memory order = _bidOf(2);
        order.replaces = _id(old);
        order.timeInForce = uint8(TimeInForce.FOK);
        _refuse(order, abi.encodeWithSelector(IBook.FillOrKillUnfillable.selector, SIZE, 0));
        vm.assertEq(_resting(old), SIZE);
    }

    function test_an_order_replaces_no_order_that_is_gone() public {
        uint40 old = _send(_bidOf(1));
        _quote(false, LOW, SIZE);
        _refuseReplacing(_id(old), old);
    }

    function test_an_order_replaces_no_order_of_another_account() public {
        uint40 foreign = _quote(true, LOW, SIZE);
        _refuseReplacing(_id(foreign), foreign);
        vm.assertEq(_resting(foreign), SIZE);
    }

    function test_an_order_replaces_by_an_id_of_its_engine_and_market_only() public {
        uint40 old = _send(_bidOf(1));
        _refuseReplacing(_idOf(address(0xE2), listed, old), 0);
        _refuseReplacing(_idOf(address(engine), listed + 1, old), 0);
        // Wider than a number.
        _refuseReplacing(_idOf(address(engine), listed, uint64(1 << 40) | old), 0);
        _refuseReplacing(bytes32(uint256(old)), 0);
        _refuseReplacing(_digestOf(_bidOf(1)), 0); // a digest is not an on-chain id
        _refuseReplacing(_id(0), 0);
        vm.assertEq(_resting(old), SIZE);
    }

    function _refuseReplacing(bytes32 id, uint40 number) private {
        SignedOrder memory order = _bidOf(2);
        order.replaces = id;
        _refuse(order, abi.encodeWithSelector(IBook.OrderUnknown.selector, listed, number));
    }
    /// Makes the account withdraw until it can afford one bid of `lots` lots at LOW, but not two.
    function _leaveFundsForOne() internal virtual returns (uint256 lots);
}

contract SignedOrdersAtSpotTest is SignedAtSpot, SignedOrderCases {
    function _leaveFundsForOne() internal override returns (uint256) {
        vm.prank(wallet);
        spot.withdraw(address(usdc), USDC_DEPOSIT - 3_000e6, wallet);
        return 10_000; // 1,990 each
    }

    function test_reduce_only_is_for_perpetuals() public {
        SignedOrder memory order = _bidOf(1);
        order.reduceOnly = true;
        _refuse(order, abi.encodeWithSelector(ISpotEvents.ReduceOnlyAtSpot.selector));
    }
}

contract SignedOrdersAtPerpsTest is SignedAtPerps, SignedOrderCases {
    function _leaveFundsForOne() internal override returns (uint256) {
        _withdraw(wallet, DEPOSIT - 60_000e6);
        return 400_000; // 40,000 of margin each
    }

    /// The account's own leverage, which a key may set, holds for signed orders, too.
    function test_signed_orders_need_the_margin_of_the_accounts_own_leverage() public {
        SignedOrder memory order = _bidOf(1);
        order.amount = 400_000 * amountStep; // 796,000 at the limit: 40,000 at 20, 800,000 at 1
        vm.prank(key);
        perps.setLeverage(market, 1);
        _refuse(
            order,
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(100_000e18), 800_000e18
            )
        );
        vm.prank(key);
        perps.setLeverage(market, 10);
        _send(order);
        vm.assertEq(_health(account).initialMargin, 80_000e18);
    }
}
