import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import type { TradeHistoryItem, TradeItem } from '@openvenue/wire/trades'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { windowsAt } from '../model/snapshot-windows.ts'

/** More than a market keeps in memory, three to a block. */
const BLOCKS = 300
const EACH = 3
const scenario = funded('ETH-USDC').on('ETH-USDC')
for (let block = 0; block < BLOCKS; block++) {
  for (let one = 0; one < EACH; one++)
    scenario.place('alice', 'buy', 300_000, 1n).place('bob', 'sell', 300_000, 1n)
  scenario.next()
}

type TradePage = { count: string; trade_history: TradeHistoryItem[] }

describe('trades from a time on', () => {
  let store: Store
  let deep: ScenarioNode
  let memory: ScenarioNode
  before(async () => {
    store = await openMemoryStore()
    deep = await scenarioNode(scenario.blocks(), store)
    memory = await scenarioNode(scenario.blocks())
  })
  after(async () => {
    for (const one of [deep, memory, store]) await one.close()
  })
  const ask = async (node: ScenarioNode, query: string) => {
    const { status, body } = await node.get(`/instrument/ETH-USDC/trade-history?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return (body as TradePage).trade_history.reverse()
  }
  const secondsOf = ({ created_timestamp }: TradeHistoryItem) =>
    Number(created_timestamp.slice(0, -9))

  test('trades from a time on are the oldest from there, from memory and from the database alike', async () => {
    assert.notEqual(deep.model.market('ETH-USDC')?.trades.length, BLOCKS * EACH)
    const all = await ask(memory, 'limit=1000')
    assert.equal(all.length, BLOCKS * EACH)
    for (const at of [0, 4, 500, BLOCKS * EACH - 2]) {
      const from = secondsOf(all[at] as TradeHistoryItem)
      const first = all.findIndex((trade) => secondsOf(trade) >= from)
      for (const node of [deep, memory])
        for (const limit of [1, 7, 1000]) {
          const found = await ask(node, `start_time=${from}&limit=${limit}`)
          assert.deepEqual(found, all.slice(first, first + limit))
        }
    }
    assert.deepEqual(await ask(deep, `start_time=${scenario.seconds + 1}`), [])
  })

  test('trades from a time on continue after a trade, so that pages lack none and repeat none', async () => {
    for (const node of [deep, memory]) {
      const pages: TradeHistoryItem[] = []
      for (;;) {
        const last = pages.at(-1)
        const place = last ? `start_time=${secondsOf(last)}&after=${last.trade_id}` : 'start_time=1'
        const page = await ask(node, `${place}&limit=200`)
        if (page.length === 0) break
        pages.push(...page)
      }
      assert.deepEqual(pages, await ask(memory, 'limit=1000'))
    }
  })

  test('trades from a time on are in the plain list, newest first, too', async () => {
    const { body } = await deep.get('/markets/ETH-USDC/trades?start_time=1&limit=2')
    const [newer, older] = body as TradeItem[]
    assert.ok(String(newer?.trade_id) > String(older?.trade_id))
    const [first] = await ask(deep, 'start_time=1&limit=1')
    assert.equal(older?.trade_id, first?.trade_id)
  })

  test('trades from a time on are refused for a position without a time, and for one that is not a trade', async () => {
    const id = '000000000003-000000'
    for (const query of [`after=${id}`, 'start_time=1&after=x', 'start_time=x']) {
      const { status } = await deep.get(`/instrument/ETH-USDC/trade-history?${query}`)
      assert.equal(status, 400, query)
    }
  })

  test('trades from a time on are refused while the database does not answer, and not cut', async () => {
    const broken = await scenarioNode([], undefined, {})
    broken.model.load(await store.reader.snapshot(windowsAt(scenario.seconds)))
    const { status } = await broken.get('/instrument/ETH-USDC/trade-history?start_time=1')
    await broken.close()
    assert.equal(status, 503)
  })
})
