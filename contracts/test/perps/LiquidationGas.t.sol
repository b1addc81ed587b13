// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Measures the gas that a keeper pays for a forced close. There are no goals: these are figures to
/// plan with.
contract LiquidationGasTest is LiquidationSetup {
    function setUp() public override {
        super.setUp();
        _insure(1_000e18);
    }

    function _snapshot(string memory name) private {
        vm.snapshotGasLastCall("Perps", name);
    }

    function test_liquidate_on_the_book() public {
        _index(1_890e18);
        _bid(CAROL, 188_900, 2 * LOTS);
        _liquidateAs(BOB, dave, none);
        _snapshot("liquidate, 1 maker");
    }

    function test_liquidate_against_as_many_makers_as_one_call_meets() public {
        _index(1_890e18);
        for (uint256 i = 0; i < 26; i++) {
            _bid(i % 2 == 0 ? CAROL : ALICE, 188_900, 40);
        }
        _liquidateAs(BOB, dave, none);
        _snapshot("liquidate, 25 makers");
        vm.assertEq(_lots(dave), 0);
    }

    /// The worst case for the gas of a liquidation, which takes time to prepare: every maker has
    /// orders in all of 64 markets, so that checking its margin reads all their prices.
    function test_liquidate_against_the_most_costly_makers_fits_in_a_block() public {
        for (uint256 i = perps.marketCount(); i < 64; i++) {
            vm.prank(OWNER);
            perps.list(bytes32(i), "ETH", 1e16, 1e15, IMPACT_VALUE, _parameters());
        }
        for (uint160 i = 0; i < 25; i++) {
            address maker = address(0x3000 + i);
            _deposit(maker, 150e6);
            for (uint32 number = 2; number <= 64; number++) {
                OrderRequest memory request = _gtc(true, TICK - 10_000, 6);
                request.market = number;
                _place(maker, request);
            }
            _bid(maker, 188_900, 10);
        }
        _index(1_890e18);
        _liquidateAs(BOB, dave, none);
        uint256 gas = vm.snapshotGasLastCall("Perps", "liquidate, 25 makers of 64 markets each");
        vm.assertEq(_lots(dave), 750);
        vm.assertLe(gas, 30_000_000, "a block");
    }

    function test_liquidate_that_cancels_ten_orders() public {
        uint40[] memory orders = new uint40[](10);
        for (uint24 i = 0; i < 10; i++) {
            orders[i] = _place(DAVE, _order(false, TICK + 100 + i, 100, TimeInForce.GTC, true));
        }
        _index(1_890e18);
        _bid(CAROL, 188_900, 2 * LOTS);
        _liquidateAs(BOB, dave, orders);
        _snapshot("liquidate, 1 maker, 10 orders cancelled");
    }

    function test_absorb() public {
        _index(1_880e18);
        _liquidateAs(BOB, dave, none);
        _snapshot("liquidate, insurance takes it");
    }

    function test_deleverage() public {
        _bid(CAROL, TICK, 2 * LOTS);
        _ask(ALICE, TICK, 2 * LOTS);
        _index(800e18);
        perps.nominate(dave, alice, market);
        _snapshot("nominate");
        _pass(NOMINATION_SECONDS);
        _carryOut(dave);
        _snapshot("deleverage");
    }
}
