// Backfills a fake chain into every available database: PGlite, and PostgreSQL if DATABASE_URL is
// set. Prints one line of JSON. The node's answers are prepared texts, so that a run parses JSON as
// from a socket but does not pay for the chain.
import type { BlockChanges } from '@openvenue/core/changes'
import { emptyState } from '@openvenue/core/state'
import { parseHeader } from '@openvenue/indexer/chain'
import { Endpoints } from '@openvenue/indexer/endpoints'
import { compileEvents } from '@openvenue/indexer/events'
import { Follower } from '@openvenue/indexer/follow'
import { HeadFeed } from '@openvenue/indexer/heads'
import type { Rpc } from '@openvenue/indexer/rpc'
import { FakeChain } from '@openvenue/indexer/test/chain'
import { FAKE_DEPLOYMENT } from '@openvenue/indexer/test/venue'
import type { RpcCall } from '@openvenue/runtime/json-rpc'
import type { Writer } from '@openvenue/store/store'
import { testEngines } from '@openvenue/store/test/engines'

/** Figures of one run. */
export type BackfillResult = Readonly<{ name: string; logs: number; seconds: number }>

const SEED = 7
const BLOCKS = 3_000
const ACTIONS_PER_BLOCK = 16
const FINALITY_BLOCKS = 64
/** Runs per database; the best one counts, since the first also compiles. */
const RUNS = 3

const chain = new FakeChain(SEED)
chain.mine({ blocks: BLOCKS, actions: ACTIONS_PER_BLOCK })
const { rpc, record } = recordedRpc(chain)

const NO_DATABASE: Writer = {
  readFor: async () => false,
  keepGenesis: async (hash) => hash,
  loadState: async () => emptyState(),
  commit: async (_: readonly BlockChanges[]) => {},
  readOrigins: async () => new Map(),
  readAudience: async () => ({ notifiedTo: 0, sinceSeconds: undefined, warned: [] }),
  undoTo: () => Promise.reject(new Error('a backfill undoes nothing')),
  readHeader: async () => undefined,
  wipeChain: async () => {},
}

await backfill(NO_DATABASE, record)
const results = [await runFastest('no database', NO_DATABASE)]
for (const engine of [...testEngines(undefined), ...testEngines(process.env.DATABASE_URL)]) {
  const database = await engine.createSharedDatabase()
  const store = await database.open()
  results.push(await runFastest(engine.name, store.writer))
  await store.close()
  await database.remove()
}
process.stdout.write(`${JSON.stringify(results)}\n`)

async function runFastest(name: string, writer: Writer): Promise<BackfillResult> {
  const runs: BackfillResult[] = []
  for (let run = 0; run < RUNS; run++) {
    await writer.wipeChain()
    runs.push({ name, ...(await backfill(writer, rpc)) })
  }
  return runs.reduce((best, run) => (run.seconds < best.seconds ? run : best))
}

/** Follows the chain once from its first block to its head. */
async function backfill(writer: Writer, rpc: Rpc): Promise<{ logs: number; seconds: number }> {
  const heads = new HeadFeed()
  const stopping = new AbortController()
  const reached = Promise.withResolvers<void>()
  let logs = 0
  const follower = new Follower({
    endpoints: new Endpoints([rpc], { nowMs: () => performance.now() }),
    nowMs: () => performance.now(),
    writer,
    heads,
    events: compileEvents(FAKE_DEPLOYMENT),
    startBlock: FAKE_DEPLOYMENT.startBlock,
    finalityBlocks: FINALITY_BLOCKS,
    watch: {
      readingAnew: () => {},
      loaded: () => {},
      committed: ({ synced, events }) => {
        logs += events
        if (synced.hash === chain.head.hash) reached.resolve()
      },
      undone: () => {},
      doubted: () => {},
      rereading: (error) => reached.reject(error),
      failed: (error) => reached.reject(error),
    },
  })
  const startMs = performance.now()
  heads.offer(parseHeader(chain.headMessage()))
  const following = follower.follow(stopping.signal)
  await Promise.race([reached.promise, following])
  const seconds = (performance.now() - startMs) / 1000
  stopping.abort()
  await following
  return { logs, seconds }
}

/** Returns `record`, which answers and stores the texts, and `rpc`, which parses them. */
function recordedRpc(source: FakeChain): { rpc: Rpc; record: Rpc } {
  const texts = new Map<string, string>()
  const callsKey = (calls: readonly RpcCall[]) => JSON.stringify(calls)
  const record: Rpc = async (calls) => {
    const answers = await source.rpc(calls)
    texts.set(callsKey(calls), JSON.stringify(answers))
    return answers
  }
  const rpc: Rpc = async (calls) => {
    const text = texts.get(callsKey(calls))
    return text === undefined ? record(calls) : (JSON.parse(text) as readonly unknown[])
  }
  return { rpc, record }
}
