// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Engine} from "./Engine.sol";
import {Ledger} from "./Ledger.sol";
import {Matching} from "./Matching.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {Reason} from "./interfaces/IBook.sol";
import {ISpot} from "./interfaces/ISpot.sol";

/// Spot markets. A resting order's escrow is not stored: it is what its lots would cost at its tick
/// (bids, in quote) or its lots themselves (asks, in base), always exact.
contract Spot is ISpot, Matching, Ledger {
    using Book for Book.Order;

    struct Pair {
        address base;
        address quote;
    }

    mapping(uint40 account => mapping(address token => uint256)) private _balances;
    mapping(uint32 market => Pair) private _pairs;

    constructor(IAccounts accounts_, address owner_) Engine(accounts_, owner_) {}

    /* MARKETS */

    /// @inheritdoc ISpot
    function list(
        bytes32 name,
        address base,
        address quote,
        uint256 priceStep,
        uint256 amountStep,
        uint128 minOrderValue,
        uint128 maxOrderValue
    ) external onlyOwner returns (uint32 market) {
        require(base != quote, SameToken(base));
        uint256 baseUnit = 10 ** _listToken(base);
        _listToken(quote);
        market = _listBook(priceStep, amountStep, baseUnit, Book.Bounds(minOrderValue, maxOrderValue));
        _pairs[market] = Pair(base, quote);
        emit Listed(market, name, base, quote, priceStep, amountStep, minOrderValue, maxOrderValue);
    }

    /// @inheritdoc ISpot
    function change(uint32 market, uint128 minOrderValue, uint128 maxOrderValue) external onlyOwner {
        _listed(market);
        _setBounds(market, Book.Bounds(minOrderValue, maxOrderValue));
        emit Changed(market, minOrderValue, maxOrderValue);
    }

    /* READING */

    /// @inheritdoc ISpot
    function balanceOf(uint40 account, address token) external view returns (uint256) {
        return _balances[account][token];
    }

    /// @inheritdoc ISpot
    function tokensOf(uint32 market) external view returns (address base, address quote) {
        Pair storage pair = _pairs[market];
        return (pair.base, pair.quote);
    }

    /* MONEY OF AN ORDER */

    function _admit(Taking memory taking) internal pure override returns (uint64) {
        require(!taking.reduceOnly, ReduceOnlyAtSpot());
        return taking.lots;
    }

    /// The maker's escrow pays the taker, who is settled once at the end; the maker is paid at once.
    function _fill(Taking memory taking, uint40 makerOrder, Book.Order memory maker, uint64 offered)
        internal
        override
        returns (uint64, bool, Reason)
    {
        Pair storage pair = _pairs[taking.market];
        if (taking.buy) {
            _credit(maker.account, pair.quote, uint256(offered) * maker.tick * taking.quotePerLotTick);
        } else {
            _credit(maker.account, pair.base, offered * taking.amountStep);
        }
        emit Filled(taking.market, maker.account, makerOrder, taking.account, taking.order, maker.tick, offered);
        return (offered, false, Reason.USER);
    }

    function _release(uint32 market, Book.Order memory order, uint64 lots) internal override {
        Book.State storage state = _markets[market].state;
        if (order.isBuy()) {
            _credit(order.account, _pairs[market].quote, uint256(lots) * order.tick * state.quotePerLotTick);
        } else {
            _credit(order.account, _pairs[market].base, uint256(lots) * state.amountStep);
        }
    }

    /// Debits before it credits: proceeds of this order cannot pay for it.
    function _settle(Taking memory taking, uint64 rested) internal override {
        Pair storage pair = _pairs[taking.market];
        if (taking.buy) {
            uint256 cost = taking.quote + uint256(rested) * taking.tick * taking.quotePerLotTick;
            if (cost != 0) _debit(taking.account, pair.quote, cost);
            if (taking.filled != 0) _credit(taking.account, pair.base, taking.filled * taking.amountStep);
        } else {
            uint256 sold = (uint256(taking.filled) + rested) * taking.amountStep;
            if (sold != 0) _debit(taking.account, pair.base, sold);
            if (taking.quote != 0) _credit(taking.account, pair.quote, taking.quote);
        }
    }

    function _credit(uint40 account, address token, uint256 amount) internal override {
        _balances[account][token] += amount;
    }

    function _debit(uint40 account, address token, uint256 amount) internal override {
        uint256 balance = _balances[account][token];
        require(amount <= balance, BalanceTooLow(amount, balance));
        unchecked {
            _balances[account][token] = balance - amount;
        }
    }
}
