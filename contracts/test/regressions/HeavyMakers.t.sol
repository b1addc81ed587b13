// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Tick} from "../../src/ValueTypes.sol";
import {Vm} from "../Vm.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "../../src/interfaces/IBook.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// Accounts with orders in all of 64 markets made every fill with them read 64 prices: a large
/// taker ran out of a block's gas and got nothing. Matching now stops when it has used its share.
contract HeavyMakersTest is LiquidationSetup {
    uint256 private constant BLOCK_GAS = 30_000_000;
    uint256 private constant RELAY_GAS = 10_000_000; // RELAY_GAS_PER_BLOCK where nothing is set

    function setUp() public override {
        super.setUp();
        for (uint256 i = perps.marketCount(); i < 64; i++) {
            vm.prank(OWNER);
            perps.list(bytes32(i), "ETH", 1e16, 1e15, IMPACT_VALUE, _parameters());
        }
    }

    /// A hundred bids of 12 USD of one account. The seller's fills are kept.
    function test_a_taker_keeps_its_fills_against_a_maker_of_64_markets() public {
        _quoteEverywhere(address(0x4000), 64);
        for (uint256 i = 0; i < 100; i++) {
            _bid(address(0x4000), TICK, 6);
        }
        uint40 behind = _bid(BOB, TICK - 1, 20_000);
        uint64 sold = _sellAndStop(10_000);
        vm.assertGt(uint256(sold), 60, "ten makers and more");
        vm.assertEq(uint256(_lotsOf(behind)), 20_000, "matching stopped before this one");
    }

    /// Each maker another one, whose 64 markets no fill before has read.
    function test_a_taker_of_64_markets_ends_within_what_a_relayer_gives_it() public {
        for (uint160 i = 0; i < 20; i++) {
            _quoteEverywhere(address(0x4000 + i), 64);
            _bid(address(0x4000 + i), TICK, 6);
        }
        _quoteEverywhere(ALICE, 64);
        uint256 used = _gasOfSale(1_000);
        vm.assertLt(used, RELAY_GAS, "gas");
        vm.assertGt(uint256(_sold()), 60, "ten makers and more");
    }

    /// A hundred expired orders, and then the makers of 64 markets.
    function test_drops_in_front_of_heavy_makers_leave_a_taker_within_that_gas() public {
        for (uint256 i = 0; i < 100; i++) {
            OrderRequest memory request = _gtc(true, TICK + 1, 6);
            request.goodTil = uint40(block.timestamp + 5);
            _place(BOB, request);
        }
        for (uint160 i = 0; i < 20; i++) {
            _quoteEverywhere(address(0x4000 + i), 64);
            _bid(address(0x4000 + i), TICK, 6);
        }
        _pass(6);
        _index(2_000e18);
        _quoteEverywhere(ALICE, 64);
        vm.assertLt(_gasOfSale(1_000), RELAY_GAS, "gas");
        vm.assertGt(uint256(_sold()), 60, "ten makers and more");
    }

    /// Another amount of gas, the same fills: an estimate is right.
    function test_what_a_taker_gets_does_not_depend_on_the_gas_that_it_is_given() public {
        _quoteEverywhere(address(0x4000), 64);
        for (uint256 i = 0; i < 50; i++) {
            _bid(address(0x4000), TICK, 6);
        }
        uint256 start = vm.snapshotState();
        vm.prank(ALICE);
        perps.place{gas: BLOCK_GAS}(_sale(1_000));
        int64 lots = _lots(alice);
        vm.revertToState(start);
        vm.prank(ALICE);
        perps.place{gas: RELAY_GAS}(_sale(1_000));
        vm.assertEq(int256(_lots(alice)), lots);
        vm.assertLt(lots, int64(0), "sold");
    }

    function test_a_fill_or_kill_order_that_stops_for_gas_is_refused() public {
        _quoteEverywhere(address(0x4000), 64);
        for (uint256 i = 0; i < 50; i++) {
            _bid(address(0x4000), TICK, 6);
        }
        OrderRequest memory sale = _order(false, TICK, 300, TimeInForce.FOK, false);
        vm.expectPartialRevert(IBook.FillOrKillUnfillable.selector);
        _place(ALICE, sale);
    }

    /// The quotes of ordinary makers are met, up to a hundred of them.
    function test_a_hundred_makers_of_three_markets_are_all_met() public {
        for (uint160 i = 0; i < 100; i++) {
            _quoteEverywhere(address(0x4000 + i), 3);
            _bid(address(0x4000 + i), TICK, 6);
        }
        _place(ALICE, _sale(600));
        vm.assertEq(_lots(alice), -600);
    }

    /// The last twenty fills of an order cost as much as the twenty before them.
    function test_a_fill_costs_no_more_for_those_before_it() public {
        for (uint256 i = 0; i < 101; i++) {
            _bid(BOB, TICK, 6);
        }
        uint256 start = vm.snapshotState();
        uint256 twenty = _gasOfSale(120);
        vm.revertToState(start);
        uint256 forty = _gasOfSale(240);
        vm.revertToState(start);
        uint256 sixty = _gasOfSale(360);
        vm.assertApproxEqAbs(sixty - forty, forty - twenty, 1_000);
    }

    function _quoteEverywhere(address maker, uint32 markets) private {
        _deposit(maker, 500e6);
        for (uint32 number = 2; number <= markets; number++) {
            OrderRequest memory request = _gtc(true, TICK - 100_000, 11);
            request.market = number;
            if (number == btcMarket) request.tick = Tick.wrap(BTC_TICK - 100_000);
            _place(maker, request);
        }
    }

    function _sale(uint64 lots) private view returns (OrderRequest memory) {
        return _order(false, TICK - 10, lots, TimeInForce.IOC, false);
    }

    /// Sells as ALICE and expects that the order stops at a limit. Returns the lots sold.
    function _sellAndStop(uint64 lots) private returns (uint64 sold) {
        vm.recordLogs();
        vm.prank(ALICE);
        perps.place{gas: BLOCK_GAS}(_sale(lots));
        sold = _sold();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        vm.assertEq(last.topics[0], IBook.Cancelled.selector);
        (, uint64 left, Reason reason) = abi.decode(last.data, (uint40, uint64, Reason));
        vm.assertEq(uint256(left), uint256(lots - sold));
        vm.assertEq(uint8(reason), uint8(Reason.FILL_LIMIT));
    }

    function _sold() private view returns (uint64) {
        return uint64(-_lots(alice));
    }

    /// Before the refund, since a transaction must be given that much.
    function _gasOfSale(uint64 lots) private returns (uint256) {
        vm.prank(ALICE);
        perps.place{gas: BLOCK_GAS}(_sale(lots));
        Vm.Gas memory gas = vm.lastCallGas();
        return gas.gasTotalUsed + uint64(gas.gasRefunded);
    }
}
