// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// One owner, who changes in two steps: the old one offers, the new one accepts.
abstract contract Owned {
    address public owner;
    address public pendingOwner;

    event OwnershipOffered(address indexed owner, address indexed pendingOwner);
    event OwnershipAccepted(address indexed owner);

    error NotOwner(address caller);
    error NotPendingOwner(address caller);
    error OwnerZero();

    modifier onlyOwner() {
        require(msg.sender == owner, NotOwner(msg.sender));
        _;
    }

    constructor(address owner_) {
        require(owner_ != address(0), OwnerZero());
        owner = owner_;
        emit OwnershipAccepted(owner_);
    }

    /// Offers ownership to `to`; zero takes an offer back. Nothing changes until `to` accepts.
    function offerOwnership(address to) external onlyOwner {
        pendingOwner = to;
        emit OwnershipOffered(msg.sender, to);
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, NotPendingOwner(msg.sender));
        owner = msg.sender;
        pendingOwner = address(0);
        emit OwnershipAccepted(msg.sender);
    }
}
