// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Funding rates, premiums and the mark's basis. Pure: the formulas of Perps.sol, sections 2, 3 and 6.
library Funding {
    /// One slot, read by every health pass that meets the market, which is why two limits are here.
    struct Carry {
        int128 cumulative; // quote raw per lot, at `time`
        int64 perSecond;
        uint32 time; // the last full hour that was settled
        uint16 maxLeverage;
        uint16 indexAgeMax; // seconds
    }

    /// Two slots, touched by pokes, settlements and (the first) fills.
    struct Activity {
        uint64 openInterest; // lots
        uint128 impactValue; // quote raw
        uint40 pokedAt;
        uint16 sampledSeconds; // of the running hour
        int64 rate; // of the running hour
        int72 premiumSum; // of the running hour's samples, each times its seconds
        uint120 hourMark; // at which the running hour accrues
    }

    int256 internal constant E18 = 1e18;
    uint256 internal constant HOUR = 3600;
    int256 private constant INTEREST = 0.0000125e18; // 0.00125% an hour
    int256 private constant DAMPING_MAX = 0.0000625e18;
    int256 private constant RATE_MAX = 0.005e18;
    int256 private constant PREMIUM_MAX = 0.01e18;
    int256 private constant BASIS_MAX = 0.005e18; // 0.5% of the index
    int256 private constant BASIS_STEP_MAX = 0.0005e18; // what one sample may move: a tenth of that
    int256 private constant BASIS_SECONDS = 150; // a sample of so many moves the basis half way
    int256 internal constant BASIS_UNIT = 1e9; // of a basis as it is stored, in 18 decimals
    uint256 private constant WEIGHT_MAX = 120; // seconds: who comes late knows no more of the time before

    /// The rate of the hour that follows one with these premiums, each times its seconds; what was not
    /// sampled counts as none. 0 without a sampled second.
    function rateOf(int256 premiumSum, uint256 sampledSeconds) internal pure returns (int256) {
        if (sampledSeconds == 0) return 0;
        int256 part = premiumSum / int256(HOUR) / 8;
        return clamp(part + clamp(INTEREST - part, DAMPING_MAX), RATE_MAX);
    }

    /// What a lot pays each second at `rate` per hour.
    function perSecondOf(int256 rate, uint256 markPerLot) internal pure returns (int64) {
        int256 value = rate * int256(markPerLot) / (int256(HOUR) * E18);
        return int64(clamp(value, type(int64).max));
    }

    /// The funding index now. After its hour it stands still until it is settled.
    function indexOf(Carry memory carry) internal view returns (int256) {
        unchecked {
            uint256 elapsed = block.timestamp - carry.time;
            return carry.cumulative + carry.perSecond * int256(elapsed < HOUR ? elapsed : HOUR);
        }
    }

    function hourHasEnded(Carry memory carry) internal view returns (bool) {
        return block.timestamp >= carry.time + HOUR;
    }

    /// `basis` as it is stored, within its bound.
    function markOf(uint256 index, int256 basis) internal pure returns (uint256) {
        unchecked {
            return uint256(int256(index) + int256(index) * basis * BASIS_UNIT / E18);
        }
    }

    /// How far `price` is from `index`, as a rate.
    function distanceOf(uint256 price, uint256 index) internal pure returns (int256) {
        return (int256(price) - int256(index)) * E18 / int256(index);
    }

    /// What two witnesses agree on: the one that is nearer to `basis`, or `basis` when it lies between
    /// them. So who deceives one of them moves nothing.
    function agreed(int256 basis, int256 first, int256 second) internal pure returns (int256) {
        (int256 low, int256 high) = first < second ? (first, second) : (second, first);
        if (low > basis) return low;
        return high < basis ? high : basis;
    }

    function premiumOf(int256 sample) internal pure returns (int256) {
        return clamp(sample, PREMIUM_MAX);
    }

    /// The seconds that a sample stands for, `elapsed` after the one before.
    function weightOf(uint256 elapsed) internal pure returns (uint256) {
        return elapsed < WEIGHT_MAX ? elapsed : WEIGHT_MAX;
    }

    /// The basis as it is stored, after a sample that stands for `weight` seconds.
    function basisOf(int256 basis, int256 sample, uint256 weight) internal pure returns (int32) {
        int256 before = basis * BASIS_UNIT;
        int256 step = (clamp(sample, BASIS_MAX) - before) * int256(weight) / (int256(weight) + BASIS_SECONDS);
        return int32((before + clamp(step, BASIS_STEP_MAX)) / BASIS_UNIT);
    }

    function clamp(int256 x, int256 limit) internal pure returns (int256) {
        return x > limit ? limit : x < -limit ? -limit : x;
    }
}
