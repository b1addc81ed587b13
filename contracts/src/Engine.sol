// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {Ownership} from "./Ownership.sol";
import {NO_ACCOUNT, AccountId} from "./ValueTypes.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Identifies the caller, holds the owner, the guardian and the lock, and delegates to the code of
/// another contract, since an engine exceeds the size limit of a contract. Order books and custody
/// build on it.
abstract contract Engine is Ownership, ReentrancyGuardTransient {
    IAccounts public immutable accounts;

    /// May halt markets and tighten limits immediately. Only the owner can loosen them.
    address internal _guardian;

    constructor(IAccounts accounts_, address owner_) Ownership(owner_) {
        accounts = accounts_;
    }

    /// The account that the caller may trade for, as its wallet or as an active signing key.
    /// Reverts with NoAccount.
    function _trader() internal view returns (AccountId account) {
        account = AccountId.wrap(accounts.traderAccount(msg.sender));
        require(account != NO_ACCOUNT, ILedger.NoAccount(msg.sender));
    }

    /// The account whose wallet the caller is; a key does not count. Reverts with NoAccount.
    function _holder() internal view returns (AccountId account) {
        account = AccountId.wrap(accounts.accountOf(msg.sender));
        require(account != NO_ACCOUNT, ILedger.NoAccount(msg.sender));
    }

    /// Uses the transient lock on every chain.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }

    /* CODE ELSEWHERE */

    /// Runs this call with the code of `implementation` on this contract's storage, and ends with
    /// its result.
    function _delegateTo(address implementation) internal {
        assembly ("memory-safe") {
            let start := mload(0x40)
            calldatacopy(start, 0, calldatasize())
            let done := delegatecall(gas(), implementation, start, calldatasize(), 0, 0)
            returndatacopy(start, 0, returndatasize())
            if done { return(start, returndatasize()) }
            revert(start, returndatasize())
        }
    }
}
