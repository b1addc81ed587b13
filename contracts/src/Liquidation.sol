// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibBit} from "solady/utils/LibBit.sol";
import {Book} from "./Book.sol";
import {Engine} from "./Engine.sol";
import {Funding} from "./Funding.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {IBook, OrderRequest, Reason, TimeInForce} from "./interfaces/IBook.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {ILiquidation} from "./interfaces/IPerps.sol";

/// The one entry of Perps that takes an order for somebody else's account.
interface IPlaceFor {
    function placeFor(uint40 account, OrderRequest calldata request) external returns (uint40 order);
}

/// What happens to an account below its maintenance margin: section 9 of Perps.sol. Whatever is done
/// here leaves equity over maintenance margin at least where it was, and makes no position larger.
/// PerpsDesk delegates here what it does not know, so this acts on the storage of Perps, too.
contract Liquidation is ILiquidation, PerpsState {
    using Book for Book.Market;
    using Positions for Positions.Position;

    /// A position that is about to be closed by force.
    struct Distress {
        uint40 account;
        uint32 market;
        int64 lots;
        Health health; // of the account, before
        Quote quote;
        uint256 margin; // the position's part of the maintenance margin
        uint256 slice; // how many lots may be closed before a pause; 0 when all may
    }

    uint256 private constant SLICE_NOTIONAL = 100_000e18; // above it a position is closed in slices
    uint256 private constant SLICE_DIVISOR = 5; // 20% of the position
    uint256 private constant SLICE_WHOLE = type(uint24).max; // Holding.sliceClosed of a whole slice
    uint256 private constant PAUSE_SECONDS = 30; // after a slice
    uint256 private constant SLIPPAGE_DIVISOR = 50; // 2% of the mark
    uint256 private constant FEE_DIVISOR = 100; // 1% of the notional
    uint256 private constant ROUNDING = 100; // quote raw per lot: more than the fees of all fills round up
    uint16 private constant FORCED_FILLS_MAX = 25; // makers with 64 markets each still fit in a block

    constructor(IAccounts accounts_, IOracle oracle_, address collateral_)
        PerpsState(oracle_, collateral_)
        Engine(accounts_, address(this))
    {}

    modifier onlyDeleverager() {
        require(msg.sender == deleverager, NotDeleverager(msg.sender));
        _;
    }

    /* ENTRY */

    /// @inheritdoc ILiquidation
    function setDeleverager(address deleverager_) external onlyOwner {
        deleverager = deleverager_;
        emit DeleveragerChanged(deleverager_);
    }

    /// @inheritdoc ILiquidation
    function cancelFor(uint40 account, uint32 market, uint40[] calldata orders) external nonReentrant {
        _settleAll(account);
        _requireUnhealthy(account, _storedHealth(account));
        _cancel(account, market, orders);
    }

    /// @inheritdoc ILiquidation
    function liquidate(uint40 account, uint32 market, uint40[] calldata orders) external nonReentrant {
        Distress memory distress = _distressOf(account, market);
        _requireUnhealthy(account, distress.health);
        _cancel(account, market, orders);
        uint256 lots = Positions.abs(distress.lots);
        if (!_isFarBelow(distress.health)) {
            if (lots * distress.quote.markPerLot > SLICE_NOTIONAL) lots = _startSlice(distress, lots);
            (uint256 filled, bool more) = _closeOnBook(distress, lots);
            if (filled != 0 || more) return;
        }
        _absorb(distress, lots);
    }

    /// @inheritdoc ILiquidation
    function deleverage(uint40 loser, uint40 winner, uint32 market, uint64 lots, uint40[] calldata orders)
        external
        nonReentrant
        onlyDeleverager
    {
        require(lots != 0, IBook.LotsZero());
        Distress memory distress = _distressOf(loser, market);
        _requireUninsured(distress);
        _cancel(loser, market, orders);
        uint256 held = Positions.abs(distress.lots);
        _closeAgainst(distress, winner, lots < held ? lots : uint64(held));
    }

    /* CONDITIONS */

    /// Reads the position once the ended hours of all the account's markets are settled, so that its
    /// health does not depend on who touched which market.
    function _distressOf(uint40 account, uint32 market) private returns (Distress memory distress) {
        _listed(market);
        _settleAll(account);
        distress.account = account;
        distress.market = market;
        distress.quote = _quoteOf(market);
        distress.health = _storedHealth(account);
        distress.lots = _positions[market][account].lots;
        uint256 lots = Positions.abs(distress.lots);
        require(lots != 0, NotLiquidatable(account, distress.health.equity, distress.health.maintenanceMargin));
        _requireFresh(distress.health);
        distress.margin = _maintenanceOf(lots, distress.quote);
    }

    function _settleAll(uint40 account) private {
        uint256 markets = _holdings[account].markets;
        while (markets != 0) {
            uint32 market = uint32(LibBit.ffs(markets)) + 1;
            markets &= markets - 1;
            if (Funding.hourHasEnded(_carries[market])) _settleHours(market);
        }
    }

    /// The insurance account is never liquidated, only deleveraged.
    function _requireUnhealthy(uint40 account, Health memory health) private pure {
        require(
            account != INSURANCE_ACCOUNT && health.equity < int256(health.maintenanceMargin),
            NotLiquidatable(account, health.equity, health.maintenanceMargin)
        );
        _requireFresh(health);
    }

    /// Below two thirds of the maintenance margin the book gets no more chance.
    function _isFarBelow(Health memory health) private pure returns (bool) {
        return health.equity * 3 < int256(health.maintenanceMargin) * 2;
    }

    /// Insurance below zero, or an account whose position insurance could not take over.
    function _requireUninsured(Distress memory distress) private view {
        Health memory health = distress.health;
        if (distress.account == INSURANCE_ACCOUNT) {
            require(health.equity < 0, InsuranceSuffices(health.equity));
            return;
        }
        require(_isFarBelow(health), NotLiquidatable(distress.account, health.equity, health.maintenanceMargin));
        int256 insured = _storedHealth(INSURANCE_ACCOUNT).equity + _shareOf(distress, Positions.abs(distress.lots));
        require(insured < 0, InsuranceSuffices(insured));
    }

    function _maintenanceOf(uint256 lots, Quote memory quote) private pure returns (uint256) {
        return Positions.divUp(lots * quote.markPerLot, 2 * quote.maxLeverage);
    }

    /// How much equity goes with `lots` of the position: as much as keeps the account's ratio, less
    /// what rounding leaves with it.
    function _shareOf(Distress memory distress, uint256 lots) private pure returns (int256) {
        uint256 left = _maintenanceOf(Positions.abs(distress.lots) - lots, distress.quote);
        uint256 marginLeft = distress.health.maintenanceMargin - distress.margin + left;
        return distress.health.equity - _equityKept(distress.health, marginLeft);
    }

    /// The equity at which `marginLeft` has the ratio of before, rounded up.
    function _equityKept(Health memory health, uint256 marginLeft) private pure returns (int256) {
        if (marginLeft == 0) return 0; // at a mark of nothing the margin of before is 0, too
        return Positions.ceilDiv(health.equity * int256(marginLeft), health.maintenanceMargin);
    }

    /// Passes over what is no order of the account's.
    function _cancel(uint40 account, uint32 market, uint40[] calldata orders) private {
        Book.Market storage book = _markets[market];
        for (uint256 i = 0; i < orders.length; i++) {
            Book.Order memory order = book.orders[orders[i]];
            if (order.lots == 0 || order.account != account) continue;
            book.pull(orders[i], order);
            emit IBook.Cancelled(market, account, orders[i], order.lots, Reason.LIQUIDATION);
            _free(market, order, order.lots);
        }
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
        request.maxFills = FORCED_FILLS_MAX;
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
        Health memory health = _storedHealth(distress.account);
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
        _hand(distress, INSURANCE_ACCOUNT, lots, unit);
        _pay(distress.account, -share);
        _pay(INSURANCE_ACCOUNT, share);
        int256 insured = _storedHealth(INSURANCE_ACCOUNT).equity;
        require(insured >= 0, InsuranceExhausted(insured));
        _countSlice(distress, count);
        emit Absorbed(distress.market, distress.account, lots, uint256(unit), share);
    }

    function _signed(Distress memory distress, uint256 count) private pure returns (int64) {
        return distress.lots > 0 ? int64(uint64(count)) : -int64(uint64(count));
    }

    /// Closes `count` lots against the winner's at the price that takes the loser's share of equity.
    function _closeAgainst(Distress memory distress, uint40 winner, uint64 count) private {
        Positions.Position memory opposite = _positions[distress.market][winner];
        int256 profit = opposite.equity(distress.quote.markPerLot, distress.quote.fundingIndex);
        require(
            winner != INSURANCE_ACCOUNT && profit > 0 && (opposite.lots < 0) == (distress.lots > 0)
                && Positions.abs(opposite.lots) >= count,
            NotWinner(winner, opposite.lots, profit)
        );
        Health memory before = _storedHealth(winner);
        int64 lots = _signed(distress, count);
        int256 unit = _bankruptcyUnit(distress, count);
        _hand(distress, winner, lots, unit);
        _requireBetter(_storedHealth(winner), before);
        emit Deleveraged(distress.market, distress.account, winner, lots, unit);
    }

    /// The price per lot that leaves the loser's margin ratio where it is once `count` lots are gone, rounded
    /// for the loser.
    function _bankruptcyUnit(Distress memory distress, uint256 count) private pure returns (int256) {
        int256 away = Positions.ceilDiv(-_shareOf(distress, count), count);
        return int256(distress.quote.markPerLot) + (distress.lots > 0 ? away : -away);
    }

    /// Moves `lots` of the position to `taker` at `unit` each; funding is paid first on both sides.
    function _hand(Distress memory distress, uint40 taker, int64 lots, int256 unit) private {
        uint32 market = distress.market;
        int256 fundingIndex = distress.quote.fundingIndex;
        Positions.Position memory own = _positions[market][distress.account];
        Positions.Position memory other = _positions[market][taker];
        int256 long = own.long() + other.long();
        _trade(market, distress.account, own, own.fill(-int256(lots), unit, fundingIndex));
        _trade(market, taker, other, other.fill(lots, unit, fundingIndex));
        Funding.Activity storage activity = _activities[market];
        int256 change = own.long() + other.long() - long;
        activity.openInterest = uint64(uint256(int256(uint256(activity.openInterest)) + change));
    }

    /// Stores a position that a trade has changed, and what it paid.
    function _trade(uint32 market, uint40 account, Positions.Position memory position, int256 cash) private {
        Holding memory holding = _holdings[account];
        holding.collateral = Positions.toInt128(holding.collateral + cash);
        _store(market, account, position, holding);
    }
}
