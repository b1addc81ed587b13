// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Treasury} from "../../src/Treasury.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {GovernanceSetup} from "../governance/GovernanceSetup.sol";

/// Insurance belonged to one wallet permanently: a thief of its key had the insurance, and that
/// could not be changed. Now a treasury is the wallet, and its owner changes under the timelock.
contract RotatedInsuranceTest is GovernanceSetup {
    uint256 private constant KEY = 0x5EC;

    Treasury private treasury;
    address private next = address(0xAE);

    /// An insurance account at a second set of accounts, since those of the set-up have other
    /// wallets.
    function setUp() public override {
        super.setUp();
        treasury = Treasury(
            vm.deployCode("out/shipped/Treasury.sol/Treasury.json", abi.encode(governance))
        );
        bytes memory arguments = abi.encode(treasury, address(2), "openvenue");
        accounts = Accounts(vm.deployCode("out/shipped/Accounts.sol/Accounts.json", arguments));
        perps = _deployPerps(accounts, oracle, address(usdc), OWNER);
        _deposit(ALICE, 1000e6);
        vm.prank(ALICE);
        perps.transfer(address(usdc), address(treasury), 1000e6);
    }

    function test_insurance_is_paid_out_by_a_proposal_alone() public {
        bytes memory payout = abi.encodeCall(perps.withdraw, (address(usdc), 400e6, BOB));
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, OWNER));
        treasury.call(address(perps), payout);
        _carryOut(address(treasury), abi.encodeCall(treasury.call, (address(perps), payout)));
        vm.assertEq(usdc.balanceOf(BOB), 400e6);
        vm.assertEq(_collateral(1), int256(600e18));
    }

    function test_the_wallet_changes_hands_by_a_proposal_in_two_steps() public {
        _carryOut(address(treasury), abi.encodeCall(treasury.offerOwnership, (next)));
        vm.assertEq(treasury.owner(), address(governance));
        vm.prank(next);
        treasury.acceptOwnership();
        vm.prank(next);
        treasury.call(
            address(perps), abi.encodeCall(perps.withdraw, (address(usdc), 1000e6, next))
        );
        vm.assertEq(usdc.balanceOf(next), 1000e6);
        vm.assertEq(accounts.walletOf(1), address(treasury));
    }

    function test_a_key_trades_for_insurance_once_a_proposal_has_signed_for_it() public {
        address key = vm.addr(KEY);
        uint256 expiry = block.timestamp + 20 days;
        bytes32 digest = _digest("RegisterKey(address account,address key,uint256 expiry)", expiry);
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(KEY, _digest("AcceptKey(address account,address key,uint256 expiry)", expiry));
        bytes memory byKey = abi.encodePacked(r, s, v);
        vm.expectPartialRevert(bytes4(keccak256("SignatureInvalid(address)")));
        accounts.register(address(treasury), key, expiry, "", byKey);
        _carryOut(address(treasury), abi.encodeCall(treasury.setSigned, (digest, true)));
        accounts.register(address(treasury), key, expiry, "", byKey);
        vm.assertEq(uint256(accounts.traderAccount(key)), 1);
        bytes memory revoke = abi.encodeCall(accounts.revoke, (key));
        _carryOut(address(treasury), abi.encodeCall(treasury.call, (address(accounts), revoke)));
        vm.assertEq(uint256(accounts.traderAccount(key)), 0);
    }

    function test_strangers_sign_nothing_and_what_is_taken_back_is_not_signed() public {
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, ALICE));
        treasury.setSigned(bytes32(uint256(1)), true);
        vm.startPrank(address(governance));
        treasury.setSigned(bytes32(uint256(1)), true);
        vm.assertTrue(
            treasury.isValidSignature(bytes32(uint256(1)), "")
                == treasury.isValidSignature.selector
        );
        treasury.setSigned(bytes32(uint256(1)), false);
        vm.assertTrue(treasury.isValidSignature(bytes32(uint256(1)), "") == bytes4(0));
    }

    function test_a_call_that_fails_gives_its_reason_and_one_to_nothing_is_refused() public {
        vm.startPrank(address(governance));
        vm.expectRevert(abi.encodeWithSignature("AmountZero()"));
        treasury.call(address(perps), abi.encodeCall(perps.withdraw, (address(usdc), 0, BOB)));
        vm.expectRevert(abi.encodeWithSelector(Treasury.TargetWithoutCode.selector, ALICE));
        treasury.call(ALICE, "");
    }

    function test_it_takes_no_ether() public {
        vm.deal(address(this), 1);
        (bool done,) = address(treasury).call{value: 1}("");
        vm.assertFalse(done);
    }

    function _carryOut(address target, bytes memory call_) private {
        bytes memory data = _dataOf(target, call_);
        _propose(data);
        _pass(DELAY);
        _execute(data);
    }

    function _digest(string memory type_, uint256 expiry) private view returns (bytes32) {
        bytes32 message = keccak256(
            abi.encode(keccak256(bytes(type_)), address(treasury), vm.addr(KEY), expiry)
        );
        return keccak256(abi.encodePacked(hex"1901", accounts.domainSeparator(), message));
    }
}
