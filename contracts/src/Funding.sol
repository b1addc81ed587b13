// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Computes funding rates, premiums and the mark's basis: the formulas of Perps.sol, sections 2, 3
/// and 6. Nothing here writes storage.
library Funding {
    /// One slot. The health of an account reads it for each of its markets, so two limits are
    /// stored here.
    struct Carry {
        int128 cumulative; // quote raw per lot, at `time`
        int64 perSecond;
        uint32 time; // the last full hour that was settled, at first that of the start; 0 before
        uint8 maxLeverage;
        bool ended; // nothing accrues or trades any more, permanently
        uint16 indexAgeMax; // seconds
    }

    /// Two slots. Pokes and settlements write them, and fills the first.
    struct Activity {
        uint64 openInterest; // lots
        uint128 impactValue; // quote raw
        uint40 pokedAt;
        uint16 sampledSeconds; // of the running hour
        int64 rate; // of the running hour
        int72 premiumSum; // sum over the running hour of sample times its seconds
        uint120 hourMark; // mark at which the running hour accrues
    }

    int256 internal constant E18 = 1e18;
    uint256 internal constant HOUR = 3600;
    uint256 internal constant POKE_SECONDS = 60; // between two pokes
    int256 private constant INTEREST = 0.0000125e18; // 0.00125% an hour
    int256 private constant DAMPING_MAX = 0.0000625e18;
    int256 private constant RATE_MAX = 0.005e18;
    int256 private constant PREMIUM_MAX = 0.01e18;
    int256 private constant BASIS_MAX = 0.005e18; // 0.5% of the index
    // A sample moves it by a tenth of that at most.
    int256 private constant BASIS_STEP_MAX = 0.0005e18;
    int256 private constant BASIS_SECONDS = 150; // a sample of this weight moves the basis halfway
    int256 internal constant BASIS_UNIT = 1e9; // unit of a stored basis, in 18 decimals
    // Seconds. A late sample is not evidence for all of the time before it.
    uint256 private constant WEIGHT_MAX = 120;

    /// The rate of the next hour, 18 decimals, from the sum of this hour's premiums times their
    /// seconds. Seconds without a sample count as a premium of 0. Returns 0 when no second was
    /// sampled.
    function rateOf(int256 premiumSum, uint256 sampledSeconds) internal pure returns (int256) {
        if (sampledSeconds == 0) return 0;
        int256 part = premiumSum / int256(HOUR) / 8;
        return clamp(part + clamp(INTEREST - part, DAMPING_MAX), RATE_MAX);
    }

    /// The funding of a lot per second, in quote raw, at `rate` per hour; cut towards zero.
    function perSecondOf(int256 rate, uint256 markPerLot) internal pure returns (int64) {
        int256 value = rate * int256(markPerLot) / (int256(HOUR) * E18);
        return int64(clamp(value, type(int64).max));
    }

    /// The current funding index, in quote raw per lot. After the end of its hour it stays constant
    /// until the hour is settled.
    function indexOf(Carry memory carry) internal view returns (int256) {
        unchecked {
            uint256 elapsed = block.timestamp - carry.time;
            return carry.cumulative + carry.perSecond * int256(elapsed < HOUR ? elapsed : HOUR);
        }
    }

    /// Returns whether an ended hour is unsettled.
    function hourHasEnded(Carry storage carry) internal view returns (bool) {
        return isOver(carry.time) && !carry.ended;
    }

    /// Returns whether the hour that began at `time` is over.
    function isOver(uint256 time) internal view returns (bool) {
        return block.timestamp >= time + HOUR;
    }

    /// The mark: `index` moved by `basis`, which is in stored units and within its bound.
    function markOf(uint256 index, int256 basis) internal pure returns (uint256) {
        unchecked {
            return uint256(int256(index) + int256(index) * basis * BASIS_UNIT / E18);
        }
    }

    /// The distance of `price` from `index` as a rate, 18 decimals, cut towards zero.
    function distanceOf(uint256 price, uint256 index) internal pure returns (int256) {
        return (int256(price) - int256(index)) * E18 / int256(index);
    }

    /// The value that two measures agree on: the one nearer to `basis`, or `basis` itself if it
    /// lies between them. Manipulating only one of them therefore has no effect.
    function agreed(int256 basis, int256 first, int256 second) internal pure returns (int256) {
        (int256 low, int256 high) = first < second ? (first, second) : (second, first);
        if (low > basis) return low;
        return high < basis ? high : basis;
    }

    function premiumOf(int256 sample) internal pure returns (int256) {
        return clamp(sample, PREMIUM_MAX);
    }

    /// The seconds that a sample counts for when it comes `elapsed` after the previous one.
    function weightOf(uint256 elapsed) internal pure returns (uint256) {
        return elapsed < WEIGHT_MAX ? elapsed : WEIGHT_MAX;
    }

    /// The next basis, in stored units, after a sample that counts for `weight` seconds.
    function basisOf(int256 basis, int256 sample, uint256 weight) internal pure returns (int32) {
        int256 before = basis * BASIS_UNIT;
        int256 step = (clamp(sample, BASIS_MAX) - before) * int256(weight)
            / (int256(weight) + BASIS_SECONDS);
        return int32((before + clamp(step, BASIS_STEP_MAX)) / BASIS_UNIT);
    }

    function clamp(int256 x, int256 limit) internal pure returns (int256) {
        return x > limit ? limit : x < -limit ? -limit : x;
    }
}
