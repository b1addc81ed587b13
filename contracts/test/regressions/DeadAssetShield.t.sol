// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../src/PerpsState.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A position of two dollars in a market whose index had died kept one of two thousand in another
/// from liquidation.
contract DeadAssetShieldTest is LiquidationSetup {
    /// DAVE has bought 2 lots of BTC, 12 USD, whose index dies; then ETH falls by a quarter.
    function setUp() public virtual override {
        super.setUp();
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 2)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 2)));
        _pass(61);
    }

    function test_a_lot_of_a_dead_asset_does_not_shield_an_insolvent_account() public {
        _insure(1_000e18);
        _indexOne("ETH", 1_500e18);
        vm.assertLt(_equity(dave), -300e18, "insolvent");
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(perps.positionOf(btcMarket, dave).lots, 2);
    }

    function test_a_lot_of_a_dead_asset_does_not_shield_an_account_from_the_book() public {
        _indexOne("ETH", 2_000e18);
        _indexOne("BTC", 60_000e18);
        _bid(CAROL, 187_500, LOTS);
        _pass(61);
        _indexOne("ETH", 1_877e18);
        PerpsState.Health memory health = _health(dave);
        vm.assertLt(health.equity, int256(health.maintenanceMargin), "below its margin");
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_lots(INSURANCE), 0);
    }

    /// A partly filled forced order leaves the account below its margin, where an order of its own
    /// would be rejected: only the liquidation's rule applies to it.
    function test_a_lot_of_a_dead_asset_hinders_no_liquidation_in_part() public {
        _indexOne("ETH", 2_000e18);
        _indexOne("BTC", 60_000e18);
        _bid(CAROL, 187_500, LOTS * 2 / 5);
        _pass(61);
        _indexOne("ETH", 1_877e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), int64(LOTS * 3 / 5));
        vm.assertEq(_lots(INSURANCE), 0);
    }

    /// An account that is solvent with the dead asset valued in its favour is not closed.
    function test_a_large_dead_position_counts_in_its_owners_favour() public {
        _indexOne("BTC", 60_000e18);
        _indexOne("ETH", 2_000e18);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 50)));
        _place(DAVE, _btc(_gtc(true, BTC_TICK, 50)));
        _pass(61);
        _indexOne("ETH", 1_800e18); // 300 + 12 of BTC may be worth 156 more
        vm.assertLt(_equity(dave), int256(0), "under water at the dead mark");
        vm.expectPartialRevert(IPerpsEvents.NotLiquidatable.selector);
        _liquidate(dave);
        _indexOne("ETH", 1_700e18);
        _insure(1_000e18);
        _liquidate(dave);
        vm.assertEq(_lots(dave), 0);
    }
}
