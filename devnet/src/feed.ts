// What the venue itself sends on a local chain: index prices, and the pokes that move marks and
// settle funding.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { encodeFunctionData, type Hex } from 'viem'
import { bytes32 } from './deploy.ts'
import { type Deployment, numberOf } from './deployment.ts'
import { ASSETS, MARKETS } from './markets.ts'
import type { Random } from './random.ts'
import type { ChainRpc } from './rpc.ts'
import type { Sender, Sent, Tx } from './sender.ts'
import { readViews } from './views.ts'
import { stepPrice } from './walk.ts'

export type FeedDeps = Readonly<{
  rpc: ChainRpc
  deployment: Deployment
  /** Address of the keeper. */
  keeper: string
  sender: Sender
  random: Random
}>

/** The engine takes a poke of a market at most once in this time. */
const POKE_SECONDS = 60
const HOUR_SECONDS = 3600
const PUSH_GAS = 500_000
/** A poke that settles a day of missed hours takes about a third of it. */
const POKE_GAS = 3_000_000

/** Walks the prices on, from wherever the oracle has them. */
export class Feed {
  readonly #deps: FeedDeps
  readonly #prices: Map<string, bigint>
  #pushedSeconds: number
  #pokedSeconds = 0

  private constructor(deps: FeedDeps, prices: Map<string, bigint>, pushedSeconds: number) {
    this.#deps = deps
    this.#prices = prices
    this.#pushedSeconds = pushedSeconds
  }

  static async start(deps: FeedDeps): Promise<Feed> {
    const { rpc, deployment } = deps
    const read = { to: deployment.oracles[0], abi: pushOracleAbi, functionName: 'read' }
    const known = (await readViews(
      rpc,
      ASSETS.map(({ asset }) => ({ ...read, args: [bytes32(asset)] })),
    )) as [bigint, bigint][]
    const prices = new Map(
      ASSETS.map(({ asset, startPrice }, index) => [asset, known[index]?.[0] || startPrice]),
    )
    return new Feed(deps, prices, Number(known[0]?.[1] ?? 0n))
  }

  /**
   * Sends the prices of `seconds` (not in the chain's future when its block comes), and the pokes
   * that are due. Returns what became of them.
   */
  async push(seconds: number): Promise<readonly Sent[]> {
    const { deployment, keeper, random, sender } = this.#deps
    const elapsed = this.#pushedSeconds === 0 ? 0 : Math.max(0, seconds - this.#pushedSeconds)
    for (const terms of ASSETS) {
      const price = this.#prices.get(terms.asset) ?? terms.startPrice
      // Whatever time the venue was down, the price moved no further than in a minute.
      const walked = Math.min(elapsed, POKE_SECONDS)
      this.#prices.set(terms.asset, stepPrice(price, terms, walked, random))
    }
    this.#pushedSeconds = seconds
    const pokes = this.#pokeIsDue(seconds) ? pokesOf(deployment, keeper) : []
    return sender.send([this.#pushOf(seconds), ...pokes])
  }

  /** Every minute, and as soon as an hour has ended. */
  #pokeIsDue(seconds: number): boolean {
    const isDue =
      seconds - this.#pokedSeconds >= POKE_SECONDS ||
      Math.floor(seconds / HOUR_SECONDS) !== Math.floor(this.#pokedSeconds / HOUR_SECONDS)
    if (isDue) this.#pokedSeconds = seconds
    return isDue
  }

  #pushOf(seconds: number): Tx {
    const assets = [...this.#prices.keys()].map(bytes32)
    const prices = [...this.#prices.values()]
    const args = [assets, prices, seconds] as const
    const data = encodeFunctionData({ abi: pushOracleAbi, functionName: 'push', args })
    const { keeper, deployment } = this.#deps
    return { from: keeper, to: deployment.oracles[0] as Hex, data, gas: PUSH_GAS }
  }
}

const pokesOf = ({ perps }: Deployment, keeper: string): Tx[] =>
  MARKETS.filter(({ type }) => type === 'perp').map((market) => ({
    from: keeper,
    to: perps,
    data: encodeFunctionData({
      abi: perpsAbi,
      functionName: 'poke',
      args: [numberOf(MARKETS, market)],
    }),
    gas: POKE_GAS,
  }))
