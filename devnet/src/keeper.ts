// Starts the keeper of a devnet with the mnemonic's wallet that the oracle and the engine accept.
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeeperSettings } from '@openvenue/keeper/config'
import { createKeeper, type Keeper } from '@openvenue/keeper/keeper'
import type { Store } from '@openvenue/store/store'
import type { Logger } from 'pino'
import type { Chain } from './chain.ts'
import type { DevnetDeployment } from './deployment.ts'
import type { RandomWalk } from './random-walk.ts'
import { ROLES } from './roles.ts'
import { derivePrivateKey } from './wallet-keys.ts'

type DevnetKeeperOptions = Readonly<{
  chain: Chain
  deployment: DevnetDeployment
  store: Store
  randomWalk: RandomWalk
  host: string
  /** 0 picks a free one. */
  keeperPort: number
  keeper: KeeperSettings
  log: Logger
}>

export type DevnetKeeper = Readonly<{
  keeperUrl: string
  /** Rejects when the keeper cannot continue. */
  failed: Promise<never>
  stop(): Promise<void>
}>

/** Starts the keeper; resolves when its port is open. */
export async function startKeeper(options: DevnetKeeperOptions): Promise<DevnetKeeper> {
  const { chain, deployment, store, randomWalk, log } = options
  const keeper = createKeeper({
    store,
    deployment,
    chainId: deployment.chainId,
    rpcUrls: [chain.url],
    key: derivePrivateKey(ROLES.keeper),
    settings: options.keeper,
    priceSource: randomWalk.source(() => Math.floor(Date.now() / 1000)),
    clock: {
      nowMs: Date.now,
      monotonicMs: () => performance.now(),
      delay: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    },
    log: log.child({ part: 'keeper' }),
  })
  const keeperUrl = await keeper.host.listen({ host: options.host, port: options.keeperPort })
  keeper.start()
  return {
    keeperUrl,
    failed: failing(keeper),
    stop: async () => {
      await keeper.stop()
      await keeper.host.close()
    },
  }
}

/** Never resolves: a keeper that was not stopped only ends with an error. */
const failing = async (keeper: Keeper): Promise<never> => {
  await keeper.ended
  return new Promise<never>(() => {})
}
