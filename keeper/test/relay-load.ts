// Sends a relayer random orders and cancels of every kind from a seed, and finally compares the
// promised outcomes with the chain.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import type { SeededRandom } from '@openvenue/indexer/test/seeded-random'
import type { Intent, NewIntent } from '@openvenue/store/intents/intents'
import { toEventSelector } from 'viem'
import type { ApiNodes } from './api-nodes.ts'
import type { LiveOrders } from './live-orders.ts'
import type { LiveVenue } from './live-venue.ts'

const [ALICE, BOB] = [1, 2] as const
const PAUSE_MS = 40
const ENDED_MS_MAX = 60_000
const LOG_MAX = 1_000_000
const WORDS_MAX = 5
const PLACED = toEventSelector(
  'Placed(uint32,uint40,uint40,bool,uint24,uint64,uint8,bool,uint40,bytes32)',
)
const REF_CHARS = 64

export class RelayLoad {
  /** Intents that the database has confirmed. */
  readonly accepted: NewIntent[] = []
  readonly #live: LiveVenue
  readonly #orders: LiveOrders
  readonly #random: SeededRandom
  /** Absent: writes into the database, like an API node. */
  readonly #api: ApiNodes | undefined
  #isOn = true

  constructor(live: LiveVenue, orders: LiveOrders, random: SeededRandom, api?: ApiNodes) {
    this.#api = api
    this.#live = live
    this.#orders = orders
    this.#random = random
  }

  /** Runs until `stop`. Intents that the database does not accept are dropped. */
  async run(): Promise<void> {
    while (this.#isOn) {
      const some = await Promise.all([this.#next(), this.#next(), this.#next()])
      if (this.#api === undefined) await this.#add(some)
      else await Promise.all(some.map((intent) => this.#send(this.#api as ApiNodes, intent)))
      await sleep(PAUSE_MS)
    }
  }

  async #add(some: readonly NewIntent[]): Promise<void> {
    await this.#live.store.intents.add(some).then(
      (outcomes) => {
        for (const [at, outcome] of outcomes.entries())
          if ('added' in outcome) this.accepted.push(some[at] as NewIntent)
      },
      () => undefined,
    )
    await this.#withdraw()
  }

  /** A cancel that met its order in the queue has no receipt and is not an intent. */
  async #send(api: ApiNodes, intent: NewIntent): Promise<void> {
    const answer = await api.send(intent)
    if (answer?.status === 200 && answer.body.receipt !== undefined) this.accepted.push(intent)
  }

  stop(): void {
    this.#isOn = false
  }

  /** Returns the number of intents by outcome once all have ended; throws if the chain differs. */
  async compare(): Promise<Readonly<Record<string, number>>> {
    const { intents } = this.#live.store
    const onTheirWay = async () =>
      (await intents.live()).intents.filter(({ state }) => state !== 'included')
    await until(
      'none is on its way',
      async () => (await onTheirWay()).length === 0,
      ENDED_MS_MAX,
    ).catch(async (cause: unknown) => {
      const words = (await onTheirWay()).map(({ state, payload }) => `${payload.kind} ${state}`)
      throw new Error(`on their way: ${words.slice(0, WORDS_MAX)}`, { cause })
    })
    const log = await intents.logAfter(0, LOG_MAX)
    // Includes intents whose answer was lost with a connection.
    const ids = [...new Set(log.map(({ id }) => id))]
    const rows = await intents.find(ids)
    for (const { id } of this.accepted) assert.ok(ids.includes(id), 'what was accepted is kept')
    const placed = await this.#placed()
    const counts: Record<string, number> = {}
    for (const row of rows) {
      const last = log.findLast(({ id }) => id === row.id)
      assert.equal(last?.state, row.state, 'the log ends where the intent is')
      assert.match(row.state, /included|refused|expired|withdrawn/)
      const kind = row.payload.kind
      const name = `${kind} ${row.state}${row.reason ? ` ${row.reason}` : ''}`
      counts[name] = (counts[name] ?? 0) + 1
      if (kind === 'order') this.#compareOrder(row, placed)
    }
    await this.#compareCancels(rows)
    return counts
  }

  #compareOrder(row: Intent, placed: ReadonlyMap<string, number>): void {
    const blockNumber = placed.get(row.id)
    assert.equal(row.state === 'included', blockNumber !== undefined, `${row.id} is ${row.state}`)
    if (blockNumber !== undefined) assert.equal(row.blockNumber, blockNumber)
  }

  /** An order that was reported as cancelled must no longer rest. */
  async #compareCancels(rows: readonly Intent[]): Promise<void> {
    const targets = rows.flatMap(({ payload, state }) =>
      payload.kind === 'cancel' && state === 'included' ? [payload.target] : [],
    )
    for (const order of await this.#live.store.intents.onChain(targets))
      assert.equal(order.isResting, false)
  }

  /** Returns the blocks of the signed orders by digest, from the chain's logs, not the store. */
  async #placed(): Promise<ReadonlyMap<string, number>> {
    const { spot, perps } = this.#live.deployment
    const filter = { address: [spot, perps], topics: [PLACED], fromBlock: '0x0' }
    const logs = (await this.#live.venue.call('eth_getLogs', filter)) as readonly {
      data: string
      blockNumber: string
    }[]
    const placed = new Map<string, number>()
    for (const { data, blockNumber } of logs) {
      const ref = `0x${data.slice(-REF_CHARS)}`
      if (/^0x0+$/.test(ref)) continue
      assert.ok(!placed.has(ref), 'no order is placed twice')
      placed.set(ref, Number(blockNumber))
    }
    return placed
  }

  async #next(): Promise<NewIntent> {
    const random = this.#random
    const by = random.below(2) === 0 ? ALICE : BOB
    const target = this.accepted[random.below(Math.max(1, this.accepted.length))]
    if (random.below(4) === 0 && target?.payload.kind === 'order') {
      const isPerpetual = target.market === this.#orders.market(true)
      const owner = target.wallet === this.#wallet(ALICE) ? ALICE : BOB
      return this.#orders.cancel(owner, target.id, isPerpetual)
    }
    const seconds = Math.floor(this.#live.clock.nowMs() / 1000)
    const deadline = random.below(8) === 0 ? { deadline: String(seconds + 1) } : {}
    const terms = {
      tick: 29_990 + random.below(20),
      isBuy: random.below(2) === 0,
      timeInForce: [0, 0, 1, 3][random.below(4)] ?? 0,
      ...deadline,
    }
    return this.#orders.order(by, terms, random.below(3) === 0)
  }

  #wallet(by: number): string {
    return (this.#live.venue.wallets[by] ?? '').toLowerCase()
  }

  /** Withdraws a queued order, like the API. */
  async #withdraw(): Promise<void> {
    const id = this.accepted.at(-1)?.id
    if (id === undefined || this.#random.below(10) > 0) return
    const move = {
      id,
      from: ['queued'],
      to: 'withdrawn',
      atNs: BigInt(this.#live.clock.nowMs()) * 1_000_000n,
    } as const
    await this.#live.store.intents.move([move]).catch(() => undefined)
  }
}
