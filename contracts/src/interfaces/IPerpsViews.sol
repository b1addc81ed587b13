// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../Funding.sol";
import {PerpsState} from "../PerpsState.sol";
import {Positions} from "../Positions.sol";

/// What lenses and tests read of the perpetual engine. Values have 18 decimals.
interface IPerpsViews {
    /// Equity and margins over all markets of the account, at this moment's prices.
    function healthOf(uint40 account) external view returns (PerpsState.Health memory);

    function holdingOf(uint40 account) external view returns (PerpsState.Holding memory);

    function positionOf(uint32 market, uint40 account) external view returns (Positions.Position memory);

    /// The lots of the account's resting reduce-only orders, which are part of its resting lots.
    function reduceOnlyOf(uint32 market, uint40 account) external view returns (PerpsState.ReduceOnly memory);

    /// Index, mark and funding index at this moment.
    function quoteOf(uint32 market) external view returns (PerpsState.Quote memory);

    /// Funding as it was settled last, and what has been sampled since.
    function fundingOf(uint32 market) external view returns (Funding.Carry memory, Funding.Activity memory);
}
