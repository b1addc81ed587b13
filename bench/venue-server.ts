// Serves the venue under test: an API node on a store that the bench's scenario filled. Says its
// port over IPC when it is ready, and stops with the process that started it. Arguments: minutes of
// trading, `limited` to count requests as by default (to a limit that nobody reaches), the database
// to fill (PGlite without one), and `keyed` to say the headers of an account's key as well.
import { setTimeout as delay } from 'node:timers/promises'
import { PUBLIC_RATE, rateBuckets } from '@openvenue/api/http/limits'
import { createAccountDeps } from '@openvenue/api/node/account-deps'
import { ACCOUNT_SETTINGS } from '@openvenue/api/node/account-settings'
import { createApiNode } from '@openvenue/api/node/node'
import { issueKey } from '@openvenue/api/test/keyed'
import type { Header, VenueBlock } from '@openvenue/core/events'
import { emptyState } from '@openvenue/core/state'
import { accountWallet } from '@openvenue/core/test/scenario/listing'
import { applyBlock } from '@openvenue/core/venue'
import { openCache } from '@openvenue/store/cache'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { pino } from 'pino'
import { answerCpuQuestions } from './cpu.ts'
import { benchScenario } from './scenario.ts'

/** Number of the scenario's first account. */
const ALICE = 3
/** Blocks committed at once. */
const BATCH = 400

const [minutes = '1200', limits, databaseUrl, isKeyed] = process.argv.slice(2)
/** The default rate, with points enough for any load. */
const rate = { ...PUBLIC_RATE, points: Number.MAX_SAFE_INTEGER }
const store = await openStore({ databaseUrl })
const head = await fill(store, benchScenario(Number(minutes)))

const { consume } = await openCache({
  buckets: rateBuckets({
    publicRate: rate,
    privateRate: rate,
    registerRate: rate,
    settings: ACCOUNT_SETTINGS,
  }),
})
const startMs = Date.now()
const api = await createApiNode({
  host: '127.0.0.1',
  port: 0,
  reader: store.reader,
  accounts: createAccountDeps(store, {
    rpcUrls: ['http://127.0.0.1:1'],
    settings: ACCOUNT_SETTINGS,
  }),
  probes: {
    redis: async () => ({ ok: true }),
    rpc: async () => ({ ok: true, head: head.number }),
    indexer: async () => ({ ok: true, lag: 0 }),
  },
  rates: { consume, publicRate: limits === 'limited' ? rate : undefined, proxyHops: 0 },
  corsOrigins: ['*'],
  options: { environment: 'bench', version: '0.0.0', marketsCacheMs: 30_000, readyCacheMs: 2_000 },
  clock: {
    nowMs: () => head.seconds * 1000 + Date.now() - startMs,
    monotonicMs: () => performance.now(),
    delay: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  },
  logger: pino({ level: 'warn' }),
})
const url = await api.start()
const { headers } =
  isKeyed === 'keyed' ? await issueKey(store, accountWallet(ALICE), Date.now()) : {}
process.send?.({ port: Number(new URL(url).port), headers })
answerCpuQuestions()
process.once('disconnect', () => process.exit(0))

/**
 * Commits the blocks and returns the last header. What it needed is not kept while the API runs.
 */
async function fill({ writer }: Store, blocks: readonly VenueBlock[]): Promise<Header> {
  const state = emptyState()
  for (let start = 0; start < blocks.length; start += BATCH) {
    const batch = blocks.slice(start, start + BATCH).map((block) => applyBlock(state, block))
    await writer.commit(batch, Number.MAX_SAFE_INTEGER)
  }
  if (state.head === undefined) throw new Error('a scenario has blocks')
  return state.head
}
