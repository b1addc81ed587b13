// Serves only the sockets of a node: two channels with a fixed number of frames per second. Sends
// its port, and on request its memory use, over IPC.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KeyChecks } from '@openvenue/api/identity/key-checks'
import { ACCOUNT_SETTINGS } from '@openvenue/api/node/account-settings'
import { ConnectionEnds } from '@openvenue/api/orders/place/connection-ends'
import { Sockets, SWEEP_MS } from '@openvenue/api/sockets/sockets'
import type { Publish } from '@openvenue/api/sockets/streams/stream'
import { NO_LOG } from '@openvenue/runtime/outage'
import type { Identity } from '@openvenue/store/identity/identity'

export type StuckFigures = Readonly<{
  rssBytes: number
  connections: number
  closedSlow: number
  unsentBytes: number
}>

/** Frames per second of each channel. */
const FRAMES_PER_SECOND = 10
/** A small ticker, and a book large enough to fill every buffer of a client that does not read. */
const BYTES = { 'ticker:all': 1_000, 'orderbook:all': 50_000 } as const
/** All clients connect from one address. */
const CONNECTIONS_MAX = 100_000

const refuse = () => Promise.reject(new Error('authentication is not supported'))
const identity: Identity = {
  register: refuse,
  find: refuse,
  liveKeys: refuse,
  issue: refuse,
  amend: refuse,
  useSignature: refuse,
  liveAmong: refuse,
  revoke: refuse,
  revokeAll: refuse,
  markUsed: refuse,
  sweep: refuse,
  addInvites: refuse,
  onRevoked: () => () => {},
}
const publishing = new Map<string, Publish>()
let seq = 0
const fillText = (name: string, bytes: number) =>
  JSON.stringify({ channel: name, seq, sent: Date.now(), data: 'x'.repeat(bytes) })

const sockets = new Sockets({
  identity,
  keys: new KeyChecks({ identity, nowMs: Date.now, monotonicMs: () => performance.now() }),
  connectionEnds: new ConnectionEnds({
    safeguards: { beat: refuse, endConnections: refuse },
    delay: refuse,
    log: NO_LOG,
  }),
  consume: refuse,
  trading: 'live',
  settings: { ...ACCOUNT_SETTINGS.sockets, connectionsPerAddressMax: CONNECTIONS_MAX },
  clock: { nowMs: Date.now, monotonicMs: () => performance.now() },
  failed: (error) => {
    throw error
  },
  proxyHops: 0,
  origins: { isAny: true, list: [] },
  channels: {
    names: () => Object.keys(BYTES),
    find: (name) =>
      name in BYTES
        ? {
            isPrivate: false,
            open: (publish) => {
              publishing.set(name, publish)
              const text = () => fillText(name, BYTES[name as keyof typeof BYTES])
              return {
                carriesEvents: false,
                seq: () => seq,
                snapshot: () => [{ seq, text: text(), isSnapshot: true }],
                replay: () => undefined,
                close: () => publishing.delete(name),
              }
            },
          }
        : undefined,
  },
})
const server = createServer((request, response) => {
  if (!sockets.serve(request, response)) response.writeHead(404).end()
})
server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
setInterval(() => sockets.sweep(), SWEEP_MS)
setInterval(() => {
  seq += 1
  for (const [name, bytes] of Object.entries(BYTES))
    publishing.get(name)?.({ seq, text: fillText(name, bytes), isSnapshot: false })
}, 1000 / FRAMES_PER_SECOND)

process.on('message', () => {
  const { sessions } = sockets
  const figures: StuckFigures = {
    rssBytes: process.memoryUsage.rss(),
    connections: sessions.connectionCount,
    closedSlow: sessions.meter.closedSlow,
    unsentBytes: sessions.unsentBytes(),
  }
  process.send?.(figures)
})
process.once('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
