// Serves the second host under test: a node over the bench's scenario with the maximum number of
// AMM pools. Sends its port over IPC when it is ready, and stops with its parent process. With
// `limited` it counts requests as by default, with a limit that is never reached.
import { setTimeout as delay } from 'node:timers/promises'
import { PUBLIC_RATE, rateBuckets } from '@openvenue/api/http/limits'
import { createIntegratedNode } from '@openvenue/api/integrated/node'
import { ACCOUNT_SETTINGS } from '@openvenue/api/node/account-settings'
import { NEW_MARKETS_WINDOW_S } from '@openvenue/api/node/config'
import { emptyState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { openCache } from '@openvenue/store/db/cache'
import { openStore } from '@openvenue/store/open'
import { pino } from 'pino'
import { answerCpuQuestions } from './cpu.ts'
import { poolScenario } from './scenario.ts'

const [pools = '300', limits] = process.argv.slice(2)
/** The default rate with enough points for any load. */
const rate = { ...PUBLIC_RATE, points: Number.MAX_SAFE_INTEGER }
const rates = { publicRate: rate, privateRate: rate, registerRate: rate, integratedRate: rate }
const store = await openStore({})
const state = emptyState()
const blocks = poolScenario(Number(pools)).map((block) => applyBlock(state, block))
await store.writer.commit(blocks, Number.MAX_SAFE_INTEGER)
const head = state.head ?? { seconds: 0, number: 0 }
const { consume } = await openCache({
  buckets: rateBuckets({ ...rates, settings: ACCOUNT_SETTINGS }),
})
const startMs = Date.now()
const node = await createIntegratedNode({
  host: '127.0.0.1',
  port: 0,
  reader: store.reader,
  probes: {
    redis: async () => ({ ok: true }),
    rpc: async () => ({ ok: true, head: head.number }),
    indexer: async () => ({ ok: true, lag: 0 }),
  },
  settings: {
    ...ACCOUNT_SETTINGS,
    newMarketsWindowSeconds: NEW_MARKETS_WINDOW_S,
  },
  rates: { consume, publicRate: limits === 'limited' ? rate : undefined, proxyHops: 0 },
  corsOrigins: ['*'],
  options: { environment: 'bench', version: '0.0.0', readyCacheMs: 2_000 },
  tokenList: undefined,
  clock: {
    nowMs: () => head.seconds * 1000 + Date.now() - startMs,
    monotonicMs: () => performance.now(),
    delay: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  },
  logger: pino({ level: 'warn' }),
})
const url = await node.start()
process.send?.({ port: Number(new URL(url).port) })
answerCpuQuestions()
process.once('disconnect', () => process.exit(0))
