// Runs the node whose fan-out is measured. It follows a scenario's feed, one entry per turn of the
// event loop, like the blocks of a busy market. Sends its port over IPC. Argument `storm`: it has a
// port of probes, too.
import { setTimeout as delay } from 'node:timers/promises'
import { createAccountDeps } from '@openvenue/api/node/account-deps'
import { ACCOUNT_SETTINGS } from '@openvenue/api/node/account-settings'
import { createApiNode } from '@openvenue/api/node/node'
import { openProbePort } from '@openvenue/api/node/probe-port'
import { emptyState } from '@openvenue/core/state'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { Scenario } from '@openvenue/core/test/scenario/scenario'
import { applyBlock } from '@openvenue/core/venue'
import { openStore } from '@openvenue/store/open'
import type { FeedEntry } from '@openvenue/store/store'
import { pino } from 'pino'
import { answerCpuQuestions } from './cpu.ts'

const NAME = 'ETH-USDC'
const RICH = 10n ** 9n
const LEVELS = 100
/** Orders per block. */
const ORDERS = 3
/** Blocks of all rounds; see fanout.ts. */
const BLOCKS = 3_000
/** All clients connect from one address, or are more than a node admits by default. */
const CONNECTIONS_MAX = 100_000

const { startTick } = LISTINGS[NAME]
const scenario = new Scenario()
scenario.list(NAME).deposit('alice', 'USDC', RICH).deposit('alice', 'ETH', RICH)
for (let level = 1; level <= LEVELS; level++)
  scenario
    .place('alice', 'buy', startTick - level, 5n)
    .place('alice', 'sell', startTick + level, 5n)
scenario.next()
const state = emptyState()
const store = await openStore({})
await store.writer.commit(
  scenario.blocks().map((block) => applyBlock(state, block)),
  Number.MAX_SAFE_INTEGER,
)
const settings = {
  ...ACCOUNT_SETTINGS,
  sockets: {
    ...ACCOUNT_SETTINGS.sockets,
    connectionsPerAddressMax: CONNECTIONS_MAX,
    connectionsMax: CONNECTIONS_MAX,
  },
}
const probePort =
  process.argv[2] === 'storm' ? await openProbePort({ host: '127.0.0.1', port: 0 }) : undefined
const api = await createApiNode({
  probePort,
  host: '127.0.0.1',
  port: 0,
  // Blocks are applied here as they come: the database has nothing newer.
  reader: { ...store.reader, feedAfter: async () => [] },
  accounts: createAccountDeps(store, { rpcUrls: ['http://127.0.0.1:1'], settings }),
  probes: {
    redis: async () => ({ ok: true }),
    rpc: async () => ({ ok: true }),
    indexer: async () => ({ ok: true, lag: 0 }),
  },
  rates: { consume: () => Promise.reject(), publicRate: undefined, proxyHops: 0 },
  corsOrigins: ['*'],
  options: { environment: 'bench', version: '0.0.0', marketsCacheMs: 30_000, readyCacheMs: 2_000 },
  clock: {
    nowMs: Date.now,
    monotonicMs: () => performance.now(),
    delay: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  },
  logger: pino({ level: 'warn' }),
})
const url = await api.start()

/** Built before the measurement, since another process applies blocks in production. */
const entries = benchEntries()

/** Adds a few orders per block, so that the book changes. */
function benchEntries(): FeedEntry[] {
  const count = scenario.blocks().length
  for (let block = 0; block < BLOCKS; block++) {
    for (let order = 0; order < ORDERS; order++) {
      const level = 1 + ((block + order * 7) % LEVELS)
      scenario.place('alice', 'buy', startTick - level, 1n)
    }
    scenario.next()
  }
  return scenario
    .blocks()
    .slice(count)
    .map((block, index) => ({
      seq: api.model.seq + 1 + index,
      kind: 'apply' as const,
      ...applyBlock(state, block),
    }))
}

/** Without `everyMs`, one entry per turn. */
function emit(left: number, everyMs?: number): void {
  if (left === 0) return
  const entry = entries.shift()
  if (entry === undefined) throw new Error('no entry left for a frame')
  api.model.apply(entry)
  if (everyMs === undefined) setImmediate(() => emit(left - 1))
  else setTimeout(() => emit(left - 1, everyMs), everyMs)
}

answerCpuQuestions()
process.on('message', ({ frames, everyMs }: { frames?: number; everyMs?: number }) => {
  if (frames !== undefined) emit(frames, everyMs)
})
process.once('disconnect', () => process.exit(0))
const portOf = (address: string) => Number(new URL(address).port)
process.send?.({ port: portOf(url), probePort: probePort && portOf(probePort.url) })
