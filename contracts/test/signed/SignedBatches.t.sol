// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, SignedOrder, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {ISpotEvents} from "../../src/interfaces/ISpot.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "./SignedSetup.sol";

/// Tests batches of signed orders: each item succeeds or fails separately.
abstract contract SignedBatchCases is SignedSetup {
    uint256 private constant ORDER_BYTES = 15 * 32;
    /// Selector, two offsets, the number of orders.
    uint256 private constant FIRST_ORDER = 4 + 3 * 32;

    SignedOrder[] private _orders;
    bytes[] private _signatures;

    function test_a_batch_places_its_orders_and_returns_their_numbers() public {
        _add(_bidOf(1));
        _add(_bidOf(2));
        SignedOrder memory order = _bidOf(1);
        order.account = other;
        _add(order, _signed(OTHER_KEY_SECRET, order));
        uint40 first = _next();
        uint40[] memory numbers = _sendBatch();
        vm.assertEq(numbers.length, 3);
        for (uint40 i = 0; i < 3; i++) {
            vm.assertEq(numbers[i], first + i);
            vm.assertEq(_resting(numbers[i]), SIZE);
        }
    }

    function test_an_empty_batch_does_nothing() public {
        vm.recordLogs();
        vm.assertEq(_sendBatch().length, 0);
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_a_batch_needs_a_signature_for_each_order() public {
        _add(_bidOf(1));
        _signatures.push("");
        vm.expectRevert(abi.encodeWithSelector(IBook.LengthsDiffer.selector, 1, 2));
        engine.placeMany(_orders, _signatures);
        _signatures.pop();
        _signatures.pop();
        vm.expectRevert(abi.encodeWithSelector(IBook.LengthsDiffer.selector, 1, 0));
        engine.placeMany(_orders, _signatures);
    }

    /// Every way in which an item can be bad; none affects the good ones around it.
    function test_one_bad_item_never_reverts_the_batch() public {
        _send(_bidOf(999));
        _quote(false, MID, SIZE);
        for (uint256 kind = 0; kind < KINDS; kind++) {
            (SignedOrder memory bad, bytes memory signature, bytes4 selector) = _badItem(kind);
            _checkRejected(kind, bad, signature, selector);
        }
    }

    uint256 private constant KINDS = 21;

    function _badItem(uint256 kind)
        private
        view
        returns (SignedOrder memory bad, bytes memory signature, bytes4 selector)
    {
        bad = _bidOf(1000 + kind);
        selector = _spoil(bad, kind);
        signature = _signed(KEY_SECRET, bad);
        if (kind == 0) (signature, selector) = (bytes(""), IBook.SignatureMalformed.selector);
        if (kind == 1) signature = _signed(STRANGER_SECRET, bad);
        if (kind <= 1) {
            selector = kind == 0 ? IBook.SignatureMalformed.selector : IBook.SignerUnfit.selector;
        }
    }

    function _spoil(SignedOrder memory bad, uint256 kind) private view returns (bytes4) {
        if (kind == 2) {
            bad.deadline = block.timestamp - 1;
            return IBook.DeadlinePassed.selector;
        }
        if (kind == 3) {
            bad.salt = 999;
            return IBook.SaltSpent.selector;
        }
        if (kind == 4) {
            bad.limitPrice += 1;
            return IBook.PriceOffStep.selector;
        }
        if (kind == 5) {
            bad.limitPrice = priceStep * type(uint24).max;
            return IBook.TickOutOfRange.selector;
        }
        if (kind == 6) {
            bad.amount += 1;
            return IBook.AmountOffStep.selector;
        }
        if (kind == 7) {
            bad.amount = amountStep << 64;
            return IBook.AmountTooLarge.selector;
        }
        if (kind == 8) {
            bad.amount = 0;
            return IBook.LotsZero.selector;
        }
        if (kind == 9) {
            bad.timeInForce = 4;
            return IBook.TimeInForceUnknown.selector;
        }
        if (kind == 10) {
            bad.goodTil = 1 << 40;
            return IBook.GoodTilTooLarge.selector;
        }
        if (kind == 11) {
            bad.goodTil = 1;
            return IBook.GoodTilTooEarly.selector;
        }
        return _spoilFurther(bad, kind);
    }

    function _spoilFurther(SignedOrder memory bad, uint256 kind) private view returns (bytes4) {
        if (kind == 12) {
            bad.triggerKind = 3;
            return IBook.TriggerUnknown.selector;
        }
        if (kind == 13) {
            (bad.triggerKind, bad.triggerPrice) = (1, type(uint256).max);
            return IBook.TriggerNotMet.selector;
        }
        if (kind == 14) {
            bad.replaces = _id(type(uint40).max);
            return IBook.OrderUnknown.selector;
        }
        if (kind == 15) {
            bad.market = 99;
            return IMarkets.MarketUnknown.selector;
        }
        if (kind == 16) {
            bad.amount = amountStep;
            bad.limitPrice = priceStep;
            return IBook.OrderValueBelowMinimum.selector;
        }
        if (kind == 17) {
            bad.amount = amountStep << 60;
            return IBook.OrderValueAboveMaximum.selector;
        }
        if (kind == 18) {
            bad.timeInForce = uint8(TimeInForce.POST_ONLY);
            bad.limitPrice = MID * priceStep;
            return IBook.PostOnlyWouldCross.selector;
        }
        if (kind == 19) {
            bad.timeInForce = uint8(TimeInForce.FOK);
            return IBook.FillOrKillUnfillable.selector;
        }
        bad.account = address(0xF00); // has no account
        return IBook.SignerUnfit.selector;
    }

    function _checkRejected(
        uint256 kind,
        SignedOrder memory bad,
        bytes memory signature,
        bytes4 selector
    ) private {
        delete _orders;
        delete _signatures;
        _add(_bidOf(2 * kind));
        _add(bad, signature);
        _add(_bidOf(2 * kind + 1));
        uint40 first = _next();
        uint256 salts = engine.saltsOf(account, bad.salt >> 8);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(1, _digestOf(bad), selector);
        uint40[] memory numbers = _sendBatch();
        vm.assertEq(numbers[0], first);
        vm.assertEq(numbers[1], 0);
        vm.assertEq(numbers[2], first + 1);
        vm.assertEq(_next(), first + 2);
        if (bad.salt >= 1000) {
            vm.assertEq(engine.saltsOf(account, bad.salt >> 8), salts, "its salt is unspent");
        }
    }

    function test_a_rejected_order_is_still_good_when_its_time_comes() public {
        SignedOrder memory order = _bidOf(1);
        order.timeInForce = uint8(TimeInForce.FOK);
        _add(order);
        vm.assertEq(_sendBatch()[0], 0);
        _quote(false, LOW, SIZE);
        vm.assertEq(_sendBatch()[0], _next() - 1);
    }

    /// A trader who tries again with another order signs it with the salt of the first.
    function test_a_second_try_with_the_same_salt_rules_out_the_first() public {
        SignedOrder memory order = _bidOf(1);
        order.timeInForce = uint8(TimeInForce.FOK);
        bytes memory signature = _signed(KEY_SECRET, order);
        _add(order, signature);
        vm.assertEq(_sendBatch()[0], 0);
        SignedOrder memory again = _bidOf(1);
        _send(again);
        _quote(false, LOW, 3 * SIZE);
        _refuse(order, signature, abi.encodeWithSelector(IBook.SaltSpent.selector, 1));
    }

    /// Rejected concerns only the sender: anyone can have any signed order rejected.
    function test_a_stranger_who_has_an_order_rejected_does_it_no_harm() public {
        SignedOrder memory order = _bidOf(1);
        bytes memory signature = _signed(KEY_SECRET, order);
        _add(order, "");
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(order), IBook.SignatureMalformed.selector);
        _sendBatch();
        vm.assertEq(_resting(_send(order, signature)), SIZE);
    }

    function test_an_item_that_runs_out_of_gas_is_rejected_without_a_reason_and_stays_good()
        public
    {
        for (uint256 i = 0; i < 60; i++) {
            _quote(false, LOW, 10);
        }
        SignedOrder memory order = _bidOf(1);
        order.amount = 600 * amountStep;
        _add(order);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(order), bytes4(0));
        vm.prank(RELAYER);
        uint40[] memory numbers = engine.placeMany{gas: 400_000}(_orders, _signatures);
        vm.assertEq(numbers[0], 0);
        vm.assertEq(engine.saltsOf(account, 0), 0);
        vm.assertEq(_sendBatch()[0], _next() - 1);
    }

    function test_two_items_of_one_salt_place_one_order() public {
        _add(_bidOf(1));
        SignedOrder memory twin = _bidOf(1);
        twin.amount += amountStep;
        _add(twin);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(1, _digestOf(twin), IBook.SaltSpent.selector);
        uint40[] memory numbers = _sendBatch();
        vm.assertEq(_resting(numbers[0]), SIZE);
        vm.assertEq(numbers[1], 0);
    }

    function test_an_item_may_replace_one_before_it() public {
        _add(_bidOf(1));
        SignedOrder memory next = _bidOf(2);
        next.replaces = _id(_next());
        _add(next);
        uint40[] memory numbers = _sendBatch();
        vm.assertEq(_resting(numbers[0]), 0);
        vm.assertEq(_resting(numbers[1]), SIZE);
    }

    /// Members that no encoder writes: a bool of 2, a uint8 of 256, an address of more than 20
    /// bytes.
    function test_an_item_with_a_member_out_of_its_range_is_rejected_alone() public {
        // account, market, isBuy, timeInForce, reduceOnly, triggerKind, maxFills
        uint8[7] memory members = [0, 1, 2, 5, 6, 7, 10];
        uint8[7] memory bits = [160, 32, 1, 8, 1, 8, 8];
        for (uint256 i = 0; i < members.length; i++) {
            delete _orders;
            delete _signatures;
            _add(_bidOf(10 + 3 * i));
            SignedOrder memory spoilt = _bidOf(11 + 3 * i);
            _add(spoilt);
            _add(_bidOf(12 + 3 * i));
            bytes memory data = abi.encodeCall(IBook.placeMany, (_orders, _signatures));
            uint256 offset = FIRST_ORDER + ORDER_BYTES + uint256(members[i]) * 32;
            uint256 dirt = 1 << bits[i];
            assembly {
                let place := add(add(data, 32), offset)
                mstore(place, or(mload(place), dirt))
            }
            uint40 first = _next();
            (bool done, bytes memory result) = address(engine).call(data);
            vm.assertTrue(done);
            uint40[] memory numbers = abi.decode(result, (uint40[]));
            vm.assertEq(numbers[0], first);
            vm.assertEq(numbers[1], 0);
            vm.assertEq(numbers[2], first + 1);
            // Clean, it is as good as it ever was.
            _send(spoilt);
        }
    }

    /// Any calldata that decodes: items that are not orders of the account change nothing.
    /// forge-config: default.fuzz.runs = 16
    function testFuzz_random_items_are_rejected_one_by_one(
        SignedOrder[] memory orders,
        bytes memory signature
    ) public {
        vm.assume(orders.length < 20);
        bytes[] memory signatures = new bytes[](orders.length);
        for (uint256 i = 0; i < orders.length; i++) {
            signatures[i] = signature;
        }
        uint40 next = _next();
        uint40[] memory numbers = engine.placeMany(orders, signatures);
        for (uint256 i = 0; i < orders.length; i++) {
            vm.assertEq(numbers[i], 0);
        }
        vm.assertEq(_next(), next);
    }

    function test_signed_calls_go_through_a_multicall() public {
        _add(_bidOf(1));
        bytes[] memory calls = new bytes[](2);
        SignedOrder memory order = _bidOf(2);
        calls[0] = abi.encodeCall(IBook.placeSigned, (order, _signed(KEY_SECRET, order)));
        calls[1] = abi.encodeCall(IBook.placeMany, (_orders, _signatures));
        uint40 first = _next();
        vm.prank(RELAYER);
        bytes[] memory results = engine.multicall(calls);
        vm.assertEq(abi.decode(results[0], (uint40)), first);
        vm.assertEq(abi.decode(results[1], (uint40[]))[0], first + 1);
        vm.assertEq(_resting(first + 1), SIZE);
    }

    function _add(SignedOrder memory order) internal {
        _add(order, _signed(KEY_SECRET, order));
    }

    function _add(SignedOrder memory order, bytes memory signature) internal {
        _orders.push(order);
        _signatures.push(signature);
    }

    function _sendBatch() internal returns (uint40[] memory) {
        SignedOrder[] memory orders = _orders;
        bytes[] memory signatures = _signatures;
        vm.prank(RELAYER);
        return engine.placeMany(orders, signatures);
    }
}

contract SignedBatchesAtSpotTest is SignedAtSpot, SignedBatchCases {
    function test_an_order_that_the_balance_does_not_cover_is_rejected() public {
        SignedOrder memory order = _bidOf(1);
        vm.prank(wallet);
        spot.withdraw(address(usdc), USDC_DEPOSIT, wallet);
        _add(order);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(order), ILedger.BalanceTooLow.selector);
        vm.assertEq(_sendBatch()[0], 0);
    }

    function test_a_reduce_only_order_is_rejected() public {
        SignedOrder memory order = _bidOf(1);
        order.reduceOnly = true;
        _add(order);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(order), ISpotEvents.ReduceOnlyAtSpot.selector);
        vm.assertEq(_sendBatch()[0], 0);
    }
}

contract SignedBatchesAtPerpsTest is SignedAtPerps, SignedBatchCases {
    function test_an_order_that_the_margin_does_not_cover_is_rejected() public {
        SignedOrder memory order = _bidOf(1);
        _withdraw(wallet, DEPOSIT);
        _add(order);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(order), IPerpsEvents.MarginTooLow.selector);
        vm.assertEq(_sendBatch()[0], 0);
    }

    function test_a_reduce_only_order_without_a_position_is_rejected() public {
        SignedOrder memory order = _bidOf(1);
        order.reduceOnly = true;
        _add(order);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(order), IPerpsEvents.ReduceOnlyWouldGrow.selector);
        vm.assertEq(_sendBatch()[0], 0);
    }

    function test_on_a_stale_index_only_orders_that_would_grow_a_position_are_rejected() public {
        _trade(wallet, BOB, TICK, SIZE);
        _pass(61);
        SignedOrder memory order = _bidOf(1);
        _add(order);
        SignedOrder memory closing = _bidOf(2);
        (closing.isBuy, closing.reduceOnly, closing.limitPrice) = (false, true, MID * priceStep);
        _add(closing);
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(order), IPerpsEvents.IndexStale.selector);
        uint40[] memory numbers = _sendBatch();
        vm.assertEq(numbers[0], 0);
        vm.assertEq(_resting(numbers[1]), SIZE);
    }
}
