// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/*
Section 6 of the arithmetic at the head of Perps.sol: a poke.

Two measures of where the book is, as rates: distance(p) = (p - index) * E18 / index, with the
index that was accepted last before this second.

depth     deep = lotTicks * 2^96 / (sum(lots * 2^64) + left * 2^64 / tick) of each side, the average
          tick in 2^-32 at which lotTicks = impactValue / quotePerLotTick trade: the sum is over
          the best orders that are taken whole, `left` is the rest in lots times ticks, taken from
          the last one. Orders of this second are passed over. Reduce-only orders of an account
          count, the best first, up to the lots that they can close. Orders that cannot trade are
          cancelled: expired orders, reduce-only ones without such lots, and those of accounts with
          E < X (section 9) at the better price for each position of two: mark and index before this
          second, stale or not. Where 400 orders of a side are worth less, lotTicks is their worth.
          None when a side has less. price = (bid + ask) / 2 * priceStep / 2^32
average   price = average * priceStep / 256. At the first change of a book in a second, and here,
          before anything else: mid = (bestBid + bestAsk) * 128,
          average = mid - (mid - average) * 60 / (dt + 60), dt: seconds since the last such change.
          The first mid that lasted is the first average; none without one, and no change while a
          side is empty.

sample = the nearer to basis of both distances; basis when it lies between them; 0 when either is
         none. No depth in a second in which the book changed: refused.
weight = min(seconds since the last poke, 120)
basis' = (basis + clamp((clamp(sample, 5e15) - basis) * weight / (weight + 150), 5e14)) / 1e9 * 1e9
premium = clamp(sample, 1e16)            seconds = min(weight, seconds of the running hour)

A poke settles funding first, then emits Marked; sum += premium * seconds, sampled += seconds.
Its caller's account gets 0.02 of account 2's collateral where the market has open interest, as far
as account 2 has that and neither position nor order.

Unwinding is an IOC order of account 1, reduce-only, for its whole position, at the tick next to the
highest (short: lowest) of mark and index, now and before this second. The fee account pays the
caller fee(c) of the c lots that it closes (section 9, Deleveraged).
*/

import {Book} from "./Book.sol";
import {Depth} from "./Depth.sol";
import {Endings} from "./Endings.sol";
import {Engine} from "./Engine.sol";
import {Fund} from "./Fund.sol";
import {Funding} from "./Funding.sol";
import {PerpsState} from "./PerpsState.sol";
import {IAccounts} from "./interfaces/IAccounts.sol";
import {IOracle} from "./interfaces/IOracle.sol";
import {IPerpsMarks} from "./interfaces/IPerps.sol";

/// Takes samples of a book, which move the mark and determine the funding rate, and ends markets.
/// Liquidation delegates unknown functions to this contract, so it acts on the storage of Perps.
contract Marks is IPerpsMarks, Depth, Endings, Fund {
    uint256 private constant POKE_REWARD = 0.02e18;

    constructor(IAccounts accounts_, IOracle oracle_, address collateral_)
        PerpsState(oracle_, collateral_)
        Engine(accounts_, address(this))
    {}

    /// @inheritdoc IPerpsMarks
    function poke(uint32 market) external nonReentrant {
        _requireLive(market);
        Funding.Activity storage activity = _activities[market];
        uint256 elapsed = block.timestamp - activity.pokedAt;
        require(
            elapsed >= Funding.POKE_SECONDS, PokeTooSoon(activity.pokedAt + Funding.POKE_SECONDS)
        );
        Quote memory quote = _settleHours(market);
        if (quote.stale || Funding.hourHasEnded(_carries[market])) return;
        int256 basis = _basisNow(_pricing[market]);
        (int256 sample, bool over) = _sampleOf(market, quote.earlier, basis * Funding.BASIS_UNIT);
        if (over) return;
        _mark(market, quote, sample, Funding.weightOf(elapsed));
        activity.pokedAt = uint40(block.timestamp);
        if (activity.openInterest != 0) _rewardFromFees(POKE_REWARD);
    }

    /// Moves the basis by a sample with a weight of `weight` seconds.
    function _mark(uint32 market, Quote memory quote, int256 sample, uint256 weight) private {
        Pricing memory pricing = _pricing[market];
        int256 basis = _basisNow(pricing);
        int32 nextBasis = Funding.basisOf(basis, sample, weight);
        (pricing.basis, pricing.nextBasis, pricing.pokedTime) =
        (int32(basis), nextBasis, uint32(block.timestamp));
        _pricing[market] = pricing;
        int256 premium = Funding.premiumOf(sample);
        uint256 elapsed = block.timestamp - _carries[market].time; // of the hour
        uint256 counted = weight < elapsed ? weight : elapsed;
        Funding.Activity storage activity = _activities[market];
        activity.sampledSeconds += uint16(counted);
        activity.premiumSum += int72(premium * int256(counted));
        emit Marked(
            market,
            Funding.markOf(quote.index, nextBasis),
            nextBasis * Funding.BASIS_UNIT,
            premium,
            counted
        );
    }

    /// The distance of the book from the index that its depth and its average agree on; 0 when
    /// either is missing. If depth is missing in a second in which the book changed, it may have
    /// been removed for this very sample: reverts with BookChanged, and the next second decides.
    /// `over`: there is no sample, since more orders had to be skipped than one call may. Some of
    /// them are now off the book, and the next call continues.
    function _sampleOf(uint32 market, uint256 index, int256 basis)
        private
        returns (int256 sample, bool over)
    {
        Book.State memory state = _markets[market].state;
        uint256 mid;
        uint256 dropped;
        (mid, over, dropped) = _depthOf(market, state, _activities[market].impactValue);
        if (over) return (0, true);
        if (mid == 0 && state.changedTime == uint32(block.timestamp)) {
            require(dropped != 0, BookChanged(market));
            return (0, true);
        }
        uint256 average = Book.averageOf(state);
        if (mid == 0 || average == 0) return (0, false);
        uint256 priceStep = _priceStep(_markets[market].units);
        int256 first = Funding.distanceOf(mid * priceStep >> PRICE_BITS, index);
        sample = Funding.agreed(
            basis, first, Funding.distanceOf(average * priceStep / Book.AVERAGE_UNIT, index)
        );
    }
}
