// A fake venue with one spot market and one perpetual, published as the logs of its contracts.

import { followedEvents } from '@openvenue/contracts/events/venue-logs'
import { E18 } from '@openvenue/core/integers'
import type { IndexerDeployment } from '../src/deployment.ts'
import { type EncodedEvent, encodeBytes32, encodeEvent } from './encode.ts'
import { type EventValues, FakeMarket } from './market.ts'
import { SeededRandom } from './seeded-random.ts'

export type VenueLog = EncodedEvent & Readonly<{ address: string }>

const fakeAddress = (byte: string) => `0x${byte.repeat(20)}`

/** Addresses of the fake contracts. */
export const FAKE_DEPLOYMENT: IndexerDeployment = {
  accounts: fakeAddress('a1'),
  spot: fakeAddress('b2'),
  perps: fakeAddress('c3'),
  oracles: [fakeAddress('d4')],
  startBlock: 1,
}

const ACCOUNTS = 8
const USDC = fakeAddress('01')
const ETH = fakeAddress('02')
const MARKET = 1

type Kind = 'accounts' | 'spot' | 'perps' | 'oracle'

/** A venue that can be copied, so that a fork takes another course. */
export class FakeVenue {
  readonly #spot: FakeMarket
  readonly #perps: FakeMarket
  readonly #random: SeededRandom

  private constructor(spot: FakeMarket, perps: FakeMarket, random: SeededRandom) {
    this.#spot = spot
    this.#perps = perps
    this.#random = random
  }

  static create(seed: number): FakeVenue {
    const options = { market: MARKET, accounts: ACCOUNTS }
    return new FakeVenue(
      new FakeMarket({ ...options, hasFees: false }),
      new FakeMarket({ ...options, hasFees: true }),
      new SeededRandom(seed),
    )
  }

  /** Returns a copy that draws from `seed`, or by default like this one. */
  clone(seed?: number): FakeVenue {
    const random = seed === undefined ? this.#random.clone() : new SeededRandom(seed)
    return new FakeVenue(this.#spot.clone(), this.#perps.clone(), random)
  }

  /** Returns the logs of a block with `actions` actions at time `seconds`. */
  trade(actions: number, seconds: number): VenueLog[] {
    const logs: VenueLog[] = []
    for (let done = 0; done < actions; done++) logs.push(...this.#action(seconds))
    return logs
  }

  #action(seconds: number): VenueLog[] {
    const roll = this.#random.below(20)
    if (roll === 0) return [this.#indexed(seconds)]
    const kind = roll % 2 === 0 ? 'spot' : 'perps'
    const market = kind === 'spot' ? this.#spot : this.#perps
    return market.next(this.#random, seconds).map((event) => encodeLog(kind, event))
  }

  #indexed(seconds: number): VenueLog {
    const price = BigInt(2900 + this.#random.below(200)) * E18
    return indexed(price, seconds)
  }
}

const indexed = (price: bigint, seconds: number) =>
  encodeLog('oracle', {
    name: 'Indexed',
    values: { asset: encodeBytes32('ETH'), price, time: seconds },
  })

/** Returns the logs that open accounts, list tokens and markets, and fund the accounts. */
export function openingLogs(seconds: number): VenueLog[] {
  const accounts = Array.from({ length: 2 + ACCOUNTS }, (_, index) => index + 1)
  const opened = accounts.map((account) =>
    encodeLog('accounts', {
      name: 'AccountOpened',
      values: { account, wallet: `0x${account.toString(16).padStart(40, '0')}` },
    }),
  )
  return [...opened, indexed(3000n * E18, seconds), ...spotLogs(accounts), ...perpLogs(accounts)]
}

/** Returns logs that the contracts could never write. */
export const impossibleLogs = (): VenueLog[] => [
  encodeLog('spot', {
    name: 'Cancelled',
    values: { market: MARKET, account: 3, order: 2 ** 40 - 1, lots: 1n, reason: 0 },
  }),
]

const token = (address: string, symbol: string, decimals: number): EventValues => ({
  name: 'TokenListed',
  values: { token: address, symbol: encodeBytes32(symbol), name: encodeBytes32(symbol), decimals },
})

const deposits = (kind: Kind, accounts: readonly number[], address: string) =>
  accounts.map((account) =>
    encodeLog(kind, { name: 'Deposited', values: { account, token: address, amount: 10n ** 30n } }),
  )

const spotLogs = (accounts: readonly number[]): VenueLog[] => [
  encodeLog('spot', token(USDC, 'USDC', 6)),
  encodeLog('spot', token(ETH, 'ETH', 18)),
  encodeLog('spot', {
    name: 'Listed',
    values: {
      market: MARKET,
      name: encodeBytes32('ETH-USDC'),
      base: ETH,
      quote: USDC,
      priceStep: 10_000n,
      amountStep: 10n ** 14n,
      minOrderValue: 1n,
      maxOrderValue: 10n ** 15n,
    },
  }),
  ...deposits('spot', accounts, USDC),
  ...deposits('spot', accounts, ETH),
]

const perpLogs = (accounts: readonly number[]): VenueLog[] => [
  encodeLog('perps', token(USDC, 'USDC', 6)),
  encodeLog('perps', {
    name: 'Listed',
    values: {
      market: MARKET,
      name: encodeBytes32('ETH-PERP'),
      asset: encodeBytes32('ETH'),
      collateral: USDC,
      priceStep: 10n ** 16n,
      amountStep: 10n ** 15n,
      parameters: {
        minOrderValue: E18,
        maxOrderValue: 10n ** 24n,
        maxNotionalValue: 10n ** 25n,
        maxOpenInterest: 10n ** 12n,
        maxLeverage: 20,
        makerFee: -100,
        takerFee: 500,
      },
    },
  }),
  ...deposits('perps', accounts, USDC),
]

const ADDRESSES = {
  accounts: FAKE_DEPLOYMENT.accounts,
  spot: FAKE_DEPLOYMENT.spot,
  perps: FAKE_DEPLOYMENT.perps,
  oracle: FAKE_DEPLOYMENT.oracles[0] ?? '',
}

const events = new Map(
  (Object.keys(ADDRESSES) as Kind[]).flatMap((kind) =>
    followedEvents(kind).map((event) => [`${kind} ${event.name}`, event]),
  ),
)

function encodeLog(kind: Kind, { name, values }: EventValues): VenueLog {
  const event = events.get(`${kind} ${name}`)
  if (event === undefined) throw new Error(`${kind} has no event ${name}`)
  const { topics, data } = encodeEvent(event, values)
  return { address: ADDRESSES[kind], topics, data }
}
