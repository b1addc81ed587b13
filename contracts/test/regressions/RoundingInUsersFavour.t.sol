// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Venues that round for the user have been drained a unit at a time; GTE's M-01 and M-02 left
/// remainders below a lot and let fills cost nothing. Here lots and ticks are integers with an
/// exact quote each: nothing rounds but fees and margins, against the payer.
contract RoundingInUsersFavourTest is LiquidationSetup {
    /// Closing a position in parts at one price gains at most as much as one close; each fill's fee
    /// may round up by one unit.
    function testFuzz_closing_in_parts_gains_nothing(uint256 lots, uint256 tick, uint256 part)
        public
    {
        lots = bound(lots, 6, 5_000);
        tick = bound(tick, 190_001, 209_999);
        part = bound(part, 1, lots - 1);
        _deposit(BOB, 7); // the same as ALICE but for its parts
        _deposit(ALICE, 7);
        for (uint256 i = 0; i < 2; i++) {
            _ask(CAROL, TICK + 33, uint64(lots));
            _bid(i == 0 ? ALICE : BOB, TICK + 33, uint64(lots));
        }
        _sell(ALICE, uint24(tick), uint64(lots));
        _sell(BOB, uint24(tick), uint64(part));
        _sell(BOB, uint24(tick), uint64(lots - part));
        int256 less = _collateral(alice) - _collateral(bob);
        vm.assertGe(less, 0, "parts gained");
        vm.assertLe(less, 1, "more than a fee's rounding");
    }

    function _sell(address wallet, uint24 tick, uint64 lots) private {
        uint40 bid = _bid(CAROL, tick, lots < 10 ? 10 : lots); // worth the least order at least
        _place(wallet, _order(false, tick, lots, TimeInForce.IOC, true));
        if (_lotsOf(bid) == 0) return;
        vm.prank(CAROL);
        perps.cancel(market, bid);
    }

    /// One lot at a price of ten units still costs ten units and a fee of one.
    function test_the_smallest_fill_costs_something() public {
        PerpParameters memory parameters = _parameters();
        (parameters.maxOpenInterest, parameters.minOrderValue) = (1 << 62, 5e18);
        vm.prank(OWNER);
        // A lot at a tick: 1 unit.
        uint32 tiny = perps.list("TINY-PERP", "TINY", 1, 1e18, 1_000e18, parameters);
        _indexOne("TINY", 100); // the least first index
        perps.settleHours(tiny);
        _indexOne("TINY", 10);
        OrderRequest memory request = _gtc(false, 10, 6e17);
        request.market = tiny;
        _place(CAROL, request);
        request.buy = true;
        _place(ALICE, request);
        _place(CAROL, request);
        (request.buy, request.lots) = (false, Lots.wrap(1));
        (request.timeInForce, request.reduceOnly) = (TimeInForce.IOC, true);
        int256 before = _collateral(alice);
        int128 cost = perps.positionOf(tiny, alice).quote;
        _place(ALICE, request);
        vm.assertEq(perps.positionOf(tiny, alice).quote, cost + 10);
        vm.assertEq(_collateral(alice), before - 1);
    }

    function test_a_market_whose_quotes_would_have_remainders_is_not_listed() public {
        vm.expectRevert(abi.encodeWithSelector(IMarkets.StepsIndivisible.selector, 1e16, 1e15 + 1));
        vm.prank(OWNER);
        perps.list("ODD-PERP", "ETH", 1e16, 1e15 + 1, 1_000e18, _parameters());
        vm.expectRevert(abi.encodeWithSelector(IMarkets.StepsIndivisible.selector, 1, 1e17));
        vm.prank(OWNER);
        perps.list("ZERO-PERP", "ETH", 1, 1e17, 1_000e18, _parameters());
    }

    /// A fill is lots times ticks times the market's unit, exactly.
    function testFuzz_a_fill_costs_lots_times_ticks(uint256 lots, uint256 tick) public {
        lots = bound(lots, 6, 10_000);
        tick = bound(tick, 180_001, 219_999);
        _ask(CAROL, uint24(tick), uint64(lots));
        _bid(ALICE, uint24(tick), uint64(lots));
        vm.assertEq(_position(alice).quote, -int256(lots * tick * UNIT));
    }
}
