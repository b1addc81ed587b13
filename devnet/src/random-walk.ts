// The index prices of a devnet: a seeded random walk from the oracle's current prices.
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import type { PriceSource } from '@openvenue/keeper/price-source'
import { readViews } from '@openvenue/runtime/views'
import { bytes32 } from './deploy.ts'
import type { Deployment } from './deployment.ts'
import { ASSETS } from './markets.ts'
import { stepPrice } from './price-step.ts'
import type { Random } from './random.ts'
import type { ChainRpc } from './rpc.ts'

/** Maximum price move after a downtime, in seconds of movement. */
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

  /** Starts from the oracle's prices, or an asset's first price where it has none. */
  static async start(rpc: ChainRpc, deployment: Deployment, random: Random): Promise<RandomWalk> {
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
