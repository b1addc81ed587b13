// Serves the venue under test: an API node on a store filled with the bench's scenario. Sends its
// port over IPC when it is ready, and stops with its parent process. Arguments: minutes of trading;
// `limited` to count requests as by default with a limit that is never reached; the database to
// fill (PGlite by default); `keyed` to send the headers of an account's key too.
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
import { openCache } from '@openvenue/store/db/cache'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { pino } from 'pino'
import { answerCpuQuestions } from './cpu.ts'
import { benchScenario } from './scenario.ts'

/** Number of the scenario's first account. */
const ALICE = 3
/** Blocks per commit. */
const BATCH = 400

const [minutes = '1200', limits, databaseUrl, isKeyed] = process.argv.slice(2)
/** The default rate with enough points for any load. */
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
 * Commits the blocks and returns the last header. Its working state can be collected afterwards.
 */
async function fill({ writer }: Store, blocks: readonly VenueBlock[]): Promise<Header> {
  const state = emptyState()
  for (let start = 0; start < blocks.length; start += BATCH) {
    const batch = blocks.slice(start, start + BATCH).map((block) => applyBlock(state, block))
    await writer.commit(batch, Number.MAX_SAFE_INTEGER)
  }
  if (state.head === undefined) throw new Error('the scenario has no blocks')
  return state.head
}
