// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Computes the loss of insurance to a trader who knows the next index: one of his accounts buys
/// from the other, the index falls, and insurance bears the buyer's debt. Without fees, in quote
/// for each 1,000,000 bought, at the index: the table in section 14 of PROTOCOL.md has the costs
/// with the mark half a percent above the index, as high as a book can bring it.
contract LatencyCostsTest is LiquidationSetup {
    address private constant BUYER = address(0xAAA1);
    address private constant SELLER = address(0xAAA2);
    uint256 private constant VALUE = 1_000_000e18;
    uint64 private constant COUNT = 500_000; // lots of 2
    /// Permille by which the index falls: in a second, in ten, in one step, in a jump that two
    /// reports confirm.
    uint256[4] private falls = [uint256(5), 20, 100, 200];

    /// The part of the index in 1e-18 by which the mark is above it.
    int256 private basis;

    /// A position that was opened a moment before, with the minimum margin of the leverage, half a
    /// percent below the mark: its immediate profit is part of its margin.
    function test_the_cost_of_a_new_position_with_a_mark_half_a_percent_off() public {
        _raiseMark();
        uint16[6] memory leverages = [uint16(3), 5, 10, 20, 25, 50];
        uint256[4][6] memory costs = [
            [uint256(0), 0, 0, 0],
            [uint256(0), 0, 0, 4_000],
            [uint256(0), 0, 4_500, 104_500],
            [uint256(0), 0, 54_750, 154_750],
            [uint256(0), 0, 64_800, 164_800],
            [uint256(0), 4_900, 84_900, 184_900]
        ];
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 4; j++) {
                vm.assertApproxEqAbs(_cost(leverages[i], falls[j], false), costs[i][j], 1);
            }
        }
    }

    /// A position that has fallen to its maintenance margin at such a mark.
    function test_the_cost_at_the_maintenance_margin_with_a_mark_half_a_percent_off() public {
        _raiseMark();
        uint16[6] memory leverages = [uint16(3), 5, 10, 20, 25, 50];
        uint256[4][6] memory costs = [
            [uint256(0), 0, 0, 37_500],
            [uint256(0), 0, 4_500, 104_500],
            [uint256(0), 0, 54_750, 154_750],
            [uint256(0), 0, 79_875, 179_875],
            [uint256(0), 4_900, 84_900, 184_900],
            [uint256(0), 14_950, 94_950, 194_950]
        ];
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 4; j++) {
                vm.assertApproxEqAbs(_cost(leverages[i], falls[j], true), costs[i][j], 12);
            }
        }
    }

    /// A position that was opened a moment before, with the minimum margin of the leverage.
    function test_the_cost_of_a_position_that_was_just_opened() public {
        uint16[6] memory leverages = [uint16(3), 5, 10, 20, 25, 50];
        uint256[4][6] memory costs = [
            [uint256(0), 0, 0, 0],
            [uint256(0), 0, 0, 0],
            [uint256(0), 0, 0, 100_000],
            [uint256(0), 0, 50_000, 150_000],
            [uint256(0), 0, 60_000, 160_000],
            [uint256(0), 0, 80_000, 180_000]
        ];
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 4; j++) {
                vm.assertApproxEqAbs(_cost(leverages[i], falls[j], false), costs[i][j], 1);
            }
        }
    }

    /// A position that had fallen to its maintenance margin before.
    function test_the_cost_of_a_position_at_its_maintenance_margin() public {
        uint16[6] memory leverages = [uint16(3), 5, 10, 20, 25, 50];
        uint256[4][6] memory costs = [
            [uint256(0), 0, 0, 33_333],
            [uint256(0), 0, 0, 100_000],
            [uint256(0), 0, 50_000, 150_000],
            [uint256(0), 0, 75_000, 175_000],
            [uint256(0), 0, 80_000, 180_000],
            [uint256(0), 10_000, 90_000, 190_000]
        ];
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 4; j++) {
                vm.assertApproxEqAbs(_cost(leverages[i], falls[j], true), costs[i][j], 12);
            }
        }
    }

    /// Two percent, ten seconds of a wild market, cost nothing at any leverage that may be set,
    /// where the mark is the index.
    function test_two_percent_of_latency_gain_nothing_at_any_leverage() public {
        for (uint16 leverage = 1; leverage <= 50; leverage++) {
            vm.assertEq(_cost(leverage, 20, false), 0);
        }
    }

    /// The loss of insurance, in whole units for each 1,000,000 held when the index falls.
    function _cost(uint16 leverage, uint256 permille, bool edge) private returns (uint256 cost) {
        uint256 start = vm.snapshotState();
        _setLeverage(leverage);
        _insure(2 * VALUE);
        uint256 won = VALUE * uint256(basis) / 1e18; // by buying at the index, valued at the mark
        _deposit(BUYER, ((VALUE + won) / leverage - won) / 1e12 + 1);
        _deposit(SELLER, 2 * VALUE / 1e12);
        (uint40 buyer, uint40 seller) = (accounts.accountOf(BUYER), accounts.accountOf(SELLER));
        _ask(SELLER, TICK, COUNT);
        _bid(BUYER, TICK, COUNT);
        uint256 price = edge ? _edge(leverage) : 2_000e18;
        _index(price);
        vm.assertGe(_equity(buyer), int256(_health(buyer).maintenanceMargin), "healthy before");
        int256 owned = _worth(buyer, price) + _worth(seller, price);
        price -= price * permille / 1000;
        _index(price);
        if (_equity(buyer) < int256(_health(buyer).maintenanceMargin)) {
            vm.prank(SELLER);
            perps.liquidate(buyer, market, none);
        }
        int256 gain = _worth(buyer, price) + _worth(seller, price) - owned;
        vm.assertEq(2e24 - _worth(INSURANCE, price), gain, "what one gains the other loses");
        price = price * 1000 / (1000 - permille);
        cost = gain > 1e18 ? uint256(gain) * 2_000 / price : 0;
        vm.revertToState(start);
    }

    /// Value of an account with its position at the index.
    function _worth(uint40 account, uint256 index) private view returns (int256) {
        return _collateral(account) + _position(account).quote + int256(_position(account).lots)
            * int256(index) / 1000;
    }

    /// Pokes with a book that is one percent above the index, until the mark moves no farther.
    function _raiseMark() private {
        uint40[] memory quotes = new uint40[](2);
        (quotes[0], quotes[1]) = (_bid(BOB, 202_000, 700), _ask(BOB, 202_100, 700));
        for (uint256 i = 0; i < 40; i++) {
            _pass(60);
            _index(2_000e18);
            perps.poke(market);
        }
        vm.prank(BOB);
        perps.cancelAll(market, quotes);
        _pass(1);
        _index(2_000e18);
        basis = int256(perps.quoteOf(market).mark - 2_000e18) * 1e18 / 2_000e18;
        vm.assertApproxEqAbs(uint256(basis), 0.005e18, 1e11);
    }

    /// The price, a whole number, at which the buyer's equity of 2,000 is his maintenance margin.
    function _edge(uint16 leverage) private pure returns (uint256 price) {
        price = 2_000e18 * (uint256(leverage) - 1) * 2 / (2 * uint256(leverage) - 1);
        return price - price % 1e16 + 1e16;
    }

    function _setLeverage(uint16 leverage) private {
        PerpParameters memory parameters = _parameters();
        (parameters.maxLeverage, parameters.makerFee, parameters.takerFee) = (leverage, 0, 0);
        vm.prank(OWNER);
        perps.change(market, parameters);
    }
}
