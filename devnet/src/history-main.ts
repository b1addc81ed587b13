// Produces the history of a chain in a thread, and reports its progress.
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { WholeDeployment } from './deployment.ts'

/** Input of the thread. */
export type HistoryThreadOptions = Readonly<{
  rpcUrl: string
  deployment: WholeDeployment
  wallets: readonly string[]
  seed: number
  historyHours: number
  /** Unix seconds: after the newest block. */
  fromSeconds: number
}>

if (parentPort !== null) {
  enableCompileCache()
  const { produceHistory } = await import('./history.ts')
  const { Money } = await import('./money.ts')
  const { prepareMotion } = await import('./motion.ts')
  const { PricePusher } = await import('./price-pusher.ts')
  const { ROLES } = await import('./roles.ts')
  const { rpcAt } = await import('./rpc.ts')
  const { Trading } = await import('./trading.ts')
  const { rpcUrl, deployment, wallets, seed, fromSeconds } = workerData as HistoryThreadOptions
  const rpc = rpcAt(rpcUrl)
  const motion = await prepareMotion({ rpc, wallets, deployment, seed })
  const { sender, random, randomWalk, poolTrading } = motion
  const traders = ROLES.traders.map((index) => wallets[index] ?? '')
  const parts = { rpc, deployment, traders, sender, random }
  await produceHistory({
    chain: { mine: async (seconds) => void (await rpc.call('evm_mine', { timestamp: seconds })) },
    pusher: new PricePusher({
      deployment,
      keeper: wallets[ROLES.keeper] ?? '',
      sender,
      randomWalk,
    }),
    trading: await Trading.start(parts),
    money: new Money(parts),
    poolTrading,
    fromSeconds,
    nowSeconds: () => Math.floor(Date.now() / 1000),
    reached: (seconds) => parentPort?.postMessage(seconds),
  })
}
