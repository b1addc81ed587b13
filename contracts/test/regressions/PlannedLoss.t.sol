// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// One trader with three accounts trades with himself at prices of his own choice, moves the mark
/// by his quotes and has himself liquidated. While the index does not move he ends with no more
/// than he deposited: insurance never bears his loss.
contract PlannedLossTest is PerpsSetup {
    uint256 private constant INSURED = 1_000_000e6;
    uint256 private constant BROUGHT = 10_000e6; // each
    uint64 private constant LOTS = 95_000; // 190,000 for 10,000

    address[3] private wallets = [address(0xE1), address(0xE2), address(0xE3)];
    uint40[3] private mine;
    uint256 private random;

    function setUp() public override {
        super.setUp();
        _deposit(address(0x1), INSURED);
        for (uint256 i = 0; i < 3; i++) {
            _deposit(wallets[i], BROUGHT);
            mine[i] = accounts.accountOf(wallets[i]);
        }
    }

    /// forge-config: default.fuzz.runs = 32
    function testFuzz_trading_with_himself_takes_nothing_from_insurance(uint256 seed) public {
        random = seed;
        bool long = _below(2) == 0;
        _try(1, _gtc(!long, TICK, LOTS));
        _try(0, _gtc(long, TICK, LOTS));
        for (uint256 i = 0; i < 6; i++) {
            _giveAway(long);
            _moveMark(_below(2) == 0);
            _liquidateAll();
        }
        int256 sum;
        for (uint256 i = 0; i < 3; i++) {
            int256 equity = _health(mine[i]).equity;
            vm.assertGe(equity, int256(0), "no account ends below zero");
            sum += equity;
        }
        vm.assertLe(sum, int256(3 * BROUGHT * 1e12), "he gains nothing");
        vm.assertGe(_health(1).equity, int256(INSURED * 1e12), "insurance loses nothing");
    }

    /// The first account closes as much as permitted to the second, at the worst price in the band.
    function _giveAway(bool long) private {
        uint24 tick = uint24(long ? 180_000 + _below(20_000) : 200_000 + _below(20_000));
        for (uint64 lots = uint64(20_000 + _below(20_000)); lots > 10; lots /= 2) {
            _try(1, _order(long, tick, lots, TimeInForce.GTC, false));
            _try(0, _order(!long, tick, lots, TimeInForce.IOC, true));
        }
    }

    /// The third quotes both sides away from the index for some minutes.
    function _moveMark(bool up) private {
        uint24 mid = up ? 202_000 : 198_000;
        _try(2, _gtc(true, mid - 100, IMPACT_LOTS));
        _try(2, _gtc(false, mid + 100, IMPACT_LOTS));
        for (uint256 i = _below(8); i > 0; i--) {
            _pass(61 + _below(600));
            _index(2000e18);
            perps.poke(market);
        }
    }

    function _liquidateAll() private {
        for (uint256 i = 0; i < 3; i++) {
            if (_below(3) == 0) _pass(31);
            _index(2000e18);
            vm.prank(wallets[_below(3)]);
            try perps.liquidate(mine[i], market, new uint40[](0)) {} catch {}
        }
    }

    function _try(uint256 who, OrderRequest memory request) private {
        vm.prank(wallets[who]);
        try perps.place(request) {} catch {}
    }

    function _below(uint256 limit) private returns (uint256) {
        random = uint256(keccak256(abi.encode(random)));
        return random % limit;
    }
}
