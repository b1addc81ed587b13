// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccountId} from "../../src/ValueTypes.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {Book} from "../../src/Book.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {ISpotEvents} from "../../src/interfaces/ISpot.sol";
import {SpotSetup} from "./SpotSetup.sol";

/// Tests which orders the spot engine accepts, and how they rest.
contract SpotPlaceTest is SpotSetup {
    function _expectCancelled(uint40 account, uint40 order, uint64 lots, Reason reason) private {
        vm.expectEmit(address(spot));
        emit IBook.Cancelled(market, account, order, lots, reason);
    }

    function _expectRevert(bytes memory reason, OrderRequest memory request) private {
        vm.prank(ALICE);
        vm.expectRevert(reason);
        spot.place(request);
    }

    uint256 private constant KEY = 0xBEEF;

    /* WHO MAY PLACE WHAT */

    function test_place_reverts_when_the_caller_has_no_account() public {
        vm.prank(address(0xBAD));
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, address(0xBAD)));
        spot.place(_gtc(true, TICK, 1000));
    }

    function test_place_by_a_signing_key_is_its_accounts() public {
        uint40 order = _place(_registerKey(), _gtc(true, TICK, 1000));
        vm.assertEq(
            AccountId.unwrap(spot.orderAt(market, order).account),
            accounts.accountOf(vm.addr(0xA11CE))
        );
    }

    /// A wallet whose private key we know, with a signing key.
    function _registerKey() private returns (address key) {
        address wallet = vm.addr(0xA11CE);
        _fund(wallet);
        key = vm.addr(KEY);
        uint256 expiry = block.timestamp + 1 days;
        bytes memory byWallet = _sign(
            0xA11CE,
            _grant("RegisterKey(address account,address key,uint256 expiry)", wallet, key, expiry)
        );
        bytes memory byKey = _sign(
            KEY,
            _grant("AcceptKey(address account,address key,uint256 expiry)", wallet, key, expiry)
        );
        accounts.register(wallet, key, expiry, byWallet, byKey);
    }

    function _grant(string memory message, address account, address key_, uint256 expiry)
        private
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(keccak256(bytes(message)), account, key_, expiry));
    }

    function _sign(uint256 privateKey, bytes32 message) private view returns (bytes memory) {
        bytes32 digest =
            keccak256(abi.encodePacked("\x19\x01", accounts.domainSeparator(), message));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }

    function test_place_reverts_when_the_market_is_unknown() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        request.market = 2;
        _expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, 2), request);
    }

    function test_place_reverts_when_the_market_is_halted() public {
        vm.prank(OWNER);
        spot.halt(market, true);
        _expectRevert(
            abi.encodeWithSelector(IBook.MarketHalted.selector, market), _gtc(true, TICK, 1000)
        );
    }

    function test_place_reverts_when_the_tick_is_reserved() public {
        _expectRevert(
            abi.encodeWithSelector(IBook.TickOutOfRange.selector, 0), _gtc(true, 0, 1000)
        );
        uint24 none = type(uint24).max;
        _expectRevert(
            abi.encodeWithSelector(IBook.TickOutOfRange.selector, none), _gtc(true, none, 1000)
        );
    }

    function test_place_reverts_without_lots() public {
        _expectRevert(abi.encodeWithSelector(IBook.LotsZero.selector), _gtc(true, TICK, 0));
    }

    function test_place_reverts_when_reduce_only() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        request.reduceOnly = true;
        _expectRevert(abi.encodeWithSelector(ISpotEvents.ReduceOnlyAtSpot.selector), request);
    }

    function test_place_reverts_outside_the_bounds_of_value() public {
        _bid(ALICE, TICK, 5); // exactly 1 USDC
        _expectRevert(
            abi.encodeWithSelector(IBook.OrderValueBelowMinimum.selector, 800_000, VALUE_MIN),
            _gtc(true, TICK, 4)
        );
        _bid(ALICE, TICK, 5_000_000); // exactly 1,000,000 USDC
        _expectRevert(
            abi.encodeWithSelector(
                IBook.OrderValueAboveMaximum.selector, uint256(VALUE_MAX) + TICK, VALUE_MAX
            ),
            _gtc(true, TICK, 5_000_001)
        );
    }

    function test_place_reverts_when_good_til_has_passed() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        request.timeInForce = TimeInForce.IOC;
        request.goodTil = uint40(block.timestamp);
        _place(ALICE, request);
        request.goodTil -= 1;
        _expectRevert(
            abi.encodeWithSelector(
                IBook.GoodTilTooEarly.selector, request.goodTil, block.timestamp
            ),
            request
        );
    }

    function test_place_reverts_when_it_may_rest_for_less_than_five_seconds() public {
        OrderRequest memory request = _gtc(true, TICK, 1000);
        for (uint256 i = 0; i < 2; i++) {
            request.timeInForce = i == 0 ? TimeInForce.GTC : TimeInForce.POST_ONLY;
            request.goodTil = uint40(block.timestamp + 4);
            bytes memory reason = abi.encodeWithSelector(
                IBook.GoodTilTooEarly.selector, request.goodTil, block.timestamp + 5
            );
            _expectRevert(reason, request);
            request.goodTil += 1;
            _place(ALICE, request);
        }
    }

    function test_place_reverts_when_the_balance_does_not_cover_it() public {
        vm.prank(ALICE);
        spot.withdraw(address(usdc), USDC_DEPOSIT - 199_999_999, ALICE);
        _expectRevert(
            abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 200_000_000, 199_999_999),
            _gtc(true, TICK, 1000)
        );
    }

    function test_place_cannot_pay_with_what_it_earns() public {
        _ask(BOB, TICK, 1000);
        vm.prank(ALICE);
        spot.withdraw(address(usdc), USDC_DEPOSIT, ALICE);
        _expectRevert(
            abi.encodeWithSelector(ILedger.BalanceTooLow.selector, 200_000_000, 0),
            _gtc(true, TICK, 1000)
        );
    }

    /* RESTING */

    function test_place_rests_with_its_value_in_escrow() public {
        vm.expectEmit(address(spot));
        emit IBook.Placed(market, alice, 1, true, TICK, 1000, TimeInForce.GTC, false, 0, 0);
        vm.assertEq(_bid(ALICE, TICK, 1000), 1);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK, 1000));
        vm.assertEq(_ask(BOB, TICK + 1, 700), 2);
        vm.assertEq(_eth(bob), ETH_DEPOSIT - 700 * LOT);
        vm.assertEq(_lotsOf(1), 1000);
        vm.assertEq(_lotsOf(2), 700);
    }

    function test_place_joins_the_end_of_the_queue() public {
        uint40 first = _bid(ALICE, TICK, 1000);
        uint40 second = _bid(BOB, TICK, 500);
        uint40 third = _bid(ALICE, TICK, 250);
        Book.Level memory level = spot.levelAt(market, TICK);
        vm.assertEq(level.head, first);
        vm.assertEq(level.tail, third);
        vm.assertEq(level.lots, 1750);
        vm.assertEq(level.count, 3);
        vm.assertEq(spot.orderAt(market, first).next, second);
        vm.assertEq(spot.orderAt(market, third).prev, second);
    }

    function test_place_moves_the_best_tick_only_when_better() public {
        _bid(ALICE, TICK, 1000);
        _bid(ALICE, TICK - 1, 1000);
        _ask(ALICE, TICK + 5, 1000);
        _ask(ALICE, TICK + 6, 1000);
        (uint24 bid, uint24 ask) = _best();
        vm.assertEq(bid, TICK);
        vm.assertEq(ask, TICK + 5);
        _bid(ALICE, TICK + 1, 1000);
        _ask(ALICE, TICK + 2, 1000);
        (bid, ask) = _best();
        vm.assertEq(bid, TICK + 1);
        vm.assertEq(ask, TICK + 2);
    }

    function test_place_cancels_an_IOC_that_meets_nobody() public {
        _expectCancelled(alice, 1, 1000, Reason.IOC_REMAINDER);
        _place(ALICE, _order(true, TICK, 1000, TimeInForce.IOC));
        vm.assertEq(_lotsOf(1), 0);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT);
    }
}
