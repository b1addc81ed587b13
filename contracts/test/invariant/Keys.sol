// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {Vm} from "../Vm.sol";
import {BookReplay} from "./BookReplay.sol";

/// Registers and revokes keys of wallets and sub-accounts, and derives their expected state from
/// the signed messages.
abstract contract Keys is BookReplay {
    /// An account of this campaign: a wallet, or a sub-account whose owner signs for it.
    struct Actor {
        address wallet; // by which the account is known
        uint40 account;
        uint256 secret; // of the wallet; of the owner for a sub-account
        bool sub;
    }

    struct Key {
        uint256 secret;
        address key;
        uint40 account; // 0 until it is registered
        uint40 expiry; // first second of its death
        uint40 signedExpiry;
        bool revoked;
    }

    struct Registration {
        uint256 key; // its index in _keys
        address wallet;
        uint256 expiry;
        bytes walletSignature;
        bytes keySignature;
    }

    uint256 private constant WALLETS = 5;
    uint256 private constant SUBS = 2;
    uint256 private constant KEYS = 8;
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant REGISTER_KEY_TYPE =
        keccak256("RegisterKey(address account,address key,uint256 expiry)");
    bytes32 private constant ACCEPT_KEY_TYPE =
        keccak256("AcceptKey(address account,address key,uint256 expiry)");

    Accounts internal accounts;
    Actor[] internal _actors; // insurance, fees, wallets, sub-accounts: by account number from 1
    Key[] internal _keys;
    Registration[] private _registrations;
    bytes32 private _domain;

    /// The wallets of the insurance and the fee account come first: they trade, too.
    function _startActors(uint256[2] memory houseSecrets) internal {
        _domain = keccak256(
            abi.encode(
                DOMAIN_TYPE,
                keccak256("openvenue"),
                keccak256("1"),
                block.chainid,
                address(accounts)
            )
        );
        _actors.push(Actor(vm.addr(houseSecrets[0]), 1, houseSecrets[0], false));
        _actors.push(Actor(vm.addr(houseSecrets[1]), 2, houseSecrets[1], false));
        for (uint256 i = 0; i < WALLETS; i++) {
            uint256 secret = uint256(keccak256(abi.encode("wallet", i)));
            _actors.push(Actor(vm.addr(secret), accounts.open(vm.addr(secret)), secret, false));
        }
        for (uint256 i = 0; i < SUBS; i++) {
            Actor memory owner = _actors[2 + i];
            vm.prank(owner.wallet);
            (uint40 account, address sub) = accounts.openSub(uint32(i));
            _actors.push(Actor(sub, account, owner.secret, true));
        }
        for (uint256 i = 0; i < KEYS; i++) {
            uint256 secret = uint256(keccak256(abi.encode("key", i)));
            _keys.push(Key(secret, vm.addr(secret), 0, 0, 0, false));
        }
        for (uint256 i = 0; i < _actors.length; i++) {
            vm.assertEq(_actors[i].account, i + 1, "actors stand by account number");
        }
        // A sub-account trades only by keys.
        for (uint256 i = 0; i < SUBS; i++) {
            _submit(_signed(i, _actors[2 + WALLETS + i], block.timestamp + 25 days));
        }
    }

    function accountCount() public view returns (uint40) {
        return uint40(_actors.length);
    }

    /// Any account's wallet but, mostly, those of the house.
    function _anyWallet() internal returns (Actor memory) {
        return _oneIn(8) ? _actors[_roll(2)] : _actors[2 + _roll(WALLETS)];
    }

    function _anyActor() internal returns (Actor memory) {
        return _oneIn(8) ? _actors[_roll(2)] : _actors[2 + _roll(_actors.length - 2)];
    }

    function _anySub() internal returns (Actor memory) {
        return _actors[2 + WALLETS + _roll(SUBS)];
    }

    function _ownerOf(Actor memory sub) internal pure returns (address) {
        return vm.addr(sub.secret);
    }

    /* WHO MAY TRADE */

    function _isLive(Key memory key) internal view returns (bool) {
        return key.account != 0 && !key.revoked && block.timestamp < key.expiry;
    }

    /// A key trades exactly for the account it was registered for, until it expires or is revoked.
    function _checkKeys() internal view {
        for (uint256 i = 0; i < _keys.length; i++) {
            Key memory key = _keys[i];
            uint40 account = _isLive(key) ? key.account : 0;
            vm.assertEq(
                accounts.traderAccount(key.key),
                account,
                "a key trades for its account while it lives"
            );
            vm.assertEq(accounts.accountOf(key.key), 0, "a key owns no account");
            for (uint256 j = 0; j < _actors.length; j++) {
                bool fits = account != 0 && account == _actors[j].account;
                uint40 signs = accounts.signerAccount(_actors[j].wallet, key.key);
                vm.assertEq(signs, fits ? account : 0, "a key signs for its own account alone");
            }
        }
    }

    /// The secret of a live key of `actor`, or 0. Most actors have few.
    function _liveKeyOf(Actor memory actor) internal returns (uint256) {
        uint256 first = _roll(_keys.length);
        for (uint256 i = 0; i < _keys.length; i++) {
            Key memory key = _keys[(first + i) % _keys.length];
            if (key.account == actor.account && _isLive(key)) return key.secret;
        }
        return 0;
    }

    /// Sender for `actor`: its wallet or an active key of it; zero when it has neither.
    function _senderOf(Actor memory actor) internal returns (address) {
        uint256 key = actor.sub || _oneIn(4) ? _liveKeyOf(actor) : 0;
        if (key != 0) return vm.addr(key);
        return actor.sub ? address(0) : actor.wallet;
    }

    /* REGISTERING */

    function register(uint256 seed) external seeded(seed) {
        if (_oneIn(4) && _registrations.length != 0) {
            // A registration seen before must not revive a key, nor stretch its life.
            _submit(_registrations[_roll(_registrations.length)]);
            seen["registration replayed"] += 1;
        } else {
            Actor memory actor = _oneIn(3) ? _anySub() : _anyActor();
            Registration memory registration =
                _signed(_roll(_keys.length), actor, block.timestamp + _between(1 hours, 40 days));
            if (_oneIn(6)) _forge(registration);
            else _submit(registration);
        }
    }

    function _signed(uint256 index, Actor memory actor, uint256 expiry)
        private
        view
        returns (Registration memory registration)
    {
        Key memory key = _keys[index];
        registration.key = index;
        registration.wallet = actor.wallet;
        registration.expiry = expiry;
        bytes32 message = keccak256(abi.encode(REGISTER_KEY_TYPE, actor.wallet, key.key, expiry));
        registration.walletSignature = _sign(actor.secret, _inDomain(_domain, message));
        message = keccak256(abi.encode(ACCEPT_KEY_TYPE, actor.wallet, key.key, expiry));
        registration.keySignature = _sign(key.secret, _inDomain(_domain, message));
    }

    /// Without both signatures of the right signers, over the right messages, no key is registered.
    function _forge(Registration memory registration) private {
        uint256 flaw = _roll(3);
        if (flaw == 0) registration.expiry += 1;
        if (flaw == 1) registration.key = (registration.key + 1) % KEYS;
        if (flaw == 2) {
            registration.wallet =
            _actors[accounts.accountOf(registration.wallet) % _actors.length].wallet;
        }
        try accounts.register(
            registration.wallet,
            _keys[registration.key].key,
            registration.expiry,
            registration.walletSignature,
            registration.keySignature
        ) {
            vm.assertTrue(false, "a key is registered with signatures of something else");
        } catch {
            _forget();
            seen["registration forged"] += 1;
        }
    }

    function _submit(Registration memory registration) private {
        Key storage key = _keys[registration.key];
        uint40 account = accounts.accountOf(registration.wallet);
        try accounts.register(
            registration.wallet,
            key.key,
            registration.expiry,
            registration.walletSignature,
            registration.keySignature
        ) {
            vm.assertFalse(key.revoked, "a revoked key never revives");
            vm.assertTrue(key.account == 0 || key.account == account, "a key has one account");
            vm.assertTrue(
                registration.expiry > block.timestamp, "no key is registered for the past"
            );
            _replay(); // its KeyRegistered, if any, is read by _elsewhere
            if (registration.expiry > key.signedExpiry) {
                uint256 most = block.timestamp + 30 days;
                key.account = account;
                key.signedExpiry = uint40(registration.expiry);
                key.expiry = uint40(registration.expiry < most ? registration.expiry : most);
                seen["registered"] += 1;
            }
            vm.assertTrue(_isLive(key), "a registration that succeeds is of a key that lives");
            _registrations.push(registration);
        } catch {
            _forget();
            bool fresh = key.account == 0 && registration.expiry > block.timestamp;
            vm.assertFalse(fresh, "a fresh key is registered with the right signatures");
            seen["registration refused"] += 1;
        }
    }

    function revoke(uint256 seed) external seeded(seed) {
        if (!_oneIn(4)) return; // keys must live for a while
        uint256 index = _roll(_keys.length);
        Key storage key = _keys[index];
        bool foreign = _oneIn(3);
        Actor memory actor = foreign || key.account == 0 ? _anyWallet() : _actors[key.account - 1];
        address sender = vm.addr(actor.secret);
        bool entitled = key.account != 0 && vm.addr(_actors[key.account - 1].secret) == sender;
        vm.prank(sender);
        try accounts.revoke(key.key) {
            vm.assertTrue(entitled, "only its account's wallet revokes a key");
            vm.assertFalse(key.revoked, "a key is revoked once");
            key.revoked = true;
            seen["revoked"] += 1;
        } catch {
            vm.assertFalse(entitled && !key.revoked, "a wallet can always revoke its key");
        }
        _forget();
        // No message restores a revoked key, regardless of signer and expiry.
        if (key.revoked) {
            _submit(
                _signed(index, _actors[key.account - 1], block.timestamp + _between(1, 300 days))
            );
        }
    }

    /// The log of an account or an oracle adapter: nothing is logged that _submit does not expect.
    function _elsewhere(Vm.Log memory log) internal virtual override {
        if (log.emitter != address(accounts) || log.topics[0] != IAccounts.KeyRegistered.selector)
        {
            return;
        }
        uint40 expiry = abi.decode(log.data, (uint40));
        vm.assertTrue(expiry > block.timestamp, "a key is registered alive");
        vm.assertLe(expiry, block.timestamp + 30 days, "a key lives for 30 days at most");
    }

    /* SIGNING */

    function _inDomain(bytes32 domain, bytes32 structHash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function _sign(uint256 secret, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(secret, digest);
        return abi.encodePacked(r, s, v);
    }
}
