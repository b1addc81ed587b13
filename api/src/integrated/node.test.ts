// The second host as a node: it starts, follows the feed of a database, names tokens, and stops.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { emptyState } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import { applyBlock } from '@openvenue/core/venue'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import type { EarnMarkets } from '@openvenue/wire/pools'
import { pino } from 'pino'
import { integratedDefaults } from '../../test/integrated-node.ts'
import { pooled, TOKENS, UNIT } from '../../test/pool-scenario.ts'
import { VenueModel } from '../model/venue-model.ts'
import { createIntegratedNode, type IntegratedNodeDeps } from './node.ts'

const EARN = '/api/markets/earn-markets'
const LIST = JSON.stringify({
  name: 'x',
  tokens: [
    { chainId: 5042002, address: TOKENS.ETH.address, name: 'Listed', symbol: 'LST', decimals: 18 },
  ],
})

describe('a node of the second host', () => {
  let store: Store
  const folder = mkdtempSync(join(tmpdir(), 'integrated-'))
  const scenario = pooled()
  const state = emptyState()
  const commit = (from: number) =>
    store.writer.commit(
      scenario
        .blocks()
        .slice(from)
        .map((block) => applyBlock(state, block)),
      0,
    )
  before(async () => {
    store = await openMemoryStore()
    await commit(0)
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await store.close()
  })

  /** Stops with the test, however that ends. */
  const makeNode = async (t: TestContext, overrides: Partial<IntegratedNodeDeps> = {}) => {
    const nowMs = () => scenario.seconds * 1000
    const { model: _, ...defaults } = integratedDefaults(new VenueModel(), nowMs)
    const node = await createIntegratedNode({
      ...defaults,
      host: '127.0.0.1',
      port: 0,
      reader: store.reader,
      clock: {
        nowMs,
        monotonicMs: () => performance.now(),
        // Short, so that the test does not wait for retries.
        delay: (_ms, signal) => setTimeout(5, undefined, { signal }).catch(() => {}),
      },
      tokenList: undefined,
      logger: pino({ level: 'silent' }),
      ...overrides,
    })
    t.after(() => node.stop())
    return node
  }
  const marketsAt = async (url: string) =>
    ((await (await fetch(`${url}${EARN}?sort=created`)).json()) as EarnMarkets).markets

  test('a node of the second host serves what the database holds from its start, and each block after', async (t) => {
    const node = await makeNode(t)
    const url = await node.start()
    assert.equal((await marketsAt(url)).length, 3)
    const known = scenario.blocks().length
    scenario.atPool('ETH/LIAR v2', (pool) => pool.add(UNIT.ETH, 4n)).next()
    await commit(known)
    await until('the fourth market is served', async () => (await marketsAt(url)).length === 4)
    await node.stop()
    await assert.rejects(fetch(`${url}/health`))
  })

  test('a node of the second host has the volumes of the day from the database as well', async (t) => {
    const known = scenario.blocks().length
    scenario.atPool('USDC/ETH v2', (pool) => pool.swap(true, 5n * UNIT.USDC)).next(3600)
    scenario.atPool('USDC/ETH v2', (pool) => pool.swap(true, 3n * UNIT.USDC)).next()
    await commit(known)
    const node = await makeNode(t)
    const url = await node.start()
    assert.equal((await marketsAt(url)).at(-1)?.volume24h, 8)
  })

  test('a node of the second host uses a token list in a file from its first answer', async (t) => {
    const tokenList = join(folder, 'list.json')
    writeFileSync(tokenList, LIST)
    const node = await makeNode(t, { tokenList })
    const url = await node.start()
    assert.equal((await marketsAt(url)).at(-1)?.token1.symbol, 'LST')
  })

  test('a node of the second host does not start with a file that is not a token list, and names the mistake', async (t) => {
    const tokenList = join(folder, 'wrong.json')
    writeFileSync(tokenList, '{"tokens":1}')
    const node = await makeNode(t, { tokenList })
    await assert.rejects(node.start(), {
      name: 'ConfigInvalid',
      message: `TOKEN_LIST is invalid: got ${tokenList} (tokens is invalid: expected an array)`,
    })
    const absent = await makeNode(t, { tokenList: join(folder, 'absent.json') })
    await assert.rejects(absent.start(), { name: 'ConfigInvalid', message: /absent\.json/ })
  })

  test('a node of the second host starts without a list whose URL fails, and uses it once it answers', async (t) => {
    let asked = 0
    const answers = [
      () => Promise.reject(new Error('no such host')),
      async () => new Response('busy', { status: 503 }),
      async () => new Response('{}'),
      async () => new Response(LIST),
    ]
    const node = await makeNode(t, {
      tokenList: 'https://tokens.example/list.json',
      fetch: () => (answers[asked++] ?? answers[0])?.() as Promise<Response>,
    })
    const url = await node.start()
    assert.equal((await fetch(`${url}${EARN}`)).status, 200)
    const lastSymbol = async () => (await marketsAt(url)).at(-1)?.token1.symbol
    await until('the last token is named', async () => (await lastSymbol()) === 'LST')
    assert.equal(asked, 4)
  })

  test('a node stops at once while a list does not answer', { timeout: 8_000 }, async (t) => {
    const node = await makeNode(t, {
      tokenList: 'https://tokens.example/list.json',
      fetch: (_url, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    })
    await node.start()
    await node.stop()
  })
})
