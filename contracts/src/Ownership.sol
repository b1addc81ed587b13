// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOwned} from "./interfaces/IOwned.sol";

/// Holds the owner. The functions that change it are in Owned, so that only one of an engine's
/// parts has them.
abstract contract Ownership {
    address internal _owner;
    address internal _pendingOwner;

    modifier onlyOwner() {
        require(msg.sender == _owner, IOwned.NotOwner(msg.sender));
        _;
    }

    constructor(address owner_) {
        require(owner_ != address(0), IOwned.OwnerZero());
        _owner = owner_;
        emit IOwned.OwnershipAccepted(owner_);
    }
}
