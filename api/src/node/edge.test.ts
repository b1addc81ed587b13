// An edge node: it reads the database as a user who may do nothing else.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState } from '@openvenue/core/state'
import { accountWallet, LISTINGS } from '@openvenue/core/test/scenario/listing'
import { until } from '@openvenue/core/test/until'
import { applyBlock } from '@openvenue/core/venue'
import type { Store } from '@openvenue/store/store'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { administer } from '@openvenue/store/test/postgres-template'
import { funded } from '../../test/funded.ts'
import { type IssuedKey, issueKey } from '../../test/keyed.ts'
import { type Client, connectTo } from '../../test/socket-client.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const MARKET = 'ETH-USDC'
const TICK = LISTINGS[MARKET].startTick
const FULL_URL = 'https://api.venue.example'
const READER = 'openvenue_edge_reader'
const PATHS = [
  '/markets',
  `/instrument/${MARKET}/trade-history`,
  '/open-orders',
  '/trade-history',
  '/order-history',
  '/transaction-history',
  '/positions',
]
const CHANNELS = [`orderbook:${MARKET}`, `orderbook-100ms:${MARKET}`, 'orders', 'fills']

/** Runs an API process until it is stopped; resolves with its URL, and keeps what it prints. */
async function startNode(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      RPC_URL: 'http://127.0.0.1:1',
      INDEXER_URL: 'http://127.0.0.1:1',
      ...env,
    },
  })
  const printed = { text: '' }
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed.text += chunk
        const [found] = /http:\/\/127\.0\.0\.1:\d{4,5}(?=")/.exec(printed.text) ?? []
        if (found !== undefined) resolve(found)
      })
    child.once('exit', () => reject(new Error(`the process ended: ${printed.text}`)))
  })
  return { child, url, printed }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
}

const engine = postgresEngine(process.env.DATABASE_URL)

describe('an edge node on PostgreSQL', { skip: engine === undefined }, () => {
  const scenario = funded(MARKET)
  const state = emptyState()
  let committed = 0
  let database: TestDatabase
  let store: Store
  let issued: IssuedKey
  let full: Awaited<ReturnType<typeof startNode>>
  let edge: Awaited<ReturnType<typeof startNode>>

  async function commit(): Promise<void> {
    const blocks: readonly VenueBlock[] = scenario.blocks().slice(committed)
    committed += blocks.length
    await store.writer.commit(
      blocks.map((block) => applyBlock(state, block)),
      0,
    )
  }

  before(async () => {
    if (engine === undefined) return
    database = await engine.createDatabase()
    store = await database.open()
    scenario.place('alice', 'buy', TICK, 5n).place('bob', 'sell', TICK, 2n).next()
    await commit()
    const wallet = accountWallet(scenario.accountOf('alice'))
    issued = await issueKey(store, wallet, Date.now())
    const databaseUrl = database.options.databaseUrl ?? ''
    const readerUrl = new URL(databaseUrl)
    readerUrl.username = READER
    readerUrl.password = 'reader'
    await administer(databaseUrl, async (client) => {
      await client.query(`DROP ROLE IF EXISTS ${READER}`)
      await client.query(`CREATE ROLE ${READER} LOGIN PASSWORD 'reader'`)
      await client.query(`GRANT pg_read_all_data TO ${READER}`)
    })
    full = await startNode({ DATABASE_URL: databaseUrl })
    edge = await startNode({
      DATABASE_URL: readerUrl.href,
      API_ROLE: 'edge',
      FULL_API_URL: FULL_URL,
    })
  })

  after(async () => {
    if (engine === undefined) return
    await stop(full.child)
    await stop(edge.child)
    await administer(database.options.databaseUrl ?? '', (client) =>
      client.query(`DROP ROLE ${READER}`),
    )
    await store.close()
    await database.remove()
  })

  const read = async (base: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${base}${path}`, { headers: issued.headers, ...init })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test('an edge node answers reads as a full node does, on a user that may only read', async () => {
    for (const path of PATHS) {
      const [atFull, atEdge] = [await read(full.url, path), await read(edge.url, path)]
      assert.equal(atEdge.status, 200, path)
      assert.deepEqual(atEdge, atFull, path)
    }
  })

  test('an edge node sends the messages of a full node, on public and private channels', async () => {
    const clients: Client[] = []
    for (const { url } of [full, edge]) {
      const client = await connectTo(url, 'websocket')
      const { key, secret } = issued
      assert.equal((await client.ask('auth', { key, secret })).error, undefined)
      assert.deepEqual((await client.ask('subscribe', CHANNELS)).data, CHANNELS)
      clients.push(client)
    }
    scenario.place('alice', 'buy', TICK, 4n).place('bob', 'sell', TICK, 1n).next()
    await commit()
    const [atFull, atEdge] = await Promise.all(
      clients.map(async (client) => {
        const isHere = (name: string) =>
          client.frames.some(({ channel, seq }) => channel === name && seq === state.head?.number)
        await until('every channel has the block', () => CHANNELS.every(isHere))
        return client.frames
          .filter(({ channel }) => channel !== undefined)
          .map(({ channel, type, seq, data }) => ({ channel, type, seq, data }))
          .toSorted((a, b) => `${a.channel} ${a.seq}`.localeCompare(`${b.channel} ${b.seq}`))
      }),
    )
    assert.ok((atEdge ?? []).length >= CHANNELS.length)
    assert.deepEqual(atEdge, atFull)
    for (const client of clients) client.close()
  })

  test('an edge node refuses what would write, and names where to send it', async () => {
    const requests = [
      ['POST', '/orders'],
      ['DELETE', '/orders-all'],
      ['POST', '/register'],
      ['POST', '/api-keys'],
      ['POST', '/account/cancel-after'],
    ] as const
    const headers = { ...issued.headers, 'content-type': 'application/json' }
    for (const [method, path] of requests) {
      const { status, body } = await read(edge.url, path, { method, headers, body: '{}' })
      assert.deepEqual([status, body.error], [421, 'EDGE_NODE'], path)
      assert.match(String(body.message), new RegExp(FULL_URL))
    }
    assert.equal((await read(edge.url, '/nowhere', { method: 'POST' })).status, 404)
    const preview = await read(edge.url, '/orders/preview', { method: 'POST', headers, body: '{}' })
    assert.equal(preview.status, 400)
  })

  test('an edge node refuses orders over sockets with the same code', async () => {
    const client = await connectTo(edge.url, 'websocket')
    await client.ask('auth', { key: issued.key, secret: issued.secret })
    for (const op of ['create_order', 'cancel_order', 'cancel_after'])
      assert.equal((await client.ask(op, {})).error, 'EDGE_NODE', op)
    client.close()
  })

  test('an edge node tries no write', () => {
    assert.doesNotMatch(edge.printed.text, /read-only|permission denied/)
  })
})
