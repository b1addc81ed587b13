// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {SpotSetup} from "./SpotSetup.sol";

/// Keeps a tenth of each transfer, or calls `target` during one and remembers the result.
contract OddToken is DevToken {
    bool public taxed;
    bytes4 public refusal;
    address private _target;
    bytes private _call;

    constructor() DevToken("Odd", "ODD", 18) {}

    function setTaxed() external {
        taxed = true;
    }

    function setCall(address target, bytes calldata call_) external {
        (_target, _call) = (target, call_);
    }

    function transferFrom(address from, address to, uint256 amount)
        public
        override
        returns (bool)
    {
        if (_target != address(0)) {
            (bool done, bytes memory result) = _target.call(_call);
            refusal = done ? bytes4(0) : bytes4(result);
        }
        return super.transferFrom(from, to, taxed ? amount - amount / 10 : amount);
    }
}

contract SpotLedgerTest is SpotSetup {
    address private constant DAVE = address(0xDA);

    OddToken private odd;

    function setUp() public override {
        super.setUp();
        odd = new OddToken();
        vm.prank(OWNER);
        spot.list("ODD-USDC", address(odd), address(usdc), 1e4, 1e14, VALUE_MIN, VALUE_MAX);
        odd.mint(ALICE, 1000e18);
        vm.prank(ALICE);
        odd.approve(address(spot), 1000e18);
    }

    /* DEPOSIT */

    function test_deposit_reverts_for_an_unlisted_token() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(0xDEAD)));
        spot.deposit(address(0xDEAD), 1);
    }

    function test_deposit_reverts_for_no_amount() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.AmountZero.selector));
        spot.deposit(address(usdc), 0);
    }

    function testFuzz_deposit_opens_an_account_and_credits_it(uint256 amount) public {
        amount = bound(amount, 1, type(uint128).max);
        uint256 held = usdc.balanceOf(address(spot));
        usdc.mint(DAVE, amount);
        vm.prank(DAVE);
        usdc.approve(address(spot), amount);
        uint40 dave = accounts.accounts() + 1;
        vm.expectEmit(address(spot));
        emit ILedger.Deposited(dave, address(usdc), amount);
        vm.prank(DAVE);
        spot.deposit(address(usdc), amount);
        vm.assertEq(accounts.accountOf(DAVE), dave);
        vm.assertEq(_usdc(dave), amount);
        vm.assertEq(usdc.balanceOf(address(spot)), held + amount);
    }

    function test_deposit_reverts_when_less_arrives() public {
        odd.setTaxed();
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TransferShort.selector, 90, 100));
        spot.deposit(address(odd), 100);
    }

    function test_deposit_reverts_when_the_transfer_fails() public {
        vm.prank(DAVE);
        vm.expectRevert();
        spot.deposit(address(usdc), 1);
    }

    function test_deposit_lets_no_token_call_back() public {
        _fund(address(odd)); // so that only the lock rejects it
        bytes[] memory calls = new bytes[](8);
        calls[0] = abi.encodeCall(spot.deposit, (address(usdc), 1));
        calls[1] = abi.encodeCall(spot.withdraw, (address(usdc), 1, ALICE));
        calls[2] = abi.encodeCall(spot.transfer, (address(usdc), BOB, 1));
        calls[3] = abi.encodeCall(spot.place, (_gtc(true, TICK, 1000)));
        calls[4] = abi.encodeCall(spot.cancel, (market, 1));
        calls[5] = abi.encodeCall(spot.cancelAll, (market, new uint40[](0)));
        calls[6] = abi.encodeCall(spot.reduce, (market, 1, 1));
        calls[7] = abi.encodeCall(spot.sweep, (market, new uint40[](0)));
        for (uint256 i = 0; i < calls.length; i++) {
            _expectLocked(calls[i]);
        }
        _expectLocked(abi.encodeCall(spot.multicall, (calls)));
    }

    function _expectLocked(bytes memory call_) private {
        odd.setCall(address(spot), call_);
        vm.prank(ALICE);
        spot.deposit(address(odd), 100);
        vm.assertEq(bytes32(odd.refusal()), bytes32(ReentrancyGuardTransient.Reentrancy.selector));
    }

    /* WITHDRAW */

    function test_withdraw_reverts_for_what_makes_no_sense() public {
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(0xDEAD)));
        spot.withdraw(address(0xDEAD), 1, ALICE);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AmountZero.selector));
        spot.withdraw(address(usdc), 0, ALICE);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.RecipientZero.selector));
        spot.withdraw(address(usdc), 1, address(0));
    }

    function test_withdraw_reverts_without_an_account() public {
        vm.prank(DAVE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, DAVE));
        spot.withdraw(address(usdc), 1, DAVE);
    }

    function test_withdraw_reverts_for_what_orders_hold() public {
        _bid(ALICE, TICK, 1000);
        uint256 free = USDC_DEPOSIT - _value(TICK, 1000);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.BalanceTooLow.selector, free + 1, free));
        spot.withdraw(address(usdc), free + 1, ALICE);
        vm.prank(ALICE);
        spot.withdraw(address(usdc), free, ALICE);
        vm.assertEq(_usdc(alice), 0);
    }

    function testFuzz_withdraw_sends_what_it_takes(uint256 amount) public {
        amount = bound(amount, 1, USDC_DEPOSIT);
        vm.expectEmit(address(spot));
        emit ILedger.Withdrawn(alice, address(usdc), amount, DAVE);
        vm.prank(ALICE);
        spot.withdraw(address(usdc), amount, DAVE);
        vm.assertEq(usdc.balanceOf(DAVE), amount);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - amount);
    }

    /* TRANSFER */

    function test_transfer_reverts_for_what_makes_no_sense() public {
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(0xDEAD)));
        spot.transfer(address(0xDEAD), BOB, 1);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AmountZero.selector));
        spot.transfer(address(usdc), BOB, 0);
        vm.prank(DAVE);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, DAVE));
        spot.transfer(address(usdc), BOB, 1);
        vm.prank(ALICE);
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.BalanceTooLow.selector, USDC_DEPOSIT + 1, USDC_DEPOSIT)
        );
        spot.transfer(address(usdc), BOB, USDC_DEPOSIT + 1);
    }

    function test_transfer_opens_the_recipients_account() public {
        uint40 dave = accounts.accounts() + 1;
        vm.expectEmit(address(spot));
        emit ILedger.Transferred(alice, dave, address(usdc), 5);
        vm.prank(ALICE);
        spot.transfer(address(usdc), DAVE, 5);
        vm.assertEq(_usdc(dave), 5);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - 5);
    }

    function test_transfer_to_oneself_changes_nothing() public {
        vm.prank(ALICE);
        spot.transfer(address(usdc), ALICE, 5);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT);
    }
}
