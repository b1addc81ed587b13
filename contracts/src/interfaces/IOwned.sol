// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A contract with one owner, transferred in two steps.
interface IOwned {
    event OwnershipOffered(address indexed owner, address indexed pendingOwner);
    event OwnershipAccepted(address indexed owner);

    error NotOwner(address caller);
    error NotPendingOwner(address caller);
    error OwnerZero();

    function owner() external view returns (address);

    function pendingOwner() external view returns (address);

    /// Offers ownership to `to`; zero revokes an offer. Nothing changes until `to` accepts.
    function offerOwnership(address to) external;

    /// Makes the caller the owner, if ownership was offered to it.
    function acceptOwnership() external;
}
