// Sends requests while blocks come, with the database ahead of the node or behind it: each answer
// must be that of a node at rest at the block that it names.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { orderId } from '@openvenue/core/ids'
import { emptyState } from '@openvenue/core/state'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { randomTale } from '@openvenue/core/test/scenario/random-scenario'
import { applyBlock } from '@openvenue/core/venue'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Reader, Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { issueKey } from './keyed.ts'
import { BROKEN_ACCOUNTS, type ScenarioNode, scenarioNode } from './scenario-node.ts'

const seed = Number(process.env.SEED ?? 1)
const BLOCKS = 260
/** Blocks that arrive while requests are answered. */
const LIVE_BLOCKS = 30
const WHO = ['alice', 'bob'] as const
/** Percentage of the database's answers that arrive after the node's next block. */
const LATE_PERCENT = 40
/** Event loop turns without a query after which none is expected. */
const QUIET_TURNS = 50

const ACCOUNT_URLS = [
  '/portfolio',
  '/account',
  '/account/stats?days=30',
  '/positions?limit=1',
  '/open-orders?limit=2',
  '/trade-history?limit=2',
  '/trade-history?trade_types=funding&limit=5',
  '/trade-history?trade_types=funding,trade&limit=3',
  '/position-history?limit=2',
  '/order-history?limit=3',
  '/order-history?limit=1000',
  '/transaction-history?limit=3',
  '/account/accumulated-fundings',
  '/account/trades/csv?limit=50',
]
const MARKET_URLS = [
  '/markets/ETH-PERP',
  '/instrument/ETH-PERP/trade-history?limit=1000',
  '/candles?instrument_name=ETH-PERP&resolution=1&countback=20',
  '/candles?instrument_name=ETH-PERP&resolution=1&countback=20&fill=previous',
  '/candles?instrument_name=ETH-PERP&resolution=1&from=0&fill=previous',
  '/last-traded-tradingview/history?symbol=ETH-PERP&resolution=1&countback=4000',
  '/funding-history?instrument_name=ETH-PERP&limit=500',
  '/mark-history?instrument_name=ETH-PERP&limit=500',
  '/index-history?asset=ETH&limit=500',
]

/** Orders of each account that are requested by id while blocks change them. */
const ORDERS_MAX = 8

/** A token's label, which the venue may change: always the newest one. */
const TOKEN_NAME = /"collateral_name":"[^"]*",/g

type Node = Readonly<{
  node: ScenarioNode
  store: Store
  ask: (who: string, url: string) => Promise<Answer>
  /** Commits the next block, and returns a function that lets the node follow. */
  next: () => Promise<() => void>
  close: () => Promise<void>
}>
type Answer = Readonly<{ block: string; status: number; text: string }>

describe(`answers while blocks come, seed ${seed}`, () => {
  const scenario = randomTale(seed + 3, BLOCKS)
  const blocks = scenario.blocks()
  const first = blocks.length - LIVE_BLOCKS
  const orderUrls = (who: string) =>
    changedOrders(scenario.accountOf(who)).map((id) => `/orders/${id}?include=closed`)
  const chance = new Chance(seed)
  /** Returns orders of an account that the live blocks place, fill or cancel. */
  function changedOrders(account: number): readonly string[] {
    const state = emptyState()
    const ids = blocks.flatMap((block, at) => {
      const { changes } = applyBlock(state, block)
      const orders = changes.flatMap(({ what, after }) => (what === 'order' && after ? after : []))
      return at < first ? [] : orders.filter((order) => order.account === account).map(orderId)
    })
    return [...new Set(ids)].slice(0, ORDERS_MAX)
  }
  /** Resolves when every request is answered or waits for a delayed query. */
  const settle = async () => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = reading === 0 ? quiet + 1 : 0) await turn()
  }
  /** Pending queries of the database. */
  let reading = 0
  const begun = () => {
    reading += 1
  }
  /** Delayed answers of the database. */
  const held: (() => void)[] = []
  const hold = async () => {
    reading -= 1
    if (chance.happens(LATE_PERCENT)) await new Promise<void>((resolve) => held.push(resolve))
  }
  let rest: Node
  let busy: Node
  before(async () => {
    rest = await openNode(async () => {
      reading -= 1
    })
    busy = await openNode(hold)
  })
  after(async () => {
    await rest.close()
    await busy.close()
  })

  /** A node of the first blocks, whose database answers after `late`. */
  async function openNode(late: () => Promise<void>): Promise<Node> {
    const store = await openMemoryStore()
    const state = emptyState()
    const accounts = {
      ...BROKEN_ACCOUNTS,
      identity: store.identity,
      intents: store.intents,
      // Disables the cache of accounts.
      settings: { ...BROKEN_ACCOUNTS.settings, accountCacheMs: 0 },
      history: delayed<AccountHistory>(store.history, begun, late),
    }
    const early = blocks.slice(0, first)
    const node = await scenarioNode(early, store, {
      accounts,
      reader: delayed<Reader>(store.reader, begun, late),
    })
    for (const block of early) applyBlock(state, block)
    const headers = new Map<string, Readonly<Record<string, string>>>()
    for (const who of WHO) {
      const wallet = `0x${scenario.accountOf(who).toString(16).padStart(40, 'c')}`
      const key = await issueKey(store, wallet, 0, 4_000_000_000_000)
      headers.set(who, { ...key.headers })
    }
    let at = first
    return {
      node,
      store,
      ask: async (who, url) => {
        const answer = await node.host.inject({ url, headers: headers.get(who) ?? {} })
        const { statusCode: status, body } = answer
        const text = body.replaceAll(TOKEN_NAME, '')
        return { block: String(answer.headers['x-block-number']), status, text }
      },
      next: async () => {
        const block = blocks[at++]
        assert.ok(block)
        await store.writer.commit([applyBlock(state, block)], 0)
        return () => node.applyBlocks([block])
      },
      close: async () => {
        await node.close()
        await store.close()
      },
    }
  }

  test('each answer while blocks come is of the block that it names', async () => {
    const asked = [
      ...WHO.flatMap((who) => [...ACCOUNT_URLS, ...orderUrls(who)].map((url) => ({ who, url }))),
      ...MARKET_URLS.map((url) => ({ who: '', url })),
    ]
    const expected = new Map<string, string>()
    /** URLs with an answer so far. */
    const placed = new Set<string>()
    const remember = async () => {
      for (const { who, url } of asked) {
        const { block, status, text } = await rest.ask(who, url)
        if (!placed.has(url) && isAhead(url, status)) continue
        placed.add(url)
        assert.equal(status, 200, `${url}: ${text}`)
        expected.set(`${who} ${url} ${block}`, text)
      }
    }
    await remember()
    for (let block = 0; block < LIVE_BLOCKS; block++) {
      const follow = await rest.next()
      follow()
      await remember()
    }
    const seen = new Set<string>()
    const wrong: string[] = []
    let open = 0
    const askAll = async () => {
      const answers = asked.map(async ({ who, url }) => {
        open += 1
        const { block, status, text } = await busy.ask(who, url)
        open -= 1
        if (isAhead(url, status)) return
        seen.add(block)
        const right = expected.get(`${who} ${url} ${block}`)
        if (status !== 200 || text !== right)
          wrong.push(`${who} ${url} of block ${block}: ${status}`)
      })
      await settle()
      return answers
    }
    for (let block = 0; block < LIVE_BLOCKS; block++) {
      const before = await askAll()
      const follow = await busy.next()
      const between = await askAll()
      follow()
      const all = Promise.all([...before, ...between])
      while (open > 0) {
        for (const release of held.splice(0)) release()
        await turn()
      }
      await all
    }
    assert.deepEqual(wrong, [])
    assert.equal(seen.size, LIVE_BLOCKS + 1)
  })
})

/** Returns whether the order is not on the chain yet, so that the answer names no block. */
const isAhead = (url: string, status: number) => url.startsWith('/orders/') && status === 404

/** Returns `reads` with answers delayed by `late`, of the time of the read. */
function delayed<T extends object>(reads: T, begun: () => void, late: () => Promise<void>): T {
  return new Proxy(reads, {
    get: (target, name) => {
      const read = Reflect.get(target, name) as unknown
      if (typeof read !== 'function' || name === 'onSignal') return read
      return async (...args: readonly unknown[]) => {
        begun()
        const answer = await (read as (...args: readonly unknown[]) => Promise<unknown>)(...args)
        await late()
        return answer
      }
    },
  })
}
