// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../Funding.sol";
import {PerpsState} from "../PerpsState.sol";
import {Positions} from "../Positions.sol";

/// Views of the perpetual engine for lenses and tests. Values have 18 decimals.
interface IPerpsViews {
    /// Equity and margins over all markets of the account at the current prices.
    function healthOf(uint40 account) external view returns (PerpsState.Health memory);

    function holdingOf(uint40 account) external view returns (PerpsState.Holding memory);

    function positionOf(uint32 market, uint40 account)
        external
        view
        returns (Positions.Position memory);

    /// The lots of the account's resting reduce-only orders, which are part of its resting lots.
    function reduceOnlyOf(uint32 market, uint40 account)
        external
        view
        returns (PerpsState.ReduceOnly memory);

    /// The current index, mark and funding index.
    function quoteOf(uint32 market) external view returns (PerpsState.Quote memory);

    /// Funding as last settled, and the samples since. Without a settled hour, the start of the
    /// clock: the hour of the listing or, if that came first, of the asset's first price; 0 until
    /// then.
    function fundingOf(uint32 market)
        external
        view
        returns (Funding.Carry memory, Funding.Activity memory);
}
