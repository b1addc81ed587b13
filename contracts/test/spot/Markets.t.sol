// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccountId} from "../../src/ValueTypes.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {Owned} from "../../src/Owned.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {IBook} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {ISpotEvents} from "../../src/interfaces/ISpot.sol";
import {SpotSetup} from "./SpotSetup.sol";

contract SpotMarketsTest is SpotSetup {
    DevToken private btc;

    function setUp() public override {
        super.setUp();
        btc = new DevToken("Bitcoin", "BTC", 8);
    }

    function _list(uint256 priceStep, uint256 amountStep) private returns (uint32) {
        vm.prank(OWNER);
        return spot.list(
            "BTC-USDC", address(btc), address(usdc), priceStep, amountStep, VALUE_MIN, VALUE_MAX
        );
    }

    /* LIST */

    function test_list_emits_tokens_once_and_the_market() public {
        vm.expectEmit(address(spot));
        emit ILedger.TokenListed(address(btc), "BTC", "Bitcoin", 8);
        vm.expectEmit(address(spot));
        emit ISpotEvents.Listed(
            2, "BTC-USDC", address(btc), address(usdc), 1e4, 1e4, VALUE_MIN, VALUE_MAX
        );
        vm.assertEq(_list(1e4, 1e4), 2);
        vm.assertEq(spot.unitsOf(2).quotePerLotTick, 1);
        (address base, address quote) = spot.tokensOf(2);
        vm.assertEq(base, address(btc));
        vm.assertEq(quote, address(usdc));
        vm.recordLogs();
        _list(1e6, 1e4);
        vm.assertEq(vm.getRecordedLogs().length, 1); // only Listed
    }

    function test_list_reverts_for_all_but_the_owner() public {
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, address(this)));
        spot.list("BTC-USDC", address(btc), address(usdc), 1e4, 1e4, VALUE_MIN, VALUE_MAX);
    }

    function test_list_reverts_for_one_token() public {
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(ISpotEvents.SameToken.selector, address(btc)));
        spot.list("BTC-BTC", address(btc), address(btc), 1e4, 1e4, VALUE_MIN, VALUE_MAX);
    }

    function test_list_reverts_unless_a_lot_at_a_tick_is_worth_an_exact_amount() public {
        uint256[2][5] memory steps = [
            [uint256(1e4), 1e3], // a tenth of a unit
            [uint256(3e4), 1e4 + 1],
            [uint256(0), 1e4],
            [uint256(1e4), 0],
            [uint256(1e20), 1e8] // more than 64 bits
        ];
        for (uint256 i = 0; i < steps.length; i++) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IMarkets.StepsIndivisible.selector, steps[i][0], steps[i][1]
                )
            );
            _list(steps[i][0], steps[i][1]);
        }
    }

    function test_list_reverts_for_bounds_that_cross_or_do_not_fit() public {
        uint128[2][3] memory bounds = [
            [uint128(2), 1], [uint128(1) << 96, uint128(1) << 96], [uint128(1), uint128(1) << 96]
        ];
        for (uint256 i = 0; i < bounds.length; i++) {
            vm.prank(OWNER);
            vm.expectRevert(
                abi.encodeWithSelector(
                    IMarkets.OrderValueBoundsUnfit.selector, bounds[i][0], bounds[i][1]
                )
            );
            spot.list(
                "BTC-USDC", address(btc), address(usdc), 1e4, 1e4, bounds[i][0], bounds[i][1]
            );
        }
    }

    function test_list_reverts_for_tokens_that_the_logs_cannot_describe() public {
        string memory long = "thirty-two bytes are one too many";
        _expectUnlistable(
            new DevToken("A", long, 8),
            abi.encodeWithSelector(ILedger.TokenTextTooLong.selector, _next(), long)
        );
        _expectUnlistable(
            new DevToken(long, "A", 8),
            abi.encodeWithSelector(ILedger.TokenTextTooLong.selector, _next(), long)
        );
        _expectUnlistable(
            new DevToken("A", "A", 19),
            abi.encodeWithSelector(ILedger.DecimalsTooMany.selector, _next(), 19, 18)
        );
    }

    /// Placeholder for the token in the reason passed to `_expectUnlistable`.
    function _next() private pure returns (address) {
        return address(0);
    }

    function _expectUnlistable(DevToken token, bytes memory reason) private {
        assembly ("memory-safe") {
            mstore(add(reason, 0x24), token)
        }
        vm.prank(OWNER);
        vm.expectRevert(reason);
        spot.list("A-USDC", address(token), address(usdc), 1e18, 1e18, VALUE_MIN, VALUE_MAX);
    }

    /* CHANGE */

    function test_change_bounds_new_orders_only() public {
        uint40 order = _bid(ALICE, TICK, 5);
        vm.expectEmit(address(spot));
        emit ISpotEvents.Changed(market, 2e6, 3e6);
        vm.prank(OWNER);
        spot.change(market, 2e6, 3e6);
        vm.assertEq(_lotsOf(order), 5);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IBook.OrderValueBelowMinimum.selector, 1e6, 2e6));
        spot.place(_gtc(true, TICK, 5));
        vm.assertEq(spot.stateOf(market).bestBid, TICK);
    }

    function test_change_reverts_for_others_and_unknown_markets() public {
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, address(this)));
        spot.change(market, 1, 2);
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, 9));
        spot.change(9, 1, 2);
    }

    /* HALT */

    function test_halt_stops_and_resumes_new_orders() public {
        vm.expectEmit(address(spot));
        emit IMarkets.Halted(market, true);
        vm.prank(OWNER);
        spot.halt(market, true);
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IBook.MarketHalted.selector, market));
        spot.place(_gtc(true, TICK, 1000));
        vm.prank(OWNER);
        spot.halt(market, false);
        _bid(ALICE, TICK, 1000);
    }

    function test_halt_reverts_for_others_and_unknown_markets() public {
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, address(this)));
        spot.halt(market, true);
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, 9));
        spot.halt(9, true);
    }

    /* MULTICALL */

    function test_multicall_replaces_an_order_at_once() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(spot.cancel, (market, order));
        calls[1] = abi.encodeCall(spot.place, (_gtc(true, TICK + 1, 1000)));
        vm.prank(ALICE);
        bytes[] memory results = spot.multicall(calls);
        vm.assertEq(abi.decode(results[1], (uint40)), order + 1);
        vm.assertEq(AccountId.unwrap(spot.orderAt(market, order + 1).account), alice);
        vm.assertEq(_usdc(alice), USDC_DEPOSIT - _value(TICK + 1, 1000));
    }

    function test_multicall_reverts_whole_with_the_reason_of_the_one() public {
        uint40 order = _bid(ALICE, TICK, 1000);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(spot.cancel, (market, order));
        calls[1] = abi.encodeCall(spot.cancel, (market, 99));
        vm.prank(ALICE);
        vm.expectRevert(abi.encodeWithSelector(IBook.OrderUnknown.selector, market, 99));
        spot.multicall(calls);
        vm.assertEq(_lotsOf(order), 1000);
    }

    function test_multicall_takes_no_value() public {
        (bool done,) =
            address(spot).call{value: 1}(abi.encodeCall(spot.multicall, (new bytes[](0))));
        vm.assertFalse(done);
    }

    /* OWNERSHIP */

    function test_ownership_changes_when_the_new_owner_accepts() public {
        vm.prank(OWNER);
        spot.offerOwnership(ALICE);
        vm.assertEq(spot.owner(), OWNER);
        vm.prank(BOB);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotPendingOwner.selector, BOB));
        spot.acceptOwnership();
        vm.prank(ALICE);
        spot.acceptOwnership();
        vm.assertEq(spot.owner(), ALICE);
        vm.assertEq(spot.pendingOwner(), address(0));
        vm.prank(OWNER);
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, OWNER));
        spot.offerOwnership(OWNER);
    }
}
