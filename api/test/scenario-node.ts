// The REST server over a scenario: for tests. The node follows the scenario's feed from its first
// block; with a store it takes a snapshot after the blocks it is given and reads deep history
// there.
import { type BlockChanges, invertChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState, fold } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import type { FeedEntry, Reader, Store } from '@openvenue/store/store'
import type { Host } from '../src/http/host-type.ts'
import { windowsAt } from '../src/model/snapshot-windows.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import type { AccountDeps } from '../src/node/account-deps.ts'
import { ACCOUNT_SETTINGS } from '../src/node/account-settings.ts'
import { type ApiHostDeps, createApiHost } from '../src/node/api-host.ts'
import { feedReader } from './feed-reader.ts'
import { witnessAnswers } from './witness.ts'

export type Answer = Readonly<{
  status: number
  body: unknown
  text: string
  headers: Readonly<Record<string, unknown>>
}>

export type ScenarioNode = Readonly<{
  host: Host
  model: VenueModel
  nowMs: () => number
  /** Sets the clock, which begins at the last block. */
  setNow: (seconds: number) => void
  /** Lets the node follow more blocks. */
  applyBlocks: (blocks: readonly VenueBlock[]) => void
  /** Takes the last block back; it must have been published after the start. */
  undoBlock: () => void
  get: (url: string) => Promise<Answer>
  close: () => Promise<void>
}>

/** Returns a node that has followed `blocks`. The caller closes `store`. */
export async function scenarioNode(
  blocks: readonly VenueBlock[],
  store?: Store,
  overrides: Partial<ApiHostDeps> = {},
): Promise<ScenarioNode> {
  const state = emptyState()
  const apply = (more: readonly VenueBlock[]) => more.map((block) => applyBlock(state, block))
  const applied: BlockChanges[] = []
  let nowSeconds = blocks.at(-1)?.header.seconds ?? 0
  const model = new VenueModel()
  const entries: FeedEntry[] = []
  const follow = (kind: FeedEntry['kind'], { header, changes }: BlockChanges) => {
    const entry = { seq: model.seq + 1, kind, header, changes }
    entries.push(entry)
    model.apply(entry)
  }
  const applyBlocks = (more: readonly VenueBlock[]) => {
    for (const block of apply(more)) {
      applied.push(block)
      follow('apply', block)
    }
  }
  if (store === undefined) {
    model.load(emptySnapshot())
    applyBlocks(blocks)
  } else {
    await store.writer.commit(apply(blocks), 0)
    model.load(await store.reader.snapshot(windowsAt(nowSeconds)))
  }
  const nowMs = () => nowSeconds * 1000
  // Blocks published without a store are in no database: then the feed itself is read.
  const reader = store?.reader ?? { ...BROKEN_READER, ...feedReader(entries, model) }
  const host = await testHost(model, store, nowMs, { reader, ...overrides })
  return {
    host,
    model,
    nowMs,
    setNow: (seconds) => {
      nowSeconds = seconds
    },
    applyBlocks,
    undoBlock: () => {
      const last = applied.pop()
      const header = applied.at(-1)?.header
      if (last === undefined || header === undefined) throw new Error('no block to take back')
      const changes = invertChanges(last.changes)
      fold(state, changes)
      state.head = header
      follow('undo', { header, changes })
    },
    get: async (url) => {
      const { statusCode: status, body: text, headers } = await host.inject({ url })
      return { status, text, headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    close: () => host.close(),
  }
}

export const testHost = async (
  model: VenueModel,
  store: Store | undefined,
  nowMs: () => number,
  overrides: Partial<ApiHostDeps>,
): Promise<Host> => {
  const host = await createApiHost({
    model,
    reader: store?.reader ?? BROKEN_READER,
    accounts: {
      ...BROKEN_ACCOUNTS,
      ...(store === undefined ? NO_PROMISES : accountStores(store)),
    },
    clock: { nowMs, monotonicMs: nowMs },
    probes: {
      redis: async () => ({ ok: true }),
      rpc: async () => ({ ok: true, head: 1 }),
      indexer: async () => ({ ok: true, lag: 0 }),
    },
    options: { environment: 'test', version: '0.0.0', marketsCacheMs: 0, readyCacheMs: 0 },
    rates: { consume: refuse, publicRate: undefined, proxyHops: 0 },
    corsOrigins: ['*'],
    ...overrides,
  })
  return witnessAnswers(host, () => model.head !== undefined)
}

/** A database without promises, whose public reads work. */
const NO_PROMISES = {
  get intents() {
    return { ...BROKEN_ACCOUNTS.intents, readStatus: async () => undefined }
  },
  ledger: {
    keptMs: 0,
    page: async () => ({ head: undefined, fromSeq: 1, rows: [] }),
    ofIntent: async () => ({ head: undefined, fromSeq: 1, rows: [] }),
  },
}

const accountStores = ({
  history,
  identity,
  intents,
  keyRelays,
  notifications,
  equity,
  ledger,
}: Store) => ({
  history,
  identity,
  intents,
  keyRelays,
  notifications,
  equity,
  ledger,
})

export const emptySnapshot = () => ({
  seq: 0,
  state: emptyState(),
  trades: new Map(),
  candles: new Map(),
  priceMinutes: new Map(),
  settlements: new Map(),
  poolHours: new Map(),
})

const refuse = () => Promise.reject(new Error('the database is down'))

/** A database that does not answer. */
export const BROKEN_READER: Reader = {
  snapshot: refuse,
  feedAfter: refuse,
  onSignal: () => () => {},
  owned: refuse,
  newestCandles: refuse,
  newestTrades: refuse,
  candles: refuse,
  candleBefore: refuse,
  settlements: refuse,
  oldestTrades: refuse,
  forcedCloses: refuse,
  prices: refuse,
  ping: refuse,
}

/** A database and a chain node that do not answer. */
export const BROKEN_ACCOUNTS: AccountDeps = {
  history: {
    rows: refuse,
    lines: refuse,
    count: refuse,
    transfers: refuse,
    order: refuse,
    fundingPayments: refuse,
    daySums: refuse,
    days: refuse,
    accountNumber: refuse,
    ownerOf: refuse,
    signingKey: refuse,
    readWallets: refuse,
  },
  safeguards: {
    armTimer: refuse,
    disarmTimer: refuse,
    dueTimers: refuse,
    nextTimerMs: refuse,
    endTimer: refuse,
    setDisconnect: refuse,
    readDisconnect: refuse,
    beat: refuse,
    nodes: refuse,
    forgetNode: refuse,
    endConnections: refuse,
    endedConnections: refuse,
    forgetConnections: refuse,
    setMmp: refuse,
    resetMmp: refuse,
    mmpFills: refuse,
    excluded: refuse,
    freezeMmp: refuse,
    readMmp: refuse,
    changesAfter: refuse,
    onChange: () => () => {},
    parents: refuse,
    orphaned: refuse,
    stops: refuse,
    countStops: refuse,
  },
  identity: {
    register: refuse,
    find: refuse,
    liveKeys: refuse,
    issue: refuse,
    amend: refuse,
    useSignature: refuse,
    liveAmong: refuse,
    revoke: refuse,
    revokeAll: refuse,
    markUsed: refuse,
    sweep: refuse,
    addInvites: refuse,
    onRevoked: () => () => {},
  },
  intents: {
    add: refuse,
    move: refuse,
    live: refuse,
    includedFrom: refuse,
    givenUpSince: refuse,
    onChain: refuse,
    logAfter: refuse,
    find: refuse,
    promisesOf: refuse,
    findByClientOrderId: refuse,
    ordersEver: refuse,
    awaitedBlock: refuse,
    onLog: () => () => {},
    writeStatus: refuse,
    readStatus: refuse,
  },
  keyRelays: { of: refuse, ofWallet: refuse, newestAllowance: refuse, enqueueAllowance: refuse },
  notifications: {
    page: refuse,
    count: refuse,
    find: refuse,
    mark: refuse,
    markAll: refuse,
    remove: refuse,
    preferences: refuse,
    changePreferences: refuse,
    add: refuse,
    addExpiring: refuse,
    ofBlock: refuse,
    byIds: refuse,
    onAdded: () => () => {},
    prune: refuse,
  },
  equity: {
    claim: refuse,
    add: refuse,
    range: refuse,
    thin: refuse,
    liveAccounts: refuse,
  },
  ledger: { keptMs: 0, page: refuse, ofIntent: refuse },
  call: refuse,
  orderChain: { simulate: refuse, simulateBlock: refuse, findSpentSalts: refuse },
  settings: ACCOUNT_SETTINGS,
}
