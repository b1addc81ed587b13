// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Vm} from "./Vm.sol";

/// Decodes logs of the engines.
library Logs {
    /// The data of a spot engine's Filled, and the first part of a perpetual engine's.
    struct Fill {
        uint40 maker;
        uint40 makerOrder;
        uint40 taker;
        uint40 takerOrder;
        uint24 tick;
        uint64 lots;
    }

    /// The data of a perpetual engine's Filled. Static members of nested structs are encoded
    /// inline.
    struct PerpFill {
        Fill trade;
        int128 makerFee;
        int128 takerFee;
    }

    /// Works for both engines: the data of a perpetual engine's Filled begins with these members.
    function fill(Vm.Log memory log) internal pure returns (Fill memory) {
        return abi.decode(log.data, (Fill));
    }

    function perpFill(Vm.Log memory log) internal pure returns (PerpFill memory) {
        return abi.decode(log.data, (PerpFill));
    }

    /// The first indexed member of every event about a market.
    function market(Vm.Log memory log) internal pure returns (uint32) {
        return uint32(uint256(log.topics[1]));
    }

    /// An indexed account number.
    function account(Vm.Log memory log, uint256 topic) internal pure returns (uint40) {
        return uint40(uint256(log.topics[topic]));
    }

    /// An indexed address.
    function token(Vm.Log memory log, uint256 topic) internal pure returns (address) {
        return address(uint160(uint256(log.topics[topic])));
    }

    /// The first word of the data.
    function word(Vm.Log memory log) internal pure returns (uint256 value) {
        bytes memory data = log.data;
        assembly ("memory-safe") {
            value := mload(add(data, 0x20))
        }
    }
}
