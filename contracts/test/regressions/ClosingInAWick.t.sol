// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// An account that brings two prices in one transaction could lose its temporary profit at the
/// first price to a friend, by closing far from the mark, and owe it at the second: with 1,900 at
/// the maintenance margin the gain was 15.9, paid by others. An account that closes needs margin
/// for the move of its second too, unless the close raises the ratio of equity to margin.
contract ClosingInAWickTest is LiquidationSetup {
    uint64 private constant CLOSED = 620;
    uint24 private constant LOWEST = 179_550; // a tenth below 1,995

    /// DAVE has 49.3 behind 1,900, of which he needs 47.5; then the index is 1,995 in one second.
    function setUp() public override {
        super.setUp();
        _index(1_900e18);
        _pass(1);
        _pushOne("ETH", 1_900e18);
        _pass(1);
        _pushOne("ETH", 1_995e18);
    }

    /// 20.2 would be left for 380 lots: the 18.95 of their margin, but not the 36.1 of the move.
    function test_a_taker_that_closes_needs_margin_for_the_move_of_its_second() public {
        _bid(BOB, LOWEST, CLOSED);
        _expectPlaceReverts(
            DAVE,
            _order(false, LOWEST, CLOSED, TimeInForce.IOC, true),
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector, int256(20.2203765e18), uint256(55.0525e18)
            )
        );
        _pushOne("ETH", 1_900e18);
        vm.assertEq(_equity(dave), 49.3e18);
    }

    function test_a_maker_that_closes_needs_margin_for_the_move_of_its_second() public {
        OrderRequest memory close = _gtc(false, LOWEST, CLOSED);
        close.reduceOnly = true;
        uint40 ask = _place(DAVE, close);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, dave, ask, CLOSED, Reason.MARGIN);
        _bid(BOB, LOWEST, CLOSED);
        vm.assertEq(_lots(dave), int64(LOTS));
    }

    /// A quarter of a percent from the mark, which costs less than the ratio of equity to margin.
    function test_a_fair_close_needs_no_margin_for_the_move() public {
        _pushOne("ETH", 1_905e18);
        _pass(1);
        _pushOne("ETH", 1_890e18);
        _pass(1);
        _pushOne("ETH", 1_905e18); // 54.3 is more than the margin of 47.6, and less than 15 beside it
        _bid(BOB, 190_000, 10);
        _place(DAVE, _order(false, 190_000, 10, TimeInForce.IOC, true));
        vm.assertEq(_lots(dave), 990);
    }

    /// A second later the price counts for everyone, and the margin left is sufficient.
    function test_a_price_that_has_outlived_its_second_lends_nothing() public {
        _pass(1);
        _pushOne("ETH", 1_995e18);
        _bid(BOB, LOWEST, CLOSED);
        _place(DAVE, _order(false, LOWEST, CLOSED, TimeInForce.IOC, true));
        vm.assertEq(_lots(dave), 380);
    }
}
