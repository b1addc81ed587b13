// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Engine} from "./Engine.sol";
import {IERC5267} from "./interfaces/IERC5267.sol";

/// Returns the domain in which an engine's orders and cancels are signed.
abstract contract Domain is IERC5267, Engine {
    /// @inheritdoc IERC5267
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        name = accounts.domainName();
        return (hex"0f", name, "1", block.chainid, address(this), bytes32(0), new uint256[](0));
    }
}
