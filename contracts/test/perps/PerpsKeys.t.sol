// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccountId, Lots} from "../../src/ValueTypes.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";

/// Tests that a signing key may trade for its account but not move its money.
contract PerpsKeysTest is PerpsSetup {
    uint256 private constant WALLET_SECRET = 0xA11CE;
    uint256 private constant KEY_SECRET = 0x5EC;

    address private wallet = vm.addr(WALLET_SECRET);
    address private key = vm.addr(KEY_SECRET);
    uint40 private account;

    function setUp() public override {
        super.setUp();
        account = _fund(wallet);
        uint256 expiry = START + 1 days;
        bytes32 registerKey = keccak256("RegisterKey(address account,address key,uint256 expiry)");
        bytes32 acceptKey = keccak256("AcceptKey(address account,address key,uint256 expiry)");
        bytes memory byWallet =
            _sign(WALLET_SECRET, keccak256(abi.encode(registerKey, wallet, key, expiry)));
        bytes memory byKey =
            _sign(KEY_SECRET, keccak256(abi.encode(acceptKey, wallet, key, expiry)));
        accounts.register(wallet, key, expiry, byWallet, byKey);
    }

    function test_a_key_trades_for_its_account() public {
        uint40 order = _bid(key, TICK, 100);
        vm.assertEq(AccountId.unwrap(perps.orderAt(market, order).account), account);
        vm.prank(key);
        perps.reduce(market, order, 40);
        vm.prank(key);
        perps.setLeverage(market, 3);
        vm.prank(wallet);
        perps.cancel(market, order);
        vm.assertEq(Lots.unwrap(_position(account).bidLots), 0);
    }

    function test_a_key_moves_no_money() public {
        bytes memory reason = abi.encodeWithSelector(ILedger.NoAccount.selector, key);
        vm.expectRevert(reason);
        _withdraw(key, 1);
        vm.expectRevert(reason);
        vm.prank(key);
        perps.transfer(address(usdc), ALICE, 1);
    }

    function test_a_key_ends_with_its_expiry_or_revocation() public {
        uint40 order = _bid(key, TICK, 100);
        vm.prank(wallet);
        accounts.revoke(key);
        _expectPlaceReverts(
            key, _gtc(true, TICK, 100), abi.encodeWithSelector(ILedger.NoAccount.selector, key)
        );
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, key));
        vm.prank(key);
        perps.cancel(market, order);
        vm.assertEq(_lotsOf(order), 100); // its orders stay until the wallet takes them down
    }

    function test_a_key_is_dead_from_its_expiry_on() public {
        _pass(1 days - 1);
        _index(2_000e18);
        _bid(key, TICK, 100);
        _pass(1);
        _expectPlaceReverts(
            key, _gtc(true, TICK, 100), abi.encodeWithSelector(ILedger.NoAccount.selector, key)
        );
    }

    function _sign(uint256 secret, bytes32 structHash) private view returns (bytes memory) {
        bytes32 digest =
            keccak256(abi.encodePacked(hex"1901", accounts.domainSeparator(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(secret, digest);
        return abi.encodePacked(r, s, v);
    }
}
