// The swapper: reads the pools and the index prices, and swaps.
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import { bytes32 } from '../deploy.ts'
import { TOKENS } from '../markets.ts'
import type { Random } from '../random.ts'
import type { ChainRpc } from '../rpc.ts'
import type { SendResult, Tx, TxSender } from '../tx-sender.ts'
import { v2PairAbi, v3PoolAbi } from './abi.ts'
import type { AmmDeployment, AmmPool, Prices, TokenAddresses } from './pools.ts'
import { arbitrage, type PoolState, randomSwap, type SwapContracts } from './swaps.ts'

type SwapperDeps = Readonly<{
  rpc: ChainRpc
  deployment: AmmDeployment & Readonly<{ tokens: TokenAddresses; oracles: readonly [string] }>
  /** Its address. */
  swapper: string
  sender: TxSender
  random: Random
}>

export class Swapper {
  readonly #deps: SwapperDeps
  readonly #pools: readonly AmmPool[]

  constructor(deps: SwapperDeps, pools: readonly AmmPool[]) {
    this.#deps = deps
    this.#pools = pools
  }

  /**
   * Swaps pools back to the index where that pays, and makes `randomSwaps` random swaps. Does
   * nothing before there are prices.
   */
  async act(randomSwaps: number): Promise<readonly SendResult[]> {
    const { deployment, swapper, sender, random } = this.#deps
    const { prices, states } = await this.#look()
    if (Object.values(prices).includes(0n)) return []
    const contracts: SwapContracts = { ...deployment, swapper }
    const txs: Tx[] = []
    for (const [index, pool] of this.#pools.entries()) {
      const tx = arbitrage({ pool, state: states[index] as PoolState }, prices, contracts)
      if (tx !== undefined) txs.push(tx)
    }
    for (let turn = 0; turn < randomSwaps; turn++) {
      txs.push(randomSwap(random.pick(this.#pools), prices, contracts, random))
    }
    return txs.length === 0 ? [] : sender.send(txs)
  }

  async #look(): Promise<Readonly<{ prices: Prices; states: readonly PoolState[] }>> {
    const { rpc, deployment } = this.#deps
    const read = { to: deployment.oracles[0], abi: pushOracleAbi, functionName: 'read' }
    const views: ViewCall[] = [
      ...TOKENS.map(({ symbol }) => ({ ...read, args: [bytes32(symbol)] })),
      ...this.#pools.map(stateView),
    ]
    const answers = await readViews(rpc, views)
    const priced = answers.slice(0, TOKENS.length) as [bigint, bigint][]
    const prices = Object.fromEntries(
      TOKENS.map(({ symbol }, index) => [symbol, priced[index]?.[0] ?? 0n]),
    ) as Prices
    const states = answers.slice(TOKENS.length).map((answer, index) => {
      const [first, second] = answer as [bigint, bigint]
      return this.#pools[index]?.terms.version === 2
        ? { reserves: { reserve0: first, reserve1: second } }
        : { sqrtPriceX96: first }
    })
    return { prices, states }
  }
}

const stateView = ({ terms, address }: AmmPool): ViewCall =>
  terms.version === 2
    ? { to: address, abi: v2PairAbi, functionName: 'getReserves', args: [] }
    : { to: address, abi: v3PoolAbi, functionName: 'slot0', args: [] }
