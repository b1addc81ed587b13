// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {NO_LOTS, Lots} from "./ValueTypes.sol";

/// Applies fills to perpetual positions and computes their value: the formulas of Perps.sol,
/// sections 4 to 7. Nothing here writes storage.
///
/// Nothing here can overflow, hence the unchecked blocks: lots stay below 2^63 (Perps.LOTS_MAX), a
/// lot's price and one tick's part of it below 2^160 (PerpsState.INDEX_MAX, Perps.LOT_TICK_MAX),
/// and quote and funding index are int128. Values bound for storage go through toInt128, which
/// reverts with Overflow.
library Positions {
    /// Two slots. `quote` is minus the cost of `lots`, 18 decimals; `fundingIndex` is 0 without
    /// lots.
    struct Position {
        int64 lots;
        int128 quote;
        uint16 leverage; // the account's own; 0 is the market's maximum
        uint40 frozenUntil; // no fill but by force up to and in this second: it is to pay a loss
        int128 fundingIndex;
        Lots bidLots; // resting orders
        Lots askLots;
    }

    uint256 internal constant FEE_UNIT = 1e6;

    error Overflow(int256 value);

    /// Buys `bought` lots (sells when negative) at `unit` of quote each. Pays the funding due up to
    /// `fundingIndex` first. Returns the change of collateral: realised profit minus the funding.
    function fill(Position memory position, int256 bought, int256 unit, int256 fundingIndex)
        internal
        pure
        returns (int256 cash)
    {
        unchecked {
            int256 lots = position.lots;
            int256 quote = position.quote;
            int256 closing;
            cash = -fundingDue(position, fundingIndex);
            if (lots != 0 && (lots > 0) != (bought > 0)) {
                int256 closedQuote = quote;
                closing = -lots;
                if (abs(bought) < abs(lots)) {
                    closing = bought;
                    // `/` truncates towards zero.
                    closedQuote = quote * int256(abs(bought)) / int256(abs(lots));
                }
                cash += closedQuote - closing * unit;
                quote -= closedQuote;
            }
            position.lots = int64(lots + bought);
            position.quote = toInt128(quote - (bought - closing) * unit);
            position.fundingIndex = position.lots == 0 ? int128(0) : toInt128(fundingIndex);
        }
    }

    /// The funding that the position owes up to `fundingIndex`, 18 decimals; negative when it
    /// receives.
    function fundingDue(Position memory position, int256 fundingIndex)
        internal
        pure
        returns (int256)
    {
        unchecked {
            return int256(position.lots) * (fundingIndex - position.fundingIndex);
        }
    }

    /// The position's part of its account's equity, 18 decimals.
    function equity(Position memory position, uint256 markPerLot, int256 fundingIndex)
        internal
        pure
        returns (int256)
    {
        unchecked {
            return position.quote + int256(position.lots) * int256(markPerLot)
                - fundingDue(position, fundingIndex);
        }
    }

    /// The largest size in lots that the position can reach if all resting orders of one side fill.
    function exposure(Position memory position) internal pure returns (uint256) {
        unchecked {
            uint256 bought =
                abs(int256(position.lots) + int256(uint256(Lots.unwrap(position.bidLots))));
            uint256 sold =
                abs(int256(position.lots) - int256(uint256(Lots.unwrap(position.askLots))));
            return bought > sold ? bought : sold;
        }
    }

    /// The lots that an order on the given side could close.
    function closable(Position memory position, bool buy) internal pure returns (Lots) {
        int64 lots = position.lots;
        if (buy == (lots < 0)) return Lots.wrap(uint64(abs(lots)));
        return NO_LOTS;
    }

    function long(Position memory position) internal pure returns (int256) {
        return position.lots > 0 ? position.lots : int256(0);
    }

    /// Returns whether the position has been nominated to pay for a loss.
    function isFrozen(Position memory position) internal view returns (bool) {
        return block.timestamp <= position.frozenUntil;
    }

    function isEmpty(Position memory position) internal pure returns (bool) {
        return position.lots == 0 && position.bidLots == NO_LOTS && position.askLots == NO_LOTS;
    }

    /// The fee on `value` at `rate` millionths, rounded up against the payer; a rebate is rounded
    /// down.
    function feeUp(uint256 value, int256 rate) internal pure returns (int256) {
        unchecked {
            if (rate >= 0) return int256(divUp(value * uint256(rate), FEE_UNIT));
            return -int256(value * uint256(-rate) / FEE_UNIT);
        }
    }

    function divUp(uint256 a, uint256 b) internal pure returns (uint256) {
        unchecked {
            return a == 0 ? 0 : (a - 1) / b + 1;
        }
    }

    /// a / b, rounded up: towards zero when `a` is negative.
    function ceilDiv(int256 a, uint256 b) internal pure returns (int256) {
        return a > 0 ? int256(divUp(uint256(a), b)) : a / int256(b);
    }

    function abs(int256 x) internal pure returns (uint256) {
        unchecked {
            return x < 0 ? uint256(-x) : uint256(x);
        }
    }

    function toInt128(int256 x) internal pure returns (int128 y) {
        y = int128(x);
        require(y == x, Overflow(x));
    }
}
