// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Declares the cheat codes of forge that the tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest)
        external
        pure
        returns (uint8 v, bytes32 r, bytes32 s);
    function prank(address sender) external;
    function prank(address sender, address origin) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function warp(uint256 time) external;
    function store(address target, bytes32 slot, bytes32 value) external;
    function deal(address who, uint256 wei_) external;
    function chainId(uint256 id) external;
    function assume(bool condition) external pure;
    function expectRevert() external;
    function expectRevert(bytes calldata data) external;
    function expectRevert(bytes4 selector) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    /// Deploys the artifact at a path: the deployed code is compiled with IR, tests without.
    function deployCode(string calldata artifact, bytes calldata arguments)
        external
        returns (address);
    /// Puts code at an address, including the values set by its constructor; its storage is
    /// unchanged.
    function etch(address target, bytes calldata code) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function snapshotGasLastCall(string calldata group, string calldata name)
        external
        returns (uint256);
    function lastCallGas() external view returns (Gas memory);
    function roll(uint256 number) external;
    function envOr(string calldata name, uint256 fallback_) external view returns (uint256);
    function toString(uint256 value) external pure returns (string memory);
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assertFalse(bool condition) external pure;
    function assertFalse(bool condition, string calldata message) external pure;
    function assertEq(bool left, bool right) external pure;
    function assertEq(bool left, bool right, string calldata message) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(int256 left, int256 right) external pure;
    function assertEq(int256 left, int256 right, string calldata message) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata message) external pure;
    function assertApproxEqAbs(uint256 left, uint256 right, uint256 most) external pure;
    function snapshotState() external returns (uint256);
    function revertToState(uint256 id) external returns (bool);
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;
    function assertLe(int256 left, int256 right, string calldata message) external pure;
    function assertLt(int256 left, int256 right, string calldata message) external pure;
    function assertLt(uint256 left, uint256 right, string calldata message) external pure;
    function assertGe(uint256 left, uint256 right, string calldata message) external pure;
    function assertGe(int256 left, int256 right, string calldata message) external pure;
    function assertGt(int256 left, int256 right, string calldata message) external pure;
    function assertGt(uint256 left, uint256 right, string calldata message) external pure;
}

abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// `value` itself when it is within `least` and `most`, else a value within them that it
    /// determines.
    function bound(uint256 value, uint256 least, uint256 most) internal pure returns (uint256) {
        if (least <= value && value <= most) return value;
        uint256 size = most - least + 1;
        return size == 0 ? value : least + value % size;
    }
}
