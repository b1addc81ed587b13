// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A taker needs fresh prices of all that its account holds, and a maker did not: one that a fall,
/// held at the store, had left with nothing went on buying by orders that rested.
contract MakersInDoubtTest is LiquidationSetup {
    address private constant MAKER = address(0xAAA1);
    address private constant EVE = address(0xE7E);

    uint40 private maker;

    function setUp() public override {
        super.setUp();
        _deposit(MAKER, 10_000e6);
        _deposit(EVE, 100_000e6);
        maker = accounts.accountOf(MAKER);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 16_000)));
        _place(MAKER, _btc(_gtc(true, BTC_TICK, 16_000)));
        _pass(1);
    }

    function test_a_maker_with_a_price_in_doubt_opens_nothing() public {
        uint40 bid = _bid(MAKER, 199_000, 20_000);
        _pushOne("BTC", 48_000e18); // held
        vm.expectEmit(address(perps));
        emit IBook.Cancelled(market, maker, bid, 20_000, Reason.MARGIN);
        _place(EVE, _order(false, 199_000, 20_000, TimeInForce.IOC, false));
        vm.assertEq(int256(_lots(maker)), int256(0));
    }

    function test_it_still_closes() public {
        _trade(MAKER, EVE, TICK, 1_000);
        _ask(MAKER, TICK + 10, 1_000);
        _pushOne("BTC", 48_000e18);
        _place(EVE, _order(true, TICK + 10, 1_000, TimeInForce.IOC, false));
        vm.assertEq(int256(_lots(maker)), int256(0));
    }
}
