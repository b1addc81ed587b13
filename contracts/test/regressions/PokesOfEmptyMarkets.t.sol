// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// Pokes of markets without positions were paid: with 64 markets 1,843 USD a day left the fee
/// account.
contract PokesOfEmptyMarketsTest is PerpsSetup {
    address private constant FEES = address(0x2);

    function setUp() public override {
        super.setUp();
        _deposit(FEES, 10_000e6);
    }

    function test_an_hour_of_pokes_of_64_empty_markets_earns_nothing() public {
        for (uint256 i = perps.marketCount(); i < 64; i++) {
            vm.prank(OWNER);
            perps.list(bytes32(i), "ETH", 1e16, 1e15, IMPACT_VALUE, _parameters());
        }
        for (uint256 i = 0; i < 60; i++) {
            _pass(60);
            _index(2_000e18);
            for (uint32 number = 1; number <= 64; number++) {
                vm.prank(ALICE);
                perps.poke(number);
            }
        }
        vm.assertEq(_collateral(alice), int256(DEPOSIT * 1e12));
        vm.assertEq(_collateral(2), int256(10_000e18));
    }

    function test_a_poke_is_paid_as_long_as_somebody_has_a_position() public {
        _trade(BOB, CAROL, TICK, 1_000);
        _pass(1);
        vm.prank(ALICE);
        perps.poke(market);
        vm.assertEq(_collateral(alice), int256(DEPOSIT * 1e12) + 0.02e18);
        _trade(CAROL, BOB, TICK, 1_000);
        _pass(60);
        _index(2_000e18);
        vm.prank(ALICE);
        perps.poke(market);
        vm.assertEq(_collateral(alice), int256(DEPOSIT * 1e12) + 0.02e18, "all is closed");
    }
}
