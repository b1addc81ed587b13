// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwned} from "./interfaces/IOwned.sol";

/// Holds the owner. Ownership changes in two steps: the old owner offers it, the new one accepts.
abstract contract Owned is IOwned {
    address public owner;
    address public pendingOwner;

    modifier onlyOwner() {
        require(msg.sender == owner, NotOwner(msg.sender));
        _;
    }

    constructor(address owner_) {
        require(owner_ != address(0), OwnerZero());
        owner = owner_;
        emit OwnershipAccepted(owner_);
    }

    /// @inheritdoc IOwned
    function offerOwnership(address to) external onlyOwner {
        pendingOwner = to;
        emit OwnershipOffered(msg.sender, to);
    }

    /// @inheritdoc IOwned
    function acceptOwnership() external {
        require(msg.sender == pendingOwner, NotPendingOwner(msg.sender));
        owner = msg.sender;
        pendingOwner = address(0);
        emit OwnershipAccepted(msg.sender);
    }
}
