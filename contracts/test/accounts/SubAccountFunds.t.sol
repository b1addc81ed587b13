// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, SignedOrder} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "../signed/SignedSetup.sol";

/// Tests the funds of a sub-account: only its owner moves them, its keys trade with them.
abstract contract SubAccountCases is SignedSetup {
    ILedger internal ledger;
    address internal token;
    uint40 internal subAccount;
    address internal sub;
    address internal subKey = vm.addr(SUB_KEY_SECRET);

    function _prepareSub(address token_) internal {
        (ledger, token) = (ILedger(address(engine)), token_);
        (subAccount, sub) = _openSub();
    }

    /// Raw units of the token that an account has.
    function _balance(uint40 account_) internal view virtual returns (uint256);

    function test_the_owner_moves_funds_in_and_out() public {
        uint256 before = _balance(account);
        vm.expectEmit(address(engine));
        emit ILedger.Transferred(account, subAccount, token, 5_000e6);
        _give(5_000e6);
        vm.assertEq(_balance(subAccount), 5_000e6);
        vm.expectEmit(address(engine));
        emit ILedger.Transferred(subAccount, account, token, 2_000e6);
        vm.prank(wallet);
        ledger.collect(token, sub, 2_000e6);
        vm.assertEq(_balance(subAccount), 3_000e6);
        vm.assertEq(_balance(account), before - 3_000e6);
    }

    function test_the_owner_takes_funds_out_in_one_transaction() public {
        _give(5_000e6);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ILedger.collect, (token, sub, 5_000e6));
        calls[1] = abi.encodeCall(ILedger.withdraw, (token, 5_000e6, wallet));
        uint256 before = _balance(account);
        vm.prank(wallet);
        engine.multicall(calls);
        vm.assertEq(_balance(subAccount), 0);
        vm.assertEq(_balance(account), before);
    }

    function test_nobody_else_gives_to_a_sub_account() public {
        bytes memory reason = abi.encodeWithSelector(ILedger.NotSubOwner.selector, sub, other);
        vm.expectRevert(reason);
        vm.prank(other);
        ledger.transfer(token, sub, 1e6);
    }

    function test_nobody_else_takes_from_a_sub_account() public {
        _give(5_000e6);
        address[5] memory callers = [other, key, subKey, sub, address(0xBAD)];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(ILedger.NotSubOwner.selector, sub, callers[i]));
            vm.prank(callers[i]);
            ledger.collect(token, sub, 1);
        }
    }

    function test_keys_of_a_sub_account_move_no_funds() public {
        _give(5_000e6);
        bytes memory reason = abi.encodeWithSelector(ILedger.NoAccount.selector, subKey);
        vm.expectRevert(reason);
        vm.prank(subKey);
        ledger.withdraw(token, 1, subKey);
        vm.expectRevert(reason);
        vm.prank(subKey);
        ledger.transfer(token, wallet, 1);
    }

    function test_collect_is_for_sub_accounts_only() public {
        address[4] memory targets = [other, wallet, key, address(0xF00)];
        for (uint256 i = 0; i < targets.length; i++) {
            vm.expectRevert(
                abi.encodeWithSelector(ILedger.NotSubOwner.selector, targets[i], wallet)
            );
            vm.prank(wallet);
            ledger.collect(token, targets[i], 1);
        }
    }

    function test_collect_moves_what_there_is_and_no_more() public {
        _give(5_000e6);
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 5_000e6 + 1, 5_000e6)
        );
        vm.prank(wallet);
        ledger.collect(token, sub, 5_000e6 + 1);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AmountZero.selector));
        vm.prank(wallet);
        ledger.collect(token, sub, 0);
        vm.expectRevert(abi.encodeWithSelector(ILedger.TokenUnknown.selector, address(0xF00)));
        vm.prank(wallet);
        ledger.collect(address(0xF00), sub, 1);
    }

    /// Funds that came before the owner opened the sub-account are the owner's, too.
    function test_funds_that_were_sent_before_the_opening_are_not_lost() public {
        address next =
            address(uint160(uint256(keccak256(abi.encode(address(registry), wallet, uint32(7))))));
        vm.prank(other);
        ledger.transfer(token, next, 1_000e6);
        vm.prank(wallet);
        registry.openSub(7);
        vm.prank(wallet);
        ledger.collect(token, next, 1_000e6);
        vm.assertEq(_balance(registry.accountOf(next)), 0);
    }

    function test_a_key_trades_with_the_sub_accounts_funds_alone() public {
        SignedOrder memory order = _bidOf(1);
        order.account = sub;
        bytes memory signature = _signed(SUB_KEY_SECRET, order);
        vm.expectRevert(); // the owner is rich, the sub-account is not
        engine.placeSigned(order, signature);
        _give(5_000e6);
        uint256 before = _balance(account);
        uint40 signed = _send(order, signature);
        uint40 own = _placeBy(subKey, true, LOW, SIZE);
        vm.assertEq(_resting(signed), SIZE);
        vm.assertEq(_balance(account), before);
        // Its orders are separate: neither the owner nor the owner's key can cancel them.
        vm.expectRevert(abi.encodeWithSelector(IBook.NotOrderOwner.selector, own, wallet));
        vm.prank(wallet);
        engine.cancel(listed, own);
        vm.prank(subKey);
        engine.cancel(listed, own);
    }

    function test_owner_and_sub_account_trade_with_each_other_as_strangers() public {
        _give(5_000e6);
        uint40 bid = _placeBy(subKey, true, LOW, SIZE);
        _placeBy(wallet, false, LOW, SIZE);
        vm.assertEq(_resting(bid), 0);
    }

    function test_salts_of_owner_and_sub_account_are_apart() public {
        _give(5_000e6);
        _send(_bidOf(1));
        SignedOrder memory order = _bidOf(1);
        order.account = sub;
        _send(order, _signed(SUB_KEY_SECRET, order));
    }

    function _give(uint256 amount) internal {
        vm.prank(wallet);
        ledger.transfer(token, sub, amount);
    }
}

contract SubAccountsAtSpotTest is SignedAtSpot, SubAccountCases {
    function setUp() public override {
        super.setUp();
        _prepareSub(address(usdc));
    }

    function _balance(uint40 account_) internal view override returns (uint256) {
        return _usdc(account_);
    }

    /// Funds in resting orders cannot be collected.
    function test_escrow_of_a_sub_account_stays_until_its_order_is_off_the_book() public {
        _give(5_000e6);
        uint40 order = _placeBy(subKey, true, LOW, 10_000); // 1,990
        vm.expectRevert(abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 5_000e6, 3_010e6));
        vm.prank(wallet);
        spot.collect(address(usdc), sub, 5_000e6);
        vm.prank(subKey);
        spot.cancel(market, order);
        vm.prank(wallet);
        spot.collect(address(usdc), sub, 5_000e6);
    }
}

contract SubAccountsAtPerpsTest is SignedAtPerps, SubAccountCases {
    function setUp() public override {
        super.setUp();
        _prepareSub(address(usdc));
    }

    function _balance(uint40 account_) internal view override returns (uint256) {
        return uint256(_collateral(account_)) / 1e12;
    }

    /// Its margin is isolated: all it can lose is its own.
    function test_a_loss_of_a_sub_account_never_affects_its_owner() public {
        _give(1_000e6);
        _trade(wallet, BOB, TICK, SIZE);
        _trade(subKey, BOB, TICK, 7_000); // 14,000 at 20 times
        bytes32 before = _fundsOf(account);
        _pass(30);
        _index(1_820e18); // 9% down
        vm.assertLt(_equity(subAccount), 0, "the sub-account is under water");
        vm.assertEq(_fundsOf(account), before);
        vm.assertGt(_equity(account), int256(_health(account).initialMargin), "its owner is not");
        // The owner's funds can be withdrawn; none of them cover the debt of the sub-account.
        _pass(10);
        _withdraw(wallet, 90_000e6);
        vm.assertLt(_equity(subAccount), 0, "and pays nothing in");
    }

    function test_collect_keeps_the_margin_of_what_stays() public {
        _give(1_000e6);
        _trade(subKey, BOB, TICK, 1_000); // 2,000: initial margin 100, a tenth 200, fee 0.7
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(199.3e18 - 1e12), uint256(200e18)
            )
        );
        vm.prank(wallet);
        perps.collect(address(usdc), sub, 800e6 + 1);
        vm.prank(wallet);
        perps.collect(address(usdc), sub, 799.3e6);
        vm.assertEq(_equity(subAccount), 200e18);
    }

    function test_collect_waits_for_a_fresh_index() public {
        _give(1_000e6);
        _trade(subKey, BOB, TICK, 1_000);
        uint256 pushed = block.timestamp;
        _pass(61);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, bytes32("ETH"), pushed)
        );
        vm.prank(wallet);
        perps.collect(address(usdc), sub, 1e6);
    }

    function test_collect_cannot_take_a_profit_that_is_not_realised() public {
        _give(1_000e6);
        _trade(subKey, BOB, TICK, 1_000);
        _setMark(TICK + 15_000); // +7.5%
        _pass(10);
        vm.expectRevert(abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 1_000e6, 999.3e6));
        vm.prank(wallet);
        perps.collect(address(usdc), sub, 1_000e6);
    }

    function test_leverage_is_the_sub_accounts_own() public {
        vm.prank(subKey);
        perps.setLeverage(market, 2);
        vm.assertEq(uint256(_position(subAccount).leverage), 2);
        vm.assertEq(uint256(_position(account).leverage), 0);
    }

    function _equity(uint40 account_) private view returns (int256) {
        return _health(account_).equity;
    }
}
