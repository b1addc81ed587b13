// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOracle, PriceStatus} from "../src/interfaces/IOracle.sol";

/// Reads a price of the store as one value.
library Readings {
    struct Reading {
        uint256 price;
        uint256 time;
        uint256 earlier;
        PriceStatus status;
    }

    function get(IOracle oracle, bytes32 asset) internal view returns (Reading memory reading) {
        (reading.price, reading.time, reading.earlier, reading.status) = oracle.read(asset);
    }
}
