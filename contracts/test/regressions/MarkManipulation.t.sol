// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Mango, October 2022: an attacker traded with himself, pumped the price of his holdings and
/// borrowed against the profit. JELLY at Hyperliquid, March 2025: an attacker let the vault of
/// liquidations take over a large short of an illiquid coin and pumped the price of the coin.
///
/// Here a book moves the mark by half a percent of the index at most, unrealised profit cannot be
/// withdrawn, positions and open interest are capped, and insurance takes over nothing that would
/// make its equity negative.
contract MarkManipulationTest is LiquidationSetup {
    function test_mango_a_pumped_book_moves_the_mark_by_half_a_percent() public {
        _trade(ALICE, CAROL, TICK, 40_000);
        _bid(BOB, 390_000, 1_000);
        _ask(ALICE, 400_000, 1_000);
        for (uint256 i = 0; i < 60; i++) {
            _pass(60);
            _index(2_000e18);
            perps.poke(market);
        }
        vm.assertLe(perps.quoteOf(market).mark, 2_010e18, "half a percent");
        vm.assertGt(perps.quoteOf(market).mark, 2_009.99e18, "after an hour of it");
        // 40 ETH are worth 400 more, less funding; none of it leaves
        uint256 held = uint256(_collateral(alice)) / 1e12;
        vm.expectRevert(abi.encodeWithSelector(ILedger.BalanceTooLow.selector, held + 1, held));
        _withdraw(ALICE, held + 1);
    }

    function test_mango_nobody_trades_far_from_the_mark() public {
        _ask(ALICE, 400_000, 1_000);
        _bid(BOB, 400_000, 1_000); // with himself or not: beyond mark +-10% nothing fills
        vm.assertEq(_lots(bob), 0);
        vm.assertEq(_lots(alice), 0);
    }

    function test_jelly_a_position_is_capped_and_so_is_the_market() public {
        _deposit(ALICE, 1_000_000e6);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.NotionalAboveMaximum.selector, 2_000_002e18, uint256(2_000_000e18)
            )
        );
        _bid(ALICE, 1, 1_000_001);
        vm.prank(OWNER);
        perps.tighten(market, _withOpenInterest(1_000));
        _ask(CAROL, TICK, 1_000);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.OpenInterestAboveMaximum.selector, 1_005, 1_000)
        );
        _bid(ALICE, TICK, 5);
    }

    /// ERIN's short is handed over at 2,120 and the price is pumped to 3,000: insurance loses all
    /// it has, then winners close at the price that leaves it nothing. No other account pays.
    function test_jelly_insurance_loses_no_more_than_it_has() public {
        _insure(300e18);
        _index(2_120e18);
        _liquidate(erin);
        vm.assertEq(_lots(INSURANCE), -1_000);
        int256 insured = _equity(INSURANCE);
        vm.assertEq(insured, 329.3e18);
        _index(3_000e18);
        vm.assertEq(_equity(INSURANCE), insured - 880e18);
        _deleverage(INSURANCE, dave);
        vm.assertEq(_equity(INSURANCE), int256(0));
        vm.assertEq(_lots(INSURANCE), 0);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_equity(dave), 149.3e18 + 449.3e18); // from 2,000 to 2,449.3
    }

    /// Depth that is not there for both sides does not move the mark at all.
    function test_a_thin_or_one_sided_book_does_not_move_the_mark() public {
        _bid(BOB, 210_000, IMPACT_LOTS - 1);
        _ask(ALICE, 210_100, 1_000);
        _pass(60);
        _index(2_000e18);
        perps.poke(market);
        vm.assertEq(perps.quoteOf(market).mark, 2_000e18);
    }

    function _withOpenInterest(uint64 lots)
        private
        pure
        returns (PerpParameters memory parameters)
    {
        parameters = _parameters();
        parameters.maxOpenInterest = lots;
    }
}
