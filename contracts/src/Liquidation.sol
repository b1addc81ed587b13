// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

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
        Health health; // of the account, before
        Positions.Position position;
        Quote quote;
        uint256 margin; // the position's part of the maintenance margin
    }

    uint256 private constant STEP_NOTIONAL = 100_000e18; // above it a position is closed in steps
    uint256 private constant STEP_DIVISOR = 5; // 20% of the position
    uint256 private constant PAUSE_SECONDS = 30; // after a step
    uint256 private constant SLIPPAGE_DIVISOR = 50; // 2% of the mark
    uint256 private constant FEE_DIVISOR = 100; // 1% of the notional
    uint256 private constant ROUNDING = 100; // quote raw per lot: more than the fees of 100 fills round up

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
        _requireUnhealthy(account, _storedHealth(account));
        _cancel(account, market, orders);
    }

    /// @inheritdoc ILiquidation
    function liquidate(uint40 account, uint32 market, uint40[] calldata orders) external nonReentrant {
        Distress memory distress = _distressOf(account, market, orders);
        _requireUnhealthy(account, distress.health);
        if (!_isFarBelow(distress.health) && _closeOnBook(distress)) return;
        _absorb(distress);
    }

    /// @inheritdoc ILiquidation
    function deleverage(uint40 loser, uint40 winner, uint32 market, uint64 lots, uint40[] calldata orders)
        external
        nonReentrant
        onlyDeleverager
    {
        Distress memory distress = _distressOf(loser, market, orders);
        _requireUninsured(distress);
        uint256 held = Positions.abs(distress.position.lots);
        _closeAgainst(distress, winner, lots < held ? lots : uint64(held));
    }

    /* CONDITIONS */

    /// Reads the position after its orders are cancelled and its funding hours settled.
    function _distressOf(uint40 account, uint32 market, uint40[] calldata orders)
        private
        returns (Distress memory distress)
    {
        _listed(market);
        distress.quote = _settleHours(market);
        distress.account = account;
        distress.market = market;
        distress.health = _storedHealth(account);
        _requireFresh(distress.health);
        _cancel(account, market, orders);
        Positions.Position memory position = _positions[market][account];
        require(position.bidLots == 0 && position.askLots == 0, OrdersRemain(market, account));
        uint256 lots = Positions.abs(position.lots);
        require(lots != 0, NotLiquidatable(account, distress.health.equity, distress.health.maintenanceMargin));
        distress.position = position;
        distress.margin = _maintenanceOf(lots, distress.quote);
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
        int256 insured =
            _storedHealth(INSURANCE_ACCOUNT).equity + _shareOf(health, health.maintenanceMargin - distress.margin);
        require(insured < 0, InsuranceSuffices(insured));
    }

    function _maintenanceOf(uint256 lots, Quote memory quote) private pure returns (uint256) {
        return Positions.divUp(lots * quote.markPerLot, 2 * quote.maxLeverage);
    }

    /// How much equity goes with the position when `marginLeft` of the maintenance margin remains:
    /// as much as keeps their ratio, less what rounding leaves with the account.
    function _shareOf(Health memory health, uint256 marginLeft) private pure returns (int256) {
        return health.equity - _equityKept(health, marginLeft);
    }

    /// The equity at which `marginLeft` has the ratio of before, rounded up.
    function _equityKept(Health memory health, uint256 marginLeft) private pure returns (int256) {
        return Positions.ceilDiv(health.equity * int256(marginLeft), health.maintenanceMargin);
    }

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

    /// Sells or buys the position, or a step of it, for what the book pays within the limit. False
    /// when that is nothing.
    function _closeOnBook(Distress memory distress) private returns (bool) {
        uint256 lots = Positions.abs(distress.position.lots);
        bool stepwise = lots * distress.quote.markPerLot > STEP_NOTIONAL;
        if (stepwise) {
            uint256 nextTime = _holdings[distress.account].partlyLiquidatedAt + PAUSE_SECONDS;
            require(block.timestamp >= nextTime, LiquidationTooSoon(nextTime));
            lots = Positions.divUp(lots, STEP_DIVISOR);
        }
        uint64 filled = _sell(distress, lots);
        if (filled == 0) return false;
        if (stepwise) _holdings[distress.account].partlyLiquidatedAt = uint40(block.timestamp);
        _charge(distress, filled);
        return true;
    }

    /// Sends the forced order. Returns the lots that it filled.
    function _sell(Distress memory distress, uint256 lots) private returns (uint64) {
        bool buy = distress.position.lots < 0;
        uint24 tick = _limitOf(distress, buy);
        Book.State memory state = _markets[distress.market].state;
        if (buy ? tick < state.bestAsk : tick > state.bestBid) return 0;
        uint256 most = state.maxOrderValue / (uint256(tick) * _markets[distress.market].units.quotePerLotTick);
        if (most < lots) lots = most;
        if (lots == 0) return 0;
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) = (distress.market, buy, tick, uint64(lots));
        (request.timeInForce, request.reduceOnly) = (TimeInForce.IOC, true);
        emit Liquidating(distress.market, distress.account, state.nextOrder);
        IPlaceFor(address(this)).placeFor(distress.account, request);
        uint256 left = Positions.abs(_positions[distress.market][distress.account].lots);
        return uint64(Positions.abs(distress.position.lots) - left);
    }

    /// The worst tick at which the account's margin ratio does not fall, taker fee included, and which
    /// is within 2% of the mark.
    function _limitOf(Distress memory distress, bool buy) private view returns (uint24) {
        uint256 mark = distress.quote.markPerLot;
        uint256 fee = uint256(int256(_limits[distress.market].takerFee));
        uint256 unit = _markets[distress.market].units.quotePerLotTick;
        uint256 room = uint256(distress.health.equity) * distress.margin / distress.health.maintenanceMargin
            / Positions.abs(distress.position.lots);
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
    function _charge(Distress memory distress, uint64 filled) private {
        Health memory health = _storedHealth(distress.account);
        int256 room = health.equity - _equityKept(distress.health, health.maintenanceMargin);
        int256 fee = int256(filled * distress.quote.markPerLot / FEE_DIVISOR);
        if (fee > room) fee = room < 0 ? int256(0) : room;
        uint40 keeper = accounts.traderAccount(msg.sender);
        int256 reward = keeper == 0 ? int256(0) : fee / 2;
        _pay(distress.account, -fee);
        _pay(keeper, reward);
        _pay(INSURANCE_ACCOUNT, fee - reward);
        emit Liquidated(distress.market, distress.account, filled, uint256(fee), keeper);
    }

    function _pay(uint40 account, int256 amount) private {
        if (amount == 0) return;
        _holdings[account].collateral = Positions.toInt128(_holdings[account].collateral + amount);
    }

    /* OFF THE BOOK */

    /// Insurance takes the position at the mark, and the equity that stands behind it.
    function _absorb(Distress memory distress) private {
        int256 unit = int256(distress.quote.markPerLot);
        int256 share = _shareOf(distress.health, distress.health.maintenanceMargin - distress.margin);
        int64 lots = distress.position.lots;
        _hand(distress, INSURANCE_ACCOUNT, lots, unit);
        _pay(distress.account, -share);
        _pay(INSURANCE_ACCOUNT, share);
        int256 insured = _storedHealth(INSURANCE_ACCOUNT).equity;
        require(insured >= 0, InsuranceExhausted(insured));
        emit Absorbed(distress.market, distress.account, lots, uint256(unit), share);
    }

    /// Closes `count` lots against the winner's at the price that takes the loser's share of equity.
    function _closeAgainst(Distress memory distress, uint40 winner, uint64 count) private {
        Positions.Position memory opposite = _positions[distress.market][winner];
        int256 profit = opposite.equity(distress.quote.markPerLot, distress.quote.fundingIndex);
        bool long = distress.position.lots > 0;
        require(
            count != 0 && winner != INSURANCE_ACCOUNT && profit > 0 && (opposite.lots < 0) == long
                && Positions.abs(opposite.lots) >= count,
            NotWinner(winner, opposite.lots, profit)
        );
        Health memory before = _storedHealth(winner);
        int64 lots = long ? int64(count) : -int64(count);
        int256 unit = _bankruptcyUnit(distress, lots);
        _hand(distress, winner, lots, unit);
        _requireBetter(_storedHealth(winner), before);
        emit Deleveraged(distress.market, distress.account, winner, lots, unit);
    }

    /// The price per lot that leaves the loser's margin ratio where it is once `lots` are gone, rounded
    /// for the loser.
    function _bankruptcyUnit(Distress memory distress, int64 lots) private pure returns (int256) {
        uint256 left = _maintenanceOf(Positions.abs(int256(distress.position.lots) - lots), distress.quote);
        int256 share = _shareOf(distress.health, distress.health.maintenanceMargin - distress.margin + left);
        uint256 count = Positions.abs(lots);
        int256 away = Positions.ceilDiv(-share, count);
        return int256(distress.quote.markPerLot) + (lots > 0 ? away : -away);
    }

    /// Moves `lots` of the position to `taker` at `unit` each; funding is paid first on both sides.
    function _hand(Distress memory distress, uint40 taker, int64 lots, int256 unit) private {
        uint32 market = distress.market;
        int256 fundingIndex = distress.quote.fundingIndex;
        Positions.Position memory other = _positions[market][taker];
        int256 long = distress.position.long() + other.long();
        {
            Holding memory holding = _holdings[distress.account];
            int256 cash = distress.position.fill(-int256(lots), unit, fundingIndex);
            holding.collateral = Positions.toInt128(holding.collateral + cash);
            _store(market, distress.account, distress.position, holding);
        }
        {
            Holding memory holding = _holdings[taker];
            int256 cash = other.fill(lots, unit, fundingIndex);
            holding.collateral = Positions.toInt128(holding.collateral + cash);
            _store(market, taker, other, holding);
        }
        Funding.Activity storage activity = _activities[market];
        int256 change = distress.position.long() + other.long() - long;
        activity.openInterest = uint64(uint256(int256(uint256(activity.openInterest)) + change));
    }
}
