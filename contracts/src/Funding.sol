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
        uint64 impactLots;
        uint40 pokedAt;
        uint16 samples;
        int64 rate; // of the running hour
        int96 premiumSum; // of the running hour's samples
        uint128 hourMark; // at which the running hour accrues
    }

    int256 internal constant E18 = 1e18;
    uint256 internal constant HOUR = 3600;
    int256 private constant INTEREST = 0.0000125e18; // 0.00125% an hour
    int256 private constant DAMPING_MAX = 0.0000625e18;
    int256 private constant RATE_MAX = 0.005e18;
    int256 private constant PREMIUM_MAX = 0.01e18;
    int256 private constant BASIS_DIVISOR = 200; // 0.5% of the index
    int256 private constant EMA_SECONDS = 150;

    /// The rate of the hour that follows one with these premium samples; 0 without samples.
    function rateOf(int256 premiumSum, uint256 samples) internal pure returns (int256) {
        if (samples == 0) return 0;
        int256 part = premiumSum / int256(samples) / 8;
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

    function markOf(uint256 index, int256 basis) internal pure returns (uint256) {
        unchecked {
            return uint256(int256(index) + clamp(basis, int256(index) / BASIS_DIVISOR));
        }
    }

    /// How far `mid` is from `index`, as a rate.
    function premiumOf(uint256 mid, uint256 index) internal pure returns (int256) {
        return clamp((int256(mid) - int256(index)) * E18 / int256(index), PREMIUM_MAX);
    }

    /// The basis after a sample `x` of mid - index, `elapsed` seconds after the one before.
    function basisOf(int256 basis, int256 x, uint256 elapsed, uint256 index) internal pure returns (int256) {
        int256 dt = int256(elapsed);
        return clamp(basis + (x - basis) * dt / (dt + EMA_SECONDS), int256(index) / BASIS_DIVISOR);
    }

    function clamp(int256 x, int256 limit) internal pure returns (int256) {
        return x > limit ? limit : x < -limit ? -limit : x;
    }
}
