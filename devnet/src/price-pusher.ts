// Sends the prices and pokes of the history, as the keeper would, while history is produced faster
// than real time.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { encodeFunctionData, type Hex } from 'viem'
import { bytes32 } from './deploy.ts'
import { type DevnetDeployment, marketNumber } from './deployment.ts'
import { MARKETS } from './markets.ts'
import type { RandomWalk } from './random-walk.ts'
import type { Tx, TxSender } from './tx-sender.ts'

type PricePusherOptions = Readonly<{
  deployment: DevnetDeployment
  /** Address of the keeper. */
  keeper: string
  sender: TxSender
  randomWalk: RandomWalk
}>

/** Minimum time between two pokes of a market in the engine. */
const POKE_SECONDS = 60
const HOUR_SECONDS = 3600
const PUSH_GAS = 500_000
/** A poke that settles a day of missed hours takes about a third of it. */
const POKE_GAS = 3_000_000

export class PricePusher {
  readonly #deps: PricePusherOptions
  #pokedSeconds = 0

  constructor(deps: PricePusherOptions) {
    this.#deps = deps
  }

  /**
   * Sends the prices of `seconds` (not after the time of their block), and due pokes. Returns the
   * prices, 18 decimals, by asset.
   */
  async push(seconds: number): Promise<ReadonlyMap<string, bigint>> {
    const { deployment, keeper, randomWalk, sender } = this.#deps
    const pokes = this.#pokeIsDue(seconds) ? pokeTxs(deployment, keeper) : []
    const prices = randomWalk.moveTo(seconds)
    await sender.send([this.#pushTx(prices, seconds), ...pokes])
    return prices
  }

  /** Every minute, and as soon as an hour has ended. */
  #pokeIsDue(seconds: number): boolean {
    const isDue =
      seconds - this.#pokedSeconds >= POKE_SECONDS ||
      Math.floor(seconds / HOUR_SECONDS) !== Math.floor(this.#pokedSeconds / HOUR_SECONDS)
    if (isDue) this.#pokedSeconds = seconds
    return isDue
  }

  #pushTx(prices: ReadonlyMap<string, bigint>, seconds: number): Tx {
    const args = [[...prices.keys()].map(bytes32), [...prices.values()], seconds] as const
    const data = encodeFunctionData({ abi: pushOracleAbi, functionName: 'push', args })
    const { keeper, deployment } = this.#deps
    return { from: keeper, to: deployment.oracles[0] as Hex, data, gas: PUSH_GAS }
  }
}

const pokeTxs = ({ perps }: DevnetDeployment, keeper: string): Tx[] =>
  MARKETS.filter(({ type }) => type === 'perp').map((market) => ({
    from: keeper,
    to: perps,
    data: encodeFunctionData({
      abi: perpsAbi,
      functionName: 'poke',
      args: [marketNumber(MARKETS, market)],
    }),
    gas: POKE_GAS,
  }))
