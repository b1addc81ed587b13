// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Decimals} from "./Decimals.sol";
import {Engine} from "./Engine.sol";
import {Ticks} from "./Ticks.sol";
import {AccountId} from "./ValueTypes.sol";
import {IMarkets} from "./interfaces/IMarkets.sol";

/// Holds the storage of order entry (the books, and the salts that accounts have spent) and opens a
/// book in it. An engine that consists of two contracts has this storage in both, at the same
/// slots.
abstract contract Books is Engine {
    uint32 public marketCount;
    mapping(uint32 market => Book.Market) internal _markets;
    /// Bit `salt & 255` of word `salt >> 8` is 1 once the salt is spent or burnt.
    mapping(AccountId account => mapping(uint256 word => uint256)) internal _salts;
    /// Keyed by the digest of a CancelAll: the first order number that it does not cover; 0 until
    /// it is used.
    mapping(bytes32 digest => uint40) internal _cuts;

    /// Opens the book of the next market; the engine sets its tokens and bounds in the same call.
    /// Reverts unless one lot at one tick is a whole number of quote raw.
    function _listBook(uint256 priceStep, uint256 amountStep, uint8 baseDecimals)
        internal
        returns (uint32 market)
    {
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

    /// Sets the bounds of an order's value in quote raw. Each has about nine digits at most before
    /// its trailing zeros (see Decimals).
    function _setBounds(uint32 market, uint256 minimum, uint256 maximum) internal {
        require(
            minimum <= maximum && maximum <= type(uint96).max,
            IMarkets.OrderValueBoundsUnfit(minimum, maximum)
        );
        Book.State storage state = _markets[market].state;
        (state.minOrderFloat, state.maxOrderFloat) =
        (Decimals.pack(minimum), Decimals.pack(maximum));
    }

    function _listed(uint32 number) internal view returns (Book.Market storage market) {
        market = _markets[number];
        require(market.units.amountStep != 0, IMarkets.MarketUnknown(number));
    }

    /// The price of one tick in price raw; exact, since listing requires it. 18 decimals and 64
    /// bits multiply to at most 124 bits.
    function _priceStep(Book.Units memory units) internal pure returns (uint256) {
        unchecked {
            return uint256(units.quotePerLotTick) * 10 ** units.baseDecimals / units.amountStep;
        }
    }
}
