// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OrderRequest} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// The rank of a winner did not depend on its size: accounts of a few lots and much leverage could
/// be nominated before every honest winner, one after the other, ten seconds each.
contract WinnersOfAFewLotsTest is LiquidationSetup {
    address private constant LOSER = address(0xAAA3);
    address private constant DUST = address(0xD0);

    uint40 private loser;
    uint40 private dust;

    /// ALICE has won 98,000 of LOSER. DUST is short 6 lots, with 42 times its money in BTC.
    function setUp() public override {
        super.setUp();
        _deposit(LOSER, 50_000e6);
        _deposit(DUST, 5e6);
        (loser, dust) = (accounts.accountOf(LOSER), accounts.accountOf(DUST));
        _ask(ALICE, TICK, 490_000);
        _bid(LOSER, TICK, 490_000);
        _bid(CAROL, TICK, 6);
        _ask(DUST, TICK, 6);
        OrderRequest memory request = _btc(_gtc(false, BTC_TICK, 13));
        _place(CAROL, request);
        request.buy = true;
        _place(DUST, request);
        _index(1_800e18);
    }

    function test_who_has_a_twentieth_of_the_lots_takes_the_place_of_who_has_less() public {
        perps.nominate(loser, dust, market);
        perps.nominate(loser, alice, market);
        vm.expectPartialRevert(IPerpsEvents.NotBetterWinner.selector);
        perps.nominate(loser, dust, market);
        _pass(10);
        _index(1_800e18);
        perps.deleverage(loser, market, none);
        vm.assertEq(int256(_lots(loser)), int256(0), "closed in ten seconds");
    }

    function test_where_nobody_else_is_left_the_small_ones_pay() public {
        perps.nominate(loser, alice, market);
        _pass(10);
        _index(1_800e18);
        perps.deleverage(loser, market, none);
        perps.nominate(dave, dust, market);
        _pass(10);
        _index(1_800e18);
        perps.deleverage(dave, market, none);
        vm.assertEq(int256(_lots(dave)), int256(994));
    }
}
