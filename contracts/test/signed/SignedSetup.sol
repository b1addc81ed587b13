// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Book} from "../../src/Book.sol";
import {Lots, Tick} from "../../src/ValueTypes.sol";
import {
    IBook,
    OrderRequest,
    SignedBurn,
    SignedCancel,
    SignedCancelAll,
    SignedOrder,
    TimeInForce
} from "../../src/interfaces/IBook.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";
import {SpotSetup} from "../spot/SpotSetup.sol";
import {Test} from "../Vm.sol";

/// Sets up wallets with keys at an engine; the cases of this folder run at both. It repeats the
/// type strings, so that a mistake in the contract's shows.
abstract contract SignedSetup is Test {
    /* Values of `triggerKind`. */
    uint8 internal constant AT_OR_ABOVE = 1;
    uint8 internal constant AT_OR_BELOW = 2;
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant ORDER_TYPE = keccak256(
        "Order(address account,uint32 market,bool isBuy,uint256 limitPrice,uint256 amount,uint8 timeInForce,bool reduceOnly,uint8 triggerKind,uint256 triggerPrice,uint256 goodTil,uint8 maxFills,bytes32 replaces,uint256 replacesAmount,uint256 salt,uint256 deadline)"
    );
    bytes32 private constant CANCEL_TYPE =
        keccak256("Cancel(address account,uint32 market,bytes32[] orders,uint256 deadline)");
    bytes32 private constant CANCEL_ALL_TYPE =
        keccak256("CancelAll(address account,uint32 market,uint256 salt,uint256 deadline)");
    bytes32 private constant BURN_TYPE =
        keccak256("Burn(address account,uint256 word,uint256 mask,uint256 deadline)");
    bytes32 internal constant REGISTER_KEY_TYPE =
        keccak256("RegisterKey(address account,address key,uint256 expiry)");
    bytes32 internal constant ACCEPT_KEY_TYPE =
        keccak256("AcceptKey(address account,address key,uint256 expiry)");

    uint256 internal constant CHAIN_ID = 5042002;
    uint256 internal constant CURVE_ORDER =
        0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    uint256 internal constant WALLET_SECRET = 0xA11CE;
    uint256 internal constant KEY_SECRET = 0x5EC;
    uint256 internal constant OTHER_SECRET = 0xB0B;
    uint256 internal constant OTHER_KEY_SECRET = 0xB0B5;
    uint256 internal constant SUB_KEY_SECRET = 0x5AB;
    uint256 internal constant STRANGER_SECRET = 0xDEAD;

    address internal constant RELAYER = address(0x4E1A);
    address internal constant QUOTER = address(0x0077);

    uint24 internal constant MID = 200_000;
    uint24 internal constant LOW = 199_000; // a bid here rests
    uint64 internal constant SIZE = 100; // lots

    address internal wallet = vm.addr(WALLET_SECRET);
    address internal key = vm.addr(KEY_SECRET);
    address internal other = vm.addr(OTHER_SECRET);

    IBook internal engine;
    Accounts internal registry;
    uint32 internal listed;
    uint256 internal priceStep;
    uint256 internal amountStep;
    uint40 internal account;
    uint40 internal otherAccount;

    /// Names the engine, funds two wallets and gives each a key that lives a day.
    function _prepare(
        IBook engine_,
        Accounts registry_,
        uint32 listed_,
        uint256 priceStep_,
        uint256 amountStep_
    ) internal {
        vm.chainId(CHAIN_ID);
        (engine, registry, listed, priceStep, amountStep) =
        (engine_, registry_, listed_, priceStep_, amountStep_);
        account = _fundWallet(wallet);
        otherAccount = _fundWallet(other);
        _fundWallet(QUOTER);
        _register(WALLET_SECRET, KEY_SECRET, block.timestamp + 1 days);
        _register(OTHER_SECRET, OTHER_KEY_SECRET, block.timestamp + 1 days);
    }

    /* WHAT DIFFERS BETWEEN THE ENGINES */

    function _fundWallet(address wallet_) internal virtual returns (uint40);

    /// Makes `tick` the price at which triggers look.
    function _setMark(uint24 tick) internal virtual;

    /// Goes on in time with prices as fresh as before.
    function _wait(uint256 seconds_) internal virtual;

    /* ORDERS */

    /// A bid that rests.
    function _bidOf(uint256 salt) internal view returns (SignedOrder memory order) {
        order.account = wallet;
        order.market = listed;
        order.isBuy = true;
        order.limitPrice = LOW * priceStep;
        order.amount = SIZE * amountStep;
        order.salt = salt;
        order.deadline = block.timestamp + 1 hours;
    }

    function _send(SignedOrder memory order, bytes memory signature) internal returns (uint40) {
        vm.prank(RELAYER);
        return engine.placeSigned(order, signature);
    }

    /// Signs with the account's key and sends.
    function _send(SignedOrder memory order) internal returns (uint40) {
        return _send(order, _signed(KEY_SECRET, order));
    }

    function _refuse(SignedOrder memory order, bytes memory signature, bytes memory reason)
        internal
    {
        bytes32 before = _traceOf(order);
        vm.expectRevert(reason);
        vm.prank(RELAYER);
        engine.placeSigned(order, signature);
        vm.assertEq(_traceOf(order), before, "a refused order leaves no trace");
    }

    function _refuse(SignedOrder memory order, bytes memory reason) internal {
        _refuse(order, _signed(KEY_SECRET, order), reason);
    }

    /// All that an order could have changed: its salt, the book, the level.
    function _traceOf(SignedOrder memory order) internal view returns (bytes32) {
        Book.StateView memory state = IMarkets(address(engine)).stateOf(listed);
        Book.Level memory level = IMarkets(address(engine)).levelAt(listed, LOW);
        return keccak256(
            abi.encode(
                state,
                level,
                engine.saltsOf(account, order.salt >> 8),
                engine.saltsOf(otherAccount, order.salt >> 8),
                _fundsOf(account)
            )
        );
    }

    /// A hash of the account's balances and positions.
    function _fundsOf(uint40 account_) internal view virtual returns (bytes32);

    /// `lots` of a stranger at `tick`.
    function _quote(bool buy, uint24 tick, uint64 lots) internal returns (uint40) {
        return _placeBy(QUOTER, buy, tick, lots);
    }

    function _placeBy(address who, bool buy, uint24 tick, uint64 lots) internal returns (uint40) {
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) =
        (listed, buy, Tick.wrap(tick), Lots.wrap(lots));
        vm.prank(who);
        return engine.place(request);
    }

    function _resting(uint40 number) internal view returns (uint64) {
        return Lots.unwrap(IMarkets(address(engine)).orderAt(listed, number).lots);
    }

    function _next() internal view returns (uint40) {
        return IMarkets(address(engine)).stateOf(listed).nextOrder;
    }

    /// The id of a resting order: engine, market, number.
    function _idOf(address engine_, uint32 market, uint64 number) internal pure returns (bytes32) {
        return bytes32(abi.encodePacked(engine_, market, number));
    }

    function _id(uint40 number) internal view returns (bytes32) {
        return _idOf(address(engine), listed, number);
    }

    /* SIGNING */

    function _sign(uint256 secret, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(secret, digest);
        return abi.encodePacked(r, s, v);
    }

    function _domainOf(address engine_) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPE,
                keccak256("openvenue"),
                keccak256("1"),
                uint256(block.chainid),
                engine_
            )
        );
    }

    function _digestAt(address engine_, bytes32 message) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", _domainOf(engine_), message));
    }

    function _messageOf(SignedOrder memory order) internal pure returns (bytes32) {
        return keccak256(
            bytes.concat(
                abi.encode(
                    ORDER_TYPE,
                    order.account,
                    order.market,
                    order.isBuy,
                    order.limitPrice,
                    order.amount,
                    order.timeInForce
                ),
                abi.encode(
                    order.reduceOnly,
                    order.triggerKind,
                    order.triggerPrice,
                    order.goodTil,
                    order.maxFills,
                    order.replaces,
                    order.replacesAmount,
                    order.salt,
                    order.deadline
                )
            )
        );
    }

    function _digestOf(SignedOrder memory order) internal view returns (bytes32) {
        return _digestAt(address(engine), _messageOf(order));
    }

    function _signed(uint256 secret, SignedOrder memory order)
        internal
        view
        returns (bytes memory)
    {
        return _sign(secret, _digestOf(order));
    }

    function _signed(uint256 secret, SignedCancel memory message)
        internal
        view
        returns (bytes memory)
    {
        bytes32 ids = keccak256(abi.encodePacked(message.orders));
        bytes32 hash = keccak256(
            abi.encode(CANCEL_TYPE, message.account, message.market, ids, message.deadline)
        );
        return _sign(secret, _digestAt(address(engine), hash));
    }

    function _signed(uint256 secret, SignedCancelAll memory message)
        internal
        view
        returns (bytes memory)
    {
        bytes32 hash = keccak256(
            abi.encode(
                CANCEL_ALL_TYPE, message.account, message.market, message.salt, message.deadline
            )
        );
        return _sign(secret, _digestAt(address(engine), hash));
    }

    function _signed(uint256 secret, SignedBurn memory message)
        internal
        view
        returns (bytes memory)
    {
        bytes32 hash = keccak256(
            abi.encode(BURN_TYPE, message.account, message.word, message.mask, message.deadline)
        );
        return _sign(secret, _digestAt(address(engine), hash));
    }

    /// Registers a key of the wallet of `walletSecret`.
    function _register(uint256 walletSecret, uint256 keySecret, uint256 expiry) internal {
        _registerFor(vm.addr(walletSecret), walletSecret, keySecret, expiry);
    }

    /// Registers a key of an account that the wallet of `secret` signs for.
    function _registerFor(address account_, uint256 secret, uint256 keySecret, uint256 expiry)
        internal
    {
        bytes memory byWallet = _byWallet(secret, account_, vm.addr(keySecret), expiry);
        registry.register(
            account_,
            vm.addr(keySecret),
            expiry,
            byWallet,
            _acceptedBy(keySecret, account_, expiry)
        );
    }

    function _byWallet(uint256 secret, address account_, address key_, uint256 expiry)
        internal
        view
        returns (bytes memory)
    {
        return _signedAtRegistry(
            secret, keccak256(abi.encode(REGISTER_KEY_TYPE, account_, key_, expiry))
        );
    }

    function _acceptedBy(uint256 keySecret, address account_, uint256 expiry)
        internal
        view
        returns (bytes memory)
    {
        bytes32 message =
            keccak256(abi.encode(ACCEPT_KEY_TYPE, account_, vm.addr(keySecret), expiry));
        return _signedAtRegistry(keySecret, message);
    }

    function _signedAtRegistry(uint256 secret, bytes32 message)
        internal
        view
        returns (bytes memory)
    {
        return _sign(
            secret, keccak256(abi.encodePacked(hex"1901", registry.domainSeparator(), message))
        );
    }

    /// Opens the wallet's sub-account 0 with a key that lives a day.
    function _openSub() internal returns (uint40 number, address sub) {
        vm.prank(wallet);
        (number, sub) = registry.openSub(0);
        _registerFor(sub, WALLET_SECRET, SUB_KEY_SECRET, block.timestamp + 1 days);
    }
}

/// The cases at the spot engine.
abstract contract SignedAtSpot is SpotSetup, SignedSetup {
    function setUp() public virtual override {
        super.setUp();
        _prepare(IBook(address(spot)), accounts, market, 1e4, LOT);
    }

    function _fundWallet(address wallet_) internal override returns (uint40) {
        return _fund(wallet_);
    }

    /// The mid becomes the mark as time passes: one bid and one ask around it. After this time no
    /// earlier mid has an effect.
    function _setMark(uint24 tick) internal override {
        _quote(true, tick - 1, SIZE);
        _quote(false, tick + 1, SIZE);
        for (uint256 i = 0; i < 80; i++) {
            vm.warp(block.timestamp + 10);
            _quote(true, LOW - 1_000, SIZE);
        }
    }

    function _wait(uint256 seconds_) internal override {
        vm.warp(block.timestamp + seconds_);
    }

    function _fundsOf(uint40 account_) internal view override returns (bytes32) {
        return keccak256(abi.encode(_eth(account_), _usdc(account_)));
    }
}

/// The cases at the perpetual engine.
abstract contract SignedAtPerps is PerpsSetup, SignedSetup {
    function setUp() public virtual override {
        super.setUp();
        _prepare(IBook(address(perps)), accounts, market, 1e16, 1e15);
    }

    function _fundWallet(address wallet_) internal override returns (uint40) {
        return _fund(wallet_);
    }

    function _setMark(uint24 tick) internal override {
        _pass(1);
        _index(uint256(tick) * 1e16);
    }

    function _wait(uint256 seconds_) internal override {
        _pass(seconds_);
        _index(2_000e18);
    }

    function _fundsOf(uint40 account_) internal view override returns (bytes32) {
        return keccak256(abi.encode(perps.holdingOf(account_), perps.positionOf(market, account_)));
    }
}
