// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OrderRequest} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// A market whose price step did not fit its asset was listed anyway. A price that rose past the
/// last tick, or fell below the first, left positions that could not be closed on the book.
contract PricesBeyondTheTicksTest is LiquidationSetup {
    bytes32 private constant ASSET = "SOL";

    function test_an_index_of_less_than_a_hundred_ticks_is_not_listed() public {
        _indexOne(ASSET, 0.9999e18);
        _expectRefusal(99);
        _list();
        _indexOne(ASSET, 1e18);
        _list();
    }

    function test_an_index_above_a_sixteenth_of_the_ticks_is_not_listed() public {
        _indexOne(ASSET, 10_485.76e18);
        _expectRefusal(1_048_576);
        _list();
        _indexOne(ASSET, 10_485.75e18);
        _list();
    }

    function test_a_market_still_trades_when_its_price_has_moved_to_either_end() public {
        _indexOne(ASSET, 1e18);
        market = _list();
        _indexOne(ASSET, 0.01e18);
        _trade(ALICE, BOB, 1, 1e6);
        _indexOne(ASSET, 10_485.75e18);
        uint32 high = _list();
        _indexOne(ASSET, 16 * 10_485.75e18);
        market = high;
        (address buyer, address seller) = (address(0xB1), address(0xB2));
        _fund(buyer);
        _fund(seller);
        _trade(buyer, seller, 16 * 1_048_575, 1);
    }

    /// The step was chosen before there was a price: then the first one decides, before which no
    /// trade is possible.
    function test_a_market_of_an_asset_without_a_price_does_not_open_at_one_that_does_not_fit()
        public
    {
        market = _list();
        _indexOne(ASSET, 0.5e18);
        OrderRequest memory request = _gtc(true, 50, 1e6);
        _expectPlaceReverts(ALICE, request, _refusal(50));
        vm.expectRevert(_refusal(50));
        perps.poke(market);
        vm.expectRevert(_refusal(50));
        perps.settleHours(market);
    }

    function _list() private returns (uint32) {
        vm.prank(OWNER);
        return perps.list("SOL-PERP", ASSET, 1e16, 1e15, IMPACT_VALUE, _parameters());
    }

    function _expectRefusal(uint256 tick) private {
        vm.expectRevert(_refusal(tick));
    }

    function _refusal(uint256 tick) private pure returns (bytes memory) {
        return abi.encodeWithSelector(
            IPerpsEvents.FirstIndexOutOfRange.selector, tick, uint256(100), uint256(1_048_575)
        );
    }
}
