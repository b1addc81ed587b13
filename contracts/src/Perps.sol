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
              F(t) = cumulative + perSecond * (t - settledTime)        t: the block's time
              Listing: cumulative = perSecond = rate = 0, settledTime = t - t % 3600.
              FundingSettled sets cumulative, rate = nextRate, perSecond = nextPerSecond and
              settledTime = its `time`, and empties the premium samples (sum = count = 0). The
              contract emits it at the first touch (place or poke) of the market after the hour, before
              anything else that depends on it:
                  cumulative' = cumulative + perSecond * 3600
                  nextRate = count == 0 ? 0 : rateOf(sum / count)
                  rateOf(p) = clamp(p / 8 + clamp(1.25e13 - p / 8, 6.25e13), 5e15)
                  nextPerSecond = nextRate * markPerLot / (3600 * E18)
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
