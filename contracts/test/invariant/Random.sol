// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Test} from "../Vm.sol";

/// Derives random values from the seed of a fuzzed call and counts the cases they lead to.
abstract contract Random is Test {
    uint256 private _state;
    uint256 private _calls;
    /// How often each case was met. `Campaign` requires that all of them are.
    mapping(string what => uint256) public seen;

    /// Every call of a handler begins with it. The seed is hashed, since fuzzers prefer small
    /// numbers, and counted, since they prefer the same ones.
    modifier seeded(uint256 seed) {
        _state = uint256(keccak256(abi.encode(seed, _calls++)));
        _;
    }

    /// 0 .. n - 1.
    function _roll(uint256 n) internal returns (uint256) {
        _state = uint256(keccak256(abi.encode(_state)));
        return _state % n;
    }

    function _oneIn(uint256 n) internal returns (bool) {
        return _roll(n) == 0;
    }

    function _between(uint256 least, uint256 most) internal returns (uint256) {
        return least + _roll(most - least + 1);
    }
}
