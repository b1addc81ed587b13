// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Vm} from "../Vm.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {IBook} from "../../src/interfaces/IBook.sol";
import {OrderRequest} from "../../src/interfaces/IBook.sol";
import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "./LiquidationSetup.sol";

/// Tests the limit of a forced order where a lot at a tick is worth 10 raw units, so that rounding
/// shows.
contract LiquidationTinyUnitTest is LiquidationSetup {
    uint64 private constant COUNT = 2e13; // lots of 1e8 raw units: 2,000 in all
    uint24 private constant MIDDLE = 1e7; // the index of FINE: 1e8 raw units
    address private constant GRACE = address(0x64);
    address private constant HENRY = address(0x65);
    uint32 private fine;

    function setUp() public override {
        super.setUp();
        PerpParameters memory parameters = _parameters();
        parameters.maxOpenInterest = 1e18;
        _indexOne("FINE", 1e7);
        vm.prank(OWNER);
        fine = perps.list("FINE-PERP", "FINE", 10, 1e18, IMPACT_VALUE, parameters);
        _indexOne("FINE", 1e8);
        _deposit(GRACE, 150e6);
        _deposit(HENRY, 150e6 + 100);
        _placeAt(CAROL, false, MIDDLE, COUNT);
        _placeAt(GRACE, true, MIDDLE, COUNT);
        _placeAt(CAROL, true, MIDDLE, COUNT);
        _placeAt(HENRY, false, MIDDLE, COUNT);
    }

    /// 35 and a fraction of 47: the possible loss per lot is less than 2% of the mark.
    function test_a_sellers_limit_is_the_first_tick_that_keeps_the_ratio() public {
        uint40 account = accounts.accountOf(GRACE);
        for (uint256 index = 94_300_001; index < 94_300_021; index += 3) {
            uint256 lowest = (index - _room(account, index)) * 1e6;
            uint256 perLot = (lowest + 999_649) / 999_650; // leaves that after the fee of 350
            _expectLimit(account, false, index, (perLot + 9) / 10);
        }
    }

    function test_a_buyers_limit_is_the_last_tick_that_keeps_the_ratio() public {
        uint40 account = accounts.accountOf(HENRY);
        for (uint256 index = 105_600_001; index < 105_600_021; index += 3) {
            uint256 perLot = (index + _room(account, index)) * 1e6 / 1_000_350;
            vm.assertGt(perLot % 10, 0, "no whole tick: the limit is cut");
            _expectLimit(account, true, index, perLot / 10);
        }
    }

    /// The most that a lot may lose at `index`, less the hundred units that fills may round up.
    function _room(uint40 account, uint256 index) private returns (uint256 room) {
        _indexOne("FINE", index);
        PerpsState.Health memory health = _health(account);
        vm.assertLt(health.equity, int256(health.maintenanceMargin), "in distress");
        vm.assertGe(health.equity * 3, int256(health.maintenanceMargin) * 2, "not far below");
        room = uint256(health.equity) / COUNT - 100;
        vm.assertLt(room, index / 50 - 100_000, "nearer than 2%");
    }

    /// A bid, or an ask, at the limit is taken, and the order's limit is that tick; one beyond it
    /// is not.
    function _expectLimit(uint40 account, bool buy, uint256 index, uint256 tick) private {
        uint256 start = vm.snapshotState();
        _indexOne("FINE", index);
        _placeAt(ALICE, !buy, uint24(buy ? tick + 1 : tick - 1), 1e12);
        _placeAt(ALICE, !buy, uint24(tick), 1e12);
        _seeBelow(account);
        vm.recordLogs();
        perps.liquidate(account, fine, none);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 found;
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].topics[0] != IBook.Placed.selector) continue;
            (,, uint24 limit) = abi.decode(logs[i].data, (uint40, bool, uint24));
            vm.assertEq(limit, tick, "the limit");
            found += 1;
        }
        vm.assertEq(found, 1);
        int64 left = perps.positionOf(fine, account).lots;
        vm.assertEq(
            left < 0 ? -left : left, int256(uint256(COUNT - 1e12)), "what stood at the limit"
        );
        vm.revertToState(start);
    }

    function _placeAt(address wallet, bool buy, uint24 tick, uint64 lots) private {
        OrderRequest memory request = _gtc(buy, tick, lots);
        request.market = fine;
        _place(wallet, request);
    }
}
