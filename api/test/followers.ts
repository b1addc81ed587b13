// Clients that follow channels over several connections, from one node to another: for tests.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, Frame } from './socket-client.ts'

export const PUBLIC_CHANNELS = ['trades:ETH-USDC', 'orderbook:ETH-USDC']
export const PRIVATE_CHANNELS = ['orders', 'fills']

/** A client over all its connections. */
export type Follower = {
  readonly transport: 'websocket' | 'socket.io'
  readonly channels: readonly string[]
  readonly frames: Frame[]
  client: Client | undefined
}

/** Where a follower connects, and with what it authenticates. */
export type FollowedNode = Readonly<{
  connect: (transport: Follower['transport']) => Promise<Client>
  key: Readonly<{ key: string; secret: string }>
}>

/** Both transports, and private channels for half of each. */
export const newFollower = (index: number): Follower => ({
  transport: index % 2 === 0 ? 'websocket' : 'socket.io',
  channels: index % 4 < 2 ? PUBLIC_CHANNELS : [...PUBLIC_CHANNELS, ...PRIVATE_CHANNELS],
  frames: [],
  client: undefined,
})

const isOf = (channel: string) => (frame: Frame) => frame.channel === channel

/** Returns the messages of a channel after its only snapshot. */
export function updatesOf({ frames }: Follower, channel: string) {
  const all = frames.filter(isOf(channel))
  const updates = all[0]?.type === 'snapshot' ? all.slice(1) : all
  return updates.map(({ type, seq, prev_seq }) => ({ type, seq, prev_seq }))
}

export const seqOf = ({ frames }: Follower, channel: string) => frames.findLast(isOf(channel))?.seq

/** Connects to a node and subscribes, resuming its position. */
export async function join(follower: Follower, { connect, key }: FollowedNode): Promise<void> {
  const client = await connect(follower.transport)
  if (follower.channels.includes('fills')) {
    const { error } = await client.ask('auth', key)
    assert.equal(error, undefined)
  }
  const wanted = follower.channels.map((channel) => {
    const seq = seqOf(follower, channel)
    return seq === undefined ? { channel } : { channel, from_seq: seq }
  })
  const { data, error } = await client.ask('subscribe', wanted)
  assert.deepEqual([error, data], [undefined, follower.channels])
  follower.client = client
}

/** Collects the messages of the connection. */
export function take({ client, frames }: Follower): void {
  frames.push(...(client?.frames.splice(0) ?? []).filter(({ channel }) => channel !== undefined))
}

/** Waits until its node has stopped, and goes to `other` when asked to; returns its pause. */
export async function moveOn(follower: Follower, other: FollowedNode): Promise<number> {
  const { client } = follower
  assert.ok(client)
  await client.ended
  const last = client.frames.at(-1)
  assert.equal(last?.type, 'server_shutdown')
  assert.equal(last.error, 'SERVER_STOPPING')
  const pauseMs = last.data.retryAfterMs as number
  take(follower)
  follower.client = undefined
  await delay(pauseMs)
  await join(follower, other)
  return pauseMs
}
