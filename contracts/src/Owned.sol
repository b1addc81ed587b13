// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownership} from "./Ownership.sol";
import {IOwned} from "./interfaces/IOwned.sol";

/// Implements ownership, which changes in two steps: the old owner offers it, the new one accepts.
abstract contract Owned is IOwned, Ownership {
    /// @inheritdoc IOwned
    function owner() external view returns (address) {
        return _owner;
    }

    /// @inheritdoc IOwned
    function pendingOwner() external view returns (address) {
        return _pendingOwner;
    }

    /// @inheritdoc IOwned
    function offerOwnership(address to) external onlyOwner {
        _pendingOwner = to;
        emit OwnershipOffered(msg.sender, to);
    }

    /// @inheritdoc IOwned
    function acceptOwnership() external {
        require(msg.sender == _pendingOwner, NotPendingOwner(msg.sender));
        _owner = msg.sender;
        _pendingOwner = address(0);
        emit OwnershipAccepted(msg.sender);
    }
}
