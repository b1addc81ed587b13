// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ticks} from "../../src/Ticks.sol";
import {Tick} from "../../src/ValueTypes.sol";
import {Tick} from "../../src/ValueTypes.sol";
import {Test} from "../Vm.sol";

/// Compares the tick set with a plain list.
contract TicksTest is Test {
    using Ticks for Ticks.Set;

    uint256 private constant STEPS = 40;
    uint24 private constant NONE_BELOW = Tick.unwrap(Ticks.NONE_BELOW);
    uint24 private constant NONE_ABOVE = Tick.unwrap(Ticks.NONE_ABOVE);

    Ticks.Set private _set;
    uint24[] private _list;

    function test_an_empty_set_has_nothing_above_or_below() public view {
        vm.assertEq(_above(Tick.unwrap(Tick.wrap(0))), NONE_ABOVE);
        vm.assertEq(_below(type(uint24).max), NONE_BELOW);
    }

    function test_neighbours_are_found_across_every_boundary() public {
        uint24[8] memory ticks = [uint24(1), 254, 255, 256, 65_535, 65_536, 16_711_680, 16_777_214];
        for (uint256 i = 0; i < ticks.length; i++) {
            _set.add(Tick.wrap(ticks[i]));
        }
        uint24 tick = 0;
        for (uint256 i = 0; i < ticks.length; i++) {
            tick = _above(tick);
            vm.assertEq(tick, ticks[i]);
        }
        vm.assertEq(_above(tick), NONE_ABOVE);
        tick = type(uint24).max;
        for (uint256 i = ticks.length; i > 0; i--) {
            tick = _below(tick);
            vm.assertEq(tick, ticks[i - 1]);
        }
        vm.assertEq(_below(tick), NONE_BELOW);
    }

    /// `spread` makes neighbours in one word as likely as far ones.
    function testFuzz_the_set_is_a_list(uint256 seed, uint8 spread) public {
        for (uint256 i = 0; i < STEPS; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint24 tick = uint24(1 + ((seed >> 8) % (1 << (2 + spread % 22))));
            if (tick >= type(uint24).max - 1) tick = 1;
            if (seed & 1 == 0 && _list.length != 0) _removeAt((seed >> 40) % _list.length);
            else if (!_set.has(Tick.wrap(tick))) _addOne(tick);
            _check(uint24(seed >> 100));
            _check(tick);
        }
        while (_list.length != 0) {
            _removeAt(_list.length - 1);
        }
        vm.assertEq(_set.top, 0, "an empty set has an empty top");
    }

    function _above(uint24 tick) private view returns (uint24) {
        return Tick.unwrap(_set.above(Tick.wrap(tick)));
    }

    function _below(uint24 tick) private view returns (uint24) {
        return Tick.unwrap(_set.below(Tick.wrap(tick)));
    }

    function _addOne(uint24 tick) private {
        _set.add(Tick.wrap(tick));
        _list.push(tick);
        vm.assertTrue(_set.has(Tick.wrap(tick)));
    }

    function _removeAt(uint256 index) private {
        uint24 tick = _list[index];
        _set.remove(Tick.wrap(tick));
        _list[index] = _list[_list.length - 1];
        _list.pop();
        vm.assertFalse(_set.has(Tick.wrap(tick)));
        _checkUpper(tick);
    }

    function _check(uint24 tick) private view {
        uint24 above = NONE_ABOVE;
        uint24 below = NONE_BELOW;
        for (uint256 i = 0; i < _list.length; i++) {
            if (_list[i] > tick && _list[i] < above) above = _list[i];
            if (_list[i] < tick && _list[i] > below) below = _list[i];
        }
        vm.assertEq(_above(tick), above, "above");
        vm.assertEq(_below(tick), below, "below");
        _checkUpper(tick);
    }

    /// An upper bit is set exactly when the word below it is not zero.
    function _checkUpper(uint24 tick) private view {
        uint256 middle = _set.middle[tick >> 16];
        vm.assertEq(
            middle >> (tick >> 8 & 0xff) & 1, _set.bottom[tick >> 8] == 0 ? 0 : 1, "middle"
        );
        vm.assertEq(_set.top >> (tick >> 16) & 1, middle == 0 ? 0 : 1, "top");
    }
}
