// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {Owned} from "./Owned.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// What order books and custody both stand on: who the caller is, the owner, the lock, and how an engine
/// that is larger than one contract may be answers with the code of another.
abstract contract Engine is Owned, ReentrancyGuardTransient {
    event GuardianChanged(address indexed guardian);

    IAccounts public immutable accounts;

    /// May halt markets and tighten limits at once, nothing else. Whatever loosens is the owner's.
    address public guardian;

    constructor(IAccounts accounts_, address owner_) Owned(owner_) {
        accounts = accounts_;
    }

    /// Names the guardian; zero for none.
    function setGuardian(address guardian_) external onlyOwner {
        guardian = guardian_;
        emit GuardianChanged(guardian_);
    }

    /// The account that the caller may trade for: by its wallet or by a live signing key.
    function _trader() internal view returns (uint40 account) {
        account = accounts.traderAccount(msg.sender);
        require(account != 0, ILedger.NoAccount(msg.sender));
    }

    /// The account whose wallet the caller is.
    function _holder() internal view returns (uint40 account) {
        account = accounts.accountOf(msg.sender);
        require(account != 0, ILedger.NoAccount(msg.sender));
    }

    /// The transient lock is wanted on every chain.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }

    /* CODE ELSEWHERE */

    /// Answers this call with what the code of `place` does on this contract's storage.
    function _delegateTo(address place) internal {
        assembly ("memory-safe") {
            let start := mload(0x40)
            calldatacopy(start, 0, calldatasize())
            let done := delegatecall(gas(), place, start, calldatasize(), 0, 0)
            returndatacopy(start, 0, returndatasize())
            if done { return(start, returndatasize()) }
            revert(start, returndatasize())
        }
    }
}
