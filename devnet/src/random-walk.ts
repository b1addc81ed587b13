// Moves the index prices of a devnet: a seeded random walk from wherever the oracle has them.
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import type { PriceSource } from '@openvenue/keeper/price-source'
import { bytes32 } from './deploy.ts'
import type { Deployment } from './deployment.ts'
import { ASSETS } from './markets.ts'
import { stepPrice } from './price-step.ts'
import type { Random } from './random.ts'
import type { ChainRpc } from './rpc.ts'
import { readViews } from './views.ts'

/** Whatever time the venue was down, a price moves no further than in a minute. */
const MOVED_SECONDS_MAX = 60

export class RandomWalk {
  readonly #random: Random
  readonly #prices: Map<string, bigint>
  #movedSeconds: number

  private constructor(random: Random, prices: Map<string, bigint>, movedSeconds: number) {
    this.#random = random
    this.#prices = prices
    this.#movedSeconds = movedSeconds
  }

  /** Begins where the oracle stands; an asset that it has no price of at its first one. */
  static async start(rpc: ChainRpc, deployment: Deployment, random: Random): Promise<RandomWalk> {
    const read = { to: deployment.oracles[0], abi: pushOracleAbi, functionName: 'read' }
    const known = (await readViews(
      rpc,
      ASSETS.map(({ asset }) => ({ ...read, args: [bytes32(asset)] })),
    )) as [bigint, bigint][]
    const prices = new Map(
      ASSETS.map(({ asset, startPrice }, index) => [asset, known[index]?.[0] || startPrice]),
    )
    return new RandomWalk(random, prices, Number(known[0]?.[1] ?? 0n))
  }

  /** Moves on to `seconds` (Unix) and returns the prices of then, 18 decimals, by asset. */
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

  /** Returns the random walk by the wall's clock, for the keeper to push. */
  source(nowSeconds: () => number): PriceSource {
    return {
      prices: async () => {
        const seconds = nowSeconds()
        return { prices: this.moveTo(seconds), seconds }
      },
    }
  }
}
