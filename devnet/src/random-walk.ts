// The index prices of a devnet: a seeded random walk from the oracle's current prices.
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import type { PriceSource } from '@openvenue/keeper/price-source'
import { readViews } from '@openvenue/runtime/views'
import { bytes32 } from './deploy.ts'
import type { DevnetDeployment } from './deployment.ts'
import { ASSETS, type AssetTerms } from './markets.ts'
import type { Random } from './random.ts'
import type { ChainRpc } from './rpc.ts'

/** Maximum price move after a downtime, in seconds of movement. */
const MOVED_SECONDS_MAX = 60
/** Time constant of the return to the first price, so that prices stay plausible for a week. */
const RETURN_SECONDS = 86_400n
/** The mean of twelve uniform draws from 0 to 999, whose spread is 1000. */
const DRAWS = 12
const DRAWS_MEAN = 6 * 999
const PPB = 1_000_000_000n
/** Prices have six decimals; the oracle's have 18. */
const PRICE_UNIT = 10n ** 12n
/** Factor beyond which a price turns back: ticks and limits of the markets are made for less. */
const FACTOR_MAX = 2n

export class RandomWalk {
  readonly #random: Random
  readonly #prices: Map<string, bigint>
  #movedSeconds: number

  private constructor(random: Random, prices: Map<string, bigint>, movedSeconds: number) {
    this.#random = random
    this.#prices = prices
    this.#movedSeconds = movedSeconds
  }

  /** Starts from the oracle's prices, or an asset's first price where it has none. */
  static async start(
    rpc: ChainRpc,
    deployment: DevnetDeployment,
    random: Random,
  ): Promise<RandomWalk> {
    const read = { to: deployment.oracles[0], abi: pushOracleAbi, functionName: 'read' }
    const readings = (await readViews(
      rpc,
      ASSETS.map(({ asset }) => ({ ...read, args: [bytes32(asset)] })),
    )) as [bigint, bigint][]
    const prices = new Map(
      ASSETS.map(({ asset, startPrice }, index) => [asset, readings[index]?.[0] || startPrice]),
    )
    return new RandomWalk(random, prices, Number(readings[0]?.[1] ?? 0n))
  }

  /** Advances to `seconds` (Unix) and returns its prices, 18 decimals, by asset. */
  moveTo(seconds: number): ReadonlyMap<string, bigint> {
    const elapsed = this.#movedSeconds === 0 ? 0 : Math.max(0, seconds - this.#movedSeconds)
    const movedPrices = Math.min(elapsed, MOVED_SECONDS_MAX)
    for (const terms of ASSETS) {
      const price = this.#prices.get(terms.asset) ?? terms.startPrice
      this.#prices.set(terms.asset, stepPrice(price, terms, movedPrices, this.#random))
    }
    this.#movedSeconds = seconds
    return new Map(this.#prices)
  }

  /** Returns the random walk by the wall clock, for the keeper to push. */
  source(nowSeconds: () => number): PriceSource {
    return {
      prices: async () => {
        const seconds = nowSeconds()
        return { prices: this.moveTo(seconds), seconds }
      },
    }
  }
}

/** Returns the price `seconds` later, 18 decimals, a multiple of 10^-6, never zero. */
export function stepPrice(
  price: bigint,
  { startPrice, spreadPpm }: AssetTerms,
  seconds: number,
  random: Random,
): bigint {
  let draw = -DRAWS_MEAN
  for (let drawn = 0; drawn < DRAWS; drawn++) draw += random.whole(1000)
  const movePpb = BigInt(Math.round(draw * spreadPpm * Math.sqrt(seconds)))
  const pull = ((startPrice - price) * BigInt(seconds)) / RETURN_SECONDS
  const moved = price + (price * movePpb) / PPB + pull
  return roundedDown(within(moved, startPrice / FACTOR_MAX, startPrice * FACTOR_MAX))
}

const within = (price: bigint, lowest: bigint, highest: bigint) =>
  price < lowest ? lowest : price > highest ? highest : price

const roundedDown = (price: bigint) => (price / PRICE_UNIT) * PRICE_UNIT
