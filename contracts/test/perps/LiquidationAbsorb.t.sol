// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {Lots} from "../../src/ValueTypes.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests that insurance takes over the lots that the book does not: at the mark, with the equity
/// that backs them.
contract LiquidationAbsorbTest is LiquidationSetup {
    /// At 1,880 equity is 29.3 of 47: below two thirds. The book is not asked, however good it is.
    function test_far_below_the_margin_insurance_takes_all_at_the_mark() public {
        _insure(1_000e18);
        _index(1_880e18);
        _bid(CAROL, 188_000, LOTS);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, dave, 1_000, 1.88e18, 29.3e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_collateral(dave), int256(0));
        vm.assertEq(_lots(INSURANCE), 1_000);
        vm.assertEq(_position(INSURANCE).quote, -1_880e18);
        vm.assertEq(_collateral(INSURANCE), 1_029.3e18);
        vm.assertEq(perps.holdingOf(INSURANCE).markets, 1);
        vm.assertEq(perps.holdingOf(dave).markets, 0);
    }

    /// DAVE at 1,884.6: 33.9, and two thirds of his margin are 31.41. ERIN at 2,118.2: 31.1 and
    /// 35.30.
    function test_two_thirds_of_the_margin_divide_book_and_insurance() public {
        _insure(1_000e18);
        _index(1_884.6e18);
        _bid(CAROL, 188_000, LOTS);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 0);
        _bid(CAROL, 190_000, LOTS);
        _index(2_118.2e18);
        _liquidate(erin);
        vm.assertEq(_lots(INSURANCE), -1_000);
    }

    function test_an_empty_book_hands_all_to_insurance() public {
        _insure(1_000e18);
        _index(1_890e18);
        vm.recordLogs();
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, dave, 1_000, 1.89e18, 39.3e18);
        _liquidate(dave);
        vm.assertEq(_equity(INSURANCE), 1_039.3e18);
        vm.assertEq(_count(IPerpsEvents.Liquidating.selector), 0);
    }

    function test_a_book_beyond_the_limit_is_as_none() public {
        _insure(1_000e18);
        _index(1_890e18);
        _bid(CAROL, 185_219, LOTS);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_000);
        vm.assertEq(perps.stateOf(market).bestBid, 185_219);
    }

    function test_a_short_goes_to_insurance_too() public {
        _insure(1_000e18);
        _index(2_120e18); // 29.3 of 53
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, erin, -1_000, 2.12e18, 29.3e18);
        _liquidate(erin);
        vm.assertEq(_lots(INSURANCE), -1_000);
        vm.assertEq(_equity(INSURANCE), 1_029.3e18);
    }

    /// A fall of 30% in one block: equity is 149.3 - 600 = -450.7.
    function test_a_jump_below_zero_is_paid_by_insurance() public {
        _insure(500e18);
        _index(1_400e18);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, dave, 1_000, 1.4e18, -450.7e18);
        _liquidate(dave);
        vm.assertEq(_collateral(dave), int256(0));
        vm.assertEq(_equity(INSURANCE), 49.3e18);
    }

    /// Each lot costs 0.4507 and then needs 0.035 of margin: 450.6 pay for 927 lots.
    function test_insurance_takes_what_leaves_it_its_own_margin() public {
        _index(1_400e18);
        _expectExhausted(0);
        _liquidate(dave);
        _insure(450.6e18);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, dave, 927, 1.4e18, -417.7989e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 73);
        vm.assertEq(_equity(INSURANCE), 32.8011e18);
        vm.assertEq(_health(INSURANCE).maintenanceMargin, 32.445e18);
        _expectExhausted(32.8011e18);
        _liquidate(dave);
    }

    function _expectExhausted(int256 insured) private {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.InsuranceExhausted.selector, insured));
    }

    /* several markets */

    /// DAVE holds 0.1 BTC, too: M = 47 + 150. With 900 less equity, the ETH position takes 47/197
    /// of it.
    function test_each_position_takes_its_share_of_the_equity() public {
        _insure(1_000e18);
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000))); // 6,000 for a fee of 2.1
        _index(1_680e18); // 149.3 + 300 - 2.1 - 320 = 127.2 of 42 + 150
        vm.assertEq(_equity(dave), 127.2e18);
        vm.assertEq(_health(dave).maintenanceMargin, 192e18);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, dave, 1_000, 1.68e18, 27.825e18); // 127.2 * 42 / 192
        _liquidate(dave);
        vm.assertEq(_equity(dave), 99.375e18); // 127.2 * 150 / 192
        vm.assertEq(_health(dave).maintenanceMargin, 150e18);
    }

    /// With negative equity the debt is shared; the rounding remainder stays with the account.
    function test_a_debt_is_shared_likewise() public {
        _insure(2_000e18);
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000)));
        _index(1_500e18); // -52.8 of 37.5 + 150
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Absorbed(market, dave, 1_000, 1.5e18, -10.56e18);
        _liquidate(dave);
        vm.assertEq(_equity(dave), -42.24e18);
        perps.liquidate(dave, btcMarket, none);
        vm.assertEq(_equity(dave), int256(0));
        vm.assertEq(_equity(INSURANCE), 2_000e18 - 52.8e18);
    }

    /* insurance with positions and orders of its own */

    function test_insurance_adds_to_a_position_of_the_same_side() public {
        _insure(1_000e18);
        _ask(CAROL, TICK, 300);
        _bid(INSURER, TICK, 300);
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_300);
        vm.assertEq(_position(INSURANCE).quote, -600e18 - 1_880e18);
    }

    /// A short of 400 from 2,000 closes at 1,880: 48 of profit; 600 lots of a long remain.
    function test_insurance_closes_and_flips_an_opposite_position() public {
        _insure(1_000e18);
        _bid(CAROL, TICK, 400);
        _ask(INSURER, TICK, 400);
        uint64 openInterest = _openInterest();
        int256 before = _collateral(INSURANCE);
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 600);
        vm.assertEq(_position(INSURANCE).quote, -1_128e18);
        vm.assertEq(_collateral(INSURANCE), before + 48e18 + 29.3e18);
        vm.assertEq(_openInterest(), openInterest - 400);
    }

    function test_insurances_orders_stay_and_count() public {
        _insure(1_000e18);
        _bid(INSURER, TICK - 5_000, 200);
        uint40 ask = _ask(INSURER, TICK + 5_000, 500);
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(Lots.unwrap(_position(INSURANCE).bidLots), 200);
        vm.assertEq(Lots.unwrap(_position(INSURANCE).askLots), 500);
        vm.prank(INSURER);
        perps.cancel(market, ask);
        vm.assertEq(Lots.unwrap(_position(INSURANCE).askLots), 0);
    }

    function test_insurance_may_be_who_bids() public {
        _insure(1_000e18);
        _index(1_890e18);
        _bid(INSURER, 188_900, LOTS);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_000);
        vm.assertEq(_collateral(INSURANCE), 1_000e18 - 0.1889e18 + 18.9e18);
    }

    /// Insurance's other positions count at their newest index, however old.
    function test_a_stale_index_of_insurances_does_not_stop_it() public {
        _insure(1_000e18);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 100)));
        _place(INSURER, _btc(_gtc(true, BTC_TICK, 100)));
        _pass(61);
        _indexOne("ETH", 1_880e18);
        vm.assertEq(_health(INSURANCE).staleAsset, "BTC");
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_000);
    }

    /* many at once */

    /// Fifty accounts fall by 30% in one block; insurance takes over up to ten times its fund, and
    /// every unit of equity is accounted for.
    function test_fifty_accounts_fall_at_once() public {
        _insure(20_000e18);
        uint40[] memory fallen = new uint40[](50);
        for (uint160 i = 0; i < 50; i++) {
            fallen[i] = _open(address(0xFA11 + i), 150e6, true, LOTS);
        }
        int256 equity = _sumOfEquity(55);
        uint64 openInterest = _openInterest();
        _index(1_400e18);
        vm.assertEq(_sumOfEquity(55), equity);
        for (uint256 i = 0; i < 50; i++) {
            // Before the 34th there are 20,000 - 33 * 450.7 = 5,126.9: room for 36 positions.
            if (i >= 34) _expectExhausted(20_000e18 - 34 * 450.7e18);
            _liquidate(fallen[i]);
        }
        vm.assertEq(_lots(INSURANCE), 34_000);
        vm.assertEq(_equity(INSURANCE), 20_000e18 - 34 * 450.7e18);
        vm.assertEq(_sumOfEquity(55), equity);
        vm.assertEq(_openInterest(), openInterest);
    }

    function _sumOfEquity(uint40 count) private view returns (int256 sum) {
        for (uint40 account = 1; account <= count + 2; account++) {
            sum += _equity(account);
        }
    }
}
