// A client against a server whose messages the test controls.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type WebSocket, WebSocketServer } from 'ws'
import { Channel, type Frame } from './channel.ts'
import { SocketUser } from './socket-user.ts'

type ClientMessage = Readonly<{ op: string; id: number; data: unknown }>

/** Starts a server; answers `auth`, `ping` and `subscribe` with success, and then calls `then`. */
async function venue(
  t: TestContext,
  then: (asked: ClientMessage, say: (message: object) => void) => void,
) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const asked: ClientMessage[] = []
  server.on('connection', (socket: WebSocket) => {
    const say = (message: object) => socket.send(JSON.stringify(message))
    socket.on('message', (text) => {
      const one = JSON.parse(String(text)) as ClientMessage
      const data = one.op === 'subscribe' ? channelNames(one.data) : { success: true }
      asked.push(one)
      say({ id: one.id, data })
      then(one, say)
    })
  })
  t.after(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const channelNames = (data: unknown) =>
  (data as (string | { channel: string })[]).map((one) =>
    typeof one === 'string' ? one : one.channel,
  )

const unavailable = (channel: string) => ({
  data: { success: false, code: 'CHANNEL_UNAVAILABLE' },
  error: 'CHANNEL_UNAVAILABLE',
  channel,
})

const frame = (type: 'snapshot' | 'update', seq: number, before: number | null) => ({
  channel: 'fills',
  type,
  seq,
  prev_seq: before,
  block_number: seq,
  data: {},
})

function startUser(t: TestContext, apiUrl: string) {
  const folded: string[] = []
  const fold = (type: string) => (one: Frame) => void folded.push(`${type} ${one.seq}`)
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
const subscribed = (asked: readonly ClientMessage[]) =>
  asked.filter(({ op }) => op === 'subscribe').map(({ data }) => data)

describe('a client that gets CHANNEL_UNAVAILABLE after its subscription was accepted', () => {
  test('a client whose channel is unavailable subscribes again until its first snapshot', async (t) => {
    let refused = 0
    const { url, asked } = await venue(t, ({ op, data }, say) => {
      if (op !== 'subscribe' || !channelNames(data).includes('fills')) return
      refused += 1
      say(refused <= 2 ? unavailable('fills') : frame('snapshot', 7, null))
    })
    const { user, folded } = startUser(t, url)
    await until('the first snapshot is there', () => folded.length > 0)
    assert.deepEqual(folded, ['snapshot 7'])
    assert.deepEqual(subscribed(asked), [[FIRST], [FIRST], [FIRST]])
    assert.equal(user.refusals.get('CHANNEL_UNAVAILABLE'), 2)
    assert.equal(user.reconnects, 0)
  })

  test('a client whose channel is unavailable resumes, and does not count the refusal as a message', async (t) => {
    const { url, asked } = await venue(t, ({ op, data }, say) => {
      if (op !== 'subscribe' || !channelNames(data).includes('fills')) return
      if (subscribed(asked).length > 1) return say(frame('update', 9, 7))
      say(frame('snapshot', 7, null))
      say(unavailable('fills'))
    })
    const { folded } = startUser(t, url)
    await until('the update is there', () => folded.length > 1)
    assert.deepEqual(folded, ['snapshot 7', 'update 9'])
    assert.deepEqual(subscribed(asked), [
      [FIRST],
      [{ channel: 'fills', from_seq: 7, snapshot: true }],
    ])
  })
})
