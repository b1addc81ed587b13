// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibBit} from "solady/utils/LibBit.sol";
import {Funding} from "./Funding.sol";
import {Positions} from "./Positions.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {IPerps} from "./interfaces/IPerps.sol";

/// What Perps and PerpsDesk share: the storage, and how prices and margins are read from it.
/// Both inherit it first of all, so that its variables have the same slots in both.
abstract contract PerpsState {
    using Funding for Funding.Carry;
    using Positions for Positions.Position;

    /// One slot. Liquidation will keep the time of an account's last partial one in the free bits.
    struct Holding {
        int128 collateral;
        uint64 markets; // bit n - 1: market n has a position or orders of the account
    }

    /// One slot, read by every health pass that meets the market.
    struct Pricing {
        bytes12 asset;
        uint64 amountStep; // the book's, again
        int96 basis;
    }

    /// One slot.
    struct Limits {
        uint96 maxNotionalValue;
        uint64 maxOpenInterest;
        int32 makerFee;
        int32 takerFee;
    }

    /// Resting reduce-only lots, which are part of a position's bidLots and askLots.
    struct ReduceOnly {
        uint64 bidLots;
        uint64 askLots;
    }

    /// A market's prices at this moment.
    struct Quote {
        bytes32 asset;
        uint256 index;
        uint256 indexTime;
        uint256 mark;
        uint256 markPerLot;
        int256 fundingIndex;
        uint256 maxLeverage;
        bool stale; // the index is too old for risk to grow on it
    }

    /// What an account is worth and must be worth, 18 decimals.
    struct Health {
        int256 equity;
        uint256 initialMargin;
        uint256 maintenanceMargin;
        uint256 notional; // of its positions
        bytes32 staleAsset; // of a position, with the time of its index; 0 when all are fresh
        uint256 staleTime;
    }

    uint256 internal constant INDEX_MAX = type(uint96).max;
    uint256 internal constant LOTS_MAX = 1 << 62; // an exposure; its double still fits a position

    IOracle public immutable oracle;

    mapping(uint40 account => Holding) internal _holdings;
    mapping(uint32 market => mapping(uint40 account => Positions.Position)) internal _positions;
    mapping(uint32 market => mapping(uint40 account => ReduceOnly)) internal _reduceOnly;
    mapping(uint32 market => Pricing) internal _pricing;
    mapping(uint32 market => Limits) internal _limits;
    mapping(uint32 market => Funding.Carry) internal _carries;
    mapping(uint32 market => Funding.Activity) internal _activities;

    constructor(IOracle oracle_) {
        oracle = oracle_;
    }

    /* PRICES */

    function _quoteOf(uint32 market) internal view returns (Quote memory quote) {
        Pricing storage pricing = _pricing[market];
        Funding.Carry memory carry = _carries[market];
        quote.asset = pricing.asset;
        (quote.index, quote.indexTime) = oracle.read(quote.asset);
        require(quote.index <= INDEX_MAX, IOracle.PriceTooHigh(quote.asset, quote.index));
        quote.mark = Funding.markOf(quote.index, pricing.basis);
        unchecked {
            quote.markPerLot = quote.mark * pricing.amountStep / 1e18;
        }
        quote.fundingIndex = carry.indexOf();
        quote.maxLeverage = carry.maxLeverage;
        quote.stale = quote.indexTime + carry.indexAgeMax < block.timestamp;
    }

    /* MARGIN */

    /// The health of `account` with `holding`, taking `position` for the one in market `here`, which
    /// storage may not know yet. `here` 0: all from storage.
    function _health(
        uint40 account,
        Holding memory holding,
        uint32 here,
        Positions.Position memory position,
        Quote memory quote
    ) internal view returns (Health memory health) {
        health.equity = holding.collateral;
        uint256 markets = holding.markets;
        if (here != 0) {
            _add(health, position, quote);
            markets &= ~uint256(_bit(here));
        }
        while (markets != 0) {
            uint32 market = uint32(LibBit.ffs(markets)) + 1;
            markets &= markets - 1;
            _add(health, _positions[market][account], _quoteOf(market));
        }
    }

    function _add(Health memory health, Positions.Position memory position, Quote memory quote) private pure {
        uint256 lots = Positions.abs(position.lots);
        uint256 leverage = _leverageOf(position.leverage, quote.maxLeverage);
        // At most 64 markets, each within the bounds that Positions states.
        unchecked {
            health.initialMargin += Positions.divUp(position.exposure() * quote.markPerLot, leverage);
            if (lots == 0) return;
            health.equity += position.equity(quote.markPerLot, quote.fundingIndex);
            health.maintenanceMargin += Positions.divUp(lots * quote.markPerLot, 2 * quote.maxLeverage);
            health.notional += lots * quote.markPerLot;
        }
        if (quote.stale) (health.staleAsset, health.staleTime) = (quote.asset, quote.indexTime);
    }

    function _leverageOf(uint256 leverage, uint256 maximum) internal pure returns (uint256) {
        return leverage == 0 || leverage > maximum ? maximum : leverage;
    }

    function _requireFresh(Health memory health) internal pure {
        require(health.staleAsset == 0, IPerps.IndexStale(health.staleAsset, health.staleTime));
    }

    function _requireMargin(int256 equity, uint256 required) internal pure {
        require(equity >= int256(required), IPerps.MarginTooLow(equity, required));
    }

    function _bit(uint32 market) internal pure returns (uint64) {
        return uint64(1) << (market - 1);
    }
}
