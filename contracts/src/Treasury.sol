// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibCall} from "solady/utils/LibCall.sol";
import {Owned} from "./Owned.sol";
import {Ownership} from "./Ownership.sol";

/// The wallet of an account of the venue: insurance, or fees. In production `Governance` owns it.
/// Control of the account changes with the ownership of this contract, in public and in two steps,
/// while the account and its wallet stay the same. It has no other use as a wallet: it accepts no
/// ether, and everything it does is an event.
contract Treasury is Owned {
    event Called(address indexed target, bytes data, bytes result);
    event SignatureSet(bytes32 indexed digest, bool isSigned);

    /// The address has no code, so the call would do nothing and still succeed.
    error TargetWithoutCode(address target);

    mapping(bytes32 digest => bool) private _signed;

    constructor(address owner_) Ownership(owner_) {}

    /// Calls `target` as the wallet of the account, for instance to withdraw, transfer, trade or
    /// revoke a key. Reverts with the error of the call. Only the owner.
    function call(address target, bytes calldata data)
        external
        onlyOwner
        returns (bytes memory result)
    {
        require(target.code.length != 0, TargetWithoutCode(target));
        bool done;
        (done, result) = target.call(data);
        if (!done) LibCall.bubbleUpRevert(result);
        emit Called(target, data, result);
    }

    /// Signs `digest` for the account, or revokes the signature. It serves the typed data of a
    /// `RegisterKey`, so that a key can close the positions that insurance took over. Only the
    /// owner.
    function setSigned(bytes32 digest, bool isSigned) external onlyOwner {
        _signed[digest] = isSigned;
        emit SignatureSet(digest, isSigned);
    }

    /// EIP-1271. The signed digests are on the chain, so the signature may be anything.
    function isValidSignature(bytes32 digest, bytes calldata) external view returns (bytes4) {
        return _signed[digest] ? this.isValidSignature.selector : bytes4(0);
    }
}
