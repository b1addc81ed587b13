// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Domain} from "./Domain.sol";
import {Engine} from "./Engine.sol";
import {Ledger} from "./Ledger.sol";
import {Markets} from "./Markets.sol";
import {SpotState} from "./SpotState.sol";
import {Trimming} from "./Trimming.sol";
import {NO_ACCOUNT, NO_LOTS, AccountId, Lots} from "./ValueTypes.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {ISpotAdmin} from "./interfaces/ISpot.sol";

/// Holds all of Spot except orders: listing, deposits and withdrawals, views. It exists because a
/// contract has at most 24,576 bytes. Spot creates it and delegates every function it lacks to it,
/// so it acts on the storage of Spot; its own storage stays empty.
contract SpotAdmin is ISpotAdmin, SpotState, Trimming, Markets, Ledger, Domain {
    using Book for Book.Order;

    /// Maximum ratio of the largest to the smallest order of a market. The limits on the orders met
    /// are counts, so without this ratio dust could stop a large taker.
    uint256 private constant VALUE_RATIO_MAX = 1_000_000;

    constructor(IAccounts accounts_) Engine(accounts_, address(this)) {}

    /* MARKETS */

    /// @inheritdoc ISpotAdmin
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
        Token memory baseToken = _listToken(base);
        market = _listBook(priceStep, amountStep, baseToken.decimals);
        Book.Units storage units = _markets[market].units;
        units.base = baseToken.number;
        units.quote = _listToken(quote).number;
        _setValues(market, minOrderValue, maxOrderValue);
        emit Listed(market, name, base, quote, priceStep, amountStep, minOrderValue, maxOrderValue);
    }

    /// @inheritdoc ISpotAdmin
    function change(uint32 market, uint128 minOrderValue, uint128 maxOrderValue)
        external
        onlyOwner
    {
        _listed(market);
        _setValues(market, minOrderValue, maxOrderValue);
        emit Changed(market, minOrderValue, maxOrderValue);
    }

    function _setValues(uint32 market, uint256 minimum, uint256 maximum) private {
        _setBounds(market, minimum, maximum);
        uint256 nearest = maximum <= VALUE_RATIO_MAX ? 1 : (maximum - 1) / VALUE_RATIO_MAX + 1;
        require(minimum >= nearest, OrderValueMinimumTooLow(minimum, nearest));
    }

    /* READING */

    /// @inheritdoc ISpotAdmin
    function balanceOf(uint40 account, address token) external view returns (uint256) {
        return _heldBy(AccountId.wrap(account), token);
    }

    /// @inheritdoc ISpotAdmin
    function tokensOf(uint32 market) external view returns (address base, address quote) {
        Book.Units storage units = _markets[market].units;
        return (tokenAt[units.base], tokenAt[units.quote]);
    }

    /* ORDERS THAT CAN NO LONGER TRADE */

    /// @inheritdoc Trimming
    function _excessOf(uint32, Book.Order memory) internal pure override returns (Lots) {
        return NO_LOTS;
    }

    /// Paid in the token that the order held, which its owner has just recovered.
    function _payBounty(uint32 market, Book.Order memory order, Lots lots, uint256 bounty)
        internal
        override
    {
        AccountId caller = AccountId.wrap(accounts.traderAccount(msg.sender));
        if (caller == NO_ACCOUNT || caller == order.account) return;
        Book.Units memory units = _markets[market].units;
        uint32 token = units.quote;
        if (!order.isBuy()) {
            token = units.base;
            bounty = Lots.unwrap(lots) * uint256(units.amountStep) * bounty
                / _value(lots, order.tick, units.quotePerLotTick);
        }
        if (bounty == 0) return;
        _take(order.account, token, bounty);
        _add(caller, token, bounty);
        emit Transferred(
            AccountId.unwrap(order.account), AccountId.unwrap(caller), tokenAt[token], bounty
        );
    }

    /* BALANCES */

    function _credit(AccountId account, address token, uint256 amount) internal override {
        _add(account, _tokens[token].number, amount);
    }

    /// @inheritdoc Ledger
    function _heldBy(AccountId account, address token) internal view override returns (uint256) {
        return _balances[account][_tokens[token].number];
    }

    function _debit(AccountId account, address token, uint256 amount) internal override {
        _take(account, _tokens[token].number, amount);
    }
}
