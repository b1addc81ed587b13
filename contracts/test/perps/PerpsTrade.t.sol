// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots} from "../../src/ValueTypes.sol";
import {PerpsSetup} from "./PerpsSetup.sol";
import {Positions} from "../../src/Positions.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerps, IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";

/// Tests the effect of fills on positions, collateral, fees and open interest.
contract PerpsTradeTest is PerpsSetup {
    function test_a_trade_opens_opposite_positions_and_charges_both() public {
        uint40 ask = _ask(BOB, TICK, 1_000);
        vm.expectEmit(address(perps));
        emit IBook.Placed(market, alice, 2, true, TICK + 5, 1_000, TimeInForce.GTC, false, 0, 0);
        vm.expectEmit(address(perps));
        // 1,000 lots at 2,000 USD are 1 ETH: a notional of 2,000
        emit IPerpsEvents.Filled(market, bob, ask, alice, 2, TICK, 1_000, 0.2e18, 0.7e18);
        _bid(ALICE, TICK + 5, 1_000);

        vm.assertEq(_position(alice).lots, 1_000);
        vm.assertEq(_position(alice).quote, -2_000e18);
        vm.assertEq(_position(bob).lots, -1_000);
        vm.assertEq(_position(bob).quote, 2_000e18);
        vm.assertEq(_collateral(alice), 100_000e18 - 0.7e18);
        vm.assertEq(_collateral(bob), 100_000e18 - 0.2e18);
        vm.assertEq(_collateral(2), 0.9e18);
        vm.assertEq(_openInterest(), 1_000);
    }

    function test_resting_lots_follow_placements_fills_and_cancellations() public {
        uint40 bid = _bid(ALICE, TICK - 10, 500);
        _ask(ALICE, TICK + 10, 300);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 500);
        vm.assertEq(Lots.unwrap(_position(alice).askLots), 300);
        _ask(BOB, TICK - 10, 200);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 300);
        vm.prank(ALICE);
        perps.reduce(market, bid, 100);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 200);
        vm.prank(ALICE);
        perps.cancel(market, bid);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 0);
        vm.assertEq(_position(alice).lots, 200);
    }

    function test_a_partial_close_realises_its_part_of_the_cost() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _index(2100e18);
        int256 before = _collateral(alice);
        _bid(BOB, TICK + 10_000, 400);
        _ask(ALICE, TICK + 10_000, 400); // at 2,100
        // closes 40% of a cost of 2,000 for 840, fee 3.5 bp of 840
        vm.assertEq(_collateral(alice) - before, 40e18 - 0.294e18);
        vm.assertEq(_position(alice).lots, 600);
        vm.assertEq(_position(alice).quote, -1_200e18);
        vm.assertEq(_openInterest(), 600);
    }

    function test_a_full_close_leaves_no_position() public {
        _trade(ALICE, BOB, TICK, 1_000);
        _trade(BOB, ALICE, TICK, 1_000);
        Positions.Position memory position = _position(alice);
        vm.assertEq(position.lots, 0);
        vm.assertEq(position.quote, 0);
        vm.assertEq(position.fundingIndex, 0);
        vm.assertEq(perps.holdingOf(alice).markets, 0);
        vm.assertEq(_openInterest(), 0);
    }

    function test_a_flip_closes_all_and_opens_the_rest_at_the_new_price() public {
        _trade(ALICE, BOB, TICK, 1_000);
        int256 before = _collateral(alice);
        _bid(BOB, TICK - 1_000, 1_500); // 1,990
        _ask(ALICE, TICK - 1_000, 1_500);
        vm.assertEq(_collateral(alice) - before, -10e18 - 1.04475e18); // fee on 2,985
        vm.assertEq(_position(alice).lots, -500);
        vm.assertEq(_position(alice).quote, 995e18);
        vm.assertEq(_openInterest(), 500);
    }

    function test_a_rebate_is_paid_out_of_the_takers_fee() public {
        _setFees(-100, 350);
        _trade(ALICE, BOB, TICK, 1_000);
        vm.assertEq(_collateral(bob), 100_000e18 + 0.2e18);
        vm.assertEq(_collateral(2), 0.5e18);
    }

    /// The formulas of Perps.sol, section 4, for one account that trades with another at moving
    /// prices.
    function testFuzz_cash_of_every_fill_is_conserved(uint256 seed) public {
        for (uint256 i = 0; i < 12; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint24 tick = uint24(TICK - 5_000 + seed % 10_000);
            uint64 lots = uint64(10 + (seed >> 32) % 3_000);
            bool buy = (seed >> 100) & 1 == 0;
            Positions.Position memory before = _position(alice);
            int256 cash = _collateral(alice);
            if (buy) _trade(ALICE, BOB, tick, lots);
            else _trade(BOB, ALICE, tick, lots);
            uint256 value = uint256(lots) * tick * UNIT;
            int256 fee = Positions.feeUp(value, buy ? int256(350) : int256(100));
            int256 paid = buy ? int256(value) : -int256(value);
            int256 change = _collateral(alice) - cash + _position(alice).quote - before.quote;
            vm.assertEq(change, -paid - fee);
            vm.assertEq(
                int256(_position(alice).lots),
                before.lots + (buy ? int256(uint256(lots)) : -int256(uint256(lots)))
            );
            vm.assertEq(int256(_position(alice).lots), -int256(_position(bob).lots));
        }
    }

    function testFuzz_fees_round_up_against_the_payer(uint256 value, uint256 rate) public pure {
        value = bound(value, 0, 1e36);
        rate = bound(rate, 0, 10_000);
        int256 fee = Positions.feeUp(value, int256(rate));
        int256 rebate = -Positions.feeUp(value, -int256(rate));
        vm.assertGe(fee * 1e6, int256(value * rate), "a fee is never too small");
        vm.assertLt(uint256(fee) * 1e6, value * rate + 1e6, "nor a whole unit too large");
        vm.assertLe(uint256(rebate) * 1e6, value * rate, "a rebate is never too large");
        vm.assertLe(uint256(fee - rebate), 1, "they differ by rounding only");
    }

    function test_self_trade_cancels_the_resting_order_and_its_reservation() public {
        uint40 own = _ask(ALICE, TICK, 500);
        _ask(BOB, TICK, 500);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, own, 500, Reason.SELF_TRADE);
        _bid(ALICE, TICK, 700);
        vm.assertEq(Lots.unwrap(_position(alice).askLots), 0);
        vm.assertEq(_position(alice).lots, 500);
        vm.assertEq(Lots.unwrap(_position(alice).bidLots), 200);
        vm.assertEq(perps.holdingOf(alice).markets, 1);
    }

    function _setFees(int32 maker, int32 taker) private {
        PerpParameters memory parameters = _parameters();
        (parameters.makerFee, parameters.takerFee) = (maker, taker);
        vm.prank(OWNER);
        perps.change(market, parameters);
    }
}
