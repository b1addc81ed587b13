// A key revoked on one node loses its connections on another. On PGlite two nodes share a process.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { openStore } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { type Between, startBetween } from '@openvenue/store/test/between'
import { postgresEngine, type TestDatabase, testEngines } from '@openvenue/store/test/engines'
import { type IssuedKey, issueKey } from '../../../test/keyed.ts'
import { emptySnapshot, testHost } from '../../../test/scenario-node.ts'
import { type Client, connectTo } from '../../../test/socket-client.ts'
import { TestChannels } from '../../../test/test-channels.ts'
import type { Host } from '../../http/host-type.ts'
import { VenueModel } from '../../model/venue-model.ts'
import { KEY_DOUBT_MS_MAX } from './key-watch.ts'

const WALLET = `0x${'a1'.repeat(20)}`
const KEYS_MAX = 5
const NOW_MS = 1_700_000_000_000

type Node = Readonly<{ host: Host; url: string }>

async function nodeOn(store: Store, monotonicMs = () => 0): Promise<Node> {
  const model = new VenueModel()
  model.load(emptySnapshot())
  const allowed = { allowed: true, remaining: 1, resetMs: 0 }
  const host = await testHost(model, store, () => NOW_MS, {
    rates: { consume: async () => allowed, publicRate: undefined, proxyHops: 0 },
    channels: new TestChannels(),
    clock: { nowMs: () => NOW_MS, monotonicMs },
  })
  return { host, url: await host.listen({ host: '127.0.0.1', port: 0 }) }
}

for (const engine of testEngines(process.env.DATABASE_URL))
  describe(`a key revoked on another node (${engine.name})`, () => {
    let database: TestDatabase
    let stores: readonly Store[]
    let here: Node
    let there: Node
    let issuing: Store
    before(async () => {
      database = await engine.createDatabase()
      issuing = await database.open()
      const second = engine.name === 'PGlite' ? issuing : await database.open()
      stores = [...new Set([issuing, second])]
      here = await nodeOn(second)
      there = await nodeOn(issuing)
    })
    after(async () => {
      await here.host.close()
      await there.host.close()
      for (const store of stores) await store.close()
      await database.remove()
    })

    const listening = async ({ key, secret }: IssuedKey): Promise<Client> => {
      const client = await connectTo(here.url, 'websocket')
      assert.equal((await client.ask('auth', { key, secret })).data.account, WALLET)
      await client.ask('subscribe', ['mine'])
      await client.next()
      return client
    }
    const expired = async (client: Client) => {
      assert.equal((await client.next()).error, 'AUTH_EXPIRED')
      const { data } = await client.ask('status')
      assert.deepEqual([data.account, data.subscriptions], [null, []])
      client.close()
    }
    const revoke = async ({ headers }: IssuedKey, payload: object) => {
      const answer = await there.host.inject({
        method: 'DELETE',
        url: '/api-key',
        headers,
        payload,
      })
      assert.equal(answer.statusCode, 200, answer.body)
    }

    test('a key revoked on another node by DELETE /api-key loses its identity and is notified; another key does not', async () => {
      const [first, second] = [
        await issueKey(issuing, WALLET, NOW_MS),
        await issueKey(issuing, WALLET, NOW_MS),
      ]
      const [client, other] = [await listening(first), await listening(second)]
      await revoke(first, {})
      await expired(client)
      assert.equal((await other.ask('status')).data.account, WALLET)
      other.close()
    })

    test('a key revoked with all keys of the account on another node loses its identity', async () => {
      const keys = [
        await issueKey(issuing, WALLET, NOW_MS),
        await issueKey(issuing, WALLET, NOW_MS),
      ] as const
      const clients = [await listening(keys[0]), await listening(keys[1])]
      await revoke(keys[0], { all: true })
      for (const client of clients) await expired(client)
    })

    test('a key revoked on another node as the oldest of more than five loses its identity', async () => {
      const client = await listening(await issueKey(issuing, WALLET, NOW_MS))
      for (let more = 0; more < KEYS_MAX; more++) {
        assert.equal(
          client.frames.some(({ error }) => error !== undefined),
          false,
        )
        await issueKey(issuing, WALLET, NOW_MS + more + 1)
      }
      await expired(client)
    })
  })

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('a node that receives no revocations, over an open connection', () => {
    let database: TestDatabase
    let issuing: Store
    let between: Between
    let behind: Store
    let node: Node
    let clockMs = 0
    before(async () => {
      database = await postgres.createDatabase()
      issuing = await database.open()
      between = await startBetween(new URL(database.options.databaseUrl ?? ''))
      behind = await openStore({ databaseUrl: between.url })
      node = await nodeOn(behind, () => clockMs)
    })
    after(async () => {
      await node.host.close()
      await Promise.all([issuing.close(), behind.close()])
      between.close()
      await database.remove()
    })
    const listening = async () => {
      const issued = await issueKey(issuing, WALLET, NOW_MS)
      const client = await connectTo(node.url, 'websocket')
      await client.ask('auth', { key: issued.key, secret: issued.secret })
      await client.ask('subscribe', ['mine'])
      await client.next()
      return { ...issued, client }
    }

    test('a deaf node removes the identity of a revoked key within 5 s, and no other', async (t) => {
      const [revoked, other] = [await listening(), await listening()]
      between.freeze('openvenue listener')
      const startMs = performance.now()
      assert.equal(await issuing.identity.revoke(WALLET, revoked.key, NOW_MS), true)
      await until('it hears', () => revoked.client.frames.some(({ error }) => error !== undefined))
      t.diagnostic(`after ${(performance.now() - startMs).toFixed(0)} ms`)
      assert.equal((await revoked.client.next()).error, 'AUTH_EXPIRED')
      const { data } = await revoked.client.ask('status')
      assert.deepEqual([data.account, data.subscriptions], [null, []])
      // While the node is deaf, it retries every few seconds.
      const late = await listening()
      await issuing.identity.revoke(WALLET, late.key, NOW_MS)
      await until('it hears', () => late.client.frames.some(({ error }) => error !== undefined))
      assert.equal((await other.client.ask('status')).data.account, WALLET)
      between.thaw()
      for (const { client } of [revoked, other, late]) client.close()
    })

    test('a deaf node without its database removes every identity after 10 s', async () => {
      const { client } = await listening()
      between.freeze()
      for (const name of ['listener', 'keys']) between.freeze(`openvenue ${name}`)
      let doubts = 0
      const stop = behind.identity.onRevoked(() => {
        doubts += 1
      })
      const before = doubts
      await until('it is in doubt', () => doubts > before)
      node.host.sockets.sweep()
      clockMs += KEY_DOUBT_MS_MAX - 1
      node.host.sockets.sweep()
      assert.equal((await client.ask('status')).data.account, WALLET)
      clockMs += 1
      node.host.sockets.sweep()
      assert.equal(
        (await client.next(({ error }) => error !== undefined)).error,
        'AUTH_UNAVAILABLE',
      )
      const { data } = await client.ask('status')
      assert.deepEqual([data.account, data.subscriptions], [null, []])
      stop()
      between.thaw()
      client.close()
    })
  })
