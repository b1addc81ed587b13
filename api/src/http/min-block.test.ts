import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { documentText } from '../../scripts/openapi-document.ts'
import { accountNode } from '../../test/account-node.ts'
import { type Document, listOperations } from '../../test/described.ts'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import {
  BlockWaits,
  MIN_BLOCK_WAIT_MS_MAX,
  WAITERS_MAX,
  WAITERS_PER_ADDRESS_MAX,
} from './min-block.ts'

const scenario = () =>
  funded('ETH-USDC', 'ETH-PERP').on('ETH-PERP').place('alice', 'buy', 29_999, 9n)

type Waits = { ms: number; end: () => void }[]

/** A node whose waits the test ends. */
async function open(marketsCacheMs = 0) {
  const waits: Waits = []
  const delay = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      waits.push({ ms, end: resolve })
      signal.addEventListener('abort', () => resolve())
    })
  const clock = { nowMs: () => 0, monotonicMs: () => 0, delay }
  const options = { environment: 'test', version: '0', marketsCacheMs, readyCacheMs: 0 }
  const node = await scenarioNode(scenario().blocks(), undefined, { clock, options })
  const own = node.model.head?.number ?? 0
  const more = () => {
    const blocks = scenario().next().place('bob', 'sell', 30_100, 4n).blocks()
    node.applyBlocks(blocks.slice(scenario().blocks().length))
  }
  return { ...node, waits, own, more }
}

const blockOf = ({ headers }: Awaited<ReturnType<ScenarioNode['get']>>) =>
  Number(headers['x-block-number'])

describe('?min_block=', () => {
  test('min_block is a parameter of every GET that names its block, and of no other', async () => {
    const document = JSON.parse(await documentText()) as Document
    for (const { named, operation } of listOperations(document)) {
      const { headers = {} } = operation.responses[200] ?? {}
      const isRead = named.startsWith('GET ')
      const takes = (operation.parameters ?? []).some(({ name }) => name === 'min_block')
      assert.equal(takes, isRead && 'X-Block-Number' in headers, named)
      const unreached = JSON.stringify(operation.responses[503] ?? {})
      assert.equal(/BLOCK_NOT_REACHED|BlockNotReached/.test(unreached), takes, named)
    }
  })

  test('min_block answers at once with what the node has', async () => {
    const { get, own, waits, close } = await open()
    for (const url of ['/markets', '/orderbook/ETH-PERP', '/statistics?asset=ETH']) {
      const answer = await get(`${url}${url.includes('?') ? '&' : '?'}min_block=${own}`)
      assert.deepEqual([answer.status, blockOf(answer)], [200, own], url)
      assert.equal(answer.text, (await get(url)).text)
    }
    assert.equal(waits.length, 0)
    await close()
  })

  test('min_block waits for a block that is still to come', async () => {
    const { get, own, more, waits, close } = await open()
    const asked = get(`/orderbook/ETH-PERP?min_block=${own + 1}`)
    while (waits.length === 0) await new Promise(setImmediate)
    more()
    const answer = await asked
    assert.deepEqual([answer.status, blockOf(answer)], [200, own + 1])
    assert.equal((answer.body as { asks: unknown[] }).asks.length, 1)
    assert.equal(waits[0]?.ms, MIN_BLOCK_WAIT_MS_MAX)
    await close()
  })

  test('min_block is 503 BLOCK_NOT_REACHED after 2 s, with the block that there is', async () => {
    const { get, own, waits, close } = await open()
    assert.equal(MIN_BLOCK_WAIT_MS_MAX, 2000)
    for (const url of ['/markets', '/last-traded-tradingview/symbols?symbol=ETH-PERP']) {
      const asked = get(`${url}${url.includes('?') ? '&' : '?'}min_block=${own + 1}`)
      while (waits.length === 0) await new Promise(setImmediate)
      waits.pop()?.end()
      const { status, body, headers } = await asked
      const { error, details = [] } = body as { error: string; details?: { nearest: number }[] }
      assert.deepEqual([status, error, headers['retry-after']], [503, 'BLOCK_NOT_REACHED', '1'])
      if (url === '/markets') assert.equal(details[0]?.nearest, own)
    }
    await close()
  })

  test('min_block is refused when it is not a number, however it is written', async () => {
    const { get, close } = await open()
    for (const value of ['', '-1', 'x', '1.5', '1&min_block=2']) {
      const { status, body } = await get(`/markets?min_block=${value}`)
      assert.equal(status, 400, value)
      assert.equal((body as { error: string }).error, 'INVALID_PARAMETER')
    }
    await close()
  })

  test('min_block rebuilds an answer cached for 30 s when it is older', async () => {
    const { get, own, more, close } = await open(30_000)
    assert.equal(blockOf(await get('/markets')), own)
    more()
    assert.equal(blockOf(await get('/markets')), own)
    assert.equal(blockOf(await get(`/markets?min_block=${own + 1}`)), own + 1)
    assert.equal(blockOf(await get('/markets')), own + 1)
    await close()
  })

  test('min_block is refused once a reorganisation has taken the block, remembered or not', async () => {
    const { get, host, own, more, undoBlock, waits, close } = await open()
    more()
    const written = `/orderbook/ETH-PERP?min%5Fblock=${own + 1}`
    const urls = [`/orderbook/ETH-PERP?min_block=${own + 1}`, written]
    for (const url of urls) assert.equal((await get(url)).status, 200)
    assert.equal(host.responseCache.size, 1, 'what is remembered names no block')
    undoBlock()
    for (const url of urls) {
      const asked = get(url)
      while (waits.length === 0) await new Promise(setImmediate)
      waits.pop()?.end()
      assert.equal((await asked).status, 503, url)
    }
    await close()
  })

  test('min_block shares body, ETag and 304 with the URL that names no block', async () => {
    const { get, host, own, close } = await open()
    const plain = await get('/statistics?asset=ETH')
    for (const query of [`min_block=${own}&asset=ETH`, `asset=ETH&min_block=${own}`]) {
      const url = `/statistics?${query}`
      const named = await get(url)
      assert.deepEqual([named.text, named.headers.etag], [plain.text, plain.headers.etag])
      const headers = { 'if-none-match': String(plain.headers.etag) }
      const unchanged = await host.inject({ url, headers })
      assert.deepEqual([unchanged.statusCode, unchanged.body], [304, ''])
      assert.equal(unchanged.headers['x-block-number'], String(own))
    }
    await close()
  })

  test('min_block in a path is part of the path: it does not select the answer of another URL', async () => {
    const { get, close } = await open()
    await get('/index/ETH&min_block=0?min_block=0')
    const { body } = await get('/index/ETH')
    assert.equal((body as { asset: string }[])[0]?.asset, 'ETH')
    await close()
  })

  test('min_block is not answered with an older overview of an account', async () => {
    const store: Store = await openMemoryStore()
    const people = scenario()
    const settings = { accountCacheMs: 1_000_000 }
    const venue = await accountNode(store, people, { settings })
    const before = blockOf(await venue.as('alice', '/account'))
    people.next().place('alice', 'buy', 29_000, 1n)
    venue.follow()
    assert.equal(blockOf(await venue.as('alice', '/account')), before)
    const url = `/account?min_block=${before + 1}`
    assert.ok(blockOf(await venue.as('alice', url)) > before)
    await venue.close()
    await store.close()
  })
})

describe('requests that wait for a block', () => {
  const never = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

  function waits(delay?: typeof never) {
    let number = 1
    const listeners: (() => void)[] = []
    const onMove = (listener: () => void) => listeners.push(listener)
    const all = new BlockWaits({ number: () => number, onMove, delay })
    const move = (to: number) => {
      number = to
      for (const listener of listeners) listener()
    }
    return { all, move }
  }

  test(`at most ${WAITERS_PER_ADDRESS_MAX} requests of an address and ${WAITERS_MAX} in all wait for a block; more are refused at once`, async () => {
    const { all, move } = waits(never)
    const asked = Array.from({ length: WAITERS_MAX }, (_, index) =>
      all.reached(2, `address ${index % (WAITERS_MAX / WAITERS_PER_ADDRESS_MAX)}`),
    )
    assert.equal(all.size, WAITERS_MAX)
    const refused = { code: 'BLOCK_NOT_REACHED' }
    await assert.rejects(all.reached(2, 'another'), refused)
    await all.reached(1, 'another')
    move(2)
    await Promise.all(asked)
    assert.equal(all.size, 0)
    const own = Array.from({ length: WAITERS_PER_ADDRESS_MAX }, () => all.reached(3, 'one'))
    await assert.rejects(all.reached(3, 'one'), refused)
    const other = all.reached(3, 'two')
    move(3)
    await Promise.all([...own, other])
  })

  test('requests keep waiting when the new block is a lower one', async () => {
    const { all, move } = waits(never)
    let isReached = false
    const asked = all.reached(5, 'one').then(() => {
      isReached = true
    })
    move(4)
    await new Promise(setImmediate)
    assert.deepEqual([isReached, all.size], [false, 1])
    move(5)
    await asked
  })

  test('requests do not wait on a host without timers', async () => {
    const { all } = waits()
    await assert.rejects(all.reached(2, 'one'), { code: 'BLOCK_NOT_REACHED' })
  })
})
