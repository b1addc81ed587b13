// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook} from "./IBook.sol";
import {ILedger} from "./ILedger.sol";

/// Limits and fees of a perpetual market. Values are quote raw, 18 decimals.
struct PerpParameters {
    uint128 minOrderValue;
    uint128 maxOrderValue;
    uint128 maxNotionalValue; // of an account's position
    uint64 maxOpenInterest; // lots
    uint16 maxLeverage; // whole number
    int32 makerFee; // millionths of the notional
    int32 takerFee;
}

/// Perpetual order books with cross margin in one collateral token, scaled to 18 decimals.
interface IPerps is IBook, ILedger {
    event Listed(
        uint32 indexed market,
        bytes32 name,
        bytes32 asset,
        address collateral,
        uint256 priceStep,
        uint256 amountStep,
        PerpParameters parameters
    );
    event Changed(uint32 indexed market, PerpParameters parameters);
    /// Fees are quote raw, rounded up against the payer; negative is a rebate.
    event Filled(
        uint32 indexed market,
        uint40 maker,
        uint40 makerOrder,
        uint40 taker,
        uint40 takerOrder,
        uint24 tick,
        uint64 lots,
        int128 makerFee,
        int128 takerFee
    );
    /// 0 stands for the market's maximum.
    event LeverageSet(uint32 indexed market, uint40 indexed account, uint16 leverage);
    /// A poke. Mark = index + basis until the next one; premium is this sample, 18 decimals.
    event Marked(uint32 indexed market, uint256 mark, int256 basis, int256 premium);
    /// An hour that ended at `time` and accrued `rate` (per hour, 18 decimals) at price `mark`.
    /// From `time` on the funding index is cumulative + nextPerSecond * (t - time), quote raw per lot.
    event FundingSettled(
        uint32 indexed market,
        uint40 time,
        int256 rate,
        uint256 mark,
        int256 cumulative,
        int256 nextRate,
        int256 nextPerSecond
    );
    event ImpactLotsSet(uint32 indexed market, uint64 lots);
    event IndexAgeMaxSet(uint32 indexed market, uint16 ageSeconds);

    error MarginTooLow(int256 equity, uint256 required);
    error OpenInterestAboveMaximum(uint256 lots, uint256 maximum);
    error NotionalAboveMaximum(uint256 notional, uint256 maximum);
    error ReduceOnlyWouldGrow(int64 position);
    error IndexStale(bytes32 asset, uint256 time);
    error LeverageOutOfRange(uint16 leverage, uint16 maximum);
    error PokeTooSoon(uint256 nextTime);
    error TooManyMarkets();
    error AssetTooLong(bytes32 asset);
    error FeesOutOfRange(int32 makerFee, int32 takerFee);
    error LimitOutOfRange(uint256 limit, uint256 maximum);

    /// Lists a market. `asset` is its name at the oracle, at most 12 bytes. priceStep * amountStep must
    /// be a multiple of 1e18. A best level counts towards the mark when it holds `impactLots`. Only the
    /// owner; at most 64 markets.
    function list(
        bytes32 name,
        bytes32 asset,
        uint256 priceStep,
        uint256 amountStep,
        uint64 impactLots,
        PerpParameters calldata parameters
    ) external returns (uint32 market);

    /// Changes limits and fees. A lower maximum leverage raises the margins of open positions at once.
    /// Only the owner.
    function change(uint32 market, PerpParameters calldata parameters) external;

    /// Only the owner.
    function setImpactLots(uint32 market, uint64 lots) external;

    /// Sets the age in seconds beyond which the market's index is stale: 60 at first, from 10 to 43,200.
    /// On a stale index only reduce-only orders are taken. Only the owner.
    function setIndexAgeMax(uint32 market, uint16 ageSeconds) external;

    /// Sets the leverage that the initial margin of the caller's account assumes in `market`; 0 stands
    /// for the market's maximum. Lowering it needs the higher initial margin.
    function setLeverage(uint32 market, uint16 leverage) external;

    /// Samples the premium, moves the mark's basis and settles every hour that has ended.
    /// Anyone, at most once per 60 seconds and market. Without a fresh index it only settles hours.
    function poke(uint32 market) external;
}
