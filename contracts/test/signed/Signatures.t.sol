// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    IBook,
    SignedBurn,
    SignedCancel,
    SignedCancelAll,
    SignedOrder,
    TimeInForce
} from "../../src/interfaces/IBook.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "./SignedSetup.sol";

/// Tests whose signatures an engine accepts, and for what.
abstract contract SignatureCases is SignedSetup {
    /// Address of the engine in the vectors below.
    address private constant VECTOR_ENGINE = address(0xC0DE5);
    uint256 private constant VECTOR_DEADLINE = 1_800_000_000;

    /* VECTORS: digests and signatures that viem 2.57.1 gave for these messages (hashTypedData, */
    /* signTypedData of the wallet 0xA11CE in the domain openvenue, 1, 5042002, 0x...C0DE5) */

    function test_an_order_is_hashed_as_wallets_hash_it() public {
        _standAtVectorEngine();
        SignedOrder memory order = _vectorOrder();
        bytes32 digest = 0x55092ae07cc748f86f71723e549cf3e0d9fe834633fd8b623a62e84461a60dcb;
        vm.assertEq(_digestAt(VECTOR_ENGINE, _messageOf(order)), digest);

        SignedOrder[] memory orders = new SignedOrder[](1);
        bytes[] memory signatures = new bytes[](1);
        orders[0] = order;
        vm.expectEmit(VECTOR_ENGINE);
        emit IBook.Rejected(0, digest, IBook.SignatureMalformed.selector);
        IBook(VECTOR_ENGINE).placeMany(orders, signatures);
    }

    function test_a_cancel_is_hashed_as_wallets_hash_it() public {
        _standAtVectorEngine();
        bytes32[] memory ids = new bytes32[](2);
        (ids[0], ids[1]) = (_idOf(VECTOR_ENGINE, 7, 41), _idOf(VECTOR_ENGINE, 7, 42));
        bytes memory signature =
            hex"a9c35daf0eb87ca3f9009cd2a0c8524e46817c6c706a2400f07eb3c17d76e7c060ccf433201f846b19b4f6edc3ed72fcfc4f0318c180387ec6582bdc1c615bce1b";
        SignedCancel memory message = SignedCancel(wallet, 7, ids, VECTOR_DEADLINE);
        // Taken, though none rests.
        vm.assertEq(IBook(VECTOR_ENGINE).cancelSigned(message, signature), 0);
        message.orders[1] = _idOf(VECTOR_ENGINE, 7, 43);
        _expectUnfit();
        IBook(VECTOR_ENGINE).cancelSigned(message, signature);
    }

    function test_a_cancel_of_all_is_hashed_as_wallets_hash_it() public {
        _standAtVectorEngine();
        bytes memory signature =
            hex"02c6549926c925fcb306c7d9d6946e382f4887f9fe11b251757bd9008c32320062f6be39be63556c3eb4d018f0bf4ce0adb07e0a5861969525a445c530ad29561b";
        SignedCancelAll memory message = SignedCancelAll(wallet, 7, 78, VECTOR_DEADLINE);
        uint40[] memory none;
        // Taken; then it turns out that this engine has no market 7.
        vm.expectRevert(abi.encodeWithSignature("MarketUnknown(uint32)", 7));
        IBook(VECTOR_ENGINE).cancelAllSigned(message, none, signature);
        message.salt = 79;
        _expectUnfit();
        IBook(VECTOR_ENGINE).cancelAllSigned(message, none, signature);
    }

    function test_a_burn_is_hashed_as_wallets_hash_it() public {
        _standAtVectorEngine();
        bytes memory signature =
            hex"fbea3d8c651547812f973341634cb41bddc7b1e1a558d815cf6e8790935de2e37e3f516c9bccc7cd61f9818090ad883f4fface143414461fcd3f32573b7d8ec31c";
        SignedBurn memory message = SignedBurn(wallet, 3, 5, VECTOR_DEADLINE);
        IBook(VECTOR_ENGINE).burnSigned(message, signature);
        vm.assertEq(IBook(VECTOR_ENGINE).saltsOf(account, 3), 5);
        message.mask = 7;
        _expectUnfit();
        IBook(VECTOR_ENGINE).burnSigned(message, signature);
    }

    function test_the_domain_names_the_venue_the_chain_and_the_engine() public {
        vm.assertEq(engine.domainSeparator(), _domainOf(address(engine)));
        vm.chainId(1);
        vm.assertEq(
            engine.domainSeparator(),
            _domainOf(address(engine)),
            "a fork of the chain has its own domain"
        );
    }

    /* WHO SIGNS */

    function test_the_wallet_itself_may_sign() public {
        SignedOrder memory order = _bidOf(1);
        uint40 number = _send(order, _signed(WALLET_SECRET, order));
        vm.assertEq(_resting(number), SIZE);
    }

    function test_a_live_key_may_sign_and_anybody_may_send() public {
        SignedOrder memory order = _bidOf(1);
        bytes memory signature = _signed(KEY_SECRET, order);
        vm.expectEmit(address(engine));
        emit IBook.Placed(
            listed, account, _next(), true, LOW, SIZE, TimeInForce.GTC, false, 0, _digestOf(order)
        );
        vm.prank(address(uint160(uint256(keccak256("anybody")))));
        uint40 number = engine.placeSigned(order, signature);
        vm.assertEq(_resting(number), SIZE);
    }

    function test_a_key_may_sign_through_its_last_second() public {
        SignedOrder memory order = _bidOf(1);
        order.deadline = type(uint256).max;
        bytes memory signature = _signed(KEY_SECRET, order);
        _wait(1 days - 1);
        vm.assertEq(_resting(_send(order, signature)), SIZE);
        order.salt = 2;
        signature = _signed(KEY_SECRET, order);
        _wait(1);
        _refuse(order, signature, _unfit(wallet, key));
    }

    function test_a_revoked_key_may_not_sign() public {
        SignedOrder memory order = _bidOf(1);
        bytes memory signature = _signed(KEY_SECRET, order);
        vm.prank(wallet);
        registry.revoke(key);
        _refuse(order, signature, _unfit(wallet, key));
    }

    function test_an_unknown_key_may_not_sign() public {
        SignedOrder memory order = _bidOf(1);
        _refuse(order, _signed(STRANGER_SECRET, order), _unfit(wallet, vm.addr(STRANGER_SECRET)));
    }

    function test_a_key_or_wallet_of_another_account_may_not_sign() public {
        SignedOrder memory order = _bidOf(1);
        _refuse(order, _signed(OTHER_KEY_SECRET, order), _unfit(wallet, vm.addr(OTHER_KEY_SECRET)));
        _refuse(order, _signed(OTHER_SECRET, order), _unfit(wallet, other));
    }

    function test_a_sub_account_and_its_owner_have_keys_of_their_own() public {
        (, address sub) = _openSub();
        SignedOrder memory order = _bidOf(1);
        _refuse(order, _signed(SUB_KEY_SECRET, order), _unfit(wallet, vm.addr(SUB_KEY_SECRET)));
        order.account = sub;
        _refuse(order, _signed(KEY_SECRET, order), _unfit(sub, key));
        _refuse(order, _signed(WALLET_SECRET, order), _unfit(sub, wallet));
    }

    function test_nobody_signs_for_who_has_no_account() public {
        SignedOrder memory order = _bidOf(1);
        order.account = vm.addr(STRANGER_SECRET);
        _refuse(order, _signed(STRANGER_SECRET, order), _unfit(order.account, order.account));
        order.account = address(0);
        _refuse(order, _signed(KEY_SECRET, order), _unfit(address(0), key));
        order.account = key; // a key is not an account
        _refuse(order, _signed(KEY_SECRET, order), _unfit(key, key));
    }

    /* WHAT A SIGNATURE LOOKS LIKE */

    function test_the_mirrored_signature_with_a_high_s_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY_SECRET, _digestOf(order));
        bytes memory mirrored =
            abi.encodePacked(r, CURVE_ORDER - uint256(s), v == 27 ? uint8(28) : uint8(27));
        vm.assertEq(
            ecrecover(_digestOf(order), v == 27 ? 28 : 27, r, bytes32(CURVE_ORDER - uint256(s))),
            key
        );
        _refuse(order, mirrored, abi.encodeWithSelector(IBook.SignatureMalformed.selector));
    }

    /// Half the curve's order is the greatest s that is accepted as is.
    function test_s_is_refused_right_above_half_the_order_of_the_curve() public {
        SignedOrder memory order = _bidOf(1);
        bytes32 r = bytes32(uint256(1));
        uint256 half = CURVE_ORDER / 2;
        address signer = ecrecover(_digestOf(order), 27, r, bytes32(half));
        _refuse(order, abi.encodePacked(r, half, uint8(27)), _unfit(wallet, signer));
        _refuse(
            order,
            abi.encodePacked(r, half + 1, uint8(27)),
            abi.encodeWithSelector(IBook.SignatureMalformed.selector)
        );
    }

    function test_the_64_byte_form_of_a_signature_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY_SECRET, _digestOf(order));
        bytes memory short = abi.encodePacked(r, uint256(s) | uint256(v - 27) << 255);
        _refuse(order, short, abi.encodeWithSelector(IBook.SignatureMalformed.selector));
    }

    function testFuzz_a_signature_of_another_length_is_refused(bytes memory signature) public {
        vm.assume(signature.length != 65);
        _refuse(_bidOf(1), signature, abi.encodeWithSelector(IBook.SignatureMalformed.selector));
    }

    function test_a_signature_that_recovers_nobody_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY_SECRET, _digestOf(order));
        _refuse(order, abi.encodePacked(r, s, v - 27), _unfit(wallet, address(0))); // v of 0 or 1
        _refuse(order, abi.encodePacked(r, s, uint8(29)), _unfit(wallet, address(0)));
        _refuse(order, abi.encodePacked(bytes32(0), s, v), _unfit(wallet, address(0)));
        _refuse(order, abi.encodePacked(r, bytes32(0), v), _unfit(wallet, address(0)));
        _refuse(order, new bytes(65), _unfit(wallet, address(0)));
        order.account = address(0); // the zero address must not match it
        _refuse(order, new bytes(65), _unfit(address(0), address(0)));
    }

    function testFuzz_any_other_65_bytes_are_refused(bytes32 r, bytes32 s, uint8 v) public {
        SignedOrder memory order = _bidOf(1);
        vm.expectRevert();
        engine.placeSigned(order, abi.encodePacked(r, s, v));
    }

    /// The inputs that fail are printed with their seed.
    function testFuzz_a_signature_is_of_all_members_of_an_order(
        SignedOrder memory order,
        uint256 member,
        uint256 to
    ) public {
        (order.account, order.deadline) =
        (wallet, bound(order.deadline, block.timestamp, type(uint256).max));
        bytes memory signature = _signed(KEY_SECRET, order);
        bytes32 digest = _digestOf(order);
        _mutate(order, member % 15, to);
        vm.assume(_digestOf(order) != digest);
        vm.assume(order.deadline >= block.timestamp);
        (bool done, bytes memory result) =
            address(engine).call(abi.encodeCall(IBook.placeSigned, (order, signature)));
        vm.assertFalse(done);
        vm.assertEq(bytes32(bytes4(result)), bytes32(IBook.SignerUnfit.selector));
    }

    function _mutate(SignedOrder memory order, uint256 member, uint256 to) private view {
        if (member == 0) order.account = to % 2 == 0 ? other : address(uint160(to));
        if (member == 1) order.market = uint32(to);
        if (member == 2) order.isBuy = !order.isBuy;
        if (member == 3) order.limitPrice = to;
        if (member == 4) order.amount = to;
        if (member == 5) order.timeInForce = uint8(to);
        if (member == 6) order.reduceOnly = !order.reduceOnly;
        if (member == 7) order.triggerKind = uint8(to);
        if (member == 8) order.triggerPrice = to;
        if (member == 9) order.goodTil = to;
        if (member == 10) order.maxFills = uint8(to);
        if (member == 11) order.replaces = bytes32(to);
        if (member == 12) order.replacesAmount = to;
        if (member == 13) order.salt = to;
        if (member == 14) order.deadline = to;
    }

    /* WHERE AND WHEN */

    function test_an_order_for_another_chain_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        bytes memory signature = _signed(KEY_SECRET, order);
        vm.chainId(CHAIN_ID + 1);
        _expectUnfit();
        engine.placeSigned(order, signature);
    }

    function test_an_order_for_another_engine_is_refused() public {
        SignedOrder memory order = _bidOf(1);
        bytes memory signature = _sign(KEY_SECRET, _digestAt(address(0xE2), _messageOf(order)));
        _expectUnfit();
        engine.placeSigned(order, signature);
    }

    function test_an_order_may_be_placed_through_its_deadline() public {
        SignedOrder memory order = _bidOf(1);
        order.deadline = block.timestamp;
        _send(order);
        order.salt = 2;
        order.deadline = block.timestamp - 1;
        _refuse(
            order,
            abi.encodeWithSelector(
                IBook.DeadlinePassed.selector, block.timestamp - 1, block.timestamp
            )
        );
    }

    function _vectorOrder() private view returns (SignedOrder memory order) {
        order.account = wallet;
        order.market = 7;
        order.isBuy = true;
        order.limitPrice = 1990_000000;
        order.amount = 1e18;
        order.timeInForce = 3;
        order.reduceOnly = true;
        order.triggerKind = 2;
        order.triggerPrice = 1995_000000;
        order.goodTil = 1_900_000_000;
        order.maxFills = 9;
        order.replaces = 0x00000000000000000000000000000000000c0de5000000070000000000000029;
        order.replacesAmount = 5e17;
        order.salt = 1 << 255 | 77;
        order.deadline = VECTOR_DEADLINE;
    }

    /// An engine without markets at the address of the vectors.
    function _standAtVectorEngine() private {
        vm.etch(VECTOR_ENGINE, address(engine).code);
    }

    function _expectUnfit() private {
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
    }

    function _unfit(address account_, address signer) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IBook.SignerUnfit.selector, account_, signer);
    }
}

contract SignaturesAtSpotTest is SignedAtSpot, SignatureCases {}

contract SignaturesAtPerpsTest is SignedAtPerps, SignatureCases {}
