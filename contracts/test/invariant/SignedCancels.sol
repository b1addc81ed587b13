// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, SignedBurn, SignedCancel, SignedCancelAll} from "../../src/interfaces/IBook.sol";
import {SignedTrading} from "./SignedTrading.sol";

/// Cancels orders and burns salts by messages that keys have signed, some of them kept for later.
abstract contract SignedCancels is SignedTrading {
    struct ArmedCancel {
        SignedCancelAll message;
        Seal seal;
    }

    bytes32 private constant CANCEL_TYPE =
        keccak256("Cancel(address account,uint32 market,bytes32[] orders,uint256 deadline)");
    bytes32 private constant CANCEL_ALL_TYPE =
        keccak256("CancelAll(address account,uint32 market,uint256 salt,uint256 deadline)");
    bytes32 private constant BURN_TYPE =
        keccak256("Burn(address account,uint256 word,uint256 mask,uint256 deadline)");
    ArmedCancel[] private _armed;
    /// Keyed by message: the first order that it does not cover, once used.
    mapping(bytes32 => uint40) private _cuts;

    /* CANCELS */

    function cancelSigned(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyActor();
        SignedCancel memory message;
        (message.account, message.market) = (actor.wallet, _anyMarket());
        message.deadline = block.timestamp + _roll(100) - 5;
        uint40[] memory orders =
            _oneIn(2) ? _liveOf(message.market, actor.account) : _anyOrders(message.market, 5);
        message.orders = new bytes32[](orders.length);
        for (uint256 i = 0; i < orders.length; i++) {
            message.orders[i] = _idOf(message.market, orders[i]);
        }
        bytes32 ids = keccak256(abi.encodePacked(message.orders));
        Seal memory seal = _seal(
            actor,
            keccak256(
                abi.encode(CANCEL_TYPE, message.account, message.market, ids, message.deadline)
            )
        );
        // Sent a second time it finds no orders to cancel, and has no effect.
        for (uint256 i = 0; i < 2; i++) {
            try engine.cancelSigned(message, seal.signature) returns (uint256 cancelled) {
                _expectValid(seal, message.deadline);
                vm.assertEq(_replay(), cancelled, "cancelSigned counts what it cancels");
                vm.assertTrue(i == 0 || cancelled == 0, "an order is cancelled once");
                _expectGone(message.market, actor.account, orders, type(uint40).max);
                seen["cancelled signed"] += 1;
            } catch (bytes memory reason) {
                _forget();
                vm.assertTrue(
                    _isOfSignature(seal, message.deadline, bytes4(reason)),
                    "a cancel never fails else"
                );
            }
        }
    }

    function _expectGone(uint32 market, uint40 account, uint40[] memory orders, uint40 cut)
        internal
        view
    {
        for (uint256 i = 0; i < orders.length; i++) {
            if (orders[i] >= cut || _logged[market][orders[i]].account != account) continue;
            vm.assertEq(restingLots(market, orders[i]), 0, "a cancel leaves none that it names");
        }
    }

    /// Signs the cancel of all orders, to be sent later if at all.
    function arm(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyActor();
        SignedCancelAll memory message;
        (message.account, message.market) = (actor.wallet, _anyMarket());
        message.salt = _roll(3) << 8 | _roll(256);
        message.deadline = block.timestamp + _roll(3 days);
        Seal memory seal = _seal(actor, keccak256(abi.encode(CANCEL_ALL_TYPE, message)));
        if (_armed.length < KEPT_MAX) _armed.push(ArmedCancel(message, seal));
        else _armed[_roll(KEPT_MAX)] = ArmedCancel(message, seal);
    }

    function fire(uint256 seed) external seeded(seed) {
        if (_armed.length == 0) return;
        ArmedCancel storage armed = _armed[_roll(_armed.length)];
        SignedCancelAll memory message = armed.message;
        Seal memory seal = armed.seal;
        uint40[] memory orders =
            _oneIn(4) ? _anyOrders(message.market, 5) : _liveOf(message.market, seal.account);
        bytes32 id = keccak256(abi.encode(message));
        uint40[] memory later = _after(message.market, seal.account, _cuts[id]);
        try engine.cancelAllSigned(message, orders, seal.signature) returns (uint256 cancelled) {
            _expectValid(seal, message.deadline);
            if (_cuts[id] == 0) {
                vm.assertFalse(_isSpent(seal.account, message.salt), "a burnt salt disarms");
                _salts[seal.account][message.salt >> 8] |= 1 << (message.salt & 0xff);
                _cuts[id] = ordersLogged[message.market] + 1;
            } else {
                seen["fired again"] += 1;
            }
            vm.assertEq(_replay(), cancelled, "cancelAllSigned counts what it cancels");
            _expectGone(message.market, seal.account, orders, _cuts[id]);
            for (uint256 i = 0; i < later.length; i++) {
                vm.assertTrue(
                    restingLots(message.market, later[i]) != 0,
                    "orders placed after its first use stay"
                );
            }
            seen["fired"] += 1;
        } catch (bytes memory reason) {
            _forget();
            if (!_isOfSignature(seal, message.deadline, bytes4(reason))) {
                vm.assertTrue(
                    bytes4(reason) == IBook.SaltSpent.selector, "a cancel never fails else"
                );
                vm.assertTrue(
                    _cuts[id] == 0 && _isSpent(seal.account, message.salt), "an armed cancel works"
                );
                seen["disarmed"] += 1;
            }
        }
        _compareSalts(seal.account, message.salt >> 8);
    }

    /// The resting orders that a cancel with this cut must leave; none before its first use.
    function _after(uint32 market, uint40 account, uint40 cut)
        private
        view
        returns (uint40[] memory orders)
    {
        if (cut == 0) return new uint40[](0);
        orders = _liveOf(market, account);
        uint256 kept;
        for (uint256 i = 0; i < orders.length; i++) {
            if (orders[i] >= cut) orders[kept++] = orders[i];
        }
        assembly ("memory-safe") {
            mstore(orders, kept)
        }
    }

    /* SALTS */

    function burn(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyActor();
        (uint256 word, uint256 mask) = (_roll(3), 1 << _roll(256) | 1 << _roll(256));
        if (_armed.length != 0 && !_oneIn(3)) {
            ArmedCancel storage armed = _armed[_roll(_armed.length)];
            actor = _actors[armed.seal.account - 1];
            (word, mask) = (armed.message.salt >> 8, 1 << (armed.message.salt & 0xff));
        }
        if (_oneIn(2)) {
            address sender = _senderOf(actor);
            if (sender == address(0)) return;
            vm.prank(sender);
            engine.burn(word, mask);
            _replay();
        } else {
            SignedBurn memory message =
                SignedBurn(actor.wallet, word, mask, block.timestamp + _roll(100) - 5);
            Seal memory seal = _seal(actor, keccak256(abi.encode(BURN_TYPE, message)));
            try engine.burnSigned(message, seal.signature) {
                _expectValid(seal, message.deadline);
                _replay();
                vm.assertEq(
                    _salts[actor.account][word] & mask, mask, "every burnt salt is reported"
                );
                seen["burnt signed"] += 1;
            } catch (bytes memory reason) {
                _forget();
                vm.assertTrue(
                    _isOfSignature(seal, message.deadline, bytes4(reason)),
                    "a burn never fails else"
                );
            }
        }
        _compareSalts(actor.account, word);
    }
}
