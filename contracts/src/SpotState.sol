// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Resting} from "./Resting.sol";
import {AccountId, Lots} from "./ValueTypes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Holds the storage that Spot and SpotAdmin share. Variables added by SpotAdmin come after it, so
/// that these have the same slots in both.
abstract contract SpotState is Resting {
    using Book for Book.Order;

    /// Raw units, by the ledger's token number.
    mapping(AccountId account => mapping(uint32 token => uint256)) internal _balances;

    /// @inheritdoc Resting
    function _release(uint32 market, Book.Order memory order, Lots lots) internal override {
        Book.Units storage units = _markets[market].units;
        if (order.isBuy()) {
            _add(order.account, units.quote, _value(lots, order.tick, units.quotePerLotTick));
        } else {
            _add(order.account, units.base, uint256(Lots.unwrap(lots)) * units.amountStep);
        }
    }

    function _add(AccountId account, uint32 token, uint256 amount) internal {
        if (amount != 0) _balances[account][token] += amount;
    }

    function _take(AccountId account, uint32 token, uint256 amount) internal {
        if (amount == 0) return;
        uint256 balance = _balances[account][token];
        require(amount <= balance, ILedger.BalanceTooLow(amount, balance));
        _balances[account][token] = balance - amount;
    }
}
