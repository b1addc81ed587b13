// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/*
THE ARITHMETIC OF A PERPETUAL MARKET

All values are integers. `/` is Solidity's: it cuts towards zero, for negative numbers too (as
BigInt's does in JavaScript). ceilDiv(a, b) with b > 0 rounds up: a > 0 ? (a + b - 1) / b : a / b.
clamp(x, limit) keeps x within -limit .. +limit. E18 = 10**18. Prices, collateral, quote, fees and
rates have 18 decimals. A deposit of `amount` raw units of a token with d decimals adds
amount * 10**(18 - d) to the collateral; Withdrawn and Transferred subtract and add likewise.

1. Steps      quotePerLotTick = priceStep * amountStep / E18           exact, or listing refuses it
              value = tick * lots * quotePerLotTick                    of an order or a fill

2. Mark       index = the oracle's newest price of the asset, at any age
              mark = index + clamp(basis, index / 200)                 basis: of the last Marked event
              markPerLot = mark * amountStep / E18
              Marked.mark is this value right after the poke. Before the first Marked basis = 0.

3. Funding index, in quote per lot
              F(t) = cumulative + perSecond * min(t - settledTime, 3600)   t: the block's time
              Listing: cumulative = perSecond = rate = 0, settledTime = t - t % 3600.
              FundingSettled sets cumulative, rate = nextRate, perSecond = nextPerSecond and
              settledTime = its `time`, and empties the premium samples (sum = count = 0). The
              contract emits it at the first touch (place or poke) of the market after the hour, before
              anything else that depends on it:
                  cumulative' = cumulative + perSecond * 3600
                  nextRate = count == 0 ? 0 : rateOf(sum / count)
                  rateOf(p) = clamp(p / 8 + clamp(1.25e13 - p / 8, 6.25e13), 5e15)
                  nextPerSecond = nextRate * markPerLot / (3600 * E18) kept within int64
              A touch closes at most 24 hours. When more are missing the next touches go on; by then
              perSecond is 0, so F stands still and nothing is lost.
              FundingSettled.mark is the mark at which the closed hour accrued: the one of the touch
              that opened it.

4. A position {lots, quote, fundingIndex} changes only at a Filled event, once for the maker and once
   for the taker. With d = lots bought (sold: -lots), and before anything else of that fill:
              payment = lots * (F(t) - fundingIndex)                   positive: the account pays
              collateral -= payment
   then, with L = lots and Q = quote before the fill:
              value(n) = n * tick * quotePerLotTick                    signed
              if L and d have opposite signs:
                  c = min(|L|, |d|) * sign(d)                          the part that closes
                  closedQuote = Q * |c| / |L|                          all of Q when |c| = |L|
              else c = 0, closedQuote = 0
              realised = closedQuote - value(c)                        realised profit or loss
              collateral += realised
              quote = Q - closedQuote - value(d - c)
              lots = L + d
              fundingIndex = lots == 0 ? 0 : F(t)                      and then quote == 0, too
   Cash of a fill is thus conserved: collateral + quote falls by exactly value(d) + payment.

5. Fees       fee = ceilDiv(value * rate, 10**6)                       rate: makerFee, takerFee
              Filled.makerFee and .takerFee carry them. Each payer's collateral falls by its fee; the
              collateral of account 2 rises by makerFee + takerFee. A negative fee is a rebate.

6. Poke       mid = (bestBid + bestAsk) * priceStep / 2                when both best levels hold at
                                                                       least `impactLots`, else none
              premium = mid ? clamp((mid - index) * E18 / index, 1e16) : 0
              x = mid ? mid - index : 0
              basis' = clamp(basis + (x - basis) * dt / (dt + 150), index / 200)
                                                                       dt: seconds since the last poke
              A poke settles funding first, then emits Marked; sum += premium, count += 1.

7. Equity     of one position: quote + lots * markPerLot - lots * (F(t) - fundingIndex)
              of an account: collateral + the sum over its positions
   Exposure   max(|lots + bidLots|, |lots - askLots|)
   Initial    ceilDiv(exposure * markPerLot, leverage == 0 ? maxLeverage : min(leverage, maxLeverage))
   Maintenance  ceilDiv(|lots| * markPerLot, 2 * maxLeverage)

8. Open interest of a market is the sum of its positive lots.
*/

import {Book} from "./Book.sol";
import {Engine} from "./Engine.sol";
import {Funding} from "./Funding.sol";
import {Ledger} from "./Ledger.sol";
import {Matching} from "./Matching.sol";
import {PerpsDesk} from "./PerpsDesk.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {Reason} from "./interfaces/IBook.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {IPerps, PerpParameters} from "./interfaces/IPerps.sol";
import {IPerpsViews} from "./interfaces/IPerpsViews.sol";

/// Perpetual markets with cross margin. Margin is checked last, after funding, fills and fees.
contract Perps is PerpsState, IPerps, IPerpsViews, Matching, Ledger {
    using Book for Book.Order;
    using Positions for Positions.Position;

    /// The engine's memory of a placement; Taking.context points at it.
    struct Placement {
        Quote quote;
        Positions.Position taker;
        Limits limits;
        Health before; // of a reduce-only taker
        int256 cash; // what the taker's collateral gains
        int256 fees; // what the fee account gains
        int256 openInterest; // change
        int256 makerFee; // of the fill at hand
        int256 takerFee;
    }

    uint256 public constant MARKETS_MAX = 64;
    uint256 private constant AMOUNT_MAX = type(uint128).max;
    uint256 private constant LOT_TICK_MAX = 1e17; // with 2^24 ticks a lot stays below 2e24 of quote
    uint40 private constant FEE_ACCOUNT = 2;

    address public immutable collateral;
    uint256 private immutable SCALE; // of a raw unit of collateral
    address private immutable DESK;

    constructor(IAccounts accounts_, IOracle oracle_, address collateral_, address owner_)
        PerpsState(oracle_)
        Engine(accounts_, owner_)
    {
        collateral = collateral_;
        SCALE = 10 ** (18 - _listToken(collateral_).decimals);
        DESK = address(new PerpsDesk(oracle_));
    }

    /* MARKETS */

    /// @inheritdoc IPerps
    function list(
        bytes32 name,
        bytes32 asset,
        uint256 priceStep,
        uint256 amountStep,
        uint64 impactLots,
        PerpParameters calldata parameters
    ) external onlyOwner returns (uint32 market) {
        require(marketCount < MARKETS_MAX, TooManyMarkets());
        market = _listBook(priceStep, amountStep, 1e18);
        uint256 lotTick = _markets[market].units.quotePerLotTick;
        require(lotTick <= LOT_TICK_MAX, LimitOutOfRange(lotTick, LOT_TICK_MAX));
        _setBounds(market, parameters.minOrderValue, parameters.maxOrderValue);
        _run(abi.encodeCall(PerpsDesk.open, (market, asset, amountStep, parameters)));
        emit Listed(market, name, asset, collateral, priceStep, amountStep, parameters);
        _run(abi.encodeCall(PerpsDesk.setImpactLots, (market, impactLots)));
    }

    /// @inheritdoc IPerps
    function change(uint32 market, PerpParameters calldata parameters) external onlyOwner {
        _listed(market);
        _setBounds(market, parameters.minOrderValue, parameters.maxOrderValue);
        _run(abi.encodeCall(PerpsDesk.setParameters, (market, parameters)));
        emit Changed(market, parameters);
    }

    /// @inheritdoc IPerps
    function setImpactLots(uint32 market, uint64) external onlyOwner {
        _listed(market);
        _run(msg.data);
    }

    /// @inheritdoc IPerps
    function setIndexAgeMax(uint32 market, uint16) external onlyOwner {
        _listed(market);
        _run(msg.data);
    }

    /* PRICES AND FUNDING */

    /// @inheritdoc IPerps
    function poke(uint32 market) external nonReentrant {
        _run(abi.encodeCall(PerpsDesk.poke, (market, _mid(market))));
    }

    /// Half way between the best ticks when both levels are thick enough to mean something, else 0.
    function _mid(uint32 market) private view returns (uint256) {
        Book.Market storage book = _listed(market);
        Book.State memory state = book.state;
        uint64 impactLots = _activities[market].impactLots;
        if (state.bestBid == Ticks.NONE_BELOW || state.bestAsk == Ticks.NONE_ABOVE) return 0;
        if (book.levels[state.bestBid].lots < impactLots || book.levels[state.bestAsk].lots < impactLots) return 0;
        uint256 priceStep = uint256(book.units.quotePerLotTick) * 1e18 / book.units.amountStep;
        return (uint256(state.bestBid) + state.bestAsk) * priceStep / 2;
    }

    /// Settles the hours of `market` that have ended and returns its prices.
    function _touch(uint32 market) private returns (Quote memory) {
        if (Funding.hourHasEnded(_carries[market])) _run(abi.encodeCall(PerpsDesk.settleHours, (market)));
        return _quoteOf(market);
    }

    /// Has the desk do `call` on this contract's storage.
    function _run(bytes memory call) private {
        (bool done, bytes memory result) = DESK.delegatecall(call);
        if (done) return;
        assembly ("memory-safe") {
            revert(add(result, 0x20), mload(result))
        }
    }

    /* ORDERS */

    /// @inheritdoc Matching
    function _admit(Taking memory taking) internal override returns (uint64 lots) {
        Placement memory placement;
        placement.quote = _touch(taking.market);
        placement.taker = _positions[taking.market][taking.account];
        placement.limits = _limits[taking.market];
        uint256 context;
        assembly ("memory-safe") {
            context := placement
        }
        taking.context = context;
        if (taking.reduceOnly) {
            lots = _cut(taking, placement.taker);
            placement.before =
                _health(taking.account, _holdings[taking.account], taking.market, placement.taker, placement.quote);
        } else {
            lots = taking.lots;
            require(!placement.quote.stale, IndexStale(placement.quote.asset, placement.quote.indexTime));
        }
        if (!taking.postOnly) taking.reach = _reach(taking, placement.quote.markPerLot);
    }

    /// The lots of a reduce-only order: at most what its position has and no other such order closes.
    function _cut(Taking memory taking, Positions.Position memory position) private view returns (uint64) {
        ReduceOnly storage resting = _reduceOnly[taking.market][taking.account];
        uint64 reserved = taking.buy ? resting.bidLots : resting.askLots;
        uint64 closable = position.closable(taking.buy);
        require(closable > reserved, ReduceOnlyWouldGrow(position.lots));
        return taking.lots < closable - reserved ? taking.lots : closable - reserved;
    }

    /// The farthest tick at which a taker may trade: its limit, or the edge of mark +-10%.
    function _reach(Taking memory taking, uint256 markPerLot) private pure returns (uint24) {
        if (taking.buy) {
            uint256 highest = markPerLot * 11 / 10 / taking.quotePerLotTick;
            return highest < taking.tick ? uint24(highest) : taking.tick;
        }
        uint256 lowest = Positions.divUp(Positions.divUp(markPerLot * 9, 10), taking.quotePerLotTick);
        if (lowest <= taking.tick) return taking.tick;
        return lowest < Ticks.NONE_ABOVE ? uint24(lowest) : Ticks.NONE_ABOVE;
    }

    /// @inheritdoc Matching
    function _fill(Taking memory taking, uint40 makerOrder, Book.Order memory maker, uint64 offered)
        internal
        override
        returns (uint64 filled, bool dropped, Reason reason)
    {
        Positions.Position memory position = _positions[taking.market][maker.account];
        filled = offered;
        if (maker.isReduceOnly()) {
            uint64 closable = position.closable(maker.isBuy());
            if (closable < offered) (filled, dropped, reason) = (closable, true, Reason.REDUCE_ONLY_CAPPED);
            if (filled == 0) return (0, true, reason);
        }
        if (!_exchange(taking, makerOrder, maker, position, filled)) return (0, true, Reason.MARGIN);
    }

    /// Fills `lots` for maker and taker, unless the maker would fall below its maintenance margin.
    function _exchange(
        Taking memory taking,
        uint40 makerOrder,
        Book.Order memory maker,
        Positions.Position memory position,
        uint64 lots
    ) private returns (bool) {
        Placement memory placement = _placementOf(taking);
        int256 bought = taking.buy ? int256(uint256(lots)) : -int256(uint256(lots));
        int256 unit = int256(maker.tick * taking.quotePerLotTick);
        placement.makerFee = Positions.feeUp(lots * uint256(unit), placement.limits.makerFee);
        placement.takerFee = Positions.feeUp(lots * uint256(unit), placement.limits.takerFee);
        int256 long = position.long() + placement.taker.long();
        {
            Holding memory holding = _holdings[maker.account];
            int256 cash = position.fill(-bought, unit, placement.quote.fundingIndex) - placement.makerFee;
            if (taking.buy) position.askLots -= lots;
            else position.bidLots -= lots;
            holding.collateral = Positions.toInt128(holding.collateral + cash);
            Health memory health = _health(maker.account, holding, taking.market, position, placement.quote);
            if (health.equity < int256(health.maintenanceMargin)) return false;
            if (maker.isReduceOnly()) _unreserve(taking.market, maker, lots);
            _store(taking.market, maker.account, position, holding);
        }
        placement.cash += placement.taker.fill(bought, unit, placement.quote.fundingIndex) - placement.takerFee;
        placement.fees += placement.makerFee + placement.takerFee;
        placement.openInterest += position.long() + placement.taker.long() - long;
        emit Filled(
            taking.market,
            maker.account,
            makerOrder,
            taking.account,
            taking.order,
            maker.tick,
            lots,
            int128(placement.makerFee),
            int128(placement.takerFee)
        );
        return true;
    }

    /// @inheritdoc Matching
    function _release(uint32 market, Book.Order memory order, uint64 lots) internal override {
        Positions.Position storage position = _positions[market][order.account];
        if (order.isBuy()) position.bidLots -= lots;
        else position.askLots -= lots;
        if (order.isReduceOnly()) _unreserve(market, order, lots);
        if (position.bidLots == 0 && position.askLots == 0 && position.lots == 0) {
            _holdings[order.account].markets &= ~_bit(market);
        }
    }

    function _unreserve(uint32 market, Book.Order memory order, uint64 lots) private {
        ReduceOnly storage resting = _reduceOnly[market][order.account];
        if (order.isBuy()) resting.bidLots -= lots;
        else resting.askLots -= lots;
    }

    /// @inheritdoc Matching
    function _settle(Taking memory taking, uint64 rested) internal override {
        if (taking.filled == 0 && rested == 0) return;
        Placement memory placement = _placementOf(taking);
        Positions.Position memory position = placement.taker;
        Holding memory holding = _holdings[taking.account];
        if (rested != 0) _rest(taking, rested);
        {
            // Dropping an own order in the way has changed the resting lots since _admit read them.
            Positions.Position storage stored = _positions[taking.market][taking.account];
            (position.bidLots, position.askLots) = (stored.bidLots, stored.askLots);
        }
        if (taking.filled != 0) {
            holding.collateral = Positions.toInt128(holding.collateral + placement.cash);
            _store(taking.market, taking.account, position, holding);
            _settleMarket(taking.market, placement);
        } else if (holding.markets & _bit(taking.market) == 0) {
            holding.markets |= _bit(taking.market);
            _holdings[taking.account].markets = holding.markets;
        }
        if (taking.reduceOnly && taking.filled == 0) return;
        Health memory health = _health(taking.account, holding, taking.market, position, placement.quote);
        if (taking.reduceOnly) _requireBetter(health, placement.before);
        else _requireInitial(health, position, placement);
    }

    /// Reserves for the `rested` lots of an order.
    function _rest(Taking memory taking, uint64 rested) private {
        Positions.Position storage position = _positions[taking.market][taking.account];
        if (taking.buy) position.bidLots += rested;
        else position.askLots += rested;
        if (!taking.reduceOnly) return;
        ReduceOnly storage resting = _reduceOnly[taking.market][taking.account];
        if (taking.buy) resting.bidLots += rested;
        else resting.askLots += rested;
    }

    /// Books the fees and the open interest of a placement that filled.
    function _settleMarket(uint32 market, Placement memory placement) private {
        if (placement.fees != 0) {
            Holding storage fees = _holdings[FEE_ACCOUNT];
            fees.collateral = Positions.toInt128(fees.collateral + placement.fees);
        }
        if (placement.openInterest == 0) return;
        Funding.Activity storage activity = _activities[market];
        uint256 openInterest = uint256(int256(uint256(activity.openInterest)) + placement.openInterest);
        uint256 maximum = placement.limits.maxOpenInterest;
        require(placement.openInterest < 0 || openInterest <= maximum, OpenInterestAboveMaximum(openInterest, maximum));
        activity.openInterest = uint64(openInterest);
    }

    function _store(uint32 market, uint40 account, Positions.Position memory position, Holding memory holding) private {
        _positions[market][account] = position;
        if (position.isEmpty()) holding.markets &= ~_bit(market);
        else holding.markets |= _bit(market);
        _holdings[account] = holding;
    }

    function _placementOf(Taking memory taking) private pure returns (Placement memory placement) {
        uint256 context = taking.context;
        assembly ("memory-safe") {
            placement := context
        }
    }

    /* MARGIN */

    /// @inheritdoc IPerps
    function setLeverage(uint32 market, uint16 leverage) external nonReentrant {
        _listed(market);
        _run(abi.encodeCall(PerpsDesk.setLeverage, (_trader(), market, leverage)));
    }

    /// What grows the risk needs initial margin, fresh prices and room below the account's cap.
    function _requireInitial(Health memory health, Positions.Position memory position, Placement memory placement)
        private
        pure
    {
        uint256 exposure = position.exposure();
        uint256 notional = exposure * placement.quote.markPerLot;
        uint256 maximum = placement.limits.maxNotionalValue;
        require(notional <= maximum && exposure <= LOTS_MAX, NotionalAboveMaximum(notional, maximum));
        _requireFresh(health);
        _requireMargin(health.equity, health.initialMargin);
    }

    /// A reduce-only taker keeps its maintenance margin, or raises equity over maintenance margin.
    function _requireBetter(Health memory health, Health memory before) private pure {
        if (health.equity >= int256(health.maintenanceMargin)) return;
        require(
            health.equity * int256(before.maintenanceMargin) > before.equity * int256(health.maintenanceMargin),
            MarginTooLow(health.equity, health.maintenanceMargin)
        );
    }

    /* COLLATERAL */

    function _credit(uint40 account, address, uint256 amount) internal override {
        Holding storage holding = _holdings[account];
        holding.collateral = Positions.toInt128(holding.collateral + _scaled(amount));
    }

    /// What leaves must leave the initial margin and a tenth of the positions' notional.
    function _debit(uint40 account, address, uint256 amount) internal override {
        Holding memory holding = _holdings[account];
        int256 rest = holding.collateral - _scaled(amount);
        require(rest >= 0, BalanceTooLow(amount, holding.collateral < 0 ? 0 : uint128(holding.collateral) / SCALE));
        holding.collateral = Positions.toInt128(rest);
        _holdings[account] = holding;
        if (holding.markets == 0) return;
        Health memory health = healthOf(account);
        _requireFresh(health);
        uint256 tenth = Positions.divUp(health.notional, 10);
        _requireMargin(health.equity, health.initialMargin > tenth ? health.initialMargin : tenth);
    }

    /// Refuses amounts whose scaled value an int256 would take for a negative one.
    function _scaled(uint256 amount) private view returns (int256) {
        require(amount <= AMOUNT_MAX, LimitOutOfRange(amount, AMOUNT_MAX));
        return int256(amount * SCALE);
    }

    /* READING, FOR LENSES AND TESTS */

    /// @inheritdoc IPerpsViews
    function healthOf(uint40 account) public view returns (Health memory) {
        Positions.Position memory none;
        Quote memory noQuote;
        return _health(account, _holdings[account], 0, none, noQuote);
    }

    /// @inheritdoc IPerpsViews
    function holdingOf(uint40 account) external view returns (Holding memory) {
        return _holdings[account];
    }

    /// @inheritdoc IPerpsViews
    function positionOf(uint32 market, uint40 account) external view returns (Positions.Position memory) {
        return _positions[market][account];
    }

    /// @inheritdoc IPerpsViews
    function quoteOf(uint32 market) external view returns (Quote memory) {
        return _quoteOf(market);
    }

    /// @inheritdoc IPerpsViews
    function fundingOf(uint32 market) external view returns (Funding.Carry memory, Funding.Activity memory) {
        return (_carries[market], _activities[market]);
    }
}
