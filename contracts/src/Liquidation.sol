// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Book} from "./Book.sol";
import {Deleveraging} from "./Deleveraging.sol";
import {Endings} from "./Endings.sol";
import {Engine} from "./Engine.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {Trimming} from "./Trimming.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {OrderRequest, TimeInForce} from "./interfaces/IBook.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {ILiquidation} from "./interfaces/IPerps.sol";

/// The one entry of Perps that takes an order for somebody else's account.
interface IPlaceFor {
    function placeFor(uint40 account, OrderRequest calldata request) external returns (uint40 order);
}

/// What happens to an account below its maintenance margin: section 9 of Perps.sol. What is done here
/// leaves equity over maintenance margin at least where it was, and makes no position larger.
/// PerpsAdmin delegates here what it does not know, so this acts on the storage of Perps, too.
contract Liquidation is Deleveraging, Endings, Trimming {
    using Book for Book.Order;
    using Positions for Positions.Position;

    uint256 private constant SLICE_NOTIONAL = 100_000e18; // above it a position is closed in slices
    uint256 private constant SLICE_DIVISOR = 5; // 20% of the position
    uint256 private constant SLICE_WHOLE = type(uint24).max; // Holding.sliceClosed of a whole slice
    uint256 private constant PAUSE_SECONDS = 30; // after a slice
    uint256 private constant SLIPPAGE_DIVISOR = 50; // 2% of the mark
    uint256 private constant FEE_DIVISOR = 100; // 1% of the notional
    uint256 private constant ROUNDING = 100; // quote raw per lot: more than the fees of all fills round up

    /* What insurance pays whoever has it take a position over. */
    uint256 private constant REWARD_MIN_MILLIONTHS = 200; // 2 basis points of the notional
    uint256 private constant REWARD_MAX = 10e18;

    constructor(IAccounts accounts_, IOracle oracle_, address collateral_)
        PerpsState(oracle_, collateral_)
        Engine(accounts_, address(this))
    {}

    /* ENTRY */

    /// @inheritdoc ILiquidation
    function cancelFor(uint40 account, uint32 market, uint40[] calldata orders) external nonReentrant {
        _settleAll(account);
        _requireUnhealthy(account, _distressHealth(account));
        _cancelNamed(account, market, orders);
    }

    /// @inheritdoc ILiquidation
    function liquidate(uint40 account, uint32 market, uint40[] calldata orders) external nonReentrant {
        Distress memory distress = _distressOf(account, market);
        _requireUnhealthy(account, distress.health);
        _cancelNamed(account, market, orders);
        uint256 lots = Positions.abs(distress.lots);
        if (!_isFarBelow(distress.health)) {
            if (lots * distress.quote.markPerLot > SLICE_NOTIONAL) lots = _startSlice(distress, lots);
            (uint256 filled, bool more) = _closeOnBook(distress, lots);
            if (filled != 0 || more) return;
        }
        _absorb(distress, lots);
    }

    /// The insurance account is never liquidated, only deleveraged.
    function _requireUnhealthy(uint40 account, Health memory health) private pure {
        require(
            account != INSURANCE_ACCOUNT && health.equity < int256(health.maintenanceMargin),
            NotLiquidatable(account, health.equity, health.maintenanceMargin)
        );
    }

    /* ON THE BOOK */

    /// The lots that the running slice still lets go. A slice that closed only in part goes on, so that
    /// nobody gains a pause with a fill of a few lots; 30 s after the last part a new one begins.
    function _startSlice(Distress memory distress, uint256 lots) private view returns (uint256) {
        Holding storage holding = _holdings[distress.account];
        uint256 nextTime = holding.partlyLiquidatedAt + PAUSE_SECONDS;
        uint256 closed = block.timestamp < nextTime ? holding.sliceClosed : 0;
        require(closed < SLICE_WHOLE, LiquidationTooSoon(nextTime));
        distress.slice = Positions.divUp(lots, SLICE_DIVISOR);
        return Positions.divUp(distress.slice * (SLICE_WHOLE - closed), SLICE_WHOLE);
    }

    /// Counts closed lots towards the slice, if there is one.
    function _countSlice(Distress memory distress, uint256 lots) private {
        if (distress.slice == 0) return;
        Holding storage holding = _holdings[distress.account];
        bool runs = block.timestamp < holding.partlyLiquidatedAt + PAUSE_SECONDS;
        uint256 closed = Positions.divUp(lots * SLICE_WHOLE, distress.slice) + (runs ? holding.sliceClosed : 0);
        holding.sliceClosed = uint24(closed < SLICE_WHOLE ? closed : SLICE_WHOLE);
        holding.partlyLiquidatedAt = uint40(block.timestamp);
    }

    /// Sells or buys up to `lots` of the position for what the book pays within the limit. `more`: the
    /// book has more within it, behind orders that were dropped.
    function _closeOnBook(Distress memory distress, uint256 lots) private returns (uint256 filled, bool more) {
        Book.Market storage book = _markets[distress.market];
        bool buy = distress.lots < 0;
        uint24 tick = _limitOf(distress, buy);
        if (tick == 0 || !_crosses(book, buy, tick)) return (0, false);
        _placeForced(distress, buy, tick, uint64(lots));
        filled = Positions.abs(distress.lots) - Positions.abs(_positions[distress.market][distress.account].lots);
        if (filled == 0) return (0, _crosses(book, buy, tick));
        _countSlice(distress, filled);
        _requireBetter(_distressHealth(distress.account), distress.health);
        _charge(distress, filled);
    }

    function _crosses(Book.Market storage book, bool buy, uint24 tick) private view returns (bool) {
        return buy ? tick >= book.state.bestAsk : tick <= book.state.bestBid;
    }

    /// Sends the forced order. The account's own reduce-only orders, of which any number may rest, do
    /// not reserve the position against it.
    function _placeForced(Distress memory distress, bool buy, uint24 tick, uint64 lots) private {
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) = (distress.market, buy, tick, lots);
        (request.timeInForce, request.reduceOnly) = (TimeInForce.IOC, true);
        ReduceOnly storage resting = _reduceOnly[distress.market][distress.account];
        uint64 reserved = buy ? resting.bidLots : resting.askLots;
        if (reserved != 0) _reserve(resting, buy, 0);
        emit Liquidating(distress.market, distress.account, _markets[distress.market].state.nextOrder);
        IPlaceFor(address(this)).placeFor(distress.account, request);
        if (reserved != 0) _reserve(resting, buy, reserved);
    }

    function _reserve(ReduceOnly storage resting, bool buy, uint64 lots) private {
        if (buy) resting.bidLots = lots;
        else resting.askLots = lots;
    }

    /// The worst tick at which the account's margin ratio does not fall, taker fee included, and which
    /// is within 2% of the mark.
    function _limitOf(Distress memory distress, bool buy) private view returns (uint24) {
        uint256 mark = distress.quote.markPerLot;
        uint256 fee = uint256(int256(_limits[distress.market].takerFee));
        uint256 unit = _markets[distress.market].units.quotePerLotTick;
        uint256 room = uint256(distress.health.equity) * distress.margin / distress.health.maintenanceMargin
            / Positions.abs(distress.lots);
        room = room > ROUNDING ? room - ROUNDING : 0;
        if (buy) {
            uint256 highest = (mark + room) * Positions.FEE_UNIT / (Positions.FEE_UNIT + fee);
            uint256 within = mark + mark / SLIPPAGE_DIVISOR;
            uint256 above = (highest < within ? highest : within) / unit;
            return above < Ticks.NONE_ABOVE ? uint24(above) : Ticks.NONE_ABOVE - 1;
        }
        uint256 lowest = Positions.divUp((mark > room ? mark - room : 0) * Positions.FEE_UNIT, Positions.FEE_UNIT - fee);
        uint256 nearest = mark - mark / SLIPPAGE_DIVISOR;
        uint256 below = Positions.divUp(lowest > nearest ? lowest : nearest, unit);
        return below < Ticks.NONE_ABOVE ? uint24(below) : Ticks.NONE_ABOVE;
    }

    /// The liquidation fee: 1% of the notional, but no more than keeps the margin ratio.
    function _charge(Distress memory distress, uint256 filled) private {
        Health memory health = _distressHealth(distress.account);
        int256 room = health.equity - _equityKept(distress.health, health.maintenanceMargin);
        int256 fee = int256(filled * distress.quote.markPerLot / FEE_DIVISOR);
        if (fee > room) fee = room < 0 ? int256(0) : room;
        uint40 keeper = accounts.traderAccount(msg.sender);
        int256 reward = keeper == 0 ? int256(0) : fee / 2;
        _pay(distress.account, -fee);
        _pay(keeper, reward);
        _pay(INSURANCE_ACCOUNT, fee - reward);
        emit Liquidated(distress.market, distress.account, uint64(filled), uint256(fee), keeper);
    }

    /* OFF THE BOOK */

    /// Insurance takes `count` lots at the mark, and the equity that stands behind them. What its
    /// other positions are worth is read at any age: were one dead index to stop it, nobody could be
    /// liquidated in any market.
    function _absorb(Distress memory distress, uint256 count) private {
        int256 unit = int256(distress.quote.markPerLot);
        int256 share = _shareOf(distress, count);
        int64 lots = _signed(distress, count);
        _hand(distress.market, [distress.account, INSURANCE_ACCOUNT], lots, unit);
        _pay(distress.account, -share);
        _pay(INSURANCE_ACCOUNT, share);
        int256 insured = _storedHealth(INSURANCE_ACCOUNT).equity;
        require(insured >= 0, InsuranceExhausted(insured));
        _countSlice(distress, count);
        emit Absorbed(distress.market, distress.account, lots, uint256(unit), share);
        uint256 reward = _rewardOf(distress, count, share);
        _reward(INSURANCE_ACCOUNT, reward < uint256(insured) ? reward : uint256(insured));
    }

    /// Half of the equity that insurance takes over, within bounds. The least of it is at most half of
    /// what both sides of a trade of these lots pay in fees, so that nobody lives on making positions
    /// to be taken over.
    function _rewardOf(Distress memory distress, uint256 count, int256 share) private view returns (uint256) {
        Limits storage limits = _limits[distress.market];
        uint256 rate = uint256(int256(limits.makerFee) + limits.takerFee) / 2;
        if (rate > REWARD_MIN_MILLIONTHS) rate = REWARD_MIN_MILLIONTHS;
        uint256 least = count * distress.quote.markPerLot * rate / Positions.FEE_UNIT;
        uint256 reward = share > 0 ? uint256(share) / 2 : 0;
        if (reward < least) reward = least;
        return reward < REWARD_MAX ? reward : REWARD_MAX;
    }

    /* ORDERS THAT CAN NO LONGER TRADE */

    /// @inheritdoc Trimming
    function _excessOf(uint32 market, Book.Order memory order) internal view override returns (uint64) {
        if (!order.isReduceOnly()) return 0;
        ReduceOnly storage resting = _reduceOnly[market][order.account];
        uint64 reserved = order.isBuy() ? resting.bidLots : resting.askLots;
        uint64 closable = _positions[market][order.account].closable(order.isBuy());
        if (reserved <= closable) return 0;
        return reserved - closable < order.lots ? reserved - closable : order.lots;
    }

    /// Out of collateral above what the account's positions need at fresh prices, so that no bounty is
    /// ever insurance's to pay.
    function _payBounty(uint32, Book.Order memory order, uint64, uint256 bounty) internal override {
        Health memory health = _storedHealth(order.account);
        if (health.staleAsset != 0) return;
        int256 spare = health.equity - int256(health.maintenanceMargin);
        int256 held = _holdings[order.account].collateral;
        if (held < spare) spare = held;
        if (spare > 0) _reward(order.account, uint256(spare) < bounty ? uint256(spare) : bounty);
    }
}
