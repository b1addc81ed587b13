// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ILiquidation} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A friend's hundred small orders in front of a deep book shielded a liquidation: a call closed
/// twenty-five of them, regardless of its gas.
contract DustInFrontOfLiquidationTest is LiquidationSetup {
    address private constant FRIEND = address(0xF12);

    function setUp() public override {
        super.setUp();
        _deposit(FRIEND, 10_000e6);
        _index(1_890e18);
        _bid(CAROL, 187_500, 2 * LOTS);
        for (uint256 i = 0; i < 100; i++) {
            _bid(FRIEND, 187_501, 6); // 11.25 each
        }
    }

    function test_one_call_with_gas_goes_through_all_of_them() public {
        _liquidate(dave);
        vm.assertEq(_lots(dave), 400);
    }

    function test_two_calls_in_one_transaction_close_it() public {
        bytes[] memory calls = new bytes[](2);
        calls[0] = calls[1] = abi.encodeCall(ILiquidation.liquidate, (dave, market, none));
        _seeBelow(dave);
        vm.prank(KEEPER);
        perps.multicall(calls);
        vm.assertEq(_lots(dave), 0);
    }
}
