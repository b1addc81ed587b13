// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, SignedOrder, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsMarks} from "../../src/interfaces/IPerps.sol";
import {SignedAtPerps, SignedAtSpot} from "../signed/SignedSetup.sol";

/// Stops triggered by the quotes of one instant could be triggered at a price that never existed,
/// into the bid of the account that had placed the quote, in one transaction.
contract StopsAtPricesThatNeverWereAtPerpsTest is SignedAtPerps {
    address private constant EVE = address(0xE7E);

    function test_a_flash_quote_fires_no_stop() public {
        _fund(EVE);
        _place(ALICE, _gtc(false, TICK, 10_000));
        _place(wallet, _gtc(true, TICK, 10_000));
        _bid(BOB, 198_000, 20_000);
        _ask(CAROL, 202_000, 20_000);
        _wait(60);
        SignedOrder memory stop = _bidOf(7);
        (stop.isBuy, stop.reduceOnly, stop.timeInForce) = (false, true, uint8(TimeInForce.IOC));
        (stop.limitPrice, stop.amount) = (1_980e18, 10e18);
        (stop.triggerKind, stop.triggerPrice) = (2, 1_999.9e18);
        bytes[] memory calls = new bytes[](5);
        uint40 next = perps.stateOf(market).nextOrder;
        calls[0] = abi.encodeCall(
            IBook.place, (_order(false, 198_001, IMPACT_LOTS, TimeInForce.POST_ONLY, false))
        );
        calls[1] = abi.encodeCall(IPerpsMarks.poke, (market));
        calls[2] = abi.encodeCall(IBook.cancel, (market, next));
        calls[3] = abi.encodeCall(
            IBook.place, (_order(true, 198_001, 10_000, TimeInForce.POST_ONLY, false))
        );
        calls[4] = abi.encodeCall(IBook.placeSigned, (stop, _signed(KEY_SECRET, stop)));
        vm.prank(EVE);
        vm.expectPartialRevert(IBook.TriggerNotMet.selector);
        perps.multicall(calls);
    }
}

contract StopsAtPricesThatNeverWereAtSpotTest is SignedAtSpot {
    function test_a_flash_quote_fires_no_stop() public {
        _bid(BOB, 198_000, 20_000);
        _ask(CAROL, 202_000, 20_000);
        _wait(60);
        SignedOrder memory stop = _bidOf(7);
        stop.isBuy = false;
        stop.limitPrice = 198_000 * priceStep;
        (stop.triggerKind, stop.triggerPrice) = (2, 199_990 * priceStep);
        bytes[] memory calls = new bytes[](3);
        uint40 next = _next();
        calls[0] =
            abi.encodeCall(IBook.place, (_order(false, 198_001, 20_000, TimeInForce.POST_ONLY)));
        calls[1] = abi.encodeCall(IBook.placeSigned, (stop, _signed(KEY_SECRET, stop)));
        calls[2] = abi.encodeCall(IBook.cancel, (listed, next));
        vm.prank(ALICE);
        vm.expectPartialRevert(IBook.TriggerNotMet.selector);
        spot.multicall(calls);
    }
}
