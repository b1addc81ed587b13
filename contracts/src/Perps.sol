// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/*
THE ARITHMETIC OF A PERPETUAL MARKET

All values are integers. `/` is Solidity's: it cuts towards zero, for negative numbers too (as
BigInt's does in JavaScript). ceilDiv(a, b) with b > 0 rounds up: a > 0 ? (a + b - 1) / b : a / b.
clamp(x, limit) keeps x within -limit .. +limit. E18 = 10**18. Prices, collateral, quote, fees and
rates have 18 decimals. A deposit of `amount` raw units of a token with d decimals adds
amount * 10**(18 - d) to the collateral; Withdrawn and Transferred subtract and add likewise.

1. Steps      quotePerLotTick = priceStep * amountStep / E18       exact, or listing reverts
              value = tick * lots * quotePerLotTick                of an order or a fill

2. Mark       index = the oracle's newest price of the asset, at any age
              mark = index + index * basis / E18
              markPerLot = mark * amountStep / E18
              basis: of the last Marked event of an earlier second; 0 before the first one. So a
              transaction cannot change it for itself. Marked.mark is this value with the event's
              own basis: it holds from the next second on, at the index of the poke.

3. Funding index, in quote per lot
              F(t) = cumulative + perSecond * min(t - settledTime, 3600)   t: the block's time
              The clock starts at listing, or, when the asset has no price then, with its first
              price: cumulative = perSecond = rate = 0, settledTime = t - t % 3600. No hour is
              settled before, and each one after.
              FundingSettled sets cumulative, rate = nextRate, perSecond = nextPerSecond and
              settledTime = its `time`, and empties the premium samples (sum = sampled = 0). The
              first order, poke or forced close in the market after the hour emits it, before
              anything else that depends on it:
                  cumulative' = cumulative + perSecond * 3600
                  nextRate = sampled == 0 ? 0 : rateOf(sum / 3600)
                  rateOf(p) = clamp(p / 8 + clamp(1.25e13 - p / 8, 6.25e13), 5e15)
                  nextPerSecond = nextRate * markPerLot / (3600 * E18) kept within int64
              One call settles at most 24 hours; when more are missing, the next calls go on. By
              then perSecond is 0, so F does not change and nothing is lost.
              FundingSettled.mark is the mark at which the closed hour accrued, above zero: the
              mark at the moment when the hour before it was settled; of the first hour that at
              the start of the clock. A stale index stops no hour: its last value counts.

4. A position {lots, quote, fundingIndex} changes only at a Filled event, once for the maker and
   once for the taker. With d = lots bought (sold: -lots), and before anything else of that fill:
              payment = lots * (F(t) - fundingIndex)               positive: the account pays
              collateral -= payment
   then, with L = lots and Q = quote before the fill:
              value(n) = n * tick * quotePerLotTick                signed
              if L and d have opposite signs:
                  c = min(|L|, |d|) * sign(d)                      the part that closes
                  closedQuote = Q * |c| / |L|                      all of Q when |c| = |L|
              else c = 0, closedQuote = 0
              realised = closedQuote - value(c)                    realised profit or loss
              collateral += realised
              quote = Q - closedQuote - value(d - c)
              lots = L + d
              fundingIndex = lots == 0 ? 0 : F(t)                  and then quote == 0, too
   Cash of a fill is thus conserved: collateral + quote falls by exactly value(d) + payment.

   A maker that holds lots on the side of the fill afterwards must have twice its maintenance
   margin, and X of section 9; any other X, or a higher ratio of equity to X than before. Else its
   order is dropped. A reduce-only taker must have X or a higher ratio, too. In a second with a
   new index, X, the initial margin and twice the maintenance margin count here with
   exposure * |markPerLot - markPerLot at the index of before this second| more, in each market.

5. Fees       fee = ceilDiv(value * rate, 10**6)                   rate: makerFee, takerFee
              Filled.makerFee and .takerFee carry them. Each payer's collateral falls by its fee;
              the collateral of account 2 rises by makerFee + takerFee. A negative fee is a rebate.

6. Poke       at the head of Marks.sol

7. Equity     of one position: quote + lots * markPerLot - lots * (F(t) - fundingIndex)
              of an account: collateral + the sum over its positions
   Exposure   max(|lots + bidLots|, |lots - askLots|)
   Initial    ceilDiv(exposure * markPerLot,
                      leverage == 0 ? maxLeverage : min(leverage, maxLeverage))
   Maintenance  ceilDiv(|lots| * markPerLot, 2 * maxLeverage)

8. Open interest of a market is the sum of its positive lots.

9. Forced closes   at the head of Liquidation.sol
*/

import {LibCall} from "solady/utils/LibCall.sol";
import {Book} from "./Book.sol";
import {Engine} from "./Engine.sol";
import {Funding} from "./Funding.sol";
import {Matching} from "./Matching.sol";
import {PerpsAdmin} from "./PerpsAdmin.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Signed} from "./Signed.sol";
import {Ticks} from "./Ticks.sol";
import {AccountId, Lots, NO_LOTS, Tick} from "./ValueTypes.sol";
import {OrderRequest, Reason} from "./interfaces/IBook.sol";
import {IPerpsAdmin, IPerpsEvents} from "./interfaces/IPerps.sol";

/// Accepts orders of perpetual markets with cross margin. Margin is checked last, after funding,
/// fills and fees. PerpsAdmin answers everything else at this address; IPerps is the complete
/// interface.
contract Perps is IPerpsEvents, PerpsState, Signed {
    using Book for Book.Order;
    using Positions for Positions.Position;

    /// The memory of a placement; Taking.context points at it.
    struct Placement {
        Quote quote;
        Positions.Position taker;
        Limits limits;
        int256 equityBefore; // of a reduce-only taker
        uint256 marginBefore; // its exposure margin
        int256 cash; // change of the taker's collateral
        int256 fees; // change of the fee account's collateral
        int256 openInterest; // change
        int256 makerFee; // of the fill at hand
        int256 takerFee;
    }

    /// The gas use after which a placement meets no further maker, so that it fits into every
    /// block: a hundred makers of three markets each, or a dozen of 64. Gas used, not gas left, so
    /// that an estimate holds.
    uint256 private constant FILL_GAS_MAX = 8_000_000;
    /// Gas for one more fill with a maker of 64 markets, for all the orders that a placement may
    /// drop, and for everything after the forced order.
    uint256 private constant FORCED_GAS_KEPT = 4_000_000;

    address private immutable ADMIN;

    /// The accounts, the oracle and the collateral are those of `admin`.
    constructor(PerpsAdmin admin, address owner_)
        PerpsState(admin.oracle(), admin.collateral())
        Engine(admin.accounts(), owner_)
    {
        ADMIN = address(admin);
        _run(abi.encodeCall(PerpsAdmin.listCollateral, ()));
    }

    /// PerpsAdmin handles everything but orders.
    fallback() external {
        _delegateTo(ADMIN);
    }

    /// Settles the hours of `market` that have ended and returns its prices.
    function _settledQuote(uint32 market) private returns (Quote memory) {
        if (Funding.hourHasEnded(_carries[market])) {
            _run(abi.encodeCall(IPerpsAdmin.settleHours, (market)));
        }
        return _quoteOf(market);
    }

    /// Runs `call` with the code of PerpsAdmin on this contract's storage.
    function _run(bytes memory call) private {
        LibCall.delegateCallContract(ADMIN, call);
    }

    /// The mark. Reverts with IndexStale.
    function _triggerMark(uint32 market) internal view override returns (uint256) {
        _listed(market);
        Quote memory quote = _quoteOf(market);
        _requireFresh(quote);
        return quote.mark;
    }

    /* ORDERS */

    /// Places a forced order for `account`. Only this contract itself may call it, through a
    /// liquidation, which runs on its storage.
    function placeFor(uint40 account, OrderRequest calldata request) external returns (uint40) {
        require(msg.sender == address(this), NotEngine(msg.sender));
        return _place(AccountId.wrap(account), request, 0, 0);
    }

    /// Returns whether the placement comes from `placeFor`, the only call of this contract to
    /// itself.
    function _isForced() private view returns (bool) {
        return msg.sender == address(this);
    }

    /// The remaining gas at which a placement that begins now stops matching. A forced order
    /// continues while the caller's gas suffices for another fill.
    function _gasLeast() private view returns (uint256) {
        if (_isForced()) return FORCED_GAS_KEPT;
        uint256 gas = gasleft();
        return gas > FILL_GAS_MAX ? gas - FILL_GAS_MAX : 0;
    }

    /// @inheritdoc Matching
    function _admit(Taking memory taking) internal override returns (Lots lots) {
        Placement memory placement;
        taking.gasLeast = _gasLeast();
        placement.quote = _settledQuote(taking.market);
        require(!placement.quote.ended, MarketEnded(taking.market));
        placement.taker = _positions[taking.market][taking.account];
        require(
            !placement.taker.isFrozen() || _isForced(), PositionFrozen(placement.taker.frozenUntil)
        );
        placement.limits = _limits[taking.market];
        uint256 context;
        assembly ("memory-safe") {
            context := placement
        }
        taking.context = context;
        if (taking.reduceOnly) {
            lots = _cut(taking, placement.taker);
            if (!_isForced()) {
                Health memory before = _health(
                    taking.account,
                    _holdings[taking.account],
                    taking.market,
                    placement.taker,
                    placement.quote
                );
                (placement.equityBefore, placement.marginBefore) =
                (before.equity, before.exposureMargin);
            }
        } else {
            lots = taking.lots;
            _requireFresh(placement.quote);
        }
        // On a stale index takers can only close, and there is no mark to check their prices
        // against.
        if (!taking.postOnly && !placement.quote.stale) {
            taking.reach = _reach(taking, placement.quote.markPerLot);
        }
    }

    /// The lots of a reduce-only order, reduced to those of the position that no other such order
    /// closes. Reverts with ReduceOnlyWouldGrow when there are none.
    function _cut(Taking memory taking, Positions.Position memory position)
        private
        view
        returns (Lots)
    {
        ReduceOnly storage resting = _reduceOnly[taking.market][taking.account];
        Lots reserved = taking.buy ? resting.bidLots : resting.askLots;
        Lots closable = position.closable(taking.buy);
        require(closable > reserved, ReduceOnlyWouldGrow(position.lots));
        unchecked {
            closable = Lots.wrap(Lots.unwrap(closable) - Lots.unwrap(reserved));
        }
        return taking.lots < closable ? taking.lots : closable;
    }

    /// The worst tick at which a taker may trade: its limit, but at most 10% from the mark.
    function _reach(Taking memory taking, uint256 markPerLot) private pure returns (Tick) {
        if (taking.buy) {
            uint256 highest = markPerLot * 11 / 10 / taking.quotePerLotTick;
            return highest < Tick.unwrap(taking.tick) ? Tick.wrap(uint24(highest)) : taking.tick;
        }
        uint256 lowest =
            Positions.divUp(Positions.divUp(markPerLot * 9, 10), taking.quotePerLotTick);
        if (lowest <= Tick.unwrap(taking.tick)) return taking.tick;
        if (lowest >= Tick.unwrap(Ticks.NONE_ABOVE)) return Ticks.NONE_ABOVE;
        return Tick.wrap(uint24(lowest));
    }

    /// @inheritdoc Matching
    function _fill(Taking memory taking, uint40 makerOrder, Book.Order memory maker, Lots offered)
        internal
        override
        returns (Lots filled, bool dropped, Reason reason)
    {
        Positions.Position memory position = _positions[taking.market][maker.account];
        filled = offered;
        if (maker.isReduceOnly()) {
            Lots closable = position.closable(maker.isBuy());
            if (closable < offered) {
                (filled, dropped, reason) = (closable, true, Reason.REDUCE_ONLY_CAPPED);
            }
            if (filled == NO_LOTS) return (NO_LOTS, true, reason);
        }
        if (!_exchange(taking, makerOrder, maker, position, filled)) {
            return (NO_LOTS, true, Reason.MARGIN);
        }
    }

    /// Fills `lots` for maker and taker. Returns false, and changes nothing, when the maker's
    /// margin does not allow it.
    function _exchange(
        Taking memory taking,
        uint40 makerOrder,
        Book.Order memory maker,
        Positions.Position memory position,
        Lots lots
    ) private returns (bool) {
        Placement memory placement = _placementOf(taking);
        int256 bought = int256(uint256(Lots.unwrap(lots)));
        if (!taking.buy) bought = -bought;
        int256 unit = int256(Tick.unwrap(maker.tick) * taking.quotePerLotTick);
        {
            uint256 value = Lots.unwrap(lots) * uint256(unit);
            placement.makerFee = Positions.feeUp(value, placement.limits.makerFee);
            placement.takerFee = Positions.feeUp(value, placement.limits.takerFee);
        }
        int256 long = position.long() + placement.taker.long();
        {
            Holding memory holding = _holdings[maker.account];
            int256 cash =
                position.fill(-bought, unit, placement.quote.fundingIndex) - placement.makerFee;
            if (taking.buy) position.askLots = position.askLots - lots;
            else position.bidLots = position.bidLots - lots;
            holding.collateral = Positions.toInt128(holding.collateral + cash);
            Health memory health =
                _health(maker.account, holding, taking.market, position, placement.quote);
            if (!_mayFill(taking, maker, position, health)) return false;
            _requireTaker(taking, maker);
            if (maker.isReduceOnly()) _unreserve(taking.market, maker, lots);
            _store(taking.market, maker.account, position, holding);
        }
        placement.cash += placement.taker.fill(bought, unit, placement.quote.fundingIndex)
        - placement.takerFee;
        placement.fees += placement.makerFee + placement.takerFee;
        placement.openInterest += position.long() + placement.taker.long() - long;
        emit Filled(
            taking.market,
            AccountId.unwrap(maker.account),
            makerOrder,
            AccountId.unwrap(taking.account),
            taking.order,
            Tick.unwrap(maker.tick),
            Lots.unwrap(lots),
            int128(placement.makerFee),
            int128(placement.takerFee)
        );
        return true;
    }

    /// Returns whether a maker may fill. It must keep the maintenance margin of its exposure and
    /// the move of this second. If the fill increases or reverses its position, it must also keep,
    /// in addition to the move, twice the maintenance margin of its positions, which is what the
    /// market's leverage requires of a taker for the same lots, and half of its notional on stale
    /// indexes. A maker that only closes may instead raise its ratio of equity to margin, like
    /// takers. A frozen position fills nothing. `health` is after the fill, which is not in storage
    /// yet.
    function _mayFill(
        Taking memory taking,
        Book.Order memory maker,
        Positions.Position memory position,
        Health memory health
    ) private view returns (bool) {
        if (position.isFrozen()) return false;
        bool opens = position.lots != 0 && (position.lots < 0) == taking.buy;
        uint256 margin = health.exposureMargin;
        // At most 64 markets, like the margins themselves.
        unchecked {
            if (opens) {
                uint256 least = 2 * health.maintenanceMargin + health.staleNotional / STALE_DIVISOR;
                if (least > margin) margin = least;
            }
            margin += health.moved;
        }
        if (health.equity >= int256(margin)) return true;
        if (opens) return false;
        Health memory before = _storedHealth(maker.account);
        return _isBetter(health, before.equity, before.exposureMargin);
    }

    /// @inheritdoc Matching
    function _settle(Taking memory taking, Lots rested) internal override {
        if (taking.filled == NO_LOTS && rested == NO_LOTS) return;
        Placement memory placement = _placementOf(taking);
        Positions.Position memory position = placement.taker;
        Holding memory holding = _holdings[taking.account];
        if (rested != NO_LOTS) _rest(taking, rested);
        {
            // Dropping an own order may have changed the resting lots since _admit read them.
            Positions.Position storage stored = _positions[taking.market][taking.account];
            (position.bidLots, position.askLots) = (stored.bidLots, stored.askLots);
        }
        if (taking.filled != NO_LOTS) {
            holding.collateral = Positions.toInt128(holding.collateral + placement.cash);
            _store(taking.market, taking.account, position, holding);
            _settleMarket(taking.market, placement);
        } else if (holding.markets & _bit(taking.market) == 0) {
            holding.markets |= _bit(taking.market);
            _holdings[taking.account].markets = holding.markets;
        }
        // A forced order is checked separately in Liquidation, which values stale prices
        // differently.
        if (taking.reduceOnly && (taking.filled == NO_LOTS || _isForced())) return;
        Health memory health =
            _health(taking.account, holding, taking.market, position, placement.quote);
        if (!taking.reduceOnly) return _requireInitial(health, position, placement);
        require(
            _isBetter(health, placement.equityBefore, placement.marginBefore),
            MarginTooLow(health.equity, _closingMargin(health))
        );
    }

    /// Reserves for the `rested` lots of an order.
    function _rest(Taking memory taking, Lots rested) private {
        Positions.Position storage position = _positions[taking.market][taking.account];
        if (taking.buy) position.bidLots = position.bidLots + rested;
        else position.askLots = position.askLots + rested;
        if (!taking.reduceOnly) return;
        ReduceOnly storage resting = _reduceOnly[taking.market][taking.account];
        if (taking.buy) resting.bidLots = resting.bidLots + rested;
        else resting.askLots = resting.askLots + rested;
    }

    /// Books the fees and the open interest of a placement that filled.
    function _settleMarket(uint32 market, Placement memory placement) private {
        if (placement.fees != 0) {
            Holding storage fees = _holdings[FEE_ACCOUNT];
            fees.collateral = Positions.toInt128(fees.collateral + placement.fees);
        }
        if (placement.openInterest == 0) return;
        Funding.Activity storage activity = _activities[market];
        uint256 openInterest =
            uint256(int256(uint256(activity.openInterest)) + placement.openInterest);
        uint256 maximum = placement.limits.maxOpenInterest;
        require(
            placement.openInterest < 0 || openInterest <= maximum,
            OpenInterestAboveMaximum(openInterest, maximum)
        );
        activity.openInterest = uint64(openInterest);
    }

    /// A typed member of Taking would exceed a contract's size or an order's gas.
    function _placementOf(Taking memory taking) private pure returns (Placement memory placement) {
        uint256 context = taking.context;
        assembly ("memory-safe") {
            placement := context
        }
    }

    /* MARGIN */

    /// An order that may increase the risk requires initial margin, fresh prices and room below the
    /// cap on an account's notional.
    function _requireInitial(
        Health memory health,
        Positions.Position memory position,
        Placement memory placement
    ) private pure {
        uint256 exposure = position.exposure();
        uint256 notional = exposure * placement.quote.markPerLot;
        uint256 maximum = placement.limits.maxNotionalValue;
        require(
            notional <= maximum && exposure <= LOTS_MAX, NotionalAboveMaximum(notional, maximum)
        );
        _requireFresh(health);
        _requireMargin(health.equity, health.initialMargin + health.moved);
    }
}
