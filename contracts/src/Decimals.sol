// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Packs amounts into 40 bits: a mantissa of 32 bits, then a power of ten in 8. Never rounds: an
/// amount with more digits than the mantissa holds is rejected.
library Decimals {
    uint256 private constant MANTISSA_MAX = type(uint32).max;

    /// `nearest` is the largest smaller amount that fits.
    error TooManyDigits(uint256 amount, uint256 nearest);

    /// Packs `amount`, of at most 128 bits; equal amounts pack alike. Reverts with TooManyDigits.
    function pack(uint256 amount) internal pure returns (uint40) {
        uint256 mantissa = amount;
        uint256 power;
        for (; mantissa > MANTISSA_MAX; power++) {
            mantissa /= 10;
        }
        uint40 packed = uint40(mantissa << 8 | power);
        require(unpack(packed) == amount, TooManyDigits(amount, unpack(packed)));
        return packed;
    }

    function unpack(uint40 packed) internal pure returns (uint256) {
        unchecked {
            return uint256(packed >> 8) * 10 ** (packed & 0xff);
        }
    }
}
