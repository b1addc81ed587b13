// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Test} from "../Vm.sol";

/// Declares the cheat codes that only vectors use.
interface VmFiles {
    function createDir(string calldata path, bool recursive) external;
    function writeFile(string calldata path, string calldata text) external;
    function writeLine(string calldata path, string calldata line) external;
    function toString(int256 value) external pure returns (string memory);
    function snapshotState() external returns (uint256);
    function revertToState(uint256 id) external returns (bool);
}

/// Writes cases, one JSON object a line, into out/vectors; `npm run vectors -w contracts` collects
/// them from there. All random values follow from the name of the file and the number of the case.
abstract contract VectorFile is Test {
    /// A case in the making.
    struct Case {
        uint256 seed;
        string path;
        string text;
    }

    VmFiles internal constant FILES =
        VmFiles(address(uint160(uint256(keccak256("hevm cheat code")))));

    function _openFile(string memory name) internal returns (string memory path) {
        FILES.createDir("out/vectors", true);
        path = string.concat("out/vectors/", name, ".jsonl");
        FILES.writeFile(path, "");
    }

    function _case(string memory path, uint256 number) internal pure returns (Case memory) {
        return Case(uint256(keccak256(abi.encode(path, number))), path, "");
    }

    function _end(Case memory one) internal {
        FILES.writeLine(one.path, string.concat("{", one.text, "}"));
    }

    /* VALUES: integers as text, since JSON's numbers are too small */

    function _put(Case memory one, string memory name, int256 value) internal pure {
        one.text = string.concat(one.text, _comma(one.text), _member(name, value));
    }

    function _put(Case memory one, string memory name, uint256 value) internal pure {
        _put(one, name, int256(value));
    }

    /// Puts `json` as it is.
    function _putRaw(Case memory one, string memory name, string memory json) internal pure {
        one.text = string.concat(one.text, _comma(one.text), '"', name, '":', json);
    }

    function _member(string memory name, int256 value) internal pure returns (string memory) {
        return string.concat('"', name, '":"', FILES.toString(value), '"');
    }

    function _comma(string memory before) internal pure returns (string memory) {
        return bytes(before).length == 0 ? "" : ",";
    }

    /* CHANCE */

    function _below(Case memory one, uint256 limit) internal pure returns (uint256) {
        one.seed = uint256(keccak256(abi.encode(one.seed)));
        return one.seed % limit;
    }

    function _between(Case memory one, uint256 least, uint256 most)
        internal
        pure
        returns (uint256)
    {
        return least + _below(one, most - least + 1);
    }

    /// From -limit to limit.
    function _signed(Case memory one, uint256 limit) internal pure returns (int256) {
        return int256(_below(one, 2 * limit + 1)) - int256(limit);
    }

    /// A size of a random order of magnitude, from 1 up to 10^digits.
    function _size(Case memory one, uint256 digits) internal pure returns (uint256) {
        return _between(one, 1, 10 ** _between(one, 1, digits));
    }
}
