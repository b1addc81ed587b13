// One node of two is stopped under five hundred clients while blocks go on: every client is
// notified, goes to the other node when asked to, and gets each message once, private ones too.
// Both nodes run in this process; stopped-process.test.ts tests processes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
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
import { type TradingSockets, tradingSockets } from '../../test/trading-sockets.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'

const CLIENTS = 500
/** Clients that connect at a time: they share a process with both nodes. */
const AT_ONCE = 20
const BLOCKS_BEFORE = 5
const BLOCKS_AFTER = 3
/** Blocks while clients move; fewer than a channel keeps for resuming, however long that takes. */
const BLOCKS_MEANWHILE_MAX = 80
const BLOCK_MS = 50
/** Stop timeout; systemd and containers allow more. */
const STOP_MS_MAX = 10_000
const WITHIN_MS = 120_000
const scenario = funded('ETH-USDC')
const sockets = { ...ACCOUNT_SETTINGS.sockets, connectionsPerAddressMax: 2 * CLIENTS }
let venue: TradingSockets
let key: Awaited<ReturnType<TradingSockets['issue']>>
before(async () => {
  venue = await tradingSockets(scenario, { nodes: 2, settings: { sockets } })
  key = await venue.issue('alice')
})
after(() => venue.close())

/** A trade that leaves half an order on the book, in a block of its own. Both nodes follow it. */
async function trade(): Promise<void> {
  scenario.place('alice', 'sell', 300_000, 2n).place('bob', 'buy', 300_000, 1n)
  await venue.follow()
}

const node = (index: number): FollowedNode => ({
  connect: (transport) => venue.connect(transport, index),
  key,
})

describe(`a node that is stopped under ${CLIENTS} clients`, () => {
  const followers = Array.from({ length: CLIENTS }, (_, index) => newFollower(index))
  /** A client of the other node from the beginning: its messages are what all clients must have. */
  const resident: Follower = newFollower(3)
  let stoppedMs = 0
  let pauses: readonly number[] = []
  before(async () => {
    await join(resident, node(1))
    for (let at = 0; at < CLIENTS; at += AT_ONCE)
      await Promise.all(followers.slice(at, at + AT_ONCE).map((one) => join(one, node(0))))
    for (let block = 0; block < BLOCKS_BEFORE; block++) await trade()
    const moves = Promise.all(followers.map((one) => moveOn(one, node(1))))
    const startedMs = performance.now()
    venue.hosts[0]?.stopping.abort()
    const closing = venue.hosts[0]?.sockets.close().then(() => {
      stoppedMs = performance.now() - startedMs
    })
    let isOver = false
    const moved = moves.finally(() => {
      isOver = true
    })
    for (let block = 0; !isOver && block < BLOCKS_MEANWHILE_MAX; block++) {
      await trade()
      await delay(BLOCK_MS)
    }
    pauses = await moved
    await closing
    for (let block = 0; block < BLOCKS_AFTER; block++) await trade()
    const haveAll = () => {
      const all = [resident, ...followers]
      for (const one of all) take(one)
      return all.every((one) =>
        one.channels.every((channel) => seqOf(one, channel) === seqOf(resident, channel)),
      )
    }
    await until('every client has every message', haveAll, WITHIN_MS)
  })

  test('a stopped node ends in ten seconds, and announces it at /ready', async () => {
    assert.ok(stoppedMs < STOP_MS_MAX, `${stoppedMs} ms`)
    const [url] = venue.urls
    assert.equal((await fetch(`${url}/ready`)).status, 503)
    await assert.rejects(venue.connect('websocket', 0), 'nobody new is taken')
  })

  test('clients of a stopped node come back one after the other, over five seconds', () => {
    assert.equal(new Set(pauses).size, CLIENTS)
    assert.ok(Math.max(...pauses) > 4_000 && Math.max(...pauses) < 5_000)
  })

  for (const channel of [...PUBLIC_CHANNELS, ...PRIVATE_CHANNELS])
    test(`every client of a stopped node gets each message of ${channel} exactly once`, () => {
      const wanted = updatesOf(resident, channel)
      assert.ok(wanted.length > BLOCKS_BEFORE + BLOCKS_AFTER)
      const listeners = followers.filter(({ channels }) => channels.includes(channel))
      assert.ok(listeners.length >= CLIENTS / 2)
      for (const one of listeners) assert.deepEqual(updatesOf(one, channel), wanted)
      for (const [index, { prev_seq }] of wanted.entries())
        if (index > 0) assert.equal(prev_seq, wanted[index - 1]?.seq)
      assert.ok(wanted.every(({ type }) => type === 'update'))
    })
})
