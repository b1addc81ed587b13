// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../src/Funding.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests liquidations with an index that is too old, and with unsettled hours of funding.
contract LiquidationStaleTest is LiquidationSetup {
    /* stale */

    /// 60 seconds are the limit.
    function test_nobody_is_liquidated_on_a_stale_index() public {
        _index(1_890e18);
        _pass(60);
        vm.assertEq(_health(dave).staleAsset, 0);
        _pass(1);
        _expectStaleRevert("ETH");
        _liquidate(dave);
        _expectStaleRevert("ETH");
        perps.nominate(dave, carol, market);
        _expectStaleRevert("ETH");
        perps.deleverage(dave, market, none);
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector); // in its owner's favour
        perps.cancelLiquidatable(dave, market, none);
    }

    /// 6,000 of BTC may have become 9,000 since: DAVE is liquidated once that is not enough.
    function test_a_stale_position_counts_half_as_much_again_for_its_owner() public {
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000)));
        _pass(61);
        _indexOne("ETH", 1_500e18);
        PerpsState.Health memory health = perps.liquidationHealthOf(dave);
        vm.assertEq(health.equity, _equity(dave) + 3_000e18);
        vm.assertEq(health.maintenanceMargin, 37.5e18); // only of ETH
        _expectSpared(health);
        _indexOne("BTC", 60_000e18);
        _insure(1_000e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
    }

    /// ERIN's short of 6,000 may be worth 3,000 more.
    function test_a_stale_short_counts_half_of_its_mark() public {
        _deposit(ERIN, 300e6);
        _place(CAROL, _btc(_gtc(true, BTC_TICK, 1_000)));
        _place(ERIN, _btc(_gtc(false, BTC_TICK, 1_000)));
        _pass(61);
        _indexOne("ETH", 2_000e18);
        vm.assertEq(perps.liquidationHealthOf(erin).equity, _equity(erin) + 3_000e18);
    }

    /// The favour that liquidation counts for the owner is nothing that he may use.
    function test_a_stale_position_counts_for_nothing_else() public {
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 2)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 2)));
        _pass(61);
        _indexOne("ETH", 2_000e18);
        _expectStaleRevert("BTC");
        _place(DAVE, _gtc(true, TICK, 10));
        _expectStaleRevert("BTC");
        _withdraw(DAVE, 1);
    }

    /// Resting orders there put nothing at stake that liquidation counts.
    function test_a_stale_index_of_mere_orders_does_not_matter() public {
        _insure(1_000e18);
        _deposit(DAVE, 300e6);
        _place(DAVE, _btc(_gtc(true, BTC_TICK - 100, 1_000)));
        _pass(61);
        _indexOne("ETH", 1_580e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
    }

    function test_on_a_stale_index_orders_can_be_cancelled_and_positions_closed_but_not_grown()
        public
    {
        uint40 bid = _bid(ALICE, TICK - 100, 100);
        _pass(61);
        _expectStaleRevert("ETH");
        _place(DAVE, _gtc(true, TICK, 100));
        _expectStaleRevert("ETH");
        _withdraw(DAVE, 1);
        _place(DAVE, _order(false, TICK - 100, 50, TimeInForce.IOC, true));
        vm.assertEq(_lots(dave), 950);
        vm.prank(ALICE);
        perps.cancel(market, bid);
        vm.assertEq(_lotsOf(bid), 0);
    }

    function test_a_withdrawal_without_positions_does_not_ask_for_an_index() public {
        address grace = address(0x64);
        _deposit(grace, 10e6);
        _pass(61);
        _withdraw(grace, 10e6);
        vm.assertEq(usdc.balanceOf(grace), 10e6);
    }

    /* hours */

    /// The hour of another market's is settled, too: DAVE's funding of BTC is due to the second.
    function test_the_ended_hours_of_all_its_markets_are_settled_first() public {
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000)));
        // a premium of 1% all hour: the next hour's rate is 1% / 8 - 0.00625% = 0.11875%
        _place(BOB, _btc(_gtc(true, BTC_TICK + 8_000, 1_000)));
        _place(ALICE, _btc(_gtc(false, BTC_TICK + 8_001, 1_000)));
        _sampleAnHour(btcMarket);
        _pass(5_400 - 3_480); // an hour and a half
        _index(2_000e18);
        perps.settleHours(market);
        int256 before = _equity(dave);
        _index(1_600e18);
        _insure(1_000e18);
        vm.assertEq(_equity(dave), before - 400e18); // funding that was settled
        (int256 unsettled,) = _btcFunding();
        _liquidate(dave);
        (int256 settled, uint256 time) = _btcFunding();
        vm.assertEq(unsettled, int256(0));
        vm.assertEq(time, START + 3_600);
        vm.assertGt(uint256(settled), 0, "the second hour has run for 30 minutes");
    }

    /// All but its last two minutes.
    function _sampleAnHour(uint32 number) private {
        for (uint256 i = 0; i < 29; i++) {
            _pass(120);
            _index(2_000e18);
            perps.poke(number);
        }
    }

    /// An account that is below its margin only by unsettled funding can be liquidated.
    function test_unsettled_funding_of_another_market_counts() public {
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000)));
        _place(BOB, _btc(_gtc(true, BTC_TICK + 8_000, 1_000)));
        _place(ALICE, _btc(_gtc(false, BTC_TICK + 8_001, 1_000)));
        _sampleAnHour(btcMarket);
        _pass(7_199 - 3_480);
        _index(1_800e18);
        perps.settleHours(market);
        PerpsState.Health memory health = _health(dave);
        uint256 spare = uint256(health.equity) - health.maintenanceMargin;
        uint256 index = 1_800e18 - spare * 40 / 39 + 1e18; // 1 above where equity meets the margin
        index -= index % 1e18;
        _index(index);
        health = _health(dave);
        vm.assertGe(health.equity, int256(health.maintenanceMargin), "healthy by what is settled");
        _bid(CAROL, uint24(index / 1e16 - 100), LOTS);
        _liquidate(dave); // the second hour's rate of 0.11875% has cost him 7.1 by now
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_lots(INSURANCE), 0);
    }

    /// The same with the markets exchanged: the hour of the lower number waits, the position of the
    /// higher one is closed.
    function test_unsettled_funding_of_a_market_of_a_lower_number_counts() public {
        _deposit(DAVE, 300e6);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 1_000)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 1_000)));
        _bid(BOB, TICK + 3_000, 1_000);
        _ask(ALICE, TICK + 3_001, 1_000);
        _sampleAnHour(market); // 1% or more
        _pass(7_199 - 3_480);
        _index(2_000e18);
        perps.settleHours(btcMarket);
        PerpsState.Health memory health = _health(dave);
        uint256 spare = uint256(health.equity) - health.maintenanceMargin;
        // Equity meets the margin 5 below.
        _indexOne("BTC", 60_000e18 - spare * 10 * 40 / 39 + 5e18);
        health = _health(dave);
        vm.assertGe(health.equity, int256(health.maintenanceMargin), "healthy by what is settled");
        uint24 tick = uint24(perps.quoteOf(btcMarket).index / 1e17 - 10);
        _place(CAROL, _btc(_gtc(true, tick, 1_000)));
        vm.prank(KEEPER);
        perps.liquidate(dave, btcMarket, none);
        vm.assertEq(perps.positionOf(btcMarket, dave).lots, 0);
    }

    function _btcFunding() private view returns (int256 fundingIndex, uint256 time) {
        (Funding.Carry memory carry,) = perps.fundingOf(btcMarket);
        return (perps.quoteOf(btcMarket).fundingIndex, carry.time);
    }

    function _expectSpared(PerpsState.Health memory health) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.NotLiquidatable.selector,
                dave,
                health.equity,
                health.maintenanceMargin
            )
        );
        _liquidate(dave);
    }

    function _expectStaleRevert(bytes32 asset) private {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.IndexStale.selector, asset, START));
    }
}
