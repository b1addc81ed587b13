// A falling price on a real anvil, and the forced closes, step by step. Three traders with little
// margin are long one ETH each; one with much is short against them. Insurance has 1,600, of which
// the market may cost it a fifth.

import { devTokenAbi } from '@openvenue/contracts/abi/dev-token'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { E18 } from '@openvenue/core/integers'
import { type AnvilVenue, encodeTx, type Tx } from './anvil-venue.ts'
import { encodeBytes32 } from './encode.ts'

const MARKET = 1
const OWNER = 0
/** Wallets with much and with little money. The venue opens accounts in this order from 3 on. */
const SHORT = 1
const BUYER = 2
const POOR = [4, 5, 6] as const
const INSURER = 8
const INSURED = 1_600_000_000n
const LOTS = 10_000n
const MARGIN = 200_000_000n
const GTC = 0
const IOC = 1

/** Minimum age of a nomination. */
export const NOMINATION_SECONDS = 10

/** Account numbers: 1 and 2 are the venue's, 3 to 5 its funded traders'. */
export const FALL_ACCOUNTS = { insurance: 1, short: 3, buyer: 4, poor: [6, 7, 8] } as const

/** The closed accounts have no resting orders. */
const NO_ORDERS: readonly number[] = []

/** A price counts for forced closes from the next block on. */
type Blocks = readonly (readonly Tx[])[]

export class Fall {
  readonly #venue: AnvilVenue

  constructor(venue: AnvilVenue) {
    this.#venue = venue
  }

  /** Opens the positions at 3000. */
  async begin(): Promise<void> {
    const { perps } = this.#venue.deployment
    const { usdc } = this.#venue
    await this.#venue.mine([
      this.#price(3000n),
      ...[...POOR, INSURER].flatMap((index) => {
        const wallet = this.#wallet(index)
        const amount = index === INSURER ? INSURED : MARGIN
        return [
          encodeTx(wallet, usdc, [devTokenAbi, 'mint', [wallet, amount]]),
          encodeTx(wallet, usdc, [devTokenAbi, 'approve', [perps, amount]]),
          this.#call(index, 'deposit', [usdc, amount]),
        ]
      }),
    ])
    await this.#venue.mine([
      this.#order(SHORT, { buy: false, tick: 30_000, lots: 3n * LOTS }),
      ...POOR.map((poor) =>
        this.#order(poor, { buy: true, tick: 30_000, lots: LOTS, timeInForce: IOC }),
      ),
    ])
  }

  /** At 2870 the first is closed on the book, where the buyer bids 2865. */
  liquidation(): Blocks {
    return [
      [this.#price(2870n)],
      [this.#order(BUYER, { buy: true, tick: 28_650, lots: LOTS }), this.#liquidate(0)],
    ]
  }

  /** At 2840 insurance takes over the second. */
  absorption(): Blocks {
    return [[this.#price(2840n)], [this.#liquidate(1)]]
  }

  /** At 2450 the short is nominated against the third and insurance itself. */
  nominations(): Blocks {
    const against = (loser: number) =>
      this.#call(OWNER, 'nominate', [loser, FALL_ACCOUNTS.short, MARKET])
    return [[this.#price(2700n)], [this.#price(2450n)], this.#losers().map(against)]
  }

  /** Mined NOMINATION_SECONDS later: both are closed. */
  deleverages(): readonly Tx[] {
    const close = (loser: number) => this.#call(OWNER, 'deleverage', [loser, MARKET, NO_ORDERS])
    return this.#losers().map(close)
  }

  /** Mined when the price is stale. */
  announcement(): readonly Tx[] {
    return [this.#call(OWNER, 'announceEnd', [MARKET])]
  }

  /** Mined three days later: the market ends, and each of its positions. */
  ends(accounts: readonly number[]): readonly Tx[] {
    return [this.#call(OWNER, 'endPositions', [MARKET, accounts, NO_ORDERS])]
  }

  /** The price returns at half of its previous value. */
  priceIsBack(): readonly Tx[] {
    return [this.#price(1350n)]
  }

  #losers(): readonly number[] {
    const [, , last] = FALL_ACCOUNTS.poor
    return [last, FALL_ACCOUNTS.insurance]
  }

  #liquidate(poor: 0 | 1): Tx {
    return this.#call(BUYER, 'liquidate', [FALL_ACCOUNTS.poor[poor], MARKET, NO_ORDERS])
  }

  #price(whole: bigint): Tx {
    const { oracles } = this.#venue.deployment
    const args = [[encodeBytes32('ETH')], [whole * E18], this.#venue.seconds + 1]
    return encodeTx(this.#wallet(OWNER), oracles[0], [pushOracleAbi, 'push', args])
  }

  #order(
    who: number,
    order: Readonly<{ buy: boolean; tick: number; lots: bigint; timeInForce?: number }>,
  ): Tx {
    const rest = { reduceOnly: false, goodTil: 0, maxFills: 0 }
    return this.#call(who, 'place', [{ market: MARKET, timeInForce: GTC, ...order, ...rest }])
  }

  #call(who: number, functionName: string, args: unknown[]): Tx {
    return encodeTx(this.#wallet(who), this.#venue.deployment.perps, [perpsAbi, functionName, args])
  }

  #wallet(index: number): string {
    return this.#venue.wallets[index] ?? ''
  }
}
