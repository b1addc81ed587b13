// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Books} from "./Books.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// What Spot and SpotDesk share: the storage. What the desk adds to it comes after it, so that it has the
/// same slots in both.
abstract contract SpotState is Books {
    /// Tokens are numbers of the ledger.
    mapping(uint40 account => mapping(uint32 token => uint256)) internal _balances;

    function _add(uint40 account, uint32 token, uint256 amount) internal {
        if (amount != 0) _balances[account][token] += amount;
    }

    function _take(uint40 account, uint32 token, uint256 amount) internal {
        if (amount == 0) return;
        uint256 balance = _balances[account][token];
        require(amount <= balance, ILedger.BalanceTooLow(amount, balance));
        _balances[account][token] = balance - amount;
    }
}
