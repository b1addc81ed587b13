// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Computes the loss of insurance to somebody who knows the next index: one of his accounts buys
/// from the other, the index falls, and insurance bears the buyer's debt. Without fees, in quote
/// for each 1,000,000 bought: the table in section 14 of PROTOCOL.md.
contract LatencyCostsTest is LiquidationSetup {
    address private constant BUYER = address(0xAAA1);
    address private constant SELLER = address(0xAAA2);
    uint256 private constant VALUE = 1_000_000e18;
    uint64 private constant COUNT = 500_000; // lots of 2
    /// Permille by which the index falls: in a second, in ten, at once, in a jump that two reports
    /// confirm.
    uint256[4] private falls = [uint256(5), 20, 100, 200];

    /// Of a position that was opened a moment before, with no more than the leverage asks for.
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

    /// Of a position that has come down to its maintenance margin before.
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

    /// Two percent, ten seconds of a wild market, cost nothing at any leverage that may be set.
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
        _deposit(BUYER, VALUE / leverage / 1e12 + 1);
        _deposit(SELLER, 2 * VALUE / 1e12);
        (uint40 buyer, uint40 seller) = (accounts.accountOf(BUYER), accounts.accountOf(SELLER));
        _ask(SELLER, TICK, COUNT);
        _bid(BUYER, TICK, COUNT);
        uint256 price = edge ? _edge(leverage) : 2_000e18;
        _index(price);
        vm.assertGe(_equity(buyer), int256(_health(buyer).maintenanceMargin), "healthy before");
        int256 owned = _equity(buyer) + _equity(seller);
        _index(price - price * permille / 1000);
        if (_equity(buyer) < int256(_health(buyer).maintenanceMargin)) {
            vm.prank(SELLER);
            perps.liquidate(buyer, market, none);
        }
        int256 gain = _equity(buyer) + _equity(seller) - owned;
        vm.assertEq(2e24 - _equity(INSURANCE), gain, "what one gains the other loses");
        cost = gain > 1e18 ? uint256(gain) * 2_000 / price : 0;
        vm.revertToState(start);
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
