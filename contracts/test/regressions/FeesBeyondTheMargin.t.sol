// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {PerpsSetup} from "../perps/PerpsSetup.sol";

/// A fee of 1% in a market of leverage 50 is half of the initial margin and all of the maintenance
/// margin: no account below it could be closed on the book, and all went to insurance.
contract FeesBeyondTheMarginTest is PerpsSetup {
    function test_a_fee_and_a_leverage_that_do_not_fit_each_other_are_refused() public {
        int32[3] memory fees = [int32(10_000), 5_000, 10_000];
        uint16[3] memory leverages = [uint16(25), 50, 20];
        for (uint256 i = 0; i < 3; i++) {
            _change(_with(fees[i], leverages[i]));
        }
        _expectRefusal(10_000, 26, 260_000);
        _expectRefusal(9_616, 26, 250_016);
        _expectRefusal(5_001, 50, 250_050);
    }

    function test_a_market_is_not_listed_with_them() public {
        vm.expectRevert(_reason(500_000));
        vm.prank(OWNER);
        perps.list("SOL-PERP", "SOL", 1e16, 1e15, IMPACT_VALUE, _with(10_000, 50));
    }

    function testFuzz_a_taker_pays_no_more_than_a_quarter_of_the_initial_margin(
        uint256 fee,
        uint256 leverage
    ) public {
        (fee, leverage) = (bound(fee, 0, 10_000), bound(leverage, 1, 50));
        if (fee * leverage > 250_000) vm.expectRevert(_reason(fee * leverage));
        _change(_with(int32(int256(fee)), uint16(leverage)));
    }

    function _expectRefusal(int32 fee, uint16 leverage, uint256 product) private {
        vm.expectRevert(_reason(product));
        _change(_with(fee, leverage));
    }

    function _reason(uint256 product) private pure returns (bytes memory) {
        return abi.encodeWithSelector(
            IPerpsEvents.FeeTooHighForLeverage.selector, product, uint256(250_000)
        );
    }

    function _with(int32 fee, uint16 leverage)
        private
        pure
        returns (PerpParameters memory parameters)
    {
        parameters = _parameters();
        (parameters.makerFee, parameters.takerFee, parameters.maxLeverage) = (0, fee, leverage);
    }
}
