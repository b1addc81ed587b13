// Moves prices and pools, both in the history and in the present.
import type { Logger } from 'pino'
import { PoolTrading } from './amm/pool-trading.ts'
import type { WholeDeployment } from './deployment.ts'
import { Loop } from './loop.ts'
import { type Random, seededRandom } from './random.ts'
import { RandomWalk } from './random-walk.ts'
import type { ChainRpc } from './rpc.ts'
import { TxSender } from './tx-sender.ts'

/** Maximum number of random swaps per round. */
const RANDOM_SWAPS_MAX = 1

type MotionOptions = Readonly<{
  rpc: ChainRpc
  wallets: readonly string[]
  deployment: WholeDeployment
  seed: number
}>

export type Motion = Readonly<{
  sender: TxSender
  random: Random
  randomWalk: RandomWalk
  poolTrading: PoolTrading
}>

/** Starts from the state of the chain. */
export async function prepareMotion(options: MotionOptions): Promise<Motion> {
  const { rpc, wallets, deployment, seed } = options
  const sender = new TxSender(rpc)
  const random = seededRandom(seed + Number(await rpc.call('eth_blockNumber')))
  const randomWalk = await RandomWalk.start(rpc, deployment, random)
  const poolTrading = await PoolTrading.start({ rpc, deployment, wallets, sender, random })
  return { sender, random, randomWalk, poolTrading }
}

/** Keeps swapping in the pools by the wall clock. */
export function keepSwapping({ poolTrading, random }: Motion, poolMs: number, log: Logger): Loop {
  const swapping = new Loop(
    () => poolTrading.act(random.whole(RANDOM_SWAPS_MAX + 1)),
    (tookMs) => poolMs - tookMs,
    (error) => log.warn({ err: error }, 'the pools were not looked at, trying again'),
  )
  swapping.start()
  return swapping
}
