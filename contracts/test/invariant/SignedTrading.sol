// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots, Tick} from "../../src/ValueTypes.sol";
import {IBook, OrderRequest, SignedOrder, TimeInForce} from "../../src/interfaces/IBook.sol";
import {Trading} from "./Trading.sol";

/// Sends messages that keys have signed: valid ones, flawed ones, and earlier ones again.
abstract contract SignedTrading is Trading {
    /// A message's signature and its known properties.
    struct Seal {
        uint40 account;
        address signer; // actual signer
        bool intact; // the signature is of this message, at this engine, and well-formed
        bytes signature;
    }

    struct Item {
        SignedOrder order;
        Seal seal;
        bool sound; // the engine can make an order of it
    }
    uint256 private constant N =
        0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    uint256 private constant EXECUTED_MAX = 500; // more than a run executes
    uint256 internal constant KEPT_MAX = 40; // rejected or armed messages kept by a run
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant ORDER_TYPE = keccak256(
        "Order(address account,uint32 market,bool isBuy,uint256 limitPrice,uint256 amount,uint8 timeInForce,bool reduceOnly,uint8 triggerKind,uint256 triggerPrice,uint256 goodTil,uint8 maxFills,bytes32 replaces,uint256 replacesAmount,uint256 salt,uint256 deadline)"
    );
    bytes32 private _domain;
    bytes32 private _foreignDomain;
    Item[] private _executed;
    Item[] private _refused;

    function _startSigned() internal {
        _domain = _domainOf(address(engine), block.chainid);
        _foreignDomain = _domainOf(address(engine), block.chainid + 1);
        vm.assertEq(engine.domainSeparator(), _domain, "the domain that keys sign in");
    }

    function _domainOf(address verifier, uint256 chain) private pure returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPE, keccak256("openvenue"), keccak256("1"), chain, verifier)
        );
    }

    /* SEALS */
    /// Signs for `actor`, mostly well: by its wallet or a live key of it.
    function _seal(Actor memory actor, bytes32 structHash) internal returns (Seal memory seal) {
        seal.account = actor.account;
        uint256 secret = actor.sub || _oneIn(2) ? _liveKeyOf(actor) : actor.secret;
        if (secret == 0 || _oneIn(10)) secret = _anySecret();
        seal.signer = vm.addr(secret);
        uint256 flaw = _roll(20);
        seal.intact = flaw > 3;
        if (flaw == 0) structHash = keccak256(abi.encode(structHash)); // of another message
        seal.signature = _sign(secret, _inDomain(flaw == 1 ? _foreignDomain : _domain, structHash));
        if (flaw == 2) seal.signature = _withHighS(seal.signature);
        if (flaw == 3) seal.signature = abi.encodePacked(seal.signature, uint8(0));
    }

    function _anySecret() private returns (uint256) {
        return _oneIn(2) ? _keys[_roll(_keys.length)].secret : _anyActor().secret;
    }

    /// The other signature that the same signer could have made.
    function _withHighS(bytes memory signature) private pure returns (bytes memory) {
        (bytes32 r, bytes32 s) = (0, 0);
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
        }
        uint8 v = uint8(signature[64]) == 27 ? 28 : 27;
        return abi.encodePacked(r, bytes32(N - uint256(s)), v);
    }

    /// Returns whether the signer is the account's wallet, or an active key of it.
    function _fits(Seal memory seal) private view returns (bool) {
        if (!seal.intact) return false;
        Actor storage actor = _actors[seal.account - 1];
        if (seal.signer == actor.wallet) return true;
        for (uint256 i = 0; i < _keys.length; i++) {
            if (_keys[i].key == seal.signer) {
                return _keys[i].account == seal.account && _isLive(_keys[i]);
            }
        }
        return false;
    }

    /// A refusal because of the signature must be justified; others are checked elsewhere.
    function _isOfSignature(Seal memory seal, uint256 deadline, bytes4 rule)
        internal
        returns (bool)
    {
        if (rule == IBook.DeadlinePassed.selector) {
            vm.assertTrue(block.timestamp > deadline, "a message is in time until its deadline");
            return true;
        }
        if (rule != IBook.SignerUnfit.selector && rule != IBook.SignatureMalformed.selector) {
            return false;
        }
        vm.assertFalse(_fits(seal), "a live key's signature counts");
        seen["signer refused"] += 1;
        return true;
    }

    /// No order from an expired, revoked or foreign key, none after its deadline.
    function _expectValid(Seal memory seal, uint256 deadline) internal view {
        vm.assertTrue(_fits(seal), "only the wallet's or a live key's signature counts");
        vm.assertTrue(block.timestamp <= deadline, "no message counts after its deadline");
    }

    /* ORDERS */
    function placeSigned(uint256 seed) external seeded(seed) {
        _submitOrder(_item(_anyActor()));
    }

    /// Resends any earlier message. One that was executed is never executed again; one that was
    /// rejected may be accepted now.
    function resend(uint256 seed) external seeded(seed) {
        if (_executed.length != 0 && !_oneIn(3)) _expectSpent(_executed[_roll(_executed.length)]);
        else if (_refused.length != 0) _submitOrder(_refused[_roll(_refused.length)]);
    }

    /// No (account, salt) is executed twice: every earlier signature must fail.
    function _resendAll() internal {
        for (uint256 i = 0; i < _executed.length; i++) {
            _expectSpent(_executed[i]);
        }
    }

    function _expectSpent(Item memory item) private {
        try engine.placeSigned(item.order, item.seal.signature) {
            vm.assertTrue(false, "an order is executed twice");
        } catch (bytes memory reason) {
            bytes4 rule = bytes4(reason);
            bool spent = rule == IBook.SaltSpent.selector || rule == IBook.DeadlinePassed.selector
                || rule == IBook.SignerUnfit.selector;
            vm.assertTrue(spent, "an order once executed is refused for that");
            _forget();
            seen["order replayed"] += 1;
        }
    }

    function _item(Actor memory actor) private returns (Item memory item) {
        OrderRequest memory request = _request(actor.account);
        SignedOrder memory order = item.order;
        (uint256 priceStep, uint256 amountStep) = _stepsOf(request.market);
        (order.account, order.market, order.isBuy) = (actor.wallet, request.market, request.buy);
        (order.limitPrice, order.amount) =
        (Tick.unwrap(request.tick) * priceStep, Lots.unwrap(request.lots) * amountStep);
        (order.timeInForce, order.reduceOnly) = (uint8(request.timeInForce), request.reduceOnly);
        order.goodTil = request.goodTil;
        order.maxFills = uint8(request.maxFills);
        if (_oneIn(4)) {
            order.triggerKind = uint8(1 + _roll(2));
            order.triggerPrice = _markOf(request.market) * _between(98, 102) / 100;
        }
        if (_oneIn(6)) {
            order.replaces = _anyOrderId(request.market, actor.account);
            if (_oneIn(2)) {
                order.replacesAmount = _roll(2 * uint256(Lots.unwrap(request.lots))) * amountStep;
            }
        }
        order.salt = _roll(3) << 8 | _roll(256); // few, so that orders share them
        order.deadline = block.timestamp + _roll(3 hours);
        if (_oneIn(12)) order.deadline = block.timestamp - 1;
        item.sound = !_oneIn(16) || !_spoil(order);
        item.seal = _seal(actor, keccak256(abi.encode(ORDER_TYPE, order)));
    }

    /// Makes `order` one that no engine can accept, with a valid signature.
    function _spoil(SignedOrder memory order) private returns (bool) {
        uint256 which = _roll(9);
        if (which == 0) order.market = uint32(MARKETS + 1 + _roll(3));
        if (which == 1) order.limitPrice += 1;
        if (which == 2) order.amount += 1;
        if (which == 3) order.timeInForce = uint8(_between(4, 255));
        if (which == 4) order.goodTil = 1 << 40;
        if (which == 5) order.triggerKind = uint8(_between(3, 255));
        if (which == 6) order.limitPrice <<= 60;
        if (which == 7) order.amount <<= 64;
        if (which == 8) order.limitPrice = 0;
        return true;
    }

    function _submitOrder(Item memory item) private {
        _remember(item.seal.account, item.order.market);
        uint256 mark = _markOf(item.order.market);
        uint256 most = _mostLots(item.order);
        vm.prank(address(uint160(0xE1A7 + _roll(2))));
        try engine.placeSigned(item.order, item.seal.signature) returns (uint40 number) {
            _expectExecuted(item, number);
            _expectTriggered(item.order, mark);
            _replay();
            _expectReplaced(item);
            _expectPlaced(item.seal.account, _requestOf(item.order), number);
            vm.assertLe(
                restingLots(item.order.market, number),
                most,
                "what has left a replaced order is taken off"
            );
            vm.assertEq(
                _logged[item.order.market][number].ref,
                _digestOf(item.order),
                "a log names the signed order"
            );
            seen["placed signed"] += 1;
        } catch (bytes memory reason) {
            _forget();
            _expectNotExecuted(item, bytes4(reason), mark);
        }
        _compareSalts(item.seal.account, item.order.salt >> 8);
    }

    function _expectExecuted(Item memory item, uint40 number) private {
        _expectValid(item.seal, item.order.deadline);
        vm.assertTrue(number != 0 && item.sound, "only sound orders are placed");
        vm.assertFalse(_isSpent(item.seal.account, item.order.salt), "a salt is spent once");
        _salts[item.seal.account][item.order.salt >> 8] |= 1 << (item.order.salt & 0xff);
        if (_executed.length < EXECUTED_MAX) _executed.push(item);
        else _executed[_roll(EXECUTED_MAX)] = item;
    }

    function _expectTriggered(SignedOrder memory order, uint256 mark) private {
        if (order.triggerKind == 0) return;
        vm.assertTrue(_isMet(order, mark), "a trigger fires when the mark is there");
        seen["triggered"] += 1;
    }

    function _isMet(SignedOrder memory order, uint256 mark) private pure returns (bool) {
        return mark != 0
            && (order.triggerKind == 1 ? mark >= order.triggerPrice : mark <= order.triggerPrice);
    }

    /// The maximum lots of an order, given the order it replaces.
    function _mostLots(SignedOrder memory order) private view returns (uint256) {
        (, uint256 amountStep) = _stepsOf(order.market);
        if (amountStep == 0) return 0; // no such market
        uint256 lots = order.amount / amountStep;
        if (order.replaces == 0) return lots;
        uint256 signed = order.replacesAmount / amountStep;
        uint256 left = restingLots(order.market, uint40(uint256(order.replaces)));
        uint256 gone = signed > left ? signed - left : 0;
        return gone < lots ? lots - gone : 0;
    }

    function _expectReplaced(Item memory item) private {
        if (item.order.replaces == 0) return;
        uint40 old = uint40(uint256(item.order.replaces));
        vm.assertEq(
            item.order.replaces,
            _idOf(item.order.market, old),
            "only an order of this market is replaced"
        );
        vm.assertEq(
            _logged[item.order.market][old].account,
            item.seal.account,
            "only an own order is replaced"
        );
        vm.assertEq(restingLots(item.order.market, old), 0, "a replaced order is off the book");
        seen["replaced"] += 1;
    }

    function _expectNotExecuted(Item memory item, bytes4 rule, uint256 mark) private {
        if (_refused.length < KEPT_MAX) _refused.push(item);
        else _refused[_roll(KEPT_MAX)] = item;
        if (_isOfSignature(item.seal, item.order.deadline, rule)) return;
        if (rule == IBook.SaltSpent.selector) {
            vm.assertTrue(
                _isSpent(item.seal.account, item.order.salt), "a fresh salt is not spent"
            );
        } else if (rule == IBook.TriggerNotMet.selector) {
            vm.assertFalse(_isMet(item.order, mark), "a trigger that is met is not refused");
        } else if (rule == IBook.OrderUnknown.selector) {
            uint40 old = uint40(uint256(item.order.replaces));
            bool own = item.order.replaces == _idOf(item.order.market, old)
                && _logged[item.order.market][old].account == item.seal.account;
            vm.assertFalse(
                own && restingLots(item.order.market, old) != 0, "a resting order can be replaced"
            );
        } else if (item.sound) {
            _expectRefused(_requestOf(item.order), rule);
        }
    }

    function _isSpent(uint40 account, uint256 salt) internal view returns (bool) {
        return _salts[account][salt >> 8] >> (salt & 0xff) & 1 == 1;
    }

    function _compareSalts(uint40 account, uint256 word) internal view {
        vm.assertEq(engine.saltsOf(account, word), _salts[account][word], "spent salts");
    }

    function _requestOf(SignedOrder memory order)
        private
        view
        returns (OrderRequest memory request)
    {
        (uint256 priceStep, uint256 amountStep) = _stepsOf(order.market);
        (request.market, request.buy) = (order.market, order.isBuy);
        (request.tick, request.lots) =
        (
            Tick.wrap(uint24(order.limitPrice / priceStep)),
            Lots.wrap(uint64(order.amount / amountStep))
        );
        (request.timeInForce, request.reduceOnly) =
        (TimeInForce(order.timeInForce), order.reduceOnly);
        request.goodTil = uint40(order.goodTil);
        request.maxFills = order.maxFills;
    }

    /* BATCHES */
    /// A batch never reverts, whatever is in it, and reports exactly the refused items.
    function placeMany(uint256 seed) external seeded(seed) {
        Item[] memory items = new Item[](_roll(5));
        SignedOrder[] memory orders = new SignedOrder[](items.length);
        bytes[] memory signatures = new bytes[](items.length);
        for (uint256 i = 0; i < items.length; i++) {
            items[i] = _item(_anyActor());
            if (i != 0 && _oneIn(8)) items[i] = items[i - 1];
            (orders[i], signatures[i]) = (items[i].order, items[i].seal.signature);
        }
        if (items.length != 0) {
            _remember(items[items.length - 1].seal.account, items[items.length - 1].order.market);
        }
        uint40[] memory numbers = engine.placeMany(orders, signatures);
        _replayBatch(numbers);
        uint256 rejected;
        for (uint256 i = 0; i < items.length; i++) {
            // The remembered state equals the one met by the last item only if all earlier items
            // were rejected.
            bool alone = i == items.length - 1 && rejected == i;
            if (numbers[i] == 0) {
                vm.assertEq(_rejected[rejected++], i, "a refused item is reported");
            } else {
                _expectItem(items[i], numbers[i], alone);
            }
        }
        for (uint256 i = 0; i < items.length; i++) {
            _compareSalts(items[i].seal.account, items[i].order.salt >> 8);
        }
        vm.assertEq(_rejected.length, rejected, "no other item is reported as refused");
        seen["batch"] += 1;
    }

    function _expectItem(Item memory item, uint40 number, bool alone) private {
        vm.assertEq(
            _logged[item.order.market][number].ref,
            _digestOf(item.order),
            "an item's number is its order's"
        );
        _expectExecuted(item, number);
        _expectReplaced(item);
        // Items before and after it may have traded with its account.
        if (alone) _expectPlaced(item.seal.account, _requestOf(item.order), number);
        seen["placed in a batch"] += 1;
    }

    /* NAMES */
    function _digestOf(SignedOrder memory order) private view returns (bytes32) {
        return _inDomain(_domain, keccak256(abi.encode(ORDER_TYPE, order)));
    }

    function _idOf(uint32 market, uint40 order) internal view returns (bytes32) {
        return bytes32(uint256(uint160(address(engine))) << 96 | uint256(market) << 64 | order);
    }

    /// Mostly an own order that rests here; sometimes another account's, or elsewhere.
    function _anyOrderId(uint32 market, uint40 account) private returns (bytes32) {
        uint40[] memory own = _liveOf(market, account);
        if (own.length != 0 && !_oneIn(4)) return _idOf(market, own[_roll(own.length)]);
        (uint32 any, uint40 order) = _anyLive();
        return _oneIn(4) ? _idOf(market == any ? any + 1 : market, order) : _idOf(any, order);
    }
    /* WHAT AN ENGINE ADDS */
    function _stepsOf(uint32 market)
        internal
        view
        virtual
        returns (uint256 priceStep, uint256 amountStep);
    /// The price that triggers compare with, 0 for none.
    function _markOf(uint32 market) internal view virtual returns (uint256);
}
