// Nodes that accept orders, over one store with a scenario and its intents: for tests, which act as
// the relayer.
import { setTimeout as sleep } from 'node:timers/promises'
import { orderLane, type RelayStatus } from '@openvenue/core/relay'
import { emptyState } from '@openvenue/core/state'
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { until } from '@openvenue/core/test/until'
import { applyBlock } from '@openvenue/core/venue'
import { withOrigins } from '@openvenue/store/history/order-origins'
import type { IntentMove } from '@openvenue/store/intents/intents'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import type { Host } from '../src/http/host-type.ts'
import { windowsAt } from '../src/model/snapshot-windows.ts'
import { VenueModel } from '../src/model/venue-model.ts'
import { ACCOUNT_SETTINGS, type AccountSettings } from '../src/node/account-settings.ts'
import type { ApiHostDeps } from '../src/node/api-host.ts'
import type { SimulateOrders } from '../src/orders/place/order-simulation.ts'
import type { FindSpentSalts } from '../src/orders/relay/salts.ts'
import { type OrderContext, parseOrder } from '../src/orders/rules/order-body.ts'
import { type IssuedKey, issueKey } from './keyed.ts'
import { orderKey, signDigest } from './order-model.ts'
import { BROKEN_ACCOUNTS, testHost } from './scenario-node.ts'

const ETH = LISTINGS['ETH-USDC']
export const RECEIPT_KEY = `0x${'5e'.repeat(32)}` as const
const CANCELLER = `0x${'ca'.repeat(20)}`
/** Keys are valid from before every scenario until long after. */
const KEY_LIFE_MS = 4_000_000_000_000

const lane = (name: string) => ({
  name,
  address: CANCELLER,
  balance: '1000000000000000000',
  isFunded: true,
  queued: 0,
  sent: 0,
  gas: 0,
})

/** Status of a relayer with one lane of orders. */
export const RELAY_STATUS: RelayStatus = {
  lanes: [lane('cancels'), lane(orderLane(0))],
  canceller: CANCELLER,
  gasPerBlock: 10_000_000,
  blockMs: 500,
  ordersPerTx: 64,
  gasPerTx: 5_000_000,
  block: 1,
}

export type Reply = Readonly<{
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
  body: any
  headers: Readonly<Record<string, unknown>>
}>

type RequestOptions = Readonly<{
  node?: number
  headers?: Readonly<Record<string, string>>
  body?: unknown
}>

export type TradingNodes = Readonly<{
  store: Store
  hosts: readonly Host[]
  models: readonly VenueModel[]
  /** Sends a request with the API key of an account in the scenario. */
  send: (who: string, what: string, sent?: RequestOptions) => Promise<Reply>
  walletOf: (who: string) => string
  /**
   * The next order of an account: a bid for 2 lots of ETH-USDC far from any other, unless given.
   */
  orderOf: (who: string, members?: object) => Promise<Record<string, unknown>>
  /** Writes the relayer's status, and waits until all nodes have it. */
  say: (status: Partial<RelayStatus>) => Promise<void>
  /** Moves an intent as the relayer would. */
  move: (id: string, to: IntentMove['to'], more?: Partial<IntentMove>) => Promise<void>
  /** Waits until all nodes know all committed steps of intents. */
  caughtUp: () => Promise<void>
  /** Commits the scenario's new blocks, and lets all nodes follow. */
  follow: () => Promise<void>
  close: () => Promise<void>
}>

export type TradingOptions = Readonly<{
  nodes?: number
  settings?: Partial<AccountSettings>
  host?: Partial<ApiHostDeps>
  /** The chain's answer about salts; none is spent unless given. */
  findSpentSalts?: FindSpentSalts
  /** The chain's answer to signed orders; accepted unless given. */
  simulate?: SimulateOrders
}>

/** Opens nodes over `scenario`, whose last block is committed and known to all of them. */
export async function tradingNodes(
  scenario: Scenario,
  {
    nodes = 1,
    settings = {},
    host: overrides = {},
    findSpentSalts = noneSpent,
    simulate = takeAll,
  }: TradingOptions = {},
): Promise<TradingNodes> {
  const store = await openMemoryStore()
  const chain = committing(store, scenario)
  await chain.commit()
  const nowMs = () => chain.seconds() * 1000
  const stopping = new AbortController()
  const opening = { store, settings, nowMs, overrides, findSpentSalts, simulate }
  const opened = await Promise.all(
    Array.from({ length: nodes }, () => openNode(opening, stopping.signal)),
  )
  const hosts = opened.map(({ host }) => host)
  const models = opened.map(({ model }) => model)
  const walletOf = (who: string) => `0x${scenario.accountOf(who).toString(16).padStart(40, 'c')}`
  const caughtUp = async () => {
    const { seq } = await store.intents.live()
    const isLevel = ({ intentBook }: Host) => intentBook.seq >= seq
    await until('every node has the whole log', () => hosts.every(isLevel))
  }
  const say = async (status: Partial<RelayStatus>) => {
    const text = JSON.stringify({ ...RELAY_STATUS, ...status })
    await store.intents.writeStatus(text, nowMs())
    const isKnown = ({ intentBook }: Host) => JSON.stringify(intentBook.relay?.status) === text
    await until('every node knows the status', () => hosts.every(isKnown))
  }
  await say({})
  return {
    store,
    hosts,
    models,
    walletOf,
    caughtUp,
    say,
    send: sender(store, hosts, walletOf),
    orderOf: await signedOrders(scenario, store, { models, walletOf }),
    move: async (id, to, more = {}) => {
      const atNs = BigInt(nowMs()) * 1_000_000n
      const [isMoved] = await store.intents.move([{ id, from: UNFINISHED, to, atNs, ...more }])
      if (isMoved !== true) throw new Error('there is no such intent')
      await caughtUp()
    },
    follow: async () => {
      await chain.commit()
      for (const model of models) await applyFeed(store, model)
    },
    close: async () => {
      stopping.abort()
      await closeAll(opened)
      await store.close()
    },
  }
}

async function applyFeed(store: Store, model: VenueModel): Promise<void> {
  for (const entry of await store.reader.feedAfter(model.seq, 1000)) model.apply(entry)
}

/** Closes nodes whose follow loops have been aborted. */
async function closeAll(nodes: readonly Awaited<ReturnType<typeof openNode>>[]): Promise<void> {
  for (const { host, following } of nodes) {
    await following
    await host.close()
  }
}

const UNFINISHED = ['received', 'queued', 'sent', 'included'] as const

type NodeOptions = Readonly<{
  store: Store
  settings: Partial<AccountSettings>
  nowMs: () => number
  overrides: Partial<ApiHostDeps>
  findSpentSalts: FindSpentSalts
  simulate: SimulateOrders
}>

const noneSpent: FindSpentSalts = async () => new Set()
const takeAll: SimulateOrders = async (orders) => orders.map(() => undefined)

/** Opens one node at the head of the store. */
async function openNode(opening: NodeOptions, signal: AbortSignal) {
  const { store, settings, nowMs, overrides, findSpentSalts, simulate } = opening
  const model = new VenueModel()
  model.load(await store.reader.snapshot(windowsAt(Math.floor(nowMs() / 1000))))
  const { history, identity, intents, ledger, keyRelays, notifications, equity } = store
  const { safeguards } = store
  const accounts = {
    ...BROKEN_ACCOUNTS,
    history,
    identity,
    intents,
    ledger,
    keyRelays,
    notifications,
    equity,
    safeguards,
    orderChain: { ...BROKEN_ACCOUNTS.orderChain, simulate, findSpentSalts },
    settings: { ...ACCOUNT_SETTINGS, accountCacheMs: 0, receiptKey: RECEIPT_KEY, ...settings },
  }
  const clock = { nowMs, monotonicMs: nowMs, delay }
  const host = await testHost(model, store, nowMs, { accounts, clock, ...overrides })
  await host.intentBook.load(signal)
  const books = [host.intentBook, host.safeguardBook, host.connectionEnds]
  const following = Promise.all(books.map((book) => book.follow(signal)))
  return { model, host, following }
}

const delay = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})

/** Commits the blocks of a scenario as it grows. */
function committing(store: Store, scenario: Scenario) {
  const state = emptyState()
  let committed = 0
  return {
    seconds: () => state.head?.seconds ?? 0,
    commit: async () => {
      const grown = scenario.blocks().slice(committed)
      committed += grown.length
      const blocks = await withOrigins(store.writer, grown)
      await store.writer.commit(
        blocks.map((block) => applyBlock(state, block)),
        0,
      )
    },
  }
}

function sender(
  store: Store,
  hosts: readonly Host[],
  walletOf: (who: string) => string,
): TradingNodes['send'] {
  const keys = new Map<string, Promise<IssuedKey>>()
  return async (who, what, { node = 0, headers = {}, body } = {}) => {
    const issued = keys.get(who) ?? issueKey(store, walletOf(who), 0, KEY_LIFE_MS)
    keys.set(who, issued)
    const [method = '', url = ''] = what.split(' ')
    const answer = await (hosts[node] as Host).inject({
      method: method as 'GET',
      url,
      headers: {
        ...(await issued).headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const text = answer.body
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
}

/** Default price of an order: half of the market's start, so that it rests. */
const PRICE = (BigInt(ETH.startTick) / 2n) * ETH.priceStep

/** Registers a key of each account, and returns a function that signs orders. */
async function signedOrders(
  scenario: Scenario,
  store: Store,
  { models, walletOf }: Pick<TradingNodes, 'models' | 'walletOf'>,
): Promise<TradingNodes['orderOf']> {
  const settings = ACCOUNT_SETTINGS
  for (const account of scenario.accounts.values())
    await store.db.primary.query(
      'INSERT INTO signing_keys (key, account, expiry_seconds, is_revoked) VALUES ($1, $2, $3, $4)',
      [orderKey(BigInt(account)).address.toLowerCase(), account, 4_000_000_000, 'false'],
    )
  let salt = 0
  return async (who, members = {}) => {
    const model = models[0] as VenueModel
    const body = {
      instrument: ETH.name,
      maker: walletOf(who),
      is_buy: true,
      limit_price: PRICE.toString(),
      amount: (10n * ETH.amountStep).toString(),
      salt: String(++salt),
      deadline: String((model.head?.seconds ?? 0) + 3600),
      ...members,
    }
    const key = orderKey(BigInt(scenario.accountOf(who)))
    const digest = digestOf(body, { model, settings })
    return digest === undefined ? body : { ...body, signature: await signDigest(key, digest) }
  }
}

/** Returns undefined when the body is not an order. */
function digestOf(body: object, context: OrderContext): string | undefined {
  try {
    return parseOrder(body, { ...context, isSignatureOptional: true }).digest
  } catch {
    return undefined
  }
}

/** The signing key of an account of a scenario: the same one in each run. */
export const signingKey = (account: number) => orderKey(BigInt(account))
