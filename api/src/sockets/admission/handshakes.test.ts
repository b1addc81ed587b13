// A storm of connections: a few begin in each turn, and a bounded number waits.
import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { HANDSHAKES_PER_TURN, HANDSHAKES_WAITING_MAX } from '../session/turn-budget.ts'

const CONNECTIONS_MAX = HANDSHAKES_WAITING_MAX + 1_000

/** The connection of a client, and what the server has written to it. */
class Line extends Duplex {
  written = ''

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.written += bytes.toString('latin1')
    done()
  }
}

const opened: Line[] = []

/** Sends the request for a WebSocket at `/ws` to the node. */
function upgrade({ sockets }: SocketNode): Line {
  const request = new IncomingMessage(new Socket())
  request.method = 'GET'
  request.url = '/ws'
  request.headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
  }
  const line = new Line()
  opened.push(line)
  sockets.upgrade(request, line, Buffer.alloc(0))
  return line
}

const isBegun = ({ written }: Line) => written.startsWith('HTTP/1.1 101')

const metric = async (node: SocketNode, name: string) => {
  const text = await (await node.get('/metrics')).text()
  return Number(new RegExp(`^openvenue_api_socket_${name} (.*)$`, 'm').exec(text)?.[1])
}

describe('a storm of connections', () => {
  let node: SocketNode
  beforeEach(async () => {
    const settings = {
      connectionsPerAddressMax: CONNECTIONS_MAX,
      connectionsMax: CONNECTIONS_MAX,
      messagesPerAddress: undefined,
    }
    node = await socketNode({ settings, delay: (ms) => setTimeout(ms) })
  })
  afterEach(async () => {
    for (const line of opened.splice(0)) line.destroy()
    await node.close()
  })

  test('a storm of connections begins a few in each turn; requests are answered in between', async () => {
    const lines = Array.from({ length: 100 }, () => upgrade(node))
    assert.equal(lines.filter(isBegun).length, HANDSHAKES_PER_TURN)
    const turns: number[] = []
    while (!lines.every(isBegun)) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      turns.push(lines.filter(isBegun).length)
    }
    const steps = turns.map((count, at) => count - (turns[at - 1] ?? HANDSHAKES_PER_TURN))
    assert.ok(Math.max(...steps) <= HANDSHAKES_PER_TURN, String(steps))
    assert.equal(await metric(node, 'handshakes_total'), lines.length)
    assert.equal(await metric(node, 'handshakes_waiting'), 0)
  })

  test('a storm of connections beyond those that may wait is refused with 503 and spread Retry-After', async () => {
    const lines = Array.from({ length: HANDSHAKES_WAITING_MAX + HANDSHAKES_PER_TURN }, () =>
      upgrade(node),
    )
    const refused = Array.from({ length: 10 }, () => upgrade(node))
    for (const { written } of refused) assert.match(written, /^HTTP\/1\.1 503 .*"SOCKETS_FULL"/s)
    const waits = refused.map(({ written }) => /retry-after: (\d+)/.exec(written)?.[1])
    assert.deepEqual(new Set(waits), new Set(['1', '2', '3', '4', '5']))
    await until('all others have begun', () => lines.every(isBegun))
    assert.equal(await metric(node, 'handshakes_refused_total'), refused.length)
  })

  test('a storm of connections leaves out those that went away while they waited', async () => {
    const lines = Array.from({ length: 20 }, () => upgrade(node))
    lines.at(-1)?.destroy()
    await until('the others have begun', () => lines.slice(0, -1).every(isBegun))
    assert.equal(await metric(node, 'connections'), lines.length - 1)
  })

  test('a storm of connections is refused as far as it has waited when the node stops', async () => {
    const lines = Array.from({ length: 20 }, () => upgrade(node))
    const stopped = node.stop()
    await until('the last one is answered', () => lines.at(-1)?.written !== '')
    assert.match(lines.at(-1)?.written ?? '', /^HTTP\/1\.1 503 .*"SERVER_STOPPING"/s)
    for (const line of lines) line.destroy()
    await stopped
  })
})
