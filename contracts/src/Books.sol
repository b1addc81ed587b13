// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Decimals} from "./Decimals.sol";
import {Engine} from "./Engine.sol";
import {Ticks} from "./Ticks.sol";
import {IMarkets} from "./interfaces/IMarkets.sol";

/// The books of an engine and the salts its accounts have spent: the storage of order entry, and how
/// a market is opened in it. An engine in two contracts has this in both, at the same slots.
abstract contract Books is Engine {
    uint32 public marketCount;
    mapping(uint32 market => Book.Market) internal _markets;
    /// Bit `salt & 255` of word `salt >> 8` is set once the salt is spent or burnt.
    mapping(uint40 account => mapping(uint256 word => uint256)) internal _salts;
    /// By the digest of a CancelAll: the first order number that it does not cover. 0 before its use.
    mapping(bytes32 digest => uint40) internal _cuts;

    /// Opens the book of the next market. Requires an exact quote amount for one lot at one tick.
    /// The engine sets its tokens and bounds in the same call.
    function _listBook(uint256 priceStep, uint256 amountStep, uint8 baseDecimals) internal returns (uint32 market) {
        uint256 product = priceStep * amountStep;
        uint256 baseUnit = 10 ** baseDecimals;
        uint256 quotePerLotTick = product / baseUnit;
        require(
            product != 0 && product % baseUnit == 0 && quotePerLotTick <= type(uint64).max
                && amountStep <= type(uint96).max,
            IMarkets.StepsIndivisible(priceStep, amountStep)
        );
        market = ++marketCount;
        Book.State storage state = _markets[market].state;
        (state.nextOrder, state.bestBid, state.bestAsk) = (1, Ticks.NONE_BELOW, Ticks.NONE_ABOVE);
        Book.Units storage units = _markets[market].units;
        (units.quotePerLotTick, units.amountStep) = (uint64(quotePerLotTick), uint96(amountStep));
        units.baseDecimals = baseDecimals;
    }

    /// Both have at most some nine digits before their zeros: see Decimals.
    function _setBounds(uint32 market, uint256 minimum, uint256 maximum) internal {
        require(minimum <= maximum && maximum <= type(uint96).max, IMarkets.OrderValueBoundsUnfit(minimum, maximum));
        Book.State storage state = _markets[market].state;
        (state.minOrderFloat, state.maxOrderFloat) = (Decimals.pack(minimum), Decimals.pack(maximum));
    }

    function _listed(uint32 number) internal view returns (Book.Market storage market) {
        market = _markets[number];
        require(market.units.amountStep != 0, IMarkets.MarketUnknown(number));
    }

    /// Price raw of one tick; exact, since listing requires it. At most 18 decimals and 64 bits multiply
    /// within 124.
    function _priceStep(Book.Units memory units) internal pure returns (uint256) {
        unchecked {
            return uint256(units.quotePerLotTick) * 10 ** units.baseDecimals / units.amountStep;
        }
    }
}
