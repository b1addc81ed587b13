// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A contract with one owner, who hands over in two steps.
interface IOwned {
    event OwnershipOffered(address indexed owner, address indexed pendingOwner);
    event OwnershipAccepted(address indexed owner);

    error NotOwner(address caller);
    error NotPendingOwner(address caller);
    error OwnerZero();

    function owner() external view returns (address);

    function pendingOwner() external view returns (address);

    /// Offers ownership to `to`; zero takes an offer back. Nothing changes until `to` accepts.
    function offerOwnership(address to) external;

    /// Makes the caller the owner; only who was offered it.
    function acceptOwnership() external;
}
