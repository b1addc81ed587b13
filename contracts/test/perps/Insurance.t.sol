// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {AccountId} from "../../src/ValueTypes.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests the limits of insurance's position and loss in a market, and how it closes its position.
contract InsuranceTest is LiquidationSetup {
    address private constant GUARDIAN = address(0x6A2D);

    /* covers */

    function test_a_market_begins_with_its_largest_position_and_a_fifth_of_the_fund() public {
        vm.expectEmit(address(perps));
        emit IPerpsEvents.CoverSet(3, 2_000_000e18, 2_000);
        vm.prank(OWNER);
        uint32 listed = perps.list("SOL-PERP", "SOL", 1e16, 1e15, IMPACT_VALUE, _parameters());
        _expectCover(listed, 2_000_000e18, 2_000, 0);
    }

    function test_the_owner_sets_what_a_market_may_take() public {
        vm.expectEmit(address(perps));
        emit IPerpsEvents.CoverSet(market, 5_000e18, 10_000);
        vm.prank(OWNER);
        perps.setCover(market, 5_000e18, 10_000);
        _expectCover(market, 5_000e18, 10_000, 0);
    }

    function test_no_market_may_take_more_than_the_fund() public {
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.LimitOutOfRange.selector, 10_001, 10_000)
        );
        vm.prank(OWNER);
        perps.setCover(market, 1, 10_001);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9)));
        vm.prank(OWNER);
        perps.setCover(9, 1, 1);
    }

    /// The guardian lowers both, and the loss of the market stays; the owner resets it.
    function test_the_guardian_may_only_lower_a_cover() public {
        _insure(1_000e18);
        _index(1_800e18);
        _liquidate(dave); // at a loss of 50.7
        vm.prank(OWNER);
        perps.setGuardian(GUARDIAN);
        vm.startPrank(GUARDIAN);
        perps.setCover(market, 9_000e18, 9_000);
        _expectCover(market, 9_000e18, 9_000, 50.7e18);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotTighter.selector, market));
        perps.setCover(market, 9_000e18 + 1, 9_000);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotTighter.selector, market));
        perps.setCover(market, 9_000e18, 9_001);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IOwned.NotOwner.selector, ALICE));
        vm.prank(ALICE);
        perps.setCover(market, 1, 1);
        vm.prank(OWNER);
        perps.setCover(market, 9_000e18, 9_000);
        _expectCover(market, 9_000e18, 9_000, 0);
    }

    /* room */

    /// 940 at 1.88 a lot: 500 lots. The rest stays with DAVE, and winners must take it.
    function test_insurance_holds_no_more_than_the_markets_cover() public {
        _insure(1_000e18);
        _cover(940e18, 10_000);
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 500);
        vm.assertEq(_lots(dave), 500);
        _expectExhausted();
        _liquidate(dave);
    }

    /// A twentieth of 1,000 may be lost: ten times that, 500, may be held, which are 265 lots.
    function test_insurance_holds_no_more_than_ten_times_what_it_may_lose() public {
        _insure(1_000e18);
        _cover(type(uint96).max, 500);
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 265);
    }

    /// At 1,400 a lot brings a debt of 0.4507; a tenth of 1,000 pays for 221.
    function test_a_market_loses_no_more_than_its_part() public {
        _insure(1_000e18);
        _cover(type(uint96).max, 1_000);
        _index(1_400e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 221);
        vm.assertEq(_equity(INSURANCE), 1_000e18 - 221 * 0.4507e18);
        _expectExhausted();
        _liquidate(dave);
    }

    /// The other market has its own part.
    function test_what_one_market_has_cost_is_not_missing_in_another() public {
        _insure(10_000e18);
        _cover(type(uint96).max, 1_000);
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000)));
        _insure(1_000e18);
        _index(1_400e18);
        _liquidate(dave);
        vm.assertEq(perps.positionOf(market, dave).lots, 0);
        perps.liquidate(dave, btcMarket, none);
        vm.assertEq(perps.positionOf(btcMarket, INSURANCE).lots, 1_000);
    }

    /// A takeover that reduces insurance's position is accepted without a cover.
    function test_insurance_may_always_take_what_closes_its_position() public {
        _insure(1_000e18);
        _bid(CAROL, TICK, 400);
        _ask(INSURER, TICK, 400);
        _cover(0, 10_000);
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 0);
        vm.assertEq(_lots(dave), 600);
    }

    /// Beyond its share of the fund, insurance is closed at the mark against a winner of that
    /// market.
    function test_a_market_that_has_cost_its_part_closes_against_winners_at_the_mark() public {
        _insure(2_000e18);
        _cover(type(uint96).max, 1_000);
        _bid(CAROL, TICK, LOTS);
        _ask(ALICE, TICK, LOTS);
        _index(1_880e18);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 1_000);
        _index(1_680e18); // 29.3 brought, 200 lost: 170.7 of a tenth of 2,000
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.InsuranceSuffices.selector, int256(2_000e18 + 29.3e18 - 200e18)
            )
        );
        perps.nominate(INSURANCE, alice, market);
        _index(1_650e18);
        int256 insured = _equity(INSURANCE);
        _nominate(INSURANCE, alice);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, INSURANCE, alice, 1_000, 1.65e18);
        _carryOut(INSURANCE);
        vm.assertEq(_equity(INSURANCE), insured);
        _expectCover(market, type(uint96).max, 1_000, 200.7e18);
    }

    /// An account that chooses among the prices of a second can neither close insurance nor buy
    /// from it at one of them.
    function test_a_price_of_this_second_does_not_close_insurance() public {
        _insure(2_000e18);
        _cover(type(uint96).max, 1_000);
        _bid(CAROL, TICK, LOTS);
        _ask(ALICE, TICK, LOTS);
        _index(1_880e18);
        _liquidate(dave);
        _index(1_700e18);
        _pass(1);
        _pushOne("ETH", 1_700e18);
        _pass(1);
        _pushOne("ETH", 1_600e18);
        vm.expectPartialRevert(IPerpsEvents.InsuranceSuffices.selector);
        perps.nominate(INSURANCE, alice, market);
        _index(1_650e18);
        _pass(1);
        _pushOne("ETH", 1_650e18);
        _nominate(INSURANCE, alice);
        _pushOne("ETH", 1_550e18);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Deleveraged(market, INSURANCE, alice, 1_000, 1.65e18);
        _carryOut(INSURANCE);
    }

    /// A loss that insurance may not pay, although it has the money, does not stop withdrawals
    /// while no account has a debt.
    function test_a_winner_is_named_for_an_account_that_owes_nothing_and_no_loss_is_flagged()
        public
    {
        _bid(CAROL, TICK, LOTS);
        _ask(ALICE, TICK, LOTS);
        _index(1_870e18); // 19.3 of 46.75
        vm.expectRevert(IPerpsEvents.NoLoss.selector);
        perps.flagLoss(dave, market);
        _nominate(dave, alice);
        vm.assertEq(AccountId.unwrap(perps.flaggedLoss().account), 0);
        _withdraw(BOB, 1e6);
    }

    /// 45 lots of 1,000 would be room for less than a twentieth; 55 are taken.
    function test_less_than_a_twentieth_of_a_position_is_left_to_winners() public {
        _insure(1_000e18);
        _cover(45 * 1.88e18, 10_000);
        _index(1_880e18);
        _expectExhausted();
        _liquidate(dave);
        _cover(55 * 1.88e18, 10_000);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 55);
    }

    /// Below zero, insurance takes nothing over, not even where it would close a position that has
    /// won: all goes to winners, and nothing in the arithmetic stops that.
    function test_below_zero_insurance_leaves_all_to_winners() public {
        _expectAllForWinners(1_880e18);
    }

    /// The profit of the market exceeds a tenth of the fund's losses: nevertheless a loss of 50.7
    /// is not taken.
    function test_below_zero_insurance_takes_no_loss_where_it_has_won() public {
        _cover(type(uint96).max, 1_000);
        _expectAllForWinners(1_800e18);
    }

    /// Insurance is short 400 lots in the market, and has lost 1,500 in the other one.
    function _expectAllForWinners(uint256 index) private {
        _insure(1_000e18);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 3_000)));
        _place(INSURER, _btc(_gtc(true, BTC_TICK, 3_000)));
        _bid(CAROL, TICK, 400);
        _ask(INSURER, TICK, 400);
        _bid(CAROL, TICK, LOTS);
        _ask(ALICE, TICK, LOTS);
        _index(index);
        _indexOne("BTC", 55_000e18);
        vm.assertTrue(_equity(INSURANCE) < -400e18);
        _expectExhausted();
        _liquidate(dave);
        _deleverage(dave, alice);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_lots(alice), 0);
    }

    /// A short is taken over with 29.3 and closed at a profit of 240: neither may be lost later.
    function test_a_gain_is_no_room_for_a_later_loss() public {
        _insure(1_000e18);
        _index(2_120e18);
        _liquidate(erin);
        _index(1_880e18);
        _ask(CAROL, 188_000, LOTS);
        perps.unwind(market);
        vm.assertEq(_lots(INSURANCE), 0);
        _expectCover(market, type(uint96).max, 10_000, 0);
    }

    /// Winners take 500 lots, those that the cover has no room for.
    function test_winners_take_only_what_insurance_may_not() public {
        _insure(1_000e18);
        _cover(940e18, 10_000);
        _bid(CAROL, TICK, LOTS);
        _ask(ALICE, TICK, LOTS);
        _index(1_880e18);
        _deleverage(dave, alice);
        vm.assertEq(_lots(dave), 500);
        vm.assertEq(_lots(alice), -500);
        _liquidate(dave);
        vm.assertEq(_lots(INSURANCE), 500);
    }

    /* unwinding */

    /// 1,000 lots at 1,880. There is no bid at the mark yet; then CAROL bids for 400.
    function test_anybody_has_insurance_close_at_the_mark() public {
        _hold();
        _bid(CAROL, 187_999, 400);
        _expectNothing();
        perps.unwind(market);
        _bid(CAROL, 188_000, 400);
        int256 insured = _equity(INSURANCE);
        vm.prank(KEEPER);
        perps.unwind(market);
        vm.assertEq(_lots(INSURANCE), 600);
        vm.assertEq(_equity(INSURANCE), insured - 0.2632e18); // the taker fee of 752
        _expectCover(market, type(uint96).max, 10_000, -29.3e18 + 0.2632e18);
        vm.assertEq(perps.stateOf(market).bestBid, 187_999);
        _expectNothing();
        perps.unwind(market);
    }

    function test_a_short_of_insurances_is_bought_back() public {
        _insure(1_000e18);
        _index(2_120e18);
        _liquidate(erin);
        _ask(CAROL, 212_001, 400);
        _expectNothing();
        perps.unwind(market);
        _ask(CAROL, 212_000, 400);
        perps.unwind(market);
        vm.assertEq(_lots(INSURANCE), -600);
    }

    /// 2 basis points of 752 from the fees, of which the trade has just paid 4.5.
    function test_who_has_insurance_close_is_paid_from_the_fees() public {
        _hold();
        _bid(CAROL, 188_000, 400);
        (int256 bobs, int256 fees) = (_equity(bob), _equity(FEES));
        vm.prank(BOB);
        perps.unwind(market);
        vm.assertEq(_equity(bob) - bobs, 0.1504e18);
        vm.assertEq(_equity(FEES) - fees, 0.3384e18 - 0.1504e18);
    }

    /// Half of both fees, which are 2 of a million together.
    function test_who_has_insurance_close_gets_half_of_the_fees_at_most() public {
        _hold();
        PerpParameters memory parameters = _parameters();
        (parameters.makerFee, parameters.takerFee) = (0, 2);
        _change(parameters);
        _bid(CAROL, 188_000, 400);
        int256 bobs = _equity(bob);
        vm.prank(BOB);
        perps.unwind(market);
        vm.assertEq(_equity(bob) - bobs, 0.000752e18);
    }

    /// A reward belongs to the caller, even to insurance: the loss of the market is unchanged.
    function test_a_reward_to_insurances_own_wallet_does_not_lower_what_the_market_has_cost()
        public
    {
        _hold();
        _bid(CAROL, 188_000, 400);
        int256 insured = _equity(INSURANCE);
        vm.prank(INSURER);
        perps.unwind(market);
        vm.assertEq(_equity(INSURANCE), insured - 0.2632e18 + 0.1504e18);
        _expectCover(market, type(uint96).max, 10_000, -29.3e18 + 0.2632e18);
    }

    /// The price of this second must not be better for insurance than the one before it.
    function test_one_report_does_not_cheapen_what_insurance_sells() public {
        _hold();
        _pass(1);
        _pushOne("ETH", 1_879e18);
        _bid(CAROL, 187_900, 400);
        _expectNothing();
        perps.unwind(market);
        _pass(1);
        _pushOne("ETH", 1_879e18);
        perps.unwind(market);
        vm.assertEq(_lots(INSURANCE), 600);
    }

    function test_insurance_without_a_position_has_nothing_to_unwind() public {
        _expectNothing();
        perps.unwind(market);
        vm.expectRevert(abi.encodeWithSelector(IMarkets.MarketUnknown.selector, uint32(9)));
        perps.unwind(9);
    }

    function test_nothing_is_unwound_on_a_stale_index() public {
        _hold();
        _bid(CAROL, 188_000, 400);
        _pass(61);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, bytes32("ETH"), START)
        );
        perps.unwind(market);
    }

    function _hold() private {
        _insure(1_000e18);
        _index(1_880e18);
        _liquidate(dave);
    }

    function _expectNothing() private {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NothingToUnwind.selector, market));
    }

    function _expectExhausted() private {
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.InsuranceExhausted.selector, _equity(INSURANCE))
        );
    }

    function _expectCover(uint32 number, uint96 maxNotional, uint16 lossBps, int128 paid)
        private
        view
    {
        PerpsState.Cover memory cover = perps.coverOf(number);
        vm.assertEq(cover.maxNotional, maxNotional);
        vm.assertEq(cover.lossBps, lossBps);
        vm.assertEq(cover.paid, paid);
    }
}
