// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibBit} from "solady/utils/LibBit.sol";
import {Tick} from "./ValueTypes.sol";

/// A set of 24-bit ticks. Three levels of 256-bit words hold it, so that a step reads five words at
/// most: an upper bit is 1 exactly when the word below it is not zero.
library Ticks {
    struct Set {
        uint256 top; // bit b: middle[b] is not zero
        // Keyed by tick >> 16; bit b: bottom[tick >> 16 << 8 | b] is not zero.
        mapping(uint256 => uint256) middle;
        mapping(uint256 => uint256) bottom; // by tick >> 8; bit b: the tick itself
    }

    /// Returned by `below` when there is no such tick; never a member.
    Tick internal constant NONE_BELOW = Tick.wrap(0);
    /// Returned by `above` when there is no such tick; never a member.
    Tick internal constant NONE_ABOVE = Tick.wrap(type(uint24).max);
    /// The highest that a set may hold.
    Tick internal constant HIGHEST = Tick.wrap(type(uint24).max - 1);

    function has(Set storage set, Tick tick) internal view returns (bool) {
        uint256 index = Tick.unwrap(tick);
        return set.bottom[index >> 8] & _bit(index) != 0;
    }

    function add(Set storage set, Tick tick) internal {
        uint256 index = Tick.unwrap(tick);
        uint256 word = set.bottom[index >> 8];
        set.bottom[index >> 8] = word | _bit(index);
        if (word != 0) return;
        word = set.middle[index >> 16];
        set.middle[index >> 16] = word | _bit(index >> 8);
        if (word != 0) return;
        set.top |= _bit(index >> 16);
    }

    function remove(Set storage set, Tick tick) internal {
        uint256 index = Tick.unwrap(tick);
        uint256 word = set.bottom[index >> 8] & ~_bit(index);
        set.bottom[index >> 8] = word;
        if (word != 0) return;
        word = set.middle[index >> 16] & ~_bit(index >> 8);
        set.middle[index >> 16] = word;
        if (word != 0) return;
        set.top &= ~_bit(index >> 16);
    }

    /// The smallest member above `tick`, or NONE_ABOVE.
    function above(Set storage set, Tick tick) internal view returns (Tick) {
        uint256 index = Tick.unwrap(tick);
        uint256 word = set.bottom[index >> 8] & _higher(index);
        index >>= 8;
        if (word == 0) {
            word = set.middle[index >> 8] & _higher(index);
            index >>= 8;
            if (word == 0) {
                word = set.top & _higher(index);
                if (word == 0) return NONE_ABOVE;
                index = LibBit.ffs(word);
                word = set.middle[index];
            }
            index = index << 8 | LibBit.ffs(word);
            word = set.bottom[index];
        }
        return Tick.wrap(uint24(index << 8 | LibBit.ffs(word)));
    }

    /// The greatest member below `tick`, or NONE_BELOW.
    function below(Set storage set, Tick tick) internal view returns (Tick) {
        uint256 index = Tick.unwrap(tick);
        uint256 word = set.bottom[index >> 8] & _lower(index);
        index >>= 8;
        if (word == 0) {
            word = set.middle[index >> 8] & _lower(index);
            index >>= 8;
            if (word == 0) {
                word = set.top & _lower(index);
                if (word == 0) return NONE_BELOW;
                index = LibBit.fls(word);
                word = set.middle[index];
            }
            index = index << 8 | LibBit.fls(word);
            word = set.bottom[index];
        }
        return Tick.wrap(uint24(index << 8 | LibBit.fls(word)));
    }

    /* BITS OF A WORD, BY THE LOWEST EIGHT BITS OF AN INDEX */

    function _bit(uint256 index) private pure returns (uint256) {
        return 1 << (index & 0xff);
    }

    function _lower(uint256 index) private pure returns (uint256) {
        return _bit(index) - 1;
    }

    function _higher(uint256 index) private pure returns (uint256) {
        return ~(_bit(index) | _lower(index));
    }
}
