// Orders that are cancelled when their connection ends: the ends of connections that a node
// records.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { orderId } from '@openvenue/core/ids'
import { until } from '@openvenue/core/test/until'
import { WebSocket } from 'ws'
import { funded } from '../../test/funded.ts'
import { type Client, connectTo, TRANSPORTS, type Transport } from '../../test/socket-client.ts'
import { type TradingSockets, tradingSockets } from '../../test/trading-sockets.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'

const CANCELLER = `0x${'ca'.repeat(20)}`
const PATH = '/account/cancel-on-disconnect'
const DAY = 86_400
/** Ping interval, short for the test. */
const PING_SECONDS = 1
const CLIENTS = 40
const ALL = 10_000

let venue: TradingSockets
/** Offset of the nodes' clock. */
let aheadMs = 0
let startedMs = 0
const scenario = funded('ETH-USDC')
before(async () => {
  const expiry = scenario.seconds + 20 * DAY
  for (const who of ['alice', 'bob']) {
    const account = scenario.accountOf(who)
    scenario
      .next()
      .say({ type: 'CancellerAllowed', account, canceller: CANCELLER, expiry, key: null })
  }
  startedMs = scenario.seconds * 1000
  const nowMs = () => startedMs + aheadMs
  const delay = (ms: number, signal: AbortSignal) =>
    sleep(ms, undefined, { signal }).catch(() => {})
  venue = await tradingSockets(scenario, {
    nodes: 2,
    settings: {
      sockets: { ...ACCOUNT_SETTINGS.sockets, pingSeconds: PING_SECONDS },
    },
    host: { clock: { nowMs, monotonicMs: nowMs, delay } },
  })
  await set(true)
  const account = scenario.accountOf('alice')
  await until('every node knows the setting', () =>
    venue.hosts.every((host) => host.safeguardBook.endsWithConnection(account)),
  )
})
after(() => venue.close())
beforeEach(() => venue.store.db.primary.query('DELETE FROM ended_connections'))

/** A key per client, because an account may have only a few connections at a time. */
const keys = new Map<string, ReturnType<TradingSockets['issue']>>()
function keyOf(who: string): ReturnType<TradingSockets['issue']> {
  const key = keys.get(who) ?? venue.issue(who)
  keys.set(who, key)
  return key
}

async function connectAs(who: string, transport: Transport, node = 0): Promise<Client> {
  const client = await venue.connect(transport, node)
  const { error } = await client.ask('auth', await keyOf(who))
  assert.equal(error, undefined)
  return client
}

async function set(enabled: boolean): Promise<void> {
  const { status, body } = await venue.send('alice', `POST ${PATH}`, { body: { enabled } })
  assert.equal(status, 200, JSON.stringify(body))
}

const ended = () => venue.store.safeguards.endedConnections(ALL)
const hasEnded = (name: string | undefined) => async () => (await ended()).includes(name ?? '')
const untilEnded = (name: string | undefined) =>
  until(`connection ${name} has ended`, hasEnded(name))

/** Places an order over a connection; returns its connection name in the database. */
async function placeOver(client: Pick<Client, 'ask'>, who = 'alice'): Promise<string | undefined> {
  const { data, error } = await client.ask('create_order', await venue.orderOf(who))
  assert.equal(error, undefined, JSON.stringify(data))
  return connectionOf(data.order_id)
}

async function connectionOf(id: string): Promise<string | undefined> {
  const [intent] = await venue.store.intents.find([id])
  return intent?.payload.kind === 'order' ? intent.payload.connection : undefined
}

function portOf(): number {
  const [host] = venue.hosts
  assert.ok(host !== undefined)
  return (host.server.address() as AddressInfo).port
}

/** A path to the first node that can be cut. */
async function cuttable() {
  const target = portOf()
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) open.add(socket.on('error', () => {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => {
      for (const socket of open) socket.resetAndDestroy()
      server.close()
    },
  }
}

async function throughPath(transport: Transport) {
  const path = await cuttable()
  const client = await connectTo(path.url, transport)
  const { error } = await client.ask('auth', await keyOf('alice'))
  assert.equal(error, undefined)
  return { client, ...path }
}

describe('an order made over a socket', () => {
  test('an order made over a socket has the name of its connection where the account wants that, and no other', async () => {
    const [first, second] = [
      await connectAs('alice', 'websocket'),
      await connectAs('alice', 'socket.io', 1),
    ]
    const [one, again, other] = [
      await placeOver(first),
      await placeOver(first),
      await placeOver(second),
    ]
    assert.match(one ?? '', /^[0-9a-f]{16}:\d+$/)
    assert.equal(again, one)
    assert.notEqual(other?.split(':')[0], one?.split(':')[0], 'each node has its name')
    const bob = await connectAs('bob', 'websocket')
    assert.equal(await placeOver(bob, 'bob'), undefined)
    bob.close()
    const rest = await venue.send('alice', 'POST /orders', { body: await venue.orderOf('alice') })
    assert.equal(await connectionOf(rest.body.order_id), undefined)
    first.close()
    await untilEnded(one)
    assert.deepEqual(await ended(), [one])
    second.close()
    await untilEnded(other)
  })

  test('an order made over a socket is of the connection that sent it, also where it replaces one of another', async () => {
    const [first, second] = [
      await connectAs('alice', 'websocket'),
      await connectAs('alice', 'websocket'),
    ]
    const { data } = await first.ask('create_order', await venue.orderOf('alice'))
    const [old, id] = [await connectionOf(data.order_id), String(data.order_id)]
    scenario.order({ who: 'alice', side: 'buy', tick: 150_000, lots: 10n, ref: id }).next()
    await venue.follow()
    await venue.move(id, 'included', { blockNumber: venue.models[0]?.head?.number })
    const order = venue.models[0]?.accountOrders.signed(id)
    assert.ok(order !== undefined)
    const replaces = orderId({ ...order, ref: null })
    const edited = async (client: Client) => {
      const body = await venue.orderOf('alice', { replaces })
      const { data: made, error } = await client.ask('edit_order', { ...body, order_id: id })
      assert.equal(error, undefined, JSON.stringify(made))
      return connectionOf(made.order_id)
    }
    const name = await edited(second)
    assert.ok(name !== undefined && name !== old)
    const body = await venue.orderOf('alice', { replaces })
    const rest = await venue.send('alice', `POST /orders/${id}`, { body })
    assert.equal(rest.status, 200, JSON.stringify(rest.body))
    assert.equal(await connectionOf(rest.body.order_id), undefined)
    first.close()
    await untilEnded(old)
    assert.equal(await hasEnded(name)(), false)
    second.close()
    await untilEnded(name)
  })

  test('an order made over a socket is of the connection that sent it first', async () => {
    const [first, second] = [
      await connectAs('alice', 'websocket'),
      await connectAs('alice', 'websocket'),
    ]
    const body = await venue.orderOf('alice')
    const { data } = await first.ask('create_order', body)
    const name = await connectionOf(data.order_id)
    assert.equal((await second.ask('create_order', body)).data.order_id, data.order_id)
    assert.equal(await connectionOf(data.order_id), name)
    first.close()
    await untilEnded(name)
    second.close()
  })

  test('an order made over a socket stays with its connection when the setting changes, as does the next one', async () => {
    const client = await connectAs('alice', 'websocket')
    const name = await placeOver(client)
    await set(false)
    assert.equal(await placeOver(client), undefined)
    await set(true)
    assert.equal(await placeOver(client), name)
    client.close()
    await untilEnded(name)
  })
})

describe('a connection has ended', () => {
  for (const transport of TRANSPORTS) {
    test(`a connection has ended once its client closes it: ${transport}`, async () => {
      const client = await connectAs('alice', transport)
      const name = await placeOver(client)
      client.close()
      await untilEnded(name)
    })

    test(`a connection has ended once its TCP is cut: ${transport}`, async () => {
      const { client, cut } = await throughPath(transport)
      const name = await placeOver(client)
      cut()
      await untilEnded(name)
      client.close()
    })
  }

  test('a connection has ended once a plain WebSocket is closed with its handshake', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${portOf()}/ws`)
    await once(socket, 'open')
    const ask = async (op: string, data: unknown) => {
      socket.send(JSON.stringify({ op, data, id: 1 }))
      const [bytes] = await once(socket, 'message')
      return JSON.parse(String(bytes))
    }
    await ask('auth', await keyOf('alice'))
    const name = await placeOver({ ask })
    socket.close(1000)
    await untilEnded(name)
  })

  test('a connection has ended once a plain WebSocket that is frozen does not answer a ping', async () => {
    const client = await connectAs('alice', 'websocket')
    const name = await placeOver(client)
    client.stall()
    const { sockets } = venue.hosts[0] as (typeof venue.hosts)[0]
    for (let asked = 0; asked < 2; asked++) {
      assert.equal(await hasEnded(name)(), false)
      aheadMs += PING_SECONDS * 1000
      sockets.sweep()
    }
    await untilEnded(name)
    client.close()
  })

  test('a connection has ended once a Socket.IO client that is frozen does not answer a ping', async () => {
    const client = await connectAs('alice', 'socket.io')
    const name = await placeOver(client)
    client.stall()
    await untilEnded(name)
    client.close()
  })

  test('a connection has not ended when its client logs out or authenticates as another account', async () => {
    const client = await connectAs('alice', 'websocket')
    const name = await placeOver(client)
    await client.ask('logout')
    await client.ask('auth', await keyOf('bob'))
    await placeOver(client, 'bob')
    assert.deepEqual(await ended(), [])
    client.close()
    await untilEnded(name)
  })
})

test(`a node that stops writes the ends of all its connections: ${CLIENTS}`, async () => {
  const names: (string | undefined)[] = []
  for (let made = 0; made < CLIENTS; made++) {
    const client = await connectAs('alice', TRANSPORTS[made % 3] ?? 'websocket', 1)
    names.push(await placeOver(client))
  }
  assert.equal(new Set(names).size, CLIENTS)
  await venue.hosts[1]?.sockets.close()
  await until('every connection has ended', async () => (await ended()).length === CLIENTS)
  assert.deepEqual((await ended()).toSorted(), names.toSorted())
})
