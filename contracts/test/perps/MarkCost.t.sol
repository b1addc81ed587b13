// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TimeInForce} from "../../src/interfaces/IBook.sol";
import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {PerpsSetup} from "./PerpsSetup.sol";

/// Computes the cost of moving the mark: the table in section 7 of docs/PROTOCOL.md. The index is
/// constant. Makers quote a spread of 0.1% around it, and once a minute restore the depth that was
/// taken. An attacker buys their asks and rests the impact value on both sides of a price that is
/// 0.2% farther from the index than he wants the mark; once a minute, after the poke, others sell
/// into all of his bids. His cost is the loss of his account's value at the index by the time the
/// mark is there.
contract MarkCostTest is PerpsSetup {
    address private constant EVE = address(0xE7E);
    address private constant ARBITRAGEUR = address(0xA4B);
    uint256 private constant MINUTES_MAX = 60;

    uint40 private eve;
    uint24 private high; // about which he quotes
    uint64 private depth; // lots that makers quote on a side

    function setUp() public override {
        super.setUp();
        _deposit(EVE, 5_000_000e6);
        _deposit(ARBITRAGEUR, 5_000_000e6);
        _deposit(BOB, 5_000_000e6);
        eve = accounts.accountOf(EVE);
        PerpParameters memory parameters = _parameters();
        // No cap stops him.
        (parameters.maxNotionalValue, parameters.maxOpenInterest) = (10_000_000e18, 10_000_000);
        vm.prank(OWNER);
        perps.change(market, parameters);
    }

    function test_an_empty_book_by_a_tenth_of_a_percent() public {
        _expect(0, 0.001e18, 7, 2);
    }

    function test_an_empty_book_by_half_a_percent() public {
        _expect(0, 0.00499e18, 187, 22);
    }

    function test_a_thin_book_by_a_tenth_of_a_percent() public {
        _expect(10_000, 0.001e18, 24, 2);
    }

    function test_a_thin_book_by_half_a_percent() public {
        _expect(10_000, 0.00499e18, 374, 22);
    }

    function test_a_normal_book_by_a_tenth_of_a_percent() public {
        _expect(100_000, 0.001e18, 177, 2);
    }

    function test_a_normal_book_by_half_a_percent() public {
        _expect(100_000, 0.00499e18, 2_057, 22);
    }

    /// No attacker moves it by one percent, at any cost.
    function test_no_book_by_one_percent() public {
        (, uint256 took) = _attack(0.01e18);
        vm.assertEq(took, MINUTES_MAX + 1);
        vm.assertLe(perps.quoteOf(market).mark, 2_010e18, "0.5%");
    }

    /// Makers have `value` on a side; it takes `dollars` (cut) and `minutes_`.
    function _expect(uint256 value, uint256 target, uint256 dollars, uint256 minutes_) private {
        depth = uint64(value / 2);
        (uint256 cost, uint256 took) = _attack(target);
        vm.assertEq(cost / 1e18, dollars, "cost");
        vm.assertEq(took, minutes_, "minutes");
    }

    function _attack(uint256 target) private returns (uint256 cost, uint256 took) {
        int256 before = _worth();
        high = TICK + uint24(uint256(TICK) * (target + 0.002e18) / 1e18);
        for (took = 1; took <= MINUTES_MAX; took++) {
            _requote();
            _push();
            _pass(60);
            _index(2_000e18);
            perps.poke(market);
            _sellTo();
            _pass(1);
            if (perps.quoteOf(market).mark >= 2_000e18 + 2_000 * target) break;
        }
        return (uint256(before - _worth()), took);
    }

    /// Honest makers restore the depth that was taken.
    function _requote() private {
        if (depth == 0) return;
        _place(BOB, _order(true, TICK - 100, depth, TimeInForce.GTC, false));
        _place(BOB, _order(false, TICK + 100, depth, TimeInForce.GTC, false));
    }

    /// He buys all that is offered below his bid, and rests the impact value on both sides above
    /// it.
    function _push() private {
        uint64 wanted = depth + IMPACT_LOTS;
        _place(EVE, _order(true, high - 1, wanted, TimeInForce.GTC, false));
        _place(EVE, _order(false, high + 1, IMPACT_LOTS, TimeInForce.GTC, false));
    }

    /// Arbitrageurs sell to a bid 1% above the index.
    function _sellTo() private {
        _place(ARBITRAGEUR, _order(false, high - 1, depth + IMPACT_LOTS, TimeInForce.IOC, false));
    }

    /// The value of his account at the index.
    function _worth() private view returns (int256) {
        return _collateral(eve) + _position(eve).quote + int256(_position(eve).lots) * 2e18;
    }
}
