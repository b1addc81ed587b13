import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RelayStatus } from '@openvenue/core/relay'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import { until } from '@openvenue/core/test/until'
import { NO_LOG, Outage } from '@openvenue/runtime/outage'
import type { IntentMove, Intents, NewIntent } from '@openvenue/store/intents/intents'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { funded } from '../../../test/funded.ts'
import { intentOf, makeIntent } from '../../../test/made-intents.ts'
import { type ScenarioNode, scenarioNode } from '../../../test/scenario-node.ts'
import { IntentBook, type IntentStep } from './intent-book.ts'

const NOW_NS = 1_800_000_001_000_000_000n
const STATUS: RelayStatus = {
  lanes: [],
  canceller: `0x${'ca'.repeat(20)}`,
  gasPerBlock: 1,
  blockMs: 1,
  ordersPerTx: 1,
  gasPerTx: 1,
  block: 1,
}

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())
beforeEach(async () => {
  for (const table of ['intents', 'intent_log', 'relay_status'])
    await store.db.primary.query(`DELETE FROM ${table}`)
})

const add = async (...intents: readonly NewIntent[]) => store.intents.add(intents)
const move = async (id: string, to: IntentMove['to'], more: Partial<IntentMove> = {}) => {
  const from = ['received', 'queued', 'sent', 'included'] as const
  assert.deepEqual(await store.intents.move([{ id, from, to, atNs: NOW_NS, ...more }]), [true])
}

type FollowedBook = Readonly<{
  book: IntentBook
  node: ScenarioNode
  steps: IntentStep[]
  /** Waits until the book has taken in all that is committed. */
  caughtUp: () => Promise<void>
}>

/** Runs `act` beside a book that follows the log of the store. */
async function following(
  act: (followed: FollowedBook) => Promise<void>,
  { intents = {}, scenario }: { intents?: Partial<Intents>; scenario?: Scenario } = {},
): Promise<void> {
  const node = await scenarioNode(scenario?.blocks() ?? [])
  const delay = (ms: number, signal: AbortSignal) =>
    sleep(Math.min(ms, 5), undefined, { signal }).catch(() => {})
  const outage = new Outage({ log: NO_LOG, down: '', up: '' })
  const book = new IntentBook({
    intents: { ...store.intents, ...intents },
    model: node.model,
    delay,
    outages: { intents: outage, status: outage },
  })
  const steps: IntentStep[] = []
  book.onStep((step) => steps.push(step))
  const stopping = new AbortController()
  await book.load(stopping.signal)
  const followed = book.follow(stopping.signal)
  const caughtUp = async () => {
    const { seq } = await store.intents.live()
    await until('the book has the whole log', () => book.seq >= seq)
  }
  try {
    await act({ book, node, steps, caughtUp })
  } finally {
    stopping.abort()
    await followed
    await node.close()
  }
}

describe('the intents that a node knows', () => {
  test('the intents that a node knows are those that were live when it came, and every step from then on', async () => {
    const [one, two] = [makeIntent({ clientOrderId: 'mine' }), makeIntent({ account: 4 })]
    await add(one)
    await following(async ({ book, steps, caughtUp }) => {
      assert.equal(book.find(one.id)?.state, 'queued')
      assert.equal(book.findByClientOrderId(3, 'mine')?.id, one.id)
      await add(two)
      await move(one.id, 'sent', { txHash: '0xaa' })
      await caughtUp()
      assert.deepEqual([...book.of(3).keys()], [one.id])
      assert.deepEqual([...book.of(4).keys()], [two.id])
      assert.equal(book.find(one.id)?.txHash, '0xaa')
      assert.deepEqual(
        steps.map(({ intent, from }) => [intent.id, from, intent.state]),
        [
          [two.id, undefined, 'queued'],
          [one.id, 'queued', 'sent'],
        ],
      )
    })
  })

  test('the intents that a node knows that end are let go, and what became of them is known for a while', async () => {
    const one = makeIntent({ clientOrderId: 'mine' })
    await following(async ({ book, caughtUp }) => {
      await add(one)
      await caughtUp()
      const before = book.version(3)
      assert.deepEqual([book.waitingGas('orders-0'), book.liveOf(3)], [one.gas, 1])
      await move(one.id, 'refused', { reason: 'MarginTooLow' })
      await caughtUp()
      assert.equal(book.find(one.id)?.reason, 'MarginTooLow')
      assert.deepEqual([book.size, book.of(3).size, book.waitingGas()], [0, 0, 0])
      assert.equal(book.liveOf(3), 0)
      assert.equal(book.findByClientOrderId(3, 'mine'), undefined)
      assert.notEqual(book.version(3), before)
    })
  })

  test('the intents that a node knows whose order rests are kept as long as it does', async () => {
    const chain = funded('ETH-USDC')
    const one = intentOf(chain, 'alice', { clientOrderId: 'mine' })
    const iocLike = intentOf(chain, 'alice')
    await following(
      async ({ book, node, caughtUp }) => {
        await add(one, iocLike)
        const blocks = chain.blocks().length
        const placed = chain
          .order({ who: 'alice', side: 'buy', tick: 250_050, lots: 2n, ref: one.id })
          .next()
        const { number } = placed.blocks().at(-1)?.header ?? { number: 0 }
        for (const { id } of [one, iocLike]) await move(id, 'included', { blockNumber: number })
        await caughtUp()
        // The log may be ahead of the feed.
        assert.equal(book.size, 2)
        node.applyBlocks(placed.blocks().slice(blocks))
        assert.deepEqual([...book.of(one.account).keys()], [one.id])
        assert.equal(book.findByClientOrderId(one.account, 'mine')?.state, 'included')
        const filled = placed.place('bob', 'sell', 250_050, 2n).next()
        node.applyBlocks(filled.blocks().slice(blocks + 1))
        assert.equal(book.size, 0)
        assert.equal(book.find(one.id)?.state, 'included')
      },
      { scenario: chain },
    )
  })

  test('the intents that a node knows come back when a reorganisation takes their block', async () => {
    const one = makeIntent()
    await following(async ({ book, node, caughtUp }) => {
      await add(one)
      await move(one.id, 'included', { blockNumber: node.model.head?.number ?? 0 })
      await caughtUp()
      assert.equal(book.size, 0)
      await move(one.id, 'queued')
      await caughtUp()
      assert.equal(book.find(one.id)?.state, 'queued')
      assert.equal(book.waitingGas(), one.gas)
    })
  })

  test('the intents that a node knows are reloaded where the log has a gap', async () => {
    let isTorn = false
    const logAfter: Intents['logAfter'] = async (seq, limit) => {
      const entries = await store.intents.logAfter(seq, limit)
      return isTorn ? entries.slice(1) : entries
    }
    const [one, two] = [makeIntent(), makeIntent()]
    await following(
      async ({ book, caughtUp }) => {
        let loads = 0
        book.onLoad(() => {
          loads++
          isTorn = false
        })
        isTorn = true
        await add(one, two)
        await caughtUp()
        assert.equal(loads, 1)
        assert.equal(book.size, 2)
      },
      { intents: { logAfter } },
    )
  })

  test('the intents that a node knows stay as they were while the database fails, and go on after it', async () => {
    let isDown = false
    let failures = 0
    const logAfter: Intents['logAfter'] = async (seq, limit) => {
      if (isDown) {
        failures++
        throw new Error('the database is down')
      }
      return store.intents.logAfter(seq, limit)
    }
    const [one, two] = [makeIntent(), makeIntent()]
    await add(one)
    await following(
      async ({ book, caughtUp }) => {
        isDown = true
        await add(two)
        await until('two reads of the log have failed', () => failures >= 2)
        assert.deepEqual([...book.of(3).keys()], [one.id])
        isDown = false
        await caughtUp()
        assert.equal(book.size, 2)
      },
      { intents: { logAfter } },
    )
  })

  test('the intents that a node knows come with the last status of the relayer', async () => {
    await following(async ({ book }) => {
      assert.equal(book.relay, undefined)
      await store.intents.writeStatus(JSON.stringify(STATUS), 5)
      await until('the book has the status', () => book.relay !== undefined)
      assert.deepEqual(book.relay, { status: STATUS, updatedMs: 5 })
    })
  })
})
