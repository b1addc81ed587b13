// Prices and pokes of the past: what the keeper would have sent, while history is produced faster
// than time goes.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { encodeFunctionData, type Hex } from 'viem'
import { bytes32 } from './deploy.ts'
import { type Deployment, numberOf } from './deployment.ts'
import { MARKETS } from './markets.ts'
import type { PriceWalk } from './price-walk.ts'
import type { Sender, Sent, Tx } from './sender.ts'

export type FeedDeps = Readonly<{
  deployment: Deployment
  /** Address of the keeper. */
  keeper: string
  sender: Sender
  walk: PriceWalk
}>

/** The engine takes a poke of a market at most once in this time. */
const POKE_SECONDS = 60
const HOUR_SECONDS = 3600
const PUSH_GAS = 500_000
/** A poke that settles a day of missed hours takes about a third of it. */
const POKE_GAS = 3_000_000

export class Feed {
  readonly #deps: FeedDeps
  #pokedSeconds = 0

  constructor(deps: FeedDeps) {
    this.#deps = deps
  }

  /**
   * Sends the prices of `seconds` (not in the chain's future when its block comes), and the pokes
   * that are due. Returns what became of them.
   */
  async push(seconds: number): Promise<readonly Sent[]> {
    const { deployment, keeper, walk, sender } = this.#deps
    const pokes = this.#pokeIsDue(seconds) ? pokesOf(deployment, keeper) : []
    return sender.send([this.#pushOf(walk.walkTo(seconds), seconds), ...pokes])
  }

  /** Every minute, and as soon as an hour has ended. */
  #pokeIsDue(seconds: number): boolean {
    const isDue =
      seconds - this.#pokedSeconds >= POKE_SECONDS ||
      Math.floor(seconds / HOUR_SECONDS) !== Math.floor(this.#pokedSeconds / HOUR_SECONDS)
    if (isDue) this.#pokedSeconds = seconds
    return isDue
  }

  #pushOf(prices: ReadonlyMap<string, bigint>, seconds: number): Tx {
    const args = [[...prices.keys()].map(bytes32), [...prices.values()], seconds] as const
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
