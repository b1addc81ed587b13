// One API node of two, each a process on PostgreSQL, gets SIGTERM under five hundred clients and an
// open request: it reports at /ready that it is stopping, answers the request, sends every client
// to the other node with a pause of its own, and ends; no client misses a message.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join as joinPath } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { emptyState } from '@openvenue/core/state'
import { until } from '@openvenue/core/test/until'
import { applyBlock } from '@openvenue/core/venue'
import type { Store } from '@openvenue/store/store'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import {
  type FollowedNode,
  type Follower,
  join,
  moveOn,
  newFollower,
  PRIVATE_CHANNELS,
  PUBLIC_CHANNELS,
  seqOf,
  take,
  updatesOf,
} from '../../test/followers.ts'
import { funded } from '../../test/funded.ts'
import { type IssuedKey, issueKey } from '../../test/keyed.ts'
import { type Client, connectTo } from '../../test/socket-client.ts'

const CLIENTS = 500
const AT_ONCE = 20
const BLOCKS_BEFORE = 5
const BLOCKS_AFTER = 3
/** Blocks while clients move; fewer than a channel keeps for resuming, however long that takes. */
const BLOCKS_MEANWHILE_MAX = 80
const BLOCK_MS = 100
const STOP_MS_MAX = 10_000
const WITHIN_MS = 60_000
const MAIN = joinPath(import.meta.dirname, '../node/main.ts')
const CHAIN_ID = '0x4cef52'

const scenario = funded('ETH-USDC')
const state = emptyState()
let committed = 0

const walletOf = (who: string) => `0x${scenario.accountOf(who).toString(16).padStart(40, 'c')}`

/** Commits the current state of the scenario. */
async function commit(store: Store): Promise<void> {
  const blocks = scenario.blocks().slice(committed)
  committed += blocks.length
  await store.writer.commit(
    blocks.map((block) => applyBlock(state, block)),
    0,
  )
}

/** A trade that leaves half an order on the book, in a block of its own. */
function trade(store: Store): Promise<void> {
  scenario.place('alice', 'sell', 300_000, 2n).place('bob', 'buy', 300_000, 1n)
  return commit(store)
}

/** A chain node and an indexer that is level with it, as far as readiness checks them. */
async function serveChain(): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ lag: 0, head: state.head?.number }))
      return
    }
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const answer = ({ id, method }: { id: number; method: string }) => {
      if (method === 'eth_chainId') return { id, result: CHAIN_ID }
      if (method === 'eth_blockNumber')
        return { id, result: `0x${state.head?.number.toString(16)}` }
      return { id, error: { code: -32_601, message: 'no such method' } }
    }
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

class NodeProcess {
  readonly child: ChildProcess
  readonly #url: Promise<string>
  #printed = ''

  constructor(env: Readonly<Record<string, string>>) {
    const { PATH = '' } = process.env
    this.child = spawn(process.execPath, [MAIN], { env: { PATH, PORT: '0', ...env } })
    this.#url = new Promise((resolve, reject) => {
      for (const stream of [this.child.stdout, this.child.stderr])
        stream?.on('data', (chunk) => {
          this.#printed += chunk
          const [found] = /http:\/\/127\.0\.0\.1:\d{4,5}(?=")/.exec(this.#printed) ?? []
          if (found !== undefined) resolve(found)
        })
      this.child.once('exit', () => reject(new Error(`the node ended: ${this.#printed}`)))
    })
  }

  async ready(): Promise<string> {
    const url = await this.#url
    await until('the node is ready', async () => (await fetch(`${url}/ready`)).ok, WITHIN_MS)
    return url
  }

  /** Kills the process with SIGKILL if it still runs. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }
}

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe(`a process that is stopped under ${CLIENTS} clients`, () => {
    const followers = Array.from({ length: CLIENTS }, (_, index) => newFollower(index))
    /**
     * A client of the other node from the beginning: its messages are what all clients must have.
     */
    const resident: Follower = newFollower(3)
    const clients: Client[] = []
    const processes: NodeProcess[] = []
    const urls: string[] = []
    let database: TestDatabase
    let chain: Server
    let store: Store
    let key: IssuedKey
    let pauses: readonly number[] = []
    let stop: Awaited<ReturnType<typeof stopFirst>>

    const node = (index: number): FollowedNode => ({
      key,
      connect: async (transport) => {
        const client = await connectTo(urls[index] ?? '', transport)
        clients.push(client)
        return client
      },
    })

    before(async () => {
      database = await postgres.createDatabase()
      store = await database.open()
      await commit(store)
      chain = await serveChain()
      key = await issueKey(store, walletOf('alice'), 0, 4_000_000_000_000)
      const env = {
        DATABASE_URL: database.options.databaseUrl ?? '',
        RPC_URL: urlOf(chain),
        INDEXER_URL: urlOf(chain),
        READY_CACHE_MS: '0',
        RATE_LIMIT_PUBLIC: 'off',
        WS_CONNECTIONS_PER_IP: `${2 * CLIENTS}`,
        WS_AUTH_PER_IP: `${2 * CLIENTS}`,
        WS_MESSAGES_PER_IP: 'off',
      }
      processes.push(new NodeProcess(env), new NodeProcess(env))
      urls.push(...(await Promise.all(processes.map((one) => one.ready()))))
      await join(resident, node(1))
      for (let at = 0; at < CLIENTS; at += AT_ONCE)
        await Promise.all(followers.slice(at, at + AT_ONCE).map((one) => join(one, node(0))))
      for (let block = 0; block < BLOCKS_BEFORE; block++) await trade(store)
      const moves = Promise.all(followers.map((one) => moveOn(one, node(1))))
      const stopping = stopFirst()
      await tradeUntil(Promise.all([moves, stopping]))
      ;[pauses, stop] = await Promise.all([moves, stopping])
      for (let block = 0; block < BLOCKS_AFTER; block++) await trade(store)
      const haveAll = () => {
        const all = [resident, ...followers]
        for (const one of all) take(one)
        return all.every((one) =>
          one.channels.every((channel) => seqOf(one, channel) === seqOf(resident, channel)),
        )
      }
      await until('every client has every message', haveAll, WITHIN_MS)
    })
    after(async () => {
      for (const client of clients) client.close()
      for (const one of processes) await one.kill()
      chain?.close()
      await store?.close()
      await database?.remove()
    })

    /** Makes blocks until `moves` has settled. */
    async function tradeUntil(moves: Promise<unknown>): Promise<void> {
      let isOver = false
      const over = moves.finally(() => {
        isOver = true
      })
      // The caller awaits `moves` and handles its rejection.
      over.catch(() => {})
      for (let block = 0; !isOver && block < BLOCKS_MEANWHILE_MAX; block++) {
        await trade(store)
        await delay(BLOCK_MS)
      }
    }

    /** Stops the first process while one of its requests waits for the database. */
    async function stopFirst() {
      const [first, url] = [processes[0] as NodeProcess, urls[0] ?? '']
      const locked = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const holding = store.db.load(async (view) => {
        await view.query('LOCK TABLE notifications IN ACCESS EXCLUSIVE MODE')
        locked.resolve()
        await released.promise
      })
      await locked.promise
      const answered = fetch(`${url}/notifications`, { headers: key.headers })
      await until('a request waits for the database', async () => {
        const text = `SELECT 1 FROM pg_locks WHERE relation = 'notifications'::regclass AND NOT granted`
        return (await store.db.feed.query(text)).length > 0
      })
      const ended = once(first.child, 'exit')
      const startedMs = performance.now()
      first.child.kill('SIGTERM')
      await until('/ready answers 503', async () => (await fetch(`${url}/ready`)).status === 503)
      released.resolve()
      await holding
      const answer = await answered
      const [code, signal] = await ended
      const stopMs = performance.now() - startedMs
      return { status: answer.status, body: await answer.json(), code, signal, stopMs }
    }

    test('a stopped process answers the open request, and ends in ten seconds', () => {
      const { status, body, code, signal, stopMs } = stop
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([code, signal], [0, null])
      assert.ok(stopMs < STOP_MS_MAX, `${stopMs} ms`)
    })

    test('a stopped process has its clients come back one after the other, over five seconds', () => {
      assert.equal(pauses.length, CLIENTS)
      assert.equal(new Set(pauses).size, CLIENTS)
      assert.ok(Math.max(...pauses) > 4_000 && Math.max(...pauses) < 5_000)
    })

    for (const channel of [...PUBLIC_CHANNELS, ...PRIVATE_CHANNELS])
      test(`every client of a stopped process gets each message of ${channel} exactly once`, () => {
        const wanted = updatesOf(resident, channel)
        assert.ok(wanted.length > BLOCKS_BEFORE + BLOCKS_AFTER)
        const listeners = followers.filter(({ channels }) => channels.includes(channel))
        assert.ok(listeners.length >= CLIENTS / 2)
        for (const one of listeners) assert.deepEqual(updatesOf(one, channel), wanted)
        for (const [index, { prev_seq }] of wanted.entries())
          if (index > 0) assert.equal(prev_seq, wanted[index - 1]?.seq)
      })
  })
