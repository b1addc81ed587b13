// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {Book} from "../../src/Book.sol";
import {AccountId, Lots, Tick} from "../../src/ValueTypes.sol";
import {
    IBook,
    OrderRequest,
    SignedBurn,
    SignedCancel,
    SignedCancelAll,
    SignedOrder
} from "../../src/interfaces/IBook.sol";
import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {OddToken} from "../spot/Ledger.t.sol";
import {Test} from "../Vm.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "./SignedSetup.sol";

/// Tests each known way in which venues lost money through signed orders, by its name.
abstract contract KnownSignedFailures is SignedSetup {
    /// KiloEx, April 2025: a forwarder named any account it liked, and the engine believed it.
    function test_forwarder_trusted_without_checks__KiloEx() public {
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) =
        (listed, true, Tick.wrap(LOW), Lots.wrap(SIZE));
        // An address appended to the call, as forwarders do, has no meaning.
        bytes memory forwarded = abi.encodePacked(abi.encodeCall(IBook.place, (request)), wallet);
        vm.prank(RELAYER);
        (bool done, bytes memory result) = address(engine).call(forwarded);
        vm.assertFalse(done);
        vm.assertEq(
            keccak256(result),
            keccak256(abi.encodeWithSelector(ILedger.NoAccount.selector, RELAYER))
        );
        // Nor is the relayer's or the wallet's own presence a signature.
        SignedOrder memory order = _bidOf(1);
        vm.expectRevert(abi.encodeWithSelector(IBook.SignatureMalformed.selector));
        vm.prank(wallet);
        engine.placeSigned(order, "");
        // A batch calls the engine from itself, which must have no authority, even with an account.
        uint40 own = registry.open(address(engine));
        order.account = address(engine);
        SignedOrder[] memory orders = new SignedOrder[](1);
        bytes[] memory signatures = new bytes[](1);
        (orders[0], signatures[0]) = (order, _signed(STRANGER_SECRET, order));
        vm.assertEq(engine.placeMany(orders, signatures)[0], 0);
        vm.assertEq(engine.saltsOf(own, 0), 0);
    }

    /// The same signature in every place where it must not count twice, or at all.
    function test_signature_replay() public {
        SignedOrder memory order = _bidOf(1);
        bytes memory signature = _signed(KEY_SECRET, order);
        uint40 number = _send(order, signature);
        bytes memory spent = abi.encodeWithSelector(IBook.SaltSpent.selector, 1);
        _refuse(order, signature, spent);
        _quote(false, LOW, SIZE);
        vm.assertEq(_resting(number), 0); // filled
        _refuse(order, signature, spent);
        // With the wallet's signature, or the mirrored one, it is still the same order.
        _refuse(order, _signed(WALLET_SECRET, order), spent);
        // For another account, on another chain, at another engine.
        order.account = other;
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
        engine.placeSigned(order, signature);
        order.account = wallet;
        vm.chainId(1);
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
        engine.placeSigned(order, signature);
        vm.chainId(CHAIN_ID);
        address twin = address(0x7714);
        vm.etch(twin, address(engine).code);
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
        IBook(twin).placeSigned(order, signature);
    }

    /// A revoked key stays dead, though the message that registered it has no nonce.
    function test_revived_keys() public {
        uint256 expiry = block.timestamp + 1 days;
        vm.prank(wallet);
        registry.revoke(key);
        for (uint256 i = 0; i < 2; i++) {
            bytes memory walletSignature = _byWallet(WALLET_SECRET, wallet, key, expiry + i);
            bytes memory keySignature = _acceptedBy(KEY_SECRET, wallet, expiry + i);
            vm.expectRevert(abi.encodeWithSelector(IAccounts.KeyDead.selector, key));
            registry.register(wallet, key, expiry + i, walletSignature, keySignature);
        }
        _refuse(_bidOf(1), abi.encodeWithSelector(IBook.SignerUnfit.selector, wallet, key));
    }

    /// Zaros: an order that failed took the keeper's whole batch with it.
    function test_one_bad_order_reverting_a_batch__Zaros() public {
        SignedOrder[] memory orders = new SignedOrder[](2);
        bytes[] memory signatures = new bytes[](2);
        (orders[0], orders[1]) = (_bidOf(1), _bidOf(2));
        orders[0].amount = type(uint256).max - type(uint256).max % amountStep;
        for (uint256 i = 0; i < 2; i++) {
            signatures[i] = _signed(KEY_SECRET, orders[i]);
        }
        vm.expectEmit(address(engine));
        emit IBook.Rejected(0, _digestOf(orders[0]), IBook.AmountTooLarge.selector);
        uint40[] memory numbers = engine.placeMany(orders, signatures);
        vm.assertEq(_resting(numbers[1]), SIZE);
    }

    /// GTE: an amended order took a price between two ticks. Here an edit is checked like any other
    /// placement.
    function test_price_not_on_tick_through_another_path__Zellic_GTE() public {
        uint40 old = _send(_bidOf(1));
        SignedOrder memory edit = _bidOf(2);
        edit.limitPrice += priceStep / 2;
        edit.replaces = _id(old);
        bytes memory offStep =
            abi.encodeWithSelector(IBook.PriceOffStep.selector, edit.limitPrice, priceStep);
        _refuse(edit, offStep);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(IBook.placeSigned, (edit, _signed(KEY_SECRET, edit)));
        vm.expectRevert(offStep);
        engine.multicall(calls);
        SignedOrder[] memory orders = new SignedOrder[](1);
        bytes[] memory signatures = new bytes[](1);
        (orders[0], signatures[0]) = (edit, _signed(KEY_SECRET, edit));
        vm.assertEq(engine.placeMany(orders, signatures)[0], 0);
        vm.assertEq(_resting(old), SIZE);
    }

    /// Clober 2024, GMX 2025: a call from within a payout. Nothing that is signed runs in a token's
    /// callback.
    function test_reentrancy_on_payout__Clober_GMX() public {
        OddToken odd = OddToken(_token());
        vm.etch(address(odd), address(new OddToken()).code);
        uint40 resting = _send(_bidOf(1));
        bytes[] memory calls = _signedCalls(resting);
        for (uint256 i = 0; i < calls.length; i++) {
            odd.setCall(address(engine), calls[i]);
            _depositFrom(wallet);
            vm.assertEq(
                bytes32(odd.refusal()), bytes32(ReentrancyGuardTransient.Reentrancy.selector)
            );
        }
        vm.assertEq(_resting(resting), SIZE);
        vm.assertEq(engine.saltsOf(account, 0), 2);
    }

    function _signedCalls(uint40 resting) private view returns (bytes[] memory calls) {
        SignedOrder[] memory orders = new SignedOrder[](1);
        bytes[] memory signatures = new bytes[](1);
        (orders[0], signatures[0]) = (_bidOf(2), _signed(KEY_SECRET, _bidOf(2)));
        bytes32[] memory ids = new bytes32[](1);
        ids[0] = _id(resting);
        uint40[] memory numbers = new uint40[](1);
        numbers[0] = resting;
        SignedCancel memory some = SignedCancel(wallet, listed, ids, block.timestamp);
        SignedCancelAll memory all = SignedCancelAll(wallet, listed, 3, block.timestamp);
        SignedBurn memory burnt = SignedBurn(wallet, 0, 16, block.timestamp);
        calls = new bytes[](6);
        calls[0] = abi.encodeCall(IBook.placeSigned, (orders[0], signatures[0]));
        calls[1] = abi.encodeCall(IBook.placeMany, (orders, signatures));
        calls[2] = abi.encodeCall(IBook.cancelSigned, (some, _signed(KEY_SECRET, some)));
        calls[3] = abi.encodeCall(IBook.cancelAllSigned, (all, numbers, _signed(KEY_SECRET, all)));
        calls[4] = abi.encodeCall(IBook.burnSigned, (burnt, _signed(KEY_SECRET, burnt)));
        calls[5] = abi.encodeCall(IBook.burn, (0, 16));
    }

    function _token() internal view virtual returns (address);

    function _depositFrom(address wallet_) internal virtual;
}

contract KnownSignedFailuresAtSpotTest is SignedAtSpot, KnownSignedFailures {
    function _token() internal view override returns (address) {
        return address(usdc);
    }

    function _depositFrom(address wallet_) internal override {
        _deposit(wallet_, usdc, 1);
    }
}

contract KnownSignedFailuresAtPerpsTest is SignedAtPerps, KnownSignedFailures {
    function _token() internal view override returns (address) {
        return address(usdc);
    }

    function _depositFrom(address wallet_) internal override {
        _deposit(wallet_, 1);
    }

    /// Only a liquidation places orders for an account: it is impossible through the engine's own
    /// batches.
    function test_forced_orders_are_the_engines_own() public {
        bytes memory forced = abi.encodeWithSignature(
            "placeFor(uint40,(uint32,bool,uint24,uint64,uint8,bool,uint40,uint16))",
            account,
            _gtc(true, LOW, SIZE)
        );
        bytes memory reason = abi.encodeWithSelector(IPerpsEvents.NotEngine.selector, wallet);
        vm.prank(wallet);
        (, bytes memory result) = address(engine).call(forced);
        vm.assertEq(keccak256(result), keccak256(reason));
        bytes[] memory calls = new bytes[](1);
        calls[0] = forced;
        vm.expectRevert(reason);
        vm.prank(wallet);
        engine.multicall(calls);
    }
}

/// SamWitch: a field of a packed slot was masked wrongly. Book packs by hand when it saves; for any
/// field values, the compiler must read the same from it.
contract PackedFieldMaskTest is Test {
    Book.Order private _order;
    Book.Level private _level;
    Book.State private _state;

    function testFuzz_packed_field_mask__SamWitch(
        Book.Order memory order,
        Book.Level memory level,
        Book.State memory state
    ) public {
        _check(order, level, state);
    }

    function test_packed_field_mask_with_all_bits_set__SamWitch() public {
        Book.Order memory order;
        Book.Level memory level;
        Book.State memory state;
        order.lots = Lots.wrap(type(uint64).max);
        order.prev = order.next = order.goodTil = type(uint40).max;
        order.account = AccountId.wrap(type(uint40).max);
        _check(order, level, state);
        (order.tick, order.flags) = (Tick.wrap(type(uint24).max), type(uint8).max);
        (level.head, level.tail) = (type(uint40).max, type(uint40).max);
        state.nextOrder = type(uint40).max;
        _check(order, level, state);
        (level.lots, level.count) = (type(uint96).max, type(uint32).max);
        (state.bestBid, state.bestAsk) = (Tick.wrap(type(uint24).max), Tick.wrap(type(uint24).max));
        (state.minOrderFloat, state.maxOrderFloat) = (type(uint40).max, type(uint40).max);
        (state.changedTime, state.freshOrders, state.averageTick) =
        (type(uint32).max, type(uint24).max, type(uint32).max);
        _check(order, level, state);
    }

    function _check(Book.Order memory order, Book.Level memory level, Book.State memory state)
        private
    {
        Book.save(_order, order);
        Book.save(_level, level);
        Book.save(_state, state);
        Book.Order memory readOrder = _order;
        Book.Level memory readLevel = _level;
        Book.State memory readState = _state;
        vm.assertEq(keccak256(abi.encode(readOrder)), keccak256(abi.encode(order)));
        vm.assertEq(keccak256(abi.encode(readLevel)), keccak256(abi.encode(level)));
        vm.assertEq(keccak256(abi.encode(readState)), keccak256(abi.encode(state)));
    }
}
