// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook, OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {Vm} from "../Vm.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// A poke gave up after four hundred orders that it did not count. Reduce-only orders were among
/// them, and could not be swept: accounts that owed funding put up a wall of them in front of the
/// book.
contract WallOfReduceOnlyOrdersTest is PerpsSetup {
    function setUp() public override {
        super.setUp();
        _trade(ALICE, BOB, TICK, 2_406);
        _bid(CAROL, TICK + 1_700, 5_000);
        _ask(CAROL, TICK + 1_900, 5_000);
        _build(TICK + 1_899);
    }

    function test_a_wall_within_the_position_counts() public {
        _pass(600);
        _index(2_000e18);
        vm.assertEq(_premiumOfPoke(), int256(0.0089975e18), "of bid and wall");
    }

    function test_a_wall_without_a_position_is_gone_in_two_pokes() public {
        _trade(BOB, ALICE, TICK + 1_898, 2_406);
        _pass(600);
        _index(2_000e18);
        perps.poke(market);
        // Depth is the makers', 0.9%; the average is still that of the best ask until now.
        vm.assertEq(_premiumOfPoke(), int256(0.0089975e18));
    }

    /// 401 reduce-only asks of 12.
    function _build(uint24 tick) private {
        bytes[] memory calls = new bytes[](401);
        for (uint256 i = 0; i < 401; i++) {
            OrderRequest memory request = _order(false, tick, 6, TimeInForce.GTC, true);
            calls[i] = abi.encodeCall(IBook.place, (request));
        }
        vm.prank(ALICE);
        perps.multicall(calls);
    }

    function _premiumOfPoke() private returns (int256 premium) {
        vm.recordLogs();
        perps.poke(market);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory log = logs[logs.length - 1];
        vm.assertEq(log.topics[0], IPerpsEvents.Marked.selector);
        (,, premium,) = abi.decode(log.data, (uint256, int256, int256, uint256));
    }
}
