// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../src/Funding.sol";
import {IBook, OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {
    ILiquidation,
    IPerpsMarks,
    IPerpsEvents,
    PerpParameters
} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A mark sampled from the best level of one instant could be set by anyone: in one transaction an
/// attacker placed a quote, had it sampled, removed it and liquidated a healthy account into his
/// own bid, while the index did not move.
contract MarkOfOneInstantTest is LiquidationSetup {
    address private constant EVE = address(0xE7E);
    address private constant VIC = address(0xF1C);

    uint40 private vic;

    function setUp() public virtual override {
        super.setUp();
        _deposit(EVE, 100_000e6);
        _insure(100_000e18);
    }

    function _post(bool buy, uint24 tick, uint64 lots) private view returns (bytes memory) {
        return abi.encodeCall(IBook.place, (_order(buy, tick, lots, TimeInForce.POST_ONLY, false)));
    }

    function _pokeCall() private view returns (bytes memory) {
        return abi.encodeCall(IPerpsMarks.poke, (market));
    }

    function _stand(uint256 seconds_, uint256 index) private {
        _pass(seconds_);
        _index(index);
    }

    function _mark() private view returns (uint256) {
        return perps.quoteOf(market).mark;
    }

    function _premiums() private view returns (int256 sum, uint256 sampled) {
        (, Funding.Activity memory activity) = perps.fundingOf(market);
        return (activity.premiumSum, activity.sampledSeconds);
    }

    /// A quote without duration, sampled by its owner: `quote`, poke, cancel, then an optional
    /// call.
    function _flash(bytes memory quote, bytes memory next)
        private
        view
        returns (bytes[] memory calls)
    {
        uint40 order = perps.stateOf(market).nextOrder;
        calls = new bytes[](next.length == 0 ? 3 : 4);
        (calls[0], calls[1]) = (quote, _pokeCall());
        calls[2] = abi.encodeCall(IBook.cancel, (market, order));
        if (next.length != 0) calls[3] = next;
    }

    /// VIC is long 49 ETH from 2,000 with 5,000; the makers quote 1% around an index of 1,952.5.
    function _openVictim() private {
        _deposit(VIC, 5_000e6);
        vic = accounts.accountOf(VIC);
        _place(ALICE, _gtc(false, TICK, 49_000));
        _place(VIC, _gtc(true, TICK, 49_000));
        _stand(1, 1_952.5e18);
        _bid(BOB, 193_300, 60_000);
        _ask(CAROL, 197_200, 60_000);
        _stand(60, 1_952.5e18);
        vm.assertGe(_equity(vic), int256(_health(vic).maintenanceMargin), "healthy at the index");
    }

    function test_one_transaction_liquidates_no_healthy_account() public {
        _openVictim();
        bytes memory liquidate = abi.encodeCall(ILiquidation.liquidate, (vic, market, none));
        bytes[] memory calls = _flash(_post(false, 193_301, IMPACT_LOTS), liquidate);
        vm.prank(EVE);
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        perps.multicall(calls);
        // Bids that take the makers' depth away on the way do not help either.
        calls[0] =
            abi.encodeCall(IBook.place, (_order(true, 197_200, 20_000, TimeInForce.IOC, false)));
        calls[2] = _post(true, 193_301, 40_000);
        vm.prank(EVE);
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        perps.multicall(calls);
    }

    /// Neither in the transaction nor after it: the quote had no duration.
    function test_a_quote_of_one_transaction_moves_nothing() public {
        _openVictim();
        (uint256 mark, int256 sum) = (_mark(), int256(0));
        bytes[] memory calls = _flash(_post(false, 193_301, IMPACT_LOTS), "");
        vm.prank(EVE);
        perps.multicall(calls);
        vm.assertEq(_mark(), mark, "in its second");
        _pass(1);
        vm.assertEq(_mark(), mark, "and in the next one");
        (sum,) = _premiums();
        vm.assertEq(sum, int256(0), "the makers' mid is the index");
    }

    /// A quote placed a second before a poke counts only for that second.
    function test_a_quote_of_one_second_moves_the_basis_by_less_than_a_fiftieth_of_its_bound()
        public
    {
        _openVictim();
        vm.prank(EVE);
        uint40 order =
            perps.place(_order(false, 193_301, IMPACT_LOTS, TimeInForce.POST_ONLY, false));
        _stand(1, 1_952.5e18);
        vm.startPrank(EVE);
        perps.poke(market);
        perps.cancel(market, order);
        vm.stopPrank();
        _pass(1);
        uint256 moved = 1_952.5e18 - _mark();
        vm.assertLt(moved, 1_952.5e18 / 200 / 50, "a fiftieth of 0.5%");
        vm.assertGe(_equity(vic), int256(_health(vic).maintenanceMargin), "VIC is healthy");
    }

    function test_no_poke_moves_the_basis_all_the_way() public {
        _bid(BOB, 199_000, 1_000);
        _ask(CAROL, 240_000, 1_000);
        _bid(EVE, 219_000, 1_000); // 9.5% above, with money behind it
        _stand(600, 2_000e18);
        for (uint256 i = 1; i <= 5; i++) {
            perps.poke(market);
            _stand(60, 2_000e18);
            vm.assertEq(_mark(), 2_000e18 + i * 1e18, "0.05% a poke");
        }
    }

    /// Quotes that can no longer be hit.
    function test_expired_quotes_move_no_mark() public {
        OrderRequest memory bid = _gtc(true, 209_000, IMPACT_LOTS);
        OrderRequest memory ask = _gtc(false, 209_100, IMPACT_LOTS);
        bid.goodTil = ask.goodTil = uint40(block.timestamp + 10);
        _place(EVE, bid);
        _place(EVE, ask);
        for (uint256 i = 0; i < 5; i++) {
            _stand(60, 2_000e18);
            perps.poke(market);
        }
        _pass(1);
        vm.assertEq(_mark(), 2_000e18);
        (int256 sum,) = _premiums();
        vm.assertEq(sum, int256(0));
    }

    /// Longs pay for a premium of half a percent. EVE, long, puts ten dollars inside the spread for
    /// no time, once a minute, before the honest keeper.
    function test_dust_inside_the_spread_zeroes_no_funding() public {
        _bid(BOB, 201_900, 1_000);
        _ask(CAROL, 202_100, 1_000);
        _sampleAnHour("");
        (int256 honest,) = _premiums();
        _stand(60, 2_000e18);
        perps.settleHours(market);
        _sampleAnHour(_post(true, 201_901, 5));
        (int256 forged,) = _premiums();
        vm.assertGt(honest, int256(0.009e18 * 3_400), "a premium of almost 1%");
        vm.assertGe(forged, honest * 99 / 100, "dust takes nothing off it");
    }

    function _sampleAnHour(bytes memory dust) private {
        while (block.timestamp % 3600 != 3540) {
            _stand(60, 2_000e18);
            bytes[] memory calls = _flash(dust, "");
            vm.prank(EVE);
            if (dust.length == 0) perps.poke(market);
            else perps.multicall(calls);
        }
    }

    /// Nor does it help to take the depth away for the sample.
    function test_depth_that_is_bought_away_in_the_transaction_is_no_sample() public {
        _bid(BOB, 201_900, 1_000);
        _ask(CAROL, 202_100, 1_000);
        _stand(60, 2_000e18);
        bytes[] memory calls = new bytes[](2);
        calls[0] =
            abi.encodeCall(IBook.place, (_order(false, 201_900, 800, TimeInForce.IOC, false)));
        calls[1] = _pokeCall();
        vm.prank(EVE);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.BookChanged.selector, market));
        perps.multicall(calls);
    }

    /// Reduce-only orders of an account that has nothing to reduce rest without margin.
    function test_reduce_only_ghosts_are_no_depth() public {
        address ghost = address(0x6057);
        _deposit(ghost, 100e6);
        _place(CAROL, _gtc(false, TICK, 600));
        _place(ghost, _gtc(true, TICK, 600));
        _place(ghost, _order(false, 209_100, 600, TimeInForce.GTC, true));
        _bid(BOB, TICK, 600);
        // Nothing is left to reduce.
        _place(ghost, _order(false, TICK, 600, TimeInForce.IOC, false));
        _bid(EVE, 209_000, 600);
        for (uint256 i = 0; i < 5; i++) {
            _stand(60, 2_000e18);
            perps.poke(market);
        }
        _pass(1);
        vm.assertEq(_mark(), 2_000e18, "an ask that sells nothing");
    }

    /// The bound of the basis is below the maintenance margin of every permitted leverage: a book
    /// cannot liquidate an account with its initial margin unless the index moves.
    function test_a_book_alone_liquidates_nobody_who_just_opened() public {
        uint16[4] memory leverages = [uint16(1), 10, 25, 50];
        for (uint256 i = 0; i < leverages.length; i++) {
            PerpParameters memory parameters = _parameters();
            parameters.maxLeverage = leverages[i];
            vm.prank(OWNER);
            perps.change(market, parameters);
            // Initial margin is twice the maintenance margin: the remainder after a move of the
            // mark by its whole bound still covers it.
            uint256 notional = 1_000_000e18;
            uint256 margin = notional / leverages[i];
            vm.assertGt(
                margin - notional / 200,
                margin / 2 + notional / 200 / 2 / leverages[i],
                "0.5% is not enough"
            );
        }
    }
}
