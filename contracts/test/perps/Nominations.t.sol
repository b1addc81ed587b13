// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccountId} from "../../src/ValueTypes.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests the choice of the deleveraged winner: anyone may nominate one who ranks higher.
contract NominationsTest is LiquidationSetup {
    address private constant MALLORY = address(0xBAD);

    /// At 1,400 DAVE owes 450.7. ALICE and BOB have won 600 each on 1,000 lots: ALICE with 100,000
    /// behind it, BOB with 1,000. MALLORY has won 1.
    function setUp() public override {
        super.setUp();
        _withdraw(BOB, 99_000e6);
        _deposit(MALLORY, 1_000e6);
        _short(ALICE, TICK);
        _short(BOB, TICK);
        _index(1_401e18);
        _short(MALLORY, 140_100);
        _index(1_400e18);
    }

    /* ranking */

    function test_a_winner_who_ranks_higher_takes_the_place_of_another() public {
        _name(alice);
        _pass(9);
        vm.expectEmit(address(perps));
        emit IPerpsEvents.Nominated(market, dave, bob);
        _name(bob);
        vm.assertEq(
            uint256(AccountId.unwrap(perps.nominationOf(dave, market).winner)), uint256(bob)
        );
        vm.assertEq(uint256(perps.nominationOf(dave, market).openedTime), block.timestamp - 9);
        _expectTooRecent(block.timestamp + 10);
        _pass(10);
        _carryOut(dave);
        vm.assertEq(_lots(bob), 0);
        vm.assertEq(_lots(alice), -1_000);
    }

    function test_who_ranks_lower_or_as_high_takes_nobodys_place() public {
        _name(bob);
        _pass(5);
        vm.expectPartialRevert(IPerpsEvents.NotBetterWinner.selector);
        _name(alice);
        vm.expectPartialRevert(IPerpsEvents.NotBetterWinner.selector);
        _name(bob); // and does not put it off
        _pass(5);
        _carryOut(dave);
        vm.assertEq(_lots(bob), 0);
    }

    /// ALICE withdraws until 700 are left, 600 of them profit: her leverage passes BOB's.
    function test_the_leverage_is_that_of_the_whole_account() public {
        _name(bob);
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 2_000)));
        _place(ALICE, _btc(_gtc(true, BTC_TICK, 2_000)));
        vm.expectPartialRevert(IPerpsEvents.NotBetterWinner.selector);
        _name(alice); // 13,400 on 100,000
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 30_000)));
        _place(ALICE, _btc(_gtc(true, BTC_TICK, 30_000)));
        _name(alice); // 193,400 on 100,000: 1.9, BOB 0.9
        vm.assertEq(
            uint256(AccountId.unwrap(perps.nominationOf(dave, market).winner)), uint256(alice)
        );
    }

    /* time */

    function test_without_a_nomination_nothing_is_closed() public {
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotNominated.selector, dave, market));
        _carryOut(dave);
    }

    function test_a_nomination_stands_for_ten_seconds() public {
        _name(bob);
        _pass(9);
        _expectTooRecent(block.timestamp + 1);
        _pass(1);
        _carryOut(dave);
    }

    /// A minute after the first nomination the close can no longer be delayed.
    function test_better_nominations_put_it_off_for_a_minute_at_most() public {
        _name(_with(1_500e6));
        uint256 start = block.timestamp;
        uint256[5] memory behind = [uint256(1_400e6), 1_300e6, 1_200e6, 1_100e6, 1_050e6];
        for (uint256 i = 0; i < 5; i++) {
            _pass(9);
            _name(_with(behind[i]));
        }
        _pass(9);
        _name(bob);
        _expectTooRecent(start + 60);
        _pass(6);
        _carryOut(dave);
        vm.assertEq(_lots(bob), 0);
    }

    function test_two_minutes_after_the_first_it_is_void() public {
        _name(bob);
        _pass(120);
        vm.assertEq(
            uint256(AccountId.unwrap(perps.nominationOf(dave, market).winner)), uint256(bob)
        );
        _index(1_400e18);
        _pass(1);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotNominated.selector, dave, market));
        _carryOut(dave);
        _name(alice); // from the beginning
        _expectTooRecent(block.timestamp + 10);
    }

    /// A winner that has closed meanwhile is replaced by any other, with a new delay.
    function test_who_is_no_winner_any_more_gives_way() public {
        _place(CAROL, _btc(_gtc(false, BTC_TICK, 4_000)));
        _place(BOB, _btc(_gtc(true, BTC_TICK, 4_000)));
        _name(bob);
        _pass(55);
        _index(1_400e18);
        _indexOne("BTC", 56_000e18);
        _name(alice);
        _expectTooRecent(block.timestamp + 10);
    }

    function test_each_close_needs_a_nomination_of_its_own() public {
        _trade(BOB, CAROL, 140_000, 600);
        _name(bob);
        _pass(10);
        _carryOut(dave);
        vm.assertEq(_lots(dave), 600);
        vm.expectRevert(abi.encodeWithSelector(IPerpsEvents.NotNominated.selector, dave, market));
        _carryOut(dave);
        _nominate(dave, alice);
        _carryOut(dave);
        vm.assertEq(_lots(dave), 0);
    }

    /* reward */

    /// 2 basis points of 1,400, out of the fees.
    function test_whoever_carries_it_out_is_paid_by_the_fee_account() public {
        _nominate(dave, bob);
        int256 fees = _collateral(FEES);
        int256 before = _collateral(carol);
        vm.prank(CAROL);
        perps.deleverage(dave, market, none);
        vm.assertEq(_collateral(carol) - before, 0.28e18);
        vm.assertEq(_collateral(FEES), fees - 0.28e18);
    }

    function test_the_fee_account_pays_no_more_than_it_has() public {
        _pass(10);
        vm.startPrank(address(0x2));
        perps.withdraw(address(usdc), uint256(_collateral(FEES)) / 1e12 - 100_000, address(0xF));
        vm.stopPrank();
        _nominate(dave, bob);
        int256 before = _collateral(carol);
        vm.prank(CAROL);
        perps.deleverage(dave, market, none);
        vm.assertGe(_collateral(FEES), int256(0), "nothing is owed");
        vm.assertLt(_collateral(FEES), int256(1e12), "all that it has");
        vm.assertGt(_collateral(carol) - before, int256(0.09e18), "is paid");
    }

    /// Sells 1,000 lots to CAROL.
    function _short(address wallet, uint24 tick) private {
        _bid(CAROL, tick, 1_000);
        _ask(wallet, tick, 1_000);
    }

    /// An account with so much and a short from 2,000.
    function _with(uint256 amount) private returns (uint40) {
        address wallet = address(uint160(0x5000 + amount));
        _deposit(wallet, amount);
        _index(2_000e18);
        _short(wallet, TICK);
        _index(1_400e18);
        return accounts.accountOf(wallet);
    }

    function _name(uint40 winner) private {
        vm.prank(KEEPER);
        perps.nominate(dave, winner, market);
    }

    function _expectTooRecent(uint256 readyTime) private {
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.NominationTooRecent.selector, readyTime)
        );
        _carryOut(dave);
    }
}
