// A venue whose blocks tests write, with a watcher on a database of its own.
import { orderKey } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { steadyMark } from '@openvenue/core/marks'
import { emptyPosition } from '@openvenue/core/positions'
import type { Market, Order } from '@openvenue/core/records'
import { emptyState, fold, loaded } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import { makePartition, PARTITION_SECONDS } from '@openvenue/store/db/partitions'
import { RESTING_SECONDS } from '@openvenue/store/db/tables'
import type { Intent, IntentState, NewIntent, OrderMembers } from '@openvenue/store/intents/intents'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { watch } from '../src/watcher/watcher.ts'
import type { WatcherOptions } from '../src/watcher/watcher-parts.ts'
import { wallClock } from './clock.ts'
import { WrittenNode } from './fake-node.ts'
import { FIRST, SECOND, WrittenView } from './fake-state.ts'

export const WALLET = `0x${'51'.repeat(20)}`
export const ACCOUNT = 7
/** Equals the gas of ten of its orders. */
export const GAS_PER_BLOCK = 10
const FAR = 2n ** 64n
const NS_PER_MS = 1_000_000n
const START_SECONDS = 3_600

type Terms = Partial<Omit<OrderMembers, 'account'>> &
  Partial<Pick<NewIntent, 'account' | 'parentId' | 'receivedNs' | 'state'>> & {
    isMmp?: boolean
    connection?: string
    in?: Market
  }

type Fate = Partial<Pick<Order, 'filledLots' | 'restingLots' | 'status' | 'reason'>>

/** Test access to the venue; there is no relayer. */
export class WatchedVenue {
  readonly store: Store
  readonly node = new WrittenNode()
  readonly view = Object.assign(new WrittenView(emptyState()), { onChange: () => () => {} })
  /** Extra milliseconds of the monotonic clock. */
  aheadMs = 0
  mayAct = true
  #watching: Promise<void> = Promise.resolve()
  #stopping = new AbortController()
  #made = 0
  readonly #partitions = new Set<string>()

  private constructor(store: Store) {
    this.store = store
    this.block(START_SECONDS)
    for (const market of [FIRST, SECOND, SPOT]) fold(this.view.state, [loaded('market', market)])
    this.mark(FIRST, 1_000n)
    this.mark(SECOND, 1_000n)
  }

  static async open(): Promise<WatchedVenue> {
    return new WatchedVenue(await openMemoryStore())
  }

  start(given: Partial<WatcherOptions> = {}): void {
    this.#stopping = new AbortController()
    const { intents, safeguards } = this.store
    const deps: WatcherOptions = {
      ...{ intents, safeguards, node: this.node, clock: wallClock },
      view: this.view,
      resting: { find: (id) => this.order(id) },
      gasPerBlock: GAS_PER_BLOCK,
      monotonicMs: () => performance.now() + this.aheadMs,
      log: pino({ level: 'silent' }),
      mayAct: () => this.mayAct,
      ...given,
    }
    this.#watching = watch(deps, this.#stopping.signal)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#watching
  }

  async close(): Promise<void> {
    await this.stop()
    await this.store.close()
  }

  /** Advances the chain to a block at `seconds`. */
  block(seconds: number): void {
    const { state } = this.view
    const number = (state.head?.number ?? 8) + 1
    state.head = { number, hash: `0x${number}`, parentHash: '0x', seconds } as never
  }

  mark({ id: market }: Market, dollars: bigint): void {
    const seconds = this.view.state.head?.seconds ?? 0
    fold(this.view.state, [loaded('mark', steadyMark({ market, price: dollars * E18, seconds }))])
  }

  order(ref: string): Order | undefined {
    return [...this.view.state.records.order.values()].find((order) => order.ref === ref)
  }

  /** Accepts an order, like the API. */
  async accept(terms: Terms = {}): Promise<string> {
    const { account = ACCOUNT, parentId, state, isMmp, connection, receivedNs, ...others } = terms
    const { in: market, ...orderTerms } = others
    const id = `0x${(++this.#made).toString(16).padStart(64, '0')}`
    const isHeld = parentId !== undefined || (orderTerms.triggerKind ?? 0) !== 0
    const order = { ...members, salt: `${this.#made}`, ...orderTerms }
    await this.store.intents.add([
      {
        ...{ id, account, wallet: WALLET, market: (market ?? FIRST).id, parentId },
        ...{ lane: 'orders-0', gas: 1, includeByBlock: 0, clientOrderId: undefined },
        state: state ?? (isHeld ? 'received' : 'queued'),
        payload: {
          ...{ kind: 'order', order, signature: '0x' },
          ...(isMmp === undefined ? {} : { isMmp }),
          ...(connection === undefined ? {} : { connection }),
        },
        deadlineSeconds: BigInt(order.deadline),
        receivedNs: receivedNs ?? BigInt(Date.now()) * NS_PER_MS,
      },
    ])
    return id
  }

  /** Moves an intent, like the relayer. */
  async move(id: string, to: IntentState, reason?: string): Promise<void> {
    const from = ['received', 'queued', 'sent', 'included'] as const
    const atNs = BigInt(Date.now()) * NS_PER_MS
    const blockNumber = to === 'included' ? this.view.state.head?.number : undefined
    await this.store.intents.move([{ id, from, to, atNs, reason, blockNumber }])
  }

  /** Places or changes an order on chain: in the database, then in the feed. */
  async chain(id: string, fate: Fate = {}): Promise<void> {
    const before = this.order(id)
    const intent = await this.find(id)
    const { isBuy } = intent.payload.kind === 'order' ? intent.payload.order : members
    const after: Order = {
      ...(before ?? createOrder(++this.#made, { ...intent, isBuy })),
      ...fate,
    }
    const { market, number, ref, account, restingLots, filledLots, status, reason } = after
    const because = reason === null ? 'NULL' : `'${reason}'`
    // The end of an order is later than its intent.
    const seconds = Math.floor(Date.now() / 1000)
    await this.#partition('order', seconds)
    await this.store.db.script(`DELETE FROM orders WHERE market = '${market}' AND number = ${number};
      INSERT INTO orders VALUES ('${market}', ${number}, '${ref}',
      ${account}, ${isBuy}, 1, 10, ${restingLots}, ${filledLots}, 0, 0, 'GTC', false, false, 0,
      '${status}', ${because}, 1, 1, '0x', 1, ${seconds}, false, NULL, NULL, NULL, NULL, NULL, NULL,
      ${restingLots === 0n ? seconds : RESTING_SECONDS})`)
    await this.#fill(after, filledLots - (before?.filledLots ?? 0n))
    const key = orderKey(market, number)
    this.view.fold([{ what: 'order', key, before, after } as never])
    if (intent.state !== 'included') await this.move(id, 'included')
  }

  /**
   * Sets the lots of a position, like the indexer: closing or flipping it adds a cycle, which is in
   * the database before the feed.
   */
  async position(lots: bigint, account = ACCOUNT): Promise<void> {
    const { state } = this.view
    const { id: market } = FIRST
    const before = state.records.position.get(`${market}|${account}`)
    const { number: block = 0, seconds = 0 } = state.head ?? {}
    const old = before?.lots ?? 0n
    if (old !== 0n && (lots === 0n || lots > 0n !== old > 0n)) {
      await this.#partition('closedCycle', seconds)
      await this.store.db.primary.query(`INSERT INTO position_cycles VALUES ('${++this.#made}',
        '${market}', ${account}, '1', ${old > 0n}, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 'trade',
        '0x', 1, ${block}, 1, '0x', ${seconds})`)
    }
    await this.store.db.primary.query(`INSERT INTO positions VALUES ('${market}', ${account},
      ${lots}, 0, 0, 0, 0, 1) ON CONFLICT (market, account) DO UPDATE SET lots = excluded.lots`)
    const after = { ...(before ?? emptyPosition(market, account as never)), lots }
    this.view.fold([{ what: 'position', key: `${market}|${account}`, before, after } as never])
  }

  /** Writes a fill with its block, like the indexer. */
  async #fill({ market, number, ref, account, isBuy }: Order, lots: bigint): Promise<void> {
    if (lots <= 0n) return
    const { number: block = 0, seconds = 0 } = this.view.state.head ?? {}
    await this.#partition('fill', seconds)
    await this.store.db.primary.query(`INSERT INTO fills (id, account, market, kind, order_number,
      ref, is_buy, is_maker, lots, fee, liquidation_fee, block_number, log_index, tx_hash, seconds)
      VALUES ('${++this.#made}', ${account}, '${market}', 'trade', ${number}, '${ref}', ${isBuy},
      true, ${lots}, 0, 0, ${block}, 1, '0x', ${seconds})`)
  }

  async #partition(kind: 'fill' | 'closedCycle' | 'order', seconds: number): Promise<void> {
    const from = Math.floor(seconds / PARTITION_SECONDS) * PARTITION_SECONDS
    if (this.#partitions.has(`${kind} ${from}`)) return
    await makePartition(this.store.db.primary, kind, from)
    this.#partitions.add(`${kind} ${from}`)
  }

  async find(id: string): Promise<Intent> {
    const [intent] = await this.store.intents.find([id])
    if (intent === undefined) throw new Error(`there is no intent ${id}`)
    return intent
  }

  async is(id: string, state: IntentState): Promise<boolean> {
    return (await this.store.intents.find([id]))[0]?.state === state
  }

  /** Waits until an intent is in a state; returns its reason. */
  async reach(id: string, state: IntentState): Promise<string | undefined> {
    await until(`${id} is ${state}`, () => this.is(id, state))
    return (await this.find(id)).reason
  }

  /** Waits until the watcher has processed all changes. */
  async settle(): Promise<void> {
    const last = await this.accept({ triggerKind: 1, triggerPrice: '1', account: 99, in: SECOND })
    await this.reach(last, 'queued')
    await this.move(last, 'refused')
  }
}

/** A spot market beside the perpetuals. */
export const SPOT: Market = {
  ...SECOND,
  id: `0x${'cd'.repeat(20)}00000001`,
  engine: `0x${'cd'.repeat(20)}`,
  number: 1,
  name: 'ETH-USDC',
  type: 'SPOT',
}

const members: OrderMembers = {
  account: WALLET,
  market: 1,
  isBuy: true,
  limitPrice: '1',
  amount: '1',
  timeInForce: 0,
  reduceOnly: false,
  triggerKind: 0,
  triggerPrice: '0',
  goodTil: '0',
  maxFills: 0,
  replaces: `0x${'0'.repeat(64)}`,
  replacesAmount: '0',
  salt: '0',
  deadline: String(FAR),
}

const createOrder = (
  number: number,
  of: Pick<Intent, 'market' | 'id' | 'account'> & { isBuy: boolean },
) =>
  ({
    ...{ market: of.market, number, ref: of.id, account: of.account, isBuy: of.isBuy },
    ...{ tick: 1, lots: 10n, restingLots: 10n, filledLots: 0n, filledUnits: 0n, fees: 0n },
    ...{ timeInForce: 'GTC', isReduceOnly: false, isForced: false, goodTilSeconds: 0 },
    ...{ status: 'open', reason: null, blockNumber: 1, logIndex: 1, txHash: '0x' },
    ...{ createdSeconds: 1, updatedSeconds: 1 },
  }) as unknown as Order
