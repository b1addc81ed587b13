// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../src/Funding.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {Vm} from "../Vm.sol";
import {PerpsSetup} from "./PerpsSetup.sol";

/// Tests the sample that a poke takes of a book, and the mark that follows from it.
contract PerpsMarkTest is PerpsSetup {
    address private constant FEES = address(0x2);

    uint40 private bid;
    uint40 private ask;

    /// Quotes 10 ticks around `mid`, deep enough to count.
    function _quote(uint24 mid) private {
        bid = _bid(CAROL, mid - 10, IMPACT_LOTS);
        ask = _ask(CAROL, mid + 10, IMPACT_LOTS);
    }

    function _unquote() private {
        vm.startPrank(CAROL);
        perps.cancel(market, bid);
        perps.cancel(market, ask);
        vm.stopPrank();
    }

    function _stand(uint256 seconds_) private {
        _pass(seconds_);
        _index(2_000e18);
    }

    function _mark() private view returns (uint256) {
        return perps.quoteOf(market).mark;
    }

    /// Pokes, and returns the basis and the premium that it emits, both in 1e-9.
    function _poke() private returns (int256 basis, int256 premium, uint256 counted) {
        vm.recordLogs();
        perps.poke(market);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory log = logs[logs.length - 1]; // after hours that are settled
        vm.assertEq(log.topics[0], IPerpsEvents.Marked.selector);
        (, basis, premium, counted) = abi.decode(log.data, (uint256, int256, int256, uint256));
        return (basis / 1e9, premium / 1e9, counted);
    }

    function _basisAfterPoke() private returns (int256 basis) {
        (basis,,) = _poke();
    }

    function _premiumOfPoke() private returns (int256 premium) {
        (, premium,) = _poke();
    }

    /* THE BASIS */

    function test_a_poke_moves_the_basis_towards_the_book() public {
        _quote(TICK + 40); // 0.02%
        _stand(60);
        vm.expectEmit(address(perps));
        // 0.0002 * 120 / (120 + 150), cut to 1e-9
        emit IPerpsEvents.Marked(market, 2_000.177776e18, 0.000088888e18, 0.0002e18, 60);
        perps.poke(market);
        _stand(90);
        // basis + (0.0002 - basis) * 90 / 240
        vm.assertEq(_basisAfterPoke(), int256(130_555));
    }

    /// In the second of a poke nothing changes for any account.
    function test_a_poke_moves_the_mark_from_the_next_second_on() public {
        _quote(TICK + 40);
        _stand(60);
        perps.poke(market);
        vm.assertEq(_mark(), 2_000e18);
        _pass(1);
        vm.assertEq(_mark(), 2_000.177776e18);
        _index(1_000e18);
        vm.assertEq(_mark(), 1_000.088888e18, "a rate of whatever the index is");
        _pass(59);
        _index(1_000e18);
        perps.poke(market);
        vm.assertEq(_mark(), 1_000.088888e18);
    }

    function test_no_sample_moves_the_basis_by_more_than_a_tenth_of_its_bound() public {
        _quote(TICK + 18_000); // 9%
        _stand(600);
        for (int256 i = 1; i <= 10; i++) {
            vm.assertEq(
                _basisAfterPoke(),
                500_000 * (i < 6 ? i : int256(0)) + (i < 6 ? int256(0) : _closer(i))
            );
            _stand(60);
        }
    }

    /// From 0.25% on, two sevenths of the way to 0.5% are more than a tenth of it only below
    /// 0.325%.
    function _closer(int256 i) private pure returns (int256 basis) {
        basis = 2_500_000;
        for (int256 j = 6; j <= i; j++) {
            int256 step = (5_000_000e9 - basis * 1e9) * 60 / 210;
            basis = (basis * 1e9 + (step < 500_000e9 ? step : int256(500_000e9))) / 1e9;
        }
    }

    function test_the_basis_stays_within_half_a_percent_and_the_premium_within_one() public {
        _quote(TICK - 18_000);
        for (uint256 i = 0; i < 40; i++) {
            _stand(120);
            (int256 basis, int256 premium,) = _poke();
            vm.assertEq(premium, -10_000_000);
            vm.assertGe(basis, -5_000_000, "0.5%");
        }
        _pass(1);
        vm.assertLt(_mark(), 1_990.001e18, "it comes close");
        vm.assertGe(_mark(), 1_990e18, "and no farther");
    }

    function testFuzz_the_mark_stays_within_half_a_percent_of_the_index(
        uint256 first,
        uint256 next,
        uint256 mid
    ) public {
        first = bound(first, 1_900e18, 2_100e18);
        next = bound(next, 1, 1e24);
        _index(first);
        _quote(uint24(bound(mid, TICK - 15_000, TICK + 15_000)));
        for (uint256 i = 0; i < 12; i++) {
            _pass(60);
            _index(first);
            perps.poke(market);
        }
        _pass(1);
        _index(next);
        uint256 mark = perps.quoteOf(market).mark;
        vm.assertLe(mark, next + next / 200, "high");
        vm.assertGe(mark, next - next / 200, "low");
    }

    /* DEPTH */

    function test_depth_counts_at_its_average_price() public {
        _quote(TICK + 3_000);
        _stand(600);
        _unquote();
        _bid(CAROL, TICK - 10, 250);
        _bid(CAROL, TICK - 1_010, 1_000);
        _ask(CAROL, TICK + 10, 250);
        _ask(CAROL, TICK + 3_010, 1_000);
        _stand(2); // the average is still nearer to 1.5%
        uint256 all = 1e8; // the impact value in lots times ticks
        uint256 bids = (all << 64) / ((250 << 32) + ((all - 250 * 199_990) << 32) / 198_990);
        uint256 asks = (all << 64) / ((250 << 32) + ((all - 250 * 200_010) << 32) / 203_010);
        vm.assertEq(
            _premiumOfPoke(),
            int256(((bids + asks) / 2 - (uint256(TICK) << 32)) * 1e9 / TICK >> 32)
        );
        vm.assertEq((bids + asks) / 2 >> 32, 200_493);
    }

    /// Dust inside the spread moves the best mid, and with the time its average, but not the depth.
    function test_dust_at_the_best_price_is_no_depth() public {
        _bid(CAROL, TICK - 1_000, IMPACT_LOTS);
        _ask(CAROL, TICK + 1_000, IMPACT_LOTS);
        _stand(60);
        vm.assertEq(_premiumOfPoke(), int256(0));
        _bid(BOB, TICK + 999, 5); // 10 USD
        for (uint256 i = 0; i < 10; i++) {
            _stand(60);
            int256 premium = _premiumOfPoke();
            vm.assertLe(
                premium, int256(50_000), "ten dollars of a thousand move 0.5% by a hundredth"
            );
        }
        _bid(BOB, TICK - 2_000, 6);
        vm.assertGt(
            perps.stateOf(market).averageTick, uint256(TICK) * 256, "though the average follows"
        );
    }

    function test_without_depth_on_a_side_the_basis_decays() public {
        _quote(TICK + 40);
        _stand(60);
        perps.poke(market);
        vm.prank(CAROL);
        perps.reduce(market, ask, IMPACT_LOTS / 2);
        _stand(60);
        (int256 basis, int256 premium, uint256 counted) = _poke();
        vm.assertEq(premium, int256(0));
        vm.assertEq(basis, (int256(88_888e9) - int256(88_888e9) * 60 / 210) / 1e9);
        vm.assertEq(counted, 60);
    }

    function test_a_sample_is_never_that_of_depth_that_went_in_this_second() public {
        _quote(TICK + 40);
        _stand(60);
        _unquote();
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.BookChanged.selector, market));
        perps.poke(market);
        _pass(1);
        vm.assertEq(_premiumOfPoke(), int256(0));
    }

    function test_orders_of_this_second_do_not_count() public {
        _quote(TICK + 400);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.BookChanged.selector, market));
        perps.poke(market);
        _stand(60);
        _ask(BOB, TICK + 391, IMPACT_LOTS);
        vm.assertEq(_premiumOfPoke(), int256(2_000_000), "as if it were not there");
    }

    function test_expired_orders_do_not_count() public {
        OrderRequest memory request = _gtc(true, TICK + 100, IMPACT_LOTS);
        request.goodTil = uint40(block.timestamp + 30);
        _place(BOB, request);
        _bid(CAROL, TICK - 100, IMPACT_LOTS);
        _ask(CAROL, TICK + 300, IMPACT_LOTS);
        _stand(29);
        vm.assertEq(_premiumOfPoke(), int256(1_000_000));
        _stand(60);
        vm.assertEq(_premiumOfPoke(), int256(500_000));
    }

    function test_reduce_only_orders_count_as_far_as_they_can_close() public {
        _trade(ALICE, BOB, TICK, IMPACT_LOTS);
        uint64 half = IMPACT_LOTS / 2;
        uint40 first = _place(ALICE, _order(false, TICK + 100, half, TimeInForce.GTC, true));
        uint40 second = _place(ALICE, _order(false, TICK + 100, half, TimeInForce.GTC, true));
        _bid(CAROL, TICK + 99, 5); // the average is far above
        _bid(CAROL, TICK - 100, IMPACT_LOTS);
        _ask(CAROL, TICK + 300, 3 * IMPACT_LOTS);
        _stand(600);
        vm.assertEq(_premiumOfPoke(), int256(4_972), "half way from -98.01 to 100");
        _trade(BOB, ALICE, TICK + 99, half);
        _bid(CAROL, TICK + 99, 5);
        _stand(600);
        vm.assertEq(_premiumOfPoke(), int256(209_675), "the first half only");
        vm.assertEq(uint256(_lotsOf(second)), 0);
        _trade(BOB, ALICE, TICK + 99, half);
        _bid(CAROL, TICK + 99, 5);
        _stand(600);
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, alice, first, half, Reason.REDUCE_ONLY_CAPPED);
        perps.poke(market);
    }

    /// Orders that can no longer trade are removed by the poke that meets them, four hundred at a
    /// time. So such orders cannot delay a poke.
    function test_a_poke_takes_off_what_it_passes_over() public {
        _bid(CAROL, TICK - 10, IMPACT_LOTS);
        _ask(CAROL, TICK + 20, IMPACT_LOTS);
        OrderRequest memory request = _gtc(false, TICK + 10, 5);
        request.goodTil = uint40(block.timestamp + 30);
        for (uint256 i = 0; i < 500; i++) {
            _place(BOB, request);
        }
        _stand(31);
        vm.recordLogs();
        perps.poke(market);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 400, "cancelled, and no sample");
        (, Funding.Activity memory activity) = perps.fundingOf(market);
        vm.assertTrue(activity.pokedAt < block.timestamp);
        perps.poke(market);
        vm.assertEq(vm.getRecordedLogs().length, 101, "the others, and a sample");
    }

    /// Orders behind four hundred others do not count: the value of those four hundred does.
    function test_four_hundred_orders_of_a_side_are_counted() public {
        vm.prank(OWNER);
        perps.setImpactValue(market, 40_000e18);
        _bid(CAROL, TICK - 10, 40 * IMPACT_LOTS);
        for (uint256 i = 0; i < 400; i++) {
            _ask(BOB, TICK + 50, 5);
        }
        _ask(BOB, TICK + 1_000, 40 * IMPACT_LOTS);
        _stand(600);
        vm.assertEq(_premiumOfPoke(), int256(100_000), "half way from -10 to 50");
    }

    /// So the owner cannot set a value at which no book gives a sample any more.
    function test_at_the_highest_impact_value_four_hundred_orders_give_a_sample() public {
        vm.prank(OWNER);
        perps.setImpactValue(market, type(uint128).max);
        for (uint256 i = 0; i < 400; i++) {
            _bid(CAROL, TICK - 10, 6);
            _ask(BOB, TICK + 50, 5);
        }
        _stand(600);
        vm.assertEq(_premiumOfPoke(), int256(100_000), "half way from -10 to 50");
    }

    /* BOTH WITNESSES */

    function test_the_nearer_of_depth_and_average_counts() public {
        _quote(TICK);
        _stand(600);
        _unquote();
        _quote(TICK + 400); // depth gives 0.2%, the average its value after a quarter of a minute
        _stand(20);
        vm.assertEq(_premiumOfPoke(), int256(500_000), "a quarter of 0.2%");
        _stand(600);
        _unquote();
        _quote(TICK + 100);
        _stand(20);
        vm.assertEq(_premiumOfPoke(), int256(500_000), "the average is far above, depth is near");
    }

    function test_between_them_the_basis_stays() public {
        _quote(TICK + 200);
        _stand(600);
        perps.poke(market);
        _stand(60);
        vm.assertEq(_basisAfterPoke(), int256(603_174));
        _stand(57);
        _unquote();
        _quote(TICK - 1_000); // depth is below the basis, the average still above
        _stand(3);
        (int256 basis, int256 premium,) = _poke();
        vm.assertEq(premium, int256(603_174));
        vm.assertEq(basis, int256(603_174));
    }

    /* WHO POKES */

    function test_who_samples_is_paid_out_of_the_fees() public {
        _trade(ALICE, BOB, TICK, 1_000); // fees of 0.9
        _pass(1);
        int256 fees = _collateral(2);
        int256 before = _collateral(carol);
        vm.expectEmit(address(perps));
        emit ILedger.Transferred(2, carol, address(usdc), 20_000);
        vm.prank(CAROL);
        perps.poke(market);
        vm.assertEq(_collateral(carol), before + 0.02e18);
        vm.assertEq(_collateral(2), fees - 0.02e18);
    }

    function test_no_fees_pay_nobody_and_hinder_nobody() public {
        _tradeWithoutFees();
        _pass(1);
        vm.prank(CAROL);
        perps.poke(market);
        vm.assertEq(_collateral(2), int256(0));
        _deposit(FEES, 1); // a millionth
        _stand(60);
        vm.prank(CAROL);
        perps.poke(market);
        vm.assertEq(_collateral(2), int256(0));
        vm.assertEq(_collateral(carol), int256(100_000e18) + 1e12);
    }

    function test_without_a_sample_nobody_is_paid() public {
        _tradeWithoutFees();
        _deposit(FEES, 1e6);
        _pass(61); // stale
        vm.prank(CAROL);
        perps.poke(market);
        vm.assertEq(_collateral(2), int256(1e18));
    }

    function _tradeWithoutFees() private {
        PerpParameters memory parameters = _parameters();
        (parameters.makerFee, parameters.takerFee) = (0, 0);
        _change(parameters);
        _trade(ALICE, BOB, TICK, 1_000);
    }

    function test_fees_that_stand_behind_positions_are_not_paid_out() public {
        _deposit(FEES, 1_000e6);
        _bid(FEES, TICK - 100, 100);
        OrderRequest memory request = _gtc(false, BTC_TICK, 100);
        request.market = btcMarket;
        _place(BOB, request);
        request.buy = true;
        _place(ALICE, request); // open interest, and fees
        int256 fees = _collateral(2);
        _pass(1);
        vm.prank(CAROL);
        perps.poke(btcMarket);
        vm.assertEq(_collateral(2), fees);
    }

    function test_maintenance_margin_is_more_than_the_basis_moves() public pure {
        // Twice the largest leverage divides the notional: see LEVERAGE_MAX and Funding.BASIS_MAX.
        vm.assertLt(
            Funding.basisOf(5_000_000, 1e18, 120),
            int256(1e9 / (2 * 50)),
            "at every leverage up to 50"
        );
    }
}
