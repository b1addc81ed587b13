// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DevToken} from "../../src/dev/DevToken.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {SpotSetup} from "./SpotSetup.sol";

/// A token that knows no permits.
contract OldToken is DevToken {
    constructor() DevToken("Old", "OLD", 18) {}

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)
        public
        pure
        override
    {
        revert();
    }
}

/// Tests deposits whose approval is a signature (EIP-2612).
contract PermitTest is SpotSetup {
    struct Permit {
        uint256 amount;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    bytes32 private constant PERMIT_TYPE = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );
    uint256 private constant SECRET = 0xDA7E;
    uint256 private constant AMOUNT = 100e6;

    address private dave = vm.addr(SECRET);

    function setUp() public override {
        super.setUp();
        usdc.mint(dave, 10 * AMOUNT);
    }

    function _sign(DevToken token, uint256 amount) private view returns (Permit memory signed) {
        (signed.amount, signed.deadline) = (amount, block.timestamp + 60);
        bytes32 message = keccak256(
            abi.encode(
                PERMIT_TYPE, dave, address(spot), amount, token.nonces(dave), signed.deadline
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), message));
        (signed.v, signed.r, signed.s) = vm.sign(SECRET, digest);
    }

    function _deposit(address token, Permit memory signed) private {
        vm.prank(dave);
        spot.depositWithPermit(token, signed.amount, signed.deadline, signed.v, signed.r, signed.s);
    }

    function _refuse(address token, Permit memory signed) private {
        vm.expectRevert(abi.encodeWithSelector(ILedger.PermitRefused.selector, token));
        _deposit(token, signed);
    }

    function _held() private view returns (uint256) {
        return _usdc(accounts.accountOf(dave));
    }

    function test_a_first_deposit_is_one_signature_and_one_transaction() public {
        Permit memory signed = _sign(usdc, AMOUNT);
        vm.expectEmit(address(spot));
        emit ILedger.Deposited(accounts.accounts() + 1, address(usdc), AMOUNT);
        _deposit(address(usdc), signed);
        vm.assertEq(_held(), AMOUNT);
        vm.assertEq(usdc.allowance(dave, address(spot)), 0);
    }

    /// Anyone who sees the permit can send it first; the deposit still succeeds.
    function test_a_permit_that_somebody_sent_before_deposits_all_the_same() public {
        Permit memory signed = _sign(usdc, AMOUNT);
        vm.prank(address(0xBAD));
        usdc.permit(dave, address(spot), AMOUNT, signed.deadline, signed.v, signed.r, signed.s);
        _deposit(address(usdc), signed);
        vm.assertEq(_held(), AMOUNT);
    }

    function test_a_used_permit_deposits_nothing_more() public {
        Permit memory signed = _sign(usdc, AMOUNT);
        _deposit(address(usdc), signed);
        _refuse(address(usdc), signed);
        vm.assertEq(_held(), AMOUNT);
    }

    function test_a_permit_of_another_amount_or_a_past_deadline_is_refused() public {
        Permit memory signed = _sign(usdc, AMOUNT);
        signed.amount += 1;
        _refuse(address(usdc), signed);
        signed.amount -= 1;
        vm.warp(block.timestamp + 61);
        _refuse(address(usdc), signed);
        vm.assertEq(_held(), 0);
    }

    function test_a_permit_of_somebody_else_is_no_approval_of_the_caller() public {
        Permit memory signed = _sign(usdc, AMOUNT);
        usdc.mint(BOB, AMOUNT);
        vm.expectRevert(abi.encodeWithSelector(ILedger.PermitRefused.selector, address(usdc)));
        vm.prank(BOB);
        spot.depositWithPermit(
            address(usdc), AMOUNT, signed.deadline, signed.v, signed.r, signed.s
        );
    }

    function test_a_token_without_permits_needs_an_approval_and_then_deposits() public {
        OldToken old = new OldToken();
        vm.prank(OWNER);
        spot.list("OLD-USDC", address(old), address(usdc), 1e4, 1e14, VALUE_MIN, VALUE_MAX);
        old.mint(dave, 5e18);
        Permit memory signed = _sign(usdc, 5e18);
        _refuse(address(old), signed);
        vm.prank(dave);
        old.approve(address(spot), 5e18);
        _deposit(address(old), signed);
        vm.assertEq(spot.balanceOf(accounts.accountOf(dave), address(old)), 5e18);
    }

    function test_an_unlisted_token_and_no_amount_are_refused_as_ever() public {
        Permit memory signed = _sign(usdc, 0);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AmountZero.selector));
        _deposit(address(usdc), signed);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(0xDEAD)));
        _deposit(address(0xDEAD), signed);
    }
}
