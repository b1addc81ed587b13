// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Funding} from "./Funding.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {AccountId, Lots, Tick} from "./ValueTypes.sol";
import {IMarkets} from "./interfaces/IMarkets.sol";
import {IPerpsViews} from "./interfaces/IPerpsViews.sol";
import {ISpot} from "./interfaces/ISpot.sol";

/// Reads the engines in bulk, at one block. It is for off-chain callers: no contract depends on it,
/// it holds nothing, and a call may use more gas than a transaction could.
contract Lens {
    struct RestingOrder {
        uint40 order;
        AccountId account;
        Tick tick;
        Lots lots;
        uint40 goodTil;
    }

    /// 18 decimals.
    struct PerpAccount {
        int256 collateral;
        int256 equity;
        uint256 initialMargin;
        uint256 maintenanceMargin;
        uint256 available; // equity above initial margin, available to new orders
        uint256 withdrawable; // collateral that can leave while every index is fresh
    }

    struct FundingState {
        uint256 settledTime; // initially the start of the clock; 0 before
        int256 cumulative; // quote raw per lot at settledTime
        int256 perSecond;
        int256 rate; // per hour, 18 decimals
        int256 premiumSum; // of the running hour's samples, each times its seconds
        uint256 sampledSeconds;
        int256 fundingIndex; // now
        uint256 hourMark; // at which the running hour accrues
    }

    /// The resting orders of a market, best price first, then oldest first; at most `ordersMax` per
    /// side. Leaves out expired orders, which may still be in the book.
    function books(IMarkets engine, uint32 market, uint256 ordersMax)
        external
        view
        returns (RestingOrder[] memory bids, RestingOrder[] memory asks)
    {
        bids = _side(engine, market, true, ordersMax);
        asks = _side(engine, market, false, ordersMax);
    }

    /// The raw units that each account may withdraw of each token at the spot engine: rows by
    /// account.
    function spotBalances(ISpot engine, uint40[] calldata accounts, address[] calldata tokens)
        external
        view
        returns (uint256[][] memory balances)
    {
        balances = new uint256[][](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) {
            balances[i] = new uint256[](tokens.length);
            for (uint256 j = 0; j < tokens.length; j++) {
                balances[i][j] = engine.balanceOf(accounts[i], tokens[j]);
            }
        }
    }

    function perpAccount(IPerpsViews engine, uint40 account)
        external
        view
        returns (PerpAccount memory view_)
    {
        PerpsState.Health memory health = engine.healthOf(account);
        view_.collateral = engine.holdingOf(account).collateral;
        view_.equity = health.equity;
        view_.initialMargin = health.initialMargin;
        view_.maintenanceMargin = health.maintenanceMargin;
        view_.available = _above(health.equity, health.initialMargin);
        uint256 tenth = Positions.divUp(health.notional, 10);
        uint256 kept = health.initialMargin > tenth ? health.initialMargin : tenth;
        uint256 spare = _above(health.equity, kept);
        uint256 held = _above(view_.collateral, 0);
        view_.withdrawable = spare < held ? spare : held;
    }

    /// Equity and margins of each account at the marks. An account below its maintenance margin can
    /// be liquidated; if `staleAsset` is set, i.e. an index is too old, only if its
    /// `liquidationHealthOf` is below the margin as well. Account 1 is insurance. Funding of ended
    /// hours is included once they are settled.
    function healths(IPerpsViews engine, uint40[] calldata accounts)
        external
        view
        returns (PerpsState.Health[] memory rows)
    {
        rows = new PerpsState.Health[](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) {
            rows[i] = engine.healthOf(accounts[i]);
        }
    }

    /// Rows by account, columns by market.
    function positions(IPerpsViews engine, uint40[] calldata accounts, uint32[] calldata markets)
        external
        view
        returns (Positions.Position[][] memory rows)
    {
        rows = new Positions.Position[][](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) {
            rows[i] = new Positions.Position[](markets.length);
            for (uint256 j = 0; j < markets.length; j++) {
                rows[i][j] = engine.positionOf(markets[j], accounts[i]);
            }
        }
    }

    function collaterals(IPerpsViews engine, uint40[] calldata accounts)
        external
        view
        returns (int256[] memory amounts)
    {
        amounts = new int256[](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) {
            amounts[i] = engine.holdingOf(accounts[i]).collateral;
        }
    }

    function funding(IPerpsViews engine, uint32 market)
        external
        view
        returns (FundingState memory state)
    {
        (Funding.Carry memory carry, Funding.Activity memory activity) = engine.fundingOf(market);
        state.settledTime = carry.time;
        state.cumulative = carry.cumulative;
        state.perSecond = carry.perSecond;
        state.rate = activity.rate;
        state.premiumSum = activity.premiumSum;
        state.sampledSeconds = activity.sampledSeconds;
        state.fundingIndex = Funding.indexOf(carry);
        state.hourMark = activity.hourMark;
    }

    /// Mark and index with 18 decimals, the time of the index, and mark - index. Zeros without an
    /// index.
    function mark(IPerpsViews engine, uint32 market)
        external
        view
        returns (uint256 price, uint256 index, uint256 indexTime, int256 basis)
    {
        PerpsState.Quote memory quote = engine.quoteOf(market);
        return (quote.mark, quote.index, quote.indexTime, int256(quote.mark) - int256(quote.index));
    }

    /// The sum of the long positions in lots, which equals that of the short ones.
    function openInterest(IPerpsViews engine, uint32 market) external view returns (uint256) {
        (, Funding.Activity memory activity) = engine.fundingOf(market);
        return activity.openInterest;
    }

    function _side(IMarkets engine, uint32 market, bool buy, uint256 ordersMax)
        private
        view
        returns (RestingOrder[] memory orders)
    {
        orders = new RestingOrder[](ordersMax);
        uint256 found;
        Book.StateView memory state = engine.stateOf(market);
        Tick tick = Tick.wrap(buy ? state.bestBid : state.bestAsk);
        while (found < ordersMax && tick != Ticks.NONE_BELOW && tick != Ticks.NONE_ABOVE) {
            Book.Level memory level = engine.levelAt(market, Tick.unwrap(tick));
            uint40 id = level.head;
            for (uint256 i = 0; i < level.count && found < ordersMax; i++) {
                Book.Order memory order = engine.orderAt(market, id);
                if (!Book.isExpired(order)) {
                    orders[found++] =
                        RestingOrder(id, order.account, tick, order.lots, order.goodTil);
                }
                id = order.next;
            }
            uint24 steps = Tick.unwrap(tick);
            tick =
                Tick.wrap(buy ? engine.tickBelow(market, steps) : engine.tickAbove(market, steps));
        }
        // Shortens the array in place: its length is known only after reading the book.
        assembly ("memory-safe") {
            mstore(orders, found)
        }
    }

    function _above(int256 value, uint256 floor) private pure returns (uint256) {
        return value > int256(floor) ? uint256(value - int256(floor)) : 0;
    }
}
