// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, SignedOrder, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "./SignedSetup.sol";

/// Tests signed orders with a trigger.
abstract contract SignedTriggerCases is SignedSetup {
    function test_an_order_waits_for_a_mark_at_or_above_its_trigger() public {
        SignedOrder memory order = _triggered(AT_OR_ABOVE, MID);
        _setMark(MID - 1);
        _refuse(order, _notMet(AT_OR_ABOVE, MID, MID - 1));
        _clearMark();
        _setMark(MID);
        _send(order);
        order.salt = 2;
        _clearMark();
        _setMark(MID + 1);
        _send(order);
    }

    function test_an_order_waits_for_a_mark_at_or_below_its_trigger() public {
        SignedOrder memory order = _triggered(AT_OR_BELOW, MID);
        _setMark(MID + 1);
        _refuse(order, _notMet(AT_OR_BELOW, MID, MID + 1));
        _clearMark();
        _setMark(MID);
        _send(order);
        order.salt = 2;
        _clearMark();
        _setMark(MID - 1);
        _send(order);
    }

    /// The trigger's price need not be on a step; it is compared to the last raw unit.
    function test_a_trigger_is_exact() public {
        _setMark(MID);
        SignedOrder memory order = _triggered(AT_OR_ABOVE, MID);
        order.triggerPrice += 1;
        _refuse(
            order,
            abi.encodeWithSelector(
                IBook.TriggerNotMet.selector, AT_OR_ABOVE, MID * priceStep + 1, MID * priceStep
            )
        );
        order = _triggered(AT_OR_BELOW, MID);
        order.triggerPrice -= 1;
        _refuse(
            order,
            abi.encodeWithSelector(
                IBook.TriggerNotMet.selector, AT_OR_BELOW, MID * priceStep - 1, MID * priceStep
            )
        );
    }

    function test_an_unknown_kind_of_trigger_is_refused() public {
        _setMark(MID);
        for (uint256 kind = 3; kind < 256; kind += 63) {
            _refuse(
                _triggered(uint8(kind), MID),
                abi.encodeWithSelector(IBook.TriggerUnknown.selector, uint8(kind))
            );
        }
    }

    function test_a_trigger_price_without_a_kind_means_nothing() public {
        SignedOrder memory order = _triggered(0, MID);
        _send(order);
    }

    /// Two legs of one salt: whichever fires first, the other is void.
    function test_one_leg_cancels_the_other() public {
        SignedOrder memory profit = _triggered(AT_OR_BELOW, MID - 50);
        SignedOrder memory stop = _triggered(AT_OR_ABOVE, MID + 50);
        _setMark(MID);
        _refuse(profit, _notMet(AT_OR_BELOW, MID - 50, MID));
        _refuse(stop, _notMet(AT_OR_ABOVE, MID + 50, MID));
        _clearMark();
        _setMark(MID + 60);
        _send(stop);
        _clearMark();
        _setMark(MID - 60);
        _refuse(profit, abi.encodeWithSelector(IBook.SaltSpent.selector, 1));
    }

    function _triggered(uint8 kind, uint24 tick) internal view returns (SignedOrder memory order) {
        order = _bidOf(1);
        order.triggerKind = kind;
        order.triggerPrice = tick * priceStep;
    }

    function _notMet(uint8 kind, uint24 tick, uint24 mark) internal view returns (bytes memory) {
        return abi.encodeWithSelector(
            IBook.TriggerNotMet.selector, kind, tick * priceStep, mark * priceStep
        );
    }

    /// Takes down what `_setMark` put up.
    function _clearMark() internal virtual;
}

contract SignedTriggersAtSpotTest is SignedAtSpot, SignedTriggerCases {
    function _clearMark() internal override {
        uint40 next = _next();
        uint40[] memory numbers = new uint40[](next);
        for (uint40 i = 0; i < next; i++) {
            numbers[i] = i;
        }
        vm.prank(QUOTER);
        engine.cancelAll(listed, numbers);
    }

    function test_before_both_sides_of_the_book_have_stood_no_trigger_is_met() public {
        SignedOrder memory high = _triggered(AT_OR_ABOVE, 0);
        SignedOrder memory low = _triggered(AT_OR_BELOW, MID * 2);
        _refuse(high, _notMet(AT_OR_ABOVE, 0, 0));
        _refuse(low, _notMet(AT_OR_BELOW, MID * 2, 0));
        _quote(true, MID, SIZE);
        _wait(60);
        _refuse(low, _notMet(AT_OR_BELOW, MID * 2, 0));
        _clearMark();
        _quote(false, MID, SIZE);
        _quote(true, MID - 2, SIZE);
        _refuse(low, _notMet(AT_OR_BELOW, MID * 2, 0));
        _wait(1);
        _send(low);
    }

    /// The mid may lie between two steps.
    function test_the_mid_is_not_rounded_to_a_step() public {
        _quote(true, MID, SIZE);
        _quote(false, MID + 1, SIZE);
        _wait(1);
        SignedOrder memory order = _triggered(AT_OR_ABOVE, MID);
        order.triggerPrice += priceStep / 2 + 1;
        _refuse(
            order,
            abi.encodeWithSelector(
                IBook.TriggerNotMet.selector,
                AT_OR_ABOVE,
                order.triggerPrice,
                MID * priceStep + priceStep / 2
            )
        );
        order.triggerPrice -= 1;
        _send(order);
    }

    /// A quote placed next to the real ones moves the mark in proportion to its duration.
    function test_a_trigger_looks_at_the_average_of_the_mids_by_their_time() public {
        _quote(true, MID - 300, SIZE);
        _quote(false, MID + 300, SIZE);
        _wait(1);
        SignedOrder memory order = _triggered(AT_OR_BELOW, MID - 100);
        _quote(false, MID - 100, SIZE); // the mid falls by 200
        _refuse(order, _notMet(AT_OR_BELOW, MID - 100, MID));
        _wait(30);
        order.triggerPrice = (MID - 66) * priceStep;
        _send(order); // a third of the way
        order.salt = 2;
        order.triggerPrice = (MID - 67) * priceStep;
        vm.expectPartialRevert(IBook.TriggerNotMet.selector);
        engine.placeSigned(order, _signed(KEY_SECRET, order));
    }
}

contract SignedTriggersAtPerpsTest is SignedAtPerps, SignedTriggerCases {
    function _clearMark() internal override {}

    function test_no_trigger_is_met_by_a_stale_index() public {
        SignedOrder memory order = _triggered(AT_OR_ABOVE, MID);
        order.reduceOnly = true;
        uint256 pushed = block.timestamp;
        _pass(61);
        _refuse(
            order, abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, bytes32("ETH"), pushed)
        );
        order.triggerKind = AT_OR_BELOW;
        _refuse(
            order, abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, bytes32("ETH"), pushed)
        );
    }

    /// A stop fires on the mark, which the basis has moved away from the index.
    function test_a_trigger_looks_at_the_mark_and_not_at_the_index() public {
        _quote(true, MID + 300, IMPACT_LOTS);
        _quote(false, MID + 302, IMPACT_LOTS);
        _pass(150);
        _index(2_000e18);
        perps.poke(market);
        _pass(1);
        uint256 mark = perps.quoteOf(market).mark;
        vm.assertGt(mark, 2_000e18, "the basis is above zero");
        SignedOrder memory order = _triggered(AT_OR_ABOVE, MID);
        order.triggerPrice = mark;
        _send(order);
    }

    function test_a_signed_stop_only_reduces() public {
        _trade(wallet, BOB, TICK, SIZE);
        SignedOrder memory order = _triggered(AT_OR_BELOW, MID - 100);
        (order.isBuy, order.limitPrice, order.reduceOnly) =
        (false, (MID - 2_000) * priceStep, true);
        order.timeInForce = uint8(TimeInForce.IOC);
        order.amount = 10 * SIZE * amountStep; // more than there is
        _bid(CAROL, MID - 500, 10 * SIZE);
        _refuse(order, _notMet(AT_OR_BELOW, MID - 100, MID));
        _setMark(MID - 100);
        _send(order);
        vm.assertEq(_position(account).lots, 0);
    }
}
