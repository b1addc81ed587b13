// Sets a chain in motion: prices, traders and pools of its past, and the pools from then on.
import type { Logger } from 'pino'
import { PoolTrading } from './amm/pool-trading.ts'
import type { Chain } from './chain.ts'
import type { Config } from './config.ts'
import type { WholeDeployment } from './deployment.ts'
import { produceHistory } from './history.ts'
import { Loop } from './loop.ts'
import { PricePusher } from './price-pusher.ts'
import { type Random, seededRandom } from './random.ts'
import { RandomWalk } from './random-walk.ts'
import { ROLES } from './roles.ts'
import type { Startup } from './startup.ts'
import { Trading } from './trading.ts'
import { TxSender } from './tx-sender.ts'

const HOUR_SECONDS = 3_600
/** The pools are looked at once in so many looks of the traders. */
const POOL_LOOKS = 5
/** And at most so many swaps at a look happen for no reason. */
const RANDOM_SWAPS_MAX = 1

type MotionOptions = Readonly<{
  chain: Chain
  wallets: readonly string[]
  deployment: WholeDeployment
  config: Pick<Config, 'seed' | 'historyHours'>
}>

/** What moves, past and present alike: it goes on where it stopped. */
export type Motion = MotionOptions &
  Readonly<{
    sender: TxSender
    random: Random
    randomWalk: RandomWalk
    poolTrading: PoolTrading
  }>

/** Begins where the chain stands. */
export async function prepareMotion(options: MotionOptions): Promise<Motion> {
  const { chain, wallets, deployment, config } = options
  const { rpc } = chain
  const sender = new TxSender(rpc)
  const random = seededRandom(config.seed + Number(await rpc.call('eth_blockNumber')))
  const randomWalk = await RandomWalk.start(rpc, deployment, random)
  const poolTrading = await PoolTrading.start({ rpc, deployment, wallets, sender, random })
  return { chain, wallets, deployment, config, sender, random, randomWalk, poolTrading }
}

type Past = Readonly<{
  /** Unix seconds: after the newest block. */
  fromSeconds: number
  nowSeconds: () => number
  startup: Startup
}>

/** Brings a new chain from its past to now. */
export async function makePast(motion: Motion, past: Past): Promise<void> {
  const { chain, config, wallets, deployment, sender, random, randomWalk, poolTrading } = motion
  const { fromSeconds, nowSeconds, startup } = past
  startup.begin('making the past')
  const traders = ROLES.traders.map((index) => wallets[index] ?? '')
  const trading = await Trading.start({ rpc: chain.rpc, deployment, traders, sender, random })
  const keeper = wallets[ROLES.keeper] ?? ''
  const pusher = new PricePusher({ deployment, keeper, sender, randomWalk })
  const reached = (seconds: number) =>
    startup.advance({
      done: (seconds - fromSeconds) / HOUR_SECONDS,
      of: config.historyHours,
      unit: 'hours',
    })
  await produceHistory({ chain, pusher, trading, poolTrading, fromSeconds, nowSeconds, reached })
}

/** Keeps swapping in the pools by the wall's clock. */
export function keepSwapping({ poolTrading, random }: Motion, lookMs: number, log: Logger): Loop {
  const swapping = new Loop(
    () => poolTrading.act(random.whole(RANDOM_SWAPS_MAX + 1)),
    (tookMs) => lookMs * POOL_LOOKS - tookMs,
    (error) => log.warn({ err: error }, 'the pools were not looked at, trying again'),
  )
  swapping.start()
  return swapping
}
