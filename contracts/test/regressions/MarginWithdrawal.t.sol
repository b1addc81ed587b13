// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// The ETH whale at Hyperliquid, March 2025: he withdrew margin until his own large position was
/// liquidated at once, at a price that the book did not have, and the vault bore the slippage.
///
/// Here a withdrawal leaves initial margin and a tenth of the notional, so that the price must fall
/// far first; and a large position goes a fifth at a time.
contract MarginWithdrawalTest is LiquidationSetup {
    /// 400 ETH from 2,000, 80,000 of profit at 2,200: 880,000 of notional keep 88,000.
    function test_withdrawing_all_that_may_leave_makes_nobody_liquidatable() public {
        _trade(ALICE, CAROL, TICK, 400_000);
        _index(2_200e18);
        _pass(10);
        uint256 most = uint256(_equity(alice) - 88_000e18) / 1e12;
        vm.expectRevert(
            abi.encodeWithSelector(
                IPerpsEvents.MarginTooLow.selector,
                _equity(alice) - int256(most + 1) * 1e12,
                uint256(88_000e18)
            )
        );
        _withdraw(ALICE, most + 1);
        _withdraw(ALICE, most);
        _expectNotLiquidatable(alice);
        _liquidate(alice);
        _index(2_200e18 * 93 / 100); // 7% below it still is not
        _expectNotLiquidatable(alice);
        _liquidate(alice);
    }

    function test_a_transfer_to_another_account_leaves_as_much() public {
        _trade(ALICE, CAROL, TICK, 400_000);
        uint256 most = uint256(_equity(alice) - 80_000e18) / 1e12;
        vm.expectRevert();
        vm.prank(ALICE);
        perps.transfer(address(usdc), BOB, most + 1);
        vm.prank(ALICE);
        perps.transfer(address(usdc), BOB, most);
        _expectNotLiquidatable(alice);
        _liquidate(alice);
    }

    /// Lower leverage asks for more margin, never for less, and so frees nothing.
    function test_leverage_frees_no_more_than_a_tenth() public {
        _trade(ALICE, CAROL, TICK, 400_000);
        vm.prank(ALICE);
        perps.setLeverage(market, 20);
        uint256 most = uint256(_equity(alice) - 80_000e18) / 1e12;
        vm.expectRevert();
        _withdraw(ALICE, most + 1);
    }
}
