// A client against a server whose messages the test controls.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type WebSocket, WebSocketServer } from 'ws'
import { Channel, type ChannelFrame } from './channel.ts'
import { SocketUser } from './socket-user.ts'

type ClientMessage = Readonly<{ op: string; id: number; data: unknown }>

/** Starts a server; answers `auth`, `ping` and `subscribe` with success, and then calls `then`. */
async function startVenue(
  t: TestContext,
  then: (request: ClientMessage, send: (message: object) => void) => void,
) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const requests: ClientMessage[] = []
  server.on('connection', (socket: WebSocket) => {
    const send = (message: object) => socket.send(JSON.stringify(message))
    socket.on('message', (text) => {
      const request = JSON.parse(String(text)) as ClientMessage
      const data = request.op === 'subscribe' ? channelNames(request.data) : { success: true }
      requests.push(request)
      send({ id: request.id, data })
      then(request, send)
    })
  })
  t.after(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const channelNames = (data: unknown) =>
  (data as (string | { channel: string })[]).map((subscription) =>
    typeof subscription === 'string' ? subscription : subscription.channel,
  )

const unavailable = (channel: string) => ({
  data: { success: false, code: 'CHANNEL_UNAVAILABLE' },
  error: 'CHANNEL_UNAVAILABLE',
  channel,
})

const makeFrame = (type: 'snapshot' | 'update', seq: number, before: number | null) => ({
  channel: 'fills',
  type,
  seq,
  prev_seq: before,
  block_number: seq,
  data: {},
})

function startUser(t: TestContext, apiUrl: string) {
  const folded: string[] = []
  const fold = (type: string) => (frame: ChannelFrame) => void folded.push(`${type} ${frame.seq}`)
  const [snapshot, update, undo] = [fold('snapshot'), fold('update'), fold('undo')]
  const user = new SocketUser({
    transport: 'plain',
    apiUrls: [apiUrl],
    key: 'key',
    secret: 'secret',
    publicChannels: [],
    privateChannels: [new Channel('fills', { snapshot, update, undo })],
  })
  t.after(() => user.stop())
  return { user, folded }
}

/** The subscription of a client without messages. */
const FIRST = { channel: 'fills', snapshot: true }
const subscribed = (requests: readonly ClientMessage[]) =>
  requests.filter(({ op }) => op === 'subscribe').map(({ data }) => data)

describe('SocketUser', () => {
  test('a client whose channel is unavailable resubscribes until its first snapshot', async (t) => {
    let refused = 0
    const { url, requests } = await startVenue(t, ({ op, data }, send) => {
      if (op !== 'subscribe' || !channelNames(data).includes('fills')) return
      refused += 1
      send(refused <= 2 ? unavailable('fills') : makeFrame('snapshot', 7, null))
    })
    const { user, folded } = startUser(t, url)
    await until('the first snapshot arrives', () => folded.length > 0)
    assert.deepEqual(folded, ['snapshot 7'])
    assert.deepEqual(subscribed(requests), [[FIRST], [FIRST], [FIRST]])
    assert.equal(user.refusals.get('CHANNEL_UNAVAILABLE'), 2)
    assert.equal(user.reconnects, 0)
  })

  test('a client whose channel is unavailable resumes without counting the refusal as a message', async (t) => {
    const { url, requests } = await startVenue(t, ({ op, data }, send) => {
      if (op !== 'subscribe' || !channelNames(data).includes('fills')) return
      if (subscribed(requests).length > 1) return send(makeFrame('update', 9, 7))
      send(makeFrame('snapshot', 7, null))
      send(unavailable('fills'))
    })
    const { folded } = startUser(t, url)
    await until('the update arrives', () => folded.length > 1)
    assert.deepEqual(folded, ['snapshot 7', 'update 9'])
    assert.deepEqual(subscribed(requests), [
      [FIRST],
      [{ channel: 'fills', from_seq: 7, snapshot: true }],
    ])
  })
})
