// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook} from "../../src/interfaces/IBook.sol";
import {SignedCancels} from "./SignedCancels.sol";

/// Allows and revokes cancellers of accounts, who cancel and attempt every other action.
abstract contract Cancelling is SignedCancels {
    /// Permission of a canceller, derived only from calls and messages.
    struct Permission {
        uint256 expiry; // 0: none, or revoked
        uint256 allowedExpiry; // the latest that ever was; beyond any once revoked
        address key; // that allowed it, with which it ends; zero for none
    }

    struct Allowance {
        address wallet;
        address canceller;
        uint256 expiry;
        bytes signature;
        bool valid; // of this message, by the signers of the account
    }

    uint256 private constant CANCELLERS = 3;
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant ALLOW_CANCELLER_TYPE =
        keccak256("AllowCanceller(address account,address canceller,uint256 expiry)");

    mapping(uint40 account => mapping(address canceller => Permission)) private _permissions;
    Allowance[] private _allowances;

    function _anyCanceller() private returns (uint256 secret) {
        return uint256(keccak256(abi.encode("canceller", _roll(CANCELLERS))));
    }

    /* ALLOWING */

    function allowCanceller(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyActor();
        address canceller = vm.addr(_anyCanceller());
        uint256 expiry = block.timestamp + _roll(35 days);
        bool foreign = _oneIn(4);
        address sender = foreign ? _anyActor().wallet : _senderOf(actor);
        if (sender == address(0)) return;
        if (foreign && (sender == actor.wallet || sender == vm.addr(actor.secret))) return;
        bool fits = expiry > block.timestamp && expiry <= block.timestamp + 30 days;
        vm.prank(sender);
        try accounts.allowCanceller(actor.wallet, canceller, expiry) {
            vm.assertTrue(!foreign && fits, "only an account's own allow a canceller, for 30 days");
            _keep(actor.account, canceller, expiry, sender);
            seen["canceller allowed"] += 1;
        } catch {
            vm.assertTrue(foreign || !fits, "an account can always allow a canceller");
        }
        _forget();
        _compare(actor.account, canceller);
    }

    /// A new message, a flawed one, or one of before again.
    function allowSigned(uint256 seed) external seeded(seed) {
        Allowance memory allowance;
        if (_oneIn(3) && _allowances.length != 0) {
            allowance = _allowances[_roll(_allowances.length)];
        } else {
            allowance = _signAllowance(_anyActor());
            if (_allowances.length < KEPT_MAX) _allowances.push(allowance);
            else _allowances[_roll(KEPT_MAX)] = allowance;
        }
        uint40 account = accounts.accountOf(allowance.wallet);
        Permission memory before = _permissions[account][allowance.canceller];
        uint256 lives = _expiryOf(before);
        try accounts.allowCancellerSigned(
            allowance.wallet, allowance.canceller, allowance.expiry, allowance.signature
        ) {
            vm.assertTrue(allowance.valid, "a canceller is allowed by the account's own");
            vm.assertTrue(allowance.expiry > block.timestamp, "no canceller of the past");
            if (allowance.expiry > before.allowedExpiry) {
                _keep(account, allowance.canceller, allowance.expiry, allowance.wallet);
                seen["canceller allowed signed"] += 1;
            } else {
                vm.assertTrue(lives >= allowance.expiry, "a spent message allows nothing new");
                seen["canceller allowed again"] += 1;
            }
        } catch {
            seen["canceller refused"] += 1;
        }
        _forget();
        _compare(account, allowance.canceller);
    }

    /// Signed by the wallet or the owner, whose keys may have expired, and sent from any address.
    function _signAllowance(Actor memory actor) private returns (Allowance memory allowance) {
        allowance.wallet = actor.wallet;
        allowance.canceller = vm.addr(_anyCanceller());
        allowance.expiry = block.timestamp + 1 + _roll(30 days);
        uint256 flaw = _roll(8);
        uint256 secret = flaw == 0 ? uint256(keccak256("nobody")) : actor.secret;
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPE,
                keccak256("openvenue"),
                keccak256("1"),
                block.chainid,
                flaw == 1 ? address(engine) : address(accounts)
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                ALLOW_CANCELLER_TYPE,
                flaw == 2 ? _actors[0].wallet : allowance.wallet,
                allowance.canceller,
                allowance.expiry
            )
        );
        allowance.signature = _sign(secret, _inDomain(domain, message));
        allowance.valid = flaw > 2 || (flaw == 2 && allowance.wallet == _actors[0].wallet);
    }

    function revokeCanceller(uint256 seed) external seeded(seed) {
        if (!_oneIn(6)) return; // cancellers must live for a while
        Actor memory actor = _anyActor();
        address canceller = vm.addr(_anyCanceller());
        Permission storage permission = _permissions[actor.account][canceller];
        if (permission.allowedExpiry == 0) return; // messages must count for a while
        vm.prank(vm.addr(actor.secret));
        accounts.revokeCanceller(actor.wallet, canceller);
        (permission.expiry, permission.allowedExpiry) = (0, type(uint256).max);
        seen["canceller revoked"] += 1;
        _forget();
        _compare(actor.account, canceller);
    }

    function _keep(uint40 account, address canceller, uint256 expiry, address allower) private {
        Permission storage permission = _permissions[account][canceller];
        permission.expiry = expiry;
        if (expiry > permission.allowedExpiry) permission.allowedExpiry = expiry;
        (uint40 ofKey,) = accounts.keyOf(allower);
        permission.key = ofKey == 0 ? address(0) : allower;
    }

    /// A key's expiry also ends its cancellers.
    function _expiryOf(Permission memory permission) private view returns (uint256) {
        if (permission.key == address(0)) return permission.expiry;
        (, uint40 ends) = accounts.keyOf(permission.key);
        return block.timestamp < ends ? permission.expiry : 0;
    }

    function _compare(uint40 account, address canceller) private view {
        vm.assertEq(
            accounts.cancellerExpiry(account, canceller),
            _expiryOf(_permissions[account][canceller]),
            "a canceller is who the account allowed"
        );
    }

    /* CANCELLING */

    function cancelFor(uint256 seed) external seeded(seed) {
        Actor memory actor = _anyActor();
        address canceller = vm.addr(_anyCanceller());
        uint32 market = _anyMarket();
        uint40[] memory orders = _oneIn(2) ? _liveOf(market, actor.account) : _anyOrders(market, 5);
        bool allowed = block.timestamp < _expiryOf(_permissions[actor.account][canceller]);
        vm.prank(canceller);
        try engine.cancelFor(market, actor.account, orders) returns (uint256 cancelled) {
            vm.assertTrue(allowed, "only a live canceller of the account cancels for it");
            vm.assertEq(_replay(), cancelled, "cancelFor counts what it cancels");
            _expectGone(market, actor.account, orders, type(uint40).max);
            seen["cancelled for"] += 1;
        } catch {
            _forget();
            vm.assertFalse(allowed, "a canceller's cancel never fails");
            seen["canceller refused"] += 1;
        }
        _tryEverything(canceller, actor, market);
    }

    /// Only a cancel succeeds, for any canceller.
    function _tryEverything(address canceller, Actor memory actor, uint32 market) private {
        uint40[] memory orders = _liveOf(market, actor.account);
        uint40 order = orders.length == 0 ? 1 : orders[_roll(orders.length)];
        bytes[4] memory calls = [
            abi.encodeCall(IBook.place, (_request(actor.account))),
            abi.encodeCall(IBook.cancel, (market, order)),
            abi.encodeCall(IBook.cancelAll, (market, orders)),
            abi.encodeCall(IBook.burn, (_roll(3), type(uint256).max))
        ];
        vm.prank(canceller);
        (bool done,) = address(engine).call(calls[_roll(calls.length)]);
        vm.assertFalse(done, "a canceller can do nothing but cancel for an account");
        _forget();
    }
}
