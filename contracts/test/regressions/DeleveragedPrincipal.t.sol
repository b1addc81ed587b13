// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A single key could choose a winner of one dollar and make him pay 450 of another's debt.
contract DeleveragedPrincipalTest is LiquidationSetup {
    /// At 1,400 DAVE owes 450.7. BOB has won 1 on 1,000 lots, ALICE 600.
    function setUp() public virtual override {
        super.setUp();
        _index(1_401e18);
        _bid(CAROL, 140_100, 1_000);
        _ask(BOB, 140_100, 1_000);
        _index(2_000e18);
        _bid(CAROL, TICK, 1_000);
        _ask(ALICE, TICK, 1_000);
        _index(1_400e18);
    }

    function test_who_has_won_a_dollar_gives_up_a_dollar() public {
        int256 before = _equity(bob);
        _deleverage(dave, bob);
        vm.assertEq(_equity(bob), before - 1e18);
        vm.assertEq(_lots(dave), 0);
        vm.assertEq(_equity(dave), -449.7e18); // insurance may pay it one day
    }

    function test_nobody_spares_the_winner_by_naming_another() public {
        perps.nominate(dave, bob, market);
        _pass(9);
        vm.prank(KEEPER); // any account
        perps.nominate(dave, alice, market);
        vm.expectPartialRevert(IPerpsEvents.NotBetterWinner.selector);
        perps.nominate(dave, bob, market);
        vm.expectPartialRevert(IPerpsEvents.NominationTooRecent.selector);
        _carryOut(dave);
        _pass(10);
        int256 bobs = _equity(bob);
        _carryOut(dave);
        vm.assertEq(_equity(bob), bobs);
        vm.assertEq(_lots(alice), 0);
        vm.assertEq(_equity(dave), int256(0));
    }

    /// Once a winner had fewer lots than were asked for, nothing was done at all.
    function test_a_winner_of_fewer_lots_gives_those() public {
        _bid(ALICE, 140_000, 400);
        _ask(CAROL, 140_000, 400);
        _deleverage(dave, alice);
        vm.assertEq(_lots(alice), 0);
        vm.assertEq(_lots(dave), 400);
    }
}
