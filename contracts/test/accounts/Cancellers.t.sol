// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {AccountsSetup, ContractWallet} from "./AccountsSetup.sol";

/// Tests the cancellers of an account.
contract CancellersTest is AccountsSetup {
    bytes32 private constant ALLOW_CANCELLER =
        keccak256("AllowCanceller(address account,address canceller,uint256 expiry)");
    address private constant VENUE = address(0xCA4CE1);
    uint256 private constant LATEST = NOW + 30 days;

    uint40 private account;

    function _open() private {
        account = _register(NOW + 1 days);
    }

    function _signAllow(uint256 secret, address wallet_, uint256 expiry)
        private
        view
        returns (bytes memory)
    {
        return _sign(secret, _allowDigest(wallet_, expiry));
    }

    function _allowDigest(address wallet_, uint256 expiry) private view returns (bytes32) {
        return _digest(keccak256(abi.encode(ALLOW_CANCELLER, wallet_, VENUE, expiry)));
    }

    function _refuseMessage(uint256 expiry, bytes memory signature, address signatory) private {
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, signatory));
        accounts.allowCancellerSigned(wallet, VENUE, expiry, signature);
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), 0);
    }

    /* allowCanceller */

    function test_a_wallet_and_a_live_key_allow_and_revoke_a_canceller() public {
        _open();
        address[2] memory callers = [wallet, key];
        address[2] memory keys = [address(0), key];
        for (uint256 i = 0; i < 2; i++) {
            vm.expectEmit(address(accounts));
            emit IAccounts.CancellerAllowed(account, VENUE, uint40(NOW + 1 hours), keys[i]);
            vm.prank(callers[i]);
            accounts.allowCanceller(wallet, VENUE, NOW + 1 hours);
            vm.assertEq(accounts.cancellerExpiry(account, VENUE), NOW + 1 hours);
            vm.expectEmit(address(accounts));
            emit IAccounts.CancellerRevoked(account, VENUE);
            vm.prank(callers[1 - i]);
            accounts.revokeCanceller(wallet, VENUE);
            vm.assertEq(accounts.cancellerExpiry(account, VENUE), 0);
        }
    }

    function test_nobody_else_allows_or_revokes_a_canceller() public {
        _open();
        vm.prank(wallet);
        accounts.allowCanceller(wallet, VENUE, NOW + 1 hours);
        accounts.open(other);
        address[3] memory strangers = [other, VENUE, address(this)];
        for (uint256 i = 0; i < 3; i++) {
            bytes memory reason =
                abi.encodeWithSelector(IAccounts.NotTrader.selector, wallet, strangers[i]);
            vm.expectRevert(reason);
            vm.prank(strangers[i]);
            accounts.allowCanceller(wallet, strangers[i], NOW + 1 hours);
            vm.expectRevert(reason);
            vm.prank(strangers[i]);
            accounts.revokeCanceller(wallet, VENUE);
        }
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), NOW + 1 hours);
    }

    function test_a_dead_key_allows_and_revokes_nothing() public {
        _open();
        bytes memory reason = abi.encodeWithSelector(IAccounts.NotTrader.selector, wallet, key);
        bytes memory byKey = _signAllow(KEY_SECRET, wallet, NOW + 2 days);
        vm.warp(NOW + 1 days);
        vm.expectRevert(reason);
        vm.prank(key);
        accounts.allowCanceller(wallet, VENUE, NOW + 2 days);
        vm.expectRevert(reason);
        vm.prank(key);
        accounts.revokeCanceller(wallet, VENUE);
        _refuseMessage(NOW + 2 days, byKey, wallet);
    }

    /// A canceller is not a trader of the account: it can neither extend its own expiry nor allow
    /// others.
    function test_a_canceller_cannot_allow_anybody() public {
        _open();
        vm.prank(wallet);
        accounts.allowCanceller(wallet, VENUE, NOW + 1 hours);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.NotTrader.selector, wallet, VENUE));
        vm.prank(VENUE);
        accounts.allowCanceller(wallet, VENUE, NOW + 2 hours);
        vm.assertEq(accounts.traderAccount(VENUE), 0);
        vm.assertEq(accounts.signerAccount(wallet, VENUE), 0);
    }

    function testFuzz_a_canceller_lives_for_30_days_at_most(uint256 expiry) public {
        _open();
        bool fits = expiry > NOW && expiry <= LATEST;
        if (!fits) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAccounts.CancellerExpiryOutOfRange.selector, expiry, NOW + 1, LATEST
                )
            );
        }
        vm.prank(wallet);
        accounts.allowCanceller(wallet, VENUE, expiry);
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), fits ? expiry : 0);
    }

    function test_a_wallet_shortens_what_it_allowed() public {
        _open();
        vm.prank(wallet);
        accounts.allowCanceller(wallet, VENUE, NOW + 2 days);
        vm.prank(wallet);
        accounts.allowCanceller(wallet, VENUE, NOW + 1 days);
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), NOW + 1 days);
    }

    function test_the_zero_address_is_no_canceller() public {
        _open();
        vm.expectRevert(abi.encodeWithSelector(IAccounts.WalletZero.selector));
        vm.prank(wallet);
        accounts.allowCanceller(wallet, address(0), NOW + 1 days);
    }

    function test_another_allowance_takes_the_place_of_that_of_a_key() public {
        _open();
        vm.prank(key);
        accounts.allowCanceller(wallet, VENUE, NOW + 2 days);
        vm.prank(wallet);
        accounts.allowCanceller(wallet, VENUE, NOW + 3 days);
        vm.warp(NOW + 1 days); // the key ends
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), NOW + 3 days);
    }

    /* allowCancellerSigned */

    function test_anybody_sends_the_message_of_a_wallet_or_a_live_key() public {
        _open();
        uint256[2] memory secrets = [WALLET_SECRET, KEY_SECRET];
        for (uint256 i = 0; i < 2; i++) {
            uint256 expiry = NOW + (i + 1) * 12 hours;
            bytes memory signature = _signAllow(secrets[i], wallet, expiry);
            vm.expectEmit(address(accounts));
            emit IAccounts.CancellerAllowed(
                account, VENUE, uint40(expiry), i == 0 ? address(0) : key
            );
            vm.prank(address(0xBAD));
            accounts.allowCancellerSigned(wallet, VENUE, expiry, signature);
            vm.assertEq(accounts.cancellerExpiry(account, VENUE), expiry);
        }
    }

    function test_a_message_of_something_else_allows_nothing() public {
        _open();
        uint256 expiry = NOW + 1 days;
        _refuseMessage(expiry, _signAllow(OTHER_SECRET, wallet, expiry), wallet);
        _refuseMessage(expiry, _signAllow(WALLET_SECRET, other, expiry), wallet);
        _refuseMessage(expiry, _signAllow(WALLET_SECRET, wallet, expiry - 1), wallet);
        _refuseMessage(expiry, _signRegister(WALLET_SECRET, wallet, VENUE, expiry), wallet);
        _refuseMessage(expiry, "", wallet);
        bytes memory signature = _signAllow(WALLET_SECRET, wallet, expiry);
        vm.chainId(1);
        _refuseMessage(expiry, signature, wallet);
    }

    function test_a_message_for_an_address_without_an_account_allows_nothing() public {
        uint256 expiry = NOW + 1 days;
        _refuseMessage(expiry, _signAllow(WALLET_SECRET, wallet, expiry), wallet);
    }

    /// Else a key could be allowed as if it were a wallet, under an account that it only signs for.
    function test_a_message_names_the_wallet_and_not_a_key() public {
        _open();
        bytes memory signature = _signAllow(KEY_SECRET, key, NOW + 1 days);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, key));
        accounts.allowCancellerSigned(key, VENUE, NOW + 1 days, signature);
    }

    function test_a_message_sent_again_does_nothing_while_it_holds() public {
        _open();
        bytes memory signature = _signAllow(WALLET_SECRET, wallet, NOW + 1 days);
        accounts.allowCancellerSigned(wallet, VENUE, NOW + 1 days, signature);
        vm.recordLogs();
        accounts.allowCancellerSigned(wallet, VENUE, NOW + 1 days, signature);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), NOW + 1 days);
    }

    function test_an_old_message_undoes_no_revocation_and_no_shortening() public {
        _open();
        bytes memory signature = _signAllow(WALLET_SECRET, wallet, NOW + 2 days);
        bytes memory reason = abi.encodeWithSelector(
            IAccounts.CancellerExpirySpent.selector, NOW + 2 days, NOW + 2 days
        );
        accounts.allowCancellerSigned(wallet, VENUE, NOW + 2 days, signature);
        vm.prank(wallet);
        accounts.allowCanceller(wallet, VENUE, NOW + 1 days);
        vm.expectRevert(reason);
        accounts.allowCancellerSigned(wallet, VENUE, NOW + 2 days, signature);
        // A later one is new.
        bytes memory later = _signAllow(WALLET_SECRET, wallet, NOW + 3 days);
        accounts.allowCancellerSigned(wallet, VENUE, NOW + 3 days, later);
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), NOW + 3 days);
        vm.prank(wallet);
        accounts.revokeCanceller(wallet, VENUE);
        reason = abi.encodeWithSelector(
            IAccounts.CancellerExpirySpent.selector, NOW + 2 days, type(uint40).max
        );
        vm.expectRevert(reason);
        accounts.allowCancellerSigned(wallet, VENUE, NOW + 2 days, signature);
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), 0);
    }

    function test_a_message_is_of_no_use_once_it_has_expired() public {
        _open();
        bytes memory signature = _signAllow(WALLET_SECRET, wallet, NOW + 1 days);
        vm.warp(NOW + 1 days);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccounts.CancellerExpiryOutOfRange.selector,
                NOW + 1 days,
                NOW + 1 days + 1,
                NOW + 31 days
            )
        );
        accounts.allowCancellerSigned(wallet, VENUE, NOW + 1 days, signature);
    }

    function test_a_contract_wallet_is_asked() public {
        ContractWallet contractWallet = new ContractWallet();
        account = accounts.open(address(contractWallet));
        address wallet_ = address(contractWallet);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, wallet_));
        accounts.allowCancellerSigned(wallet_, VENUE, NOW + 1 days, "");
        contractWallet.accept(_allowDigest(wallet_, NOW + 1 days));
        accounts.allowCancellerSigned(wallet_, VENUE, NOW + 1 days, "");
        vm.assertEq(accounts.cancellerExpiry(account, VENUE), NOW + 1 days);
    }

    /* sub-accounts */

    function test_the_owner_of_a_sub_account_allows_and_revokes() public {
        vm.prank(wallet);
        (uint40 number, address sub) = accounts.openSub(0);
        vm.prank(wallet);
        accounts.allowCanceller(sub, VENUE, NOW + 1 days);
        vm.assertEq(accounts.cancellerExpiry(number, VENUE), NOW + 1 days);
        vm.assertEq(accounts.cancellerExpiry(accounts.accountOf(wallet), VENUE), 0);
        bytes memory signature = _signAllow(WALLET_SECRET, sub, NOW + 2 days);
        accounts.allowCancellerSigned(sub, VENUE, NOW + 2 days, signature);
        vm.assertEq(accounts.cancellerExpiry(number, VENUE), NOW + 2 days);
        vm.prank(wallet);
        accounts.revokeCanceller(sub, VENUE);
        vm.assertEq(accounts.cancellerExpiry(number, VENUE), 0);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.NotTrader.selector, sub, other));
        vm.prank(other);
        accounts.allowCanceller(sub, VENUE, NOW + 1 days);
    }

    function test_a_key_of_the_owner_is_none_of_the_sub_accounts() public {
        _open();
        vm.prank(wallet);
        (, address sub) = accounts.openSub(0);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.NotTrader.selector, sub, key));
        vm.prank(key);
        accounts.allowCanceller(sub, VENUE, NOW + 1 days);
    }

    /* the domain */

    function test_eip712Domain_is_the_domain_of_the_separator() public view {
        (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifier,
            bytes32 salt,
            uint256[] memory extensions
        ) = accounts.eip712Domain();
        vm.assertEq(bytes32(fields), bytes32(hex"0f"));
        vm.assertEq(salt, 0);
        vm.assertEq(extensions.length, 0);
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                verifier
            )
        );
        vm.assertEq(accounts.domainSeparator(), domain);
    }

    /* EIP-7702: a wallet with a private key and code */

    function test_a_wallet_with_delegated_code_registers_and_allows_with_its_own_signature()
        public
    {
        bytes[2] memory codes;
        (codes[0], codes[1]) = (hex"5f5ffd", address(new ContractWallet()).code);
        for (uint256 i = 0; i < 2; i++) {
            // Without EIP-1271, and with one that accepts nothing.
            vm.etch(wallet, codes[i]);
            uint256 expiry = NOW + (i + 1) * 1 days;
            account = _register(expiry);
            vm.assertEq(accounts.traderAccount(key), account);
            bytes memory signature = _signAllow(WALLET_SECRET, wallet, expiry);
            accounts.allowCancellerSigned(wallet, VENUE, expiry, signature);
            vm.assertEq(accounts.cancellerExpiry(account, VENUE), expiry);
        }
    }

    function test_a_wallet_with_delegated_code_may_sign_by_that_code() public {
        vm.etch(wallet, address(new ContractWallet()).code);
        uint256 expiry = NOW + 1 days;
        bytes memory byKey = _signKey(KEY_SECRET, wallet, key, expiry);
        vm.expectRevert(abi.encodeWithSelector(IAccounts.SignatureInvalid.selector, wallet));
        accounts.register(wallet, key, expiry, "by the code", byKey);
        ContractWallet(wallet)
            .accept(_digest(keccak256(abi.encode(REGISTER_KEY, wallet, key, expiry))));
        accounts.register(wallet, key, expiry, "by the code", byKey);
        vm.assertEq(accounts.traderAccount(key), accounts.accountOf(wallet));
    }
}
