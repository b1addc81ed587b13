// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Publishes the domain in which a contract's messages are signed.
interface IERC5267 {
    /// `fields` has a bit for each member of the domain, in this order: hex"0f" means the first
    /// four. There are no extensions.
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
        );
}
