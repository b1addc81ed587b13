// A database that never answers: clients still get an answer in time, over each transport.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { type Client, TRANSPORTS } from '../../../test/socket-client.ts'
import { ALICE, type SocketNode, socketNode } from '../../../test/socket-node.ts'
import { message } from '../../../test/test-channels.ts'

// Deadlines in docs/SOCKETS.md.
const OPERATION_MS_MAX = 10_000
const SNAPSHOT_MS_MAX = 30_000

for (const transport of TRANSPORTS)
  describe(`a read that never ends, over ${transport}`, () => {
    let node: SocketNode
    let client: Client
    beforeEach(async () => {
      node = await socketNode()
      client = await node.connect(transport)
    })
    afterEach(() => node.close())

    /** Sends `auth`, and waits until the key is looked up. */
    async function authenticating(digit: string): Promise<void> {
      const asked = node.keys.lookups
      client.send({ op: 'auth', id: 'auth', data: node.keys.issue(ALICE, digit) })
      await until('the key is looked up', () => node.keys.lookups > asked)
    }

    test(`a read of a key that never ends over ${transport} is AUTH_UNAVAILABLE in time, and what waits behind it is answered`, async () => {
      const admission = Promise.withResolvers<void>()
      node.keys.before = admission.promise
      await client.ask('subscribe', ['wall'])
      await client.next(({ channel }) => channel === 'wall')
      await authenticating('a')
      client.send({ op: 'ping', id: 'behind' })
      node.clock.nowMs = OPERATION_MS_MAX - 1
      node.sockets.sweep()
      node.channels.publish('wall', 'before the deadline')
      assert.equal((await client.next()).data, 'before the deadline')
      node.clock.nowMs = OPERATION_MS_MAX
      node.sockets.sweep()
      const { id, error } = await client.next()
      assert.deepEqual([id, error], ['auth', 'AUTH_UNAVAILABLE'])
      assert.equal((await client.next()).id, 'behind')
      admission.resolve()
    })

    test('a read of a key that never ends gives no identity to a client that was refused meanwhile', async () => {
      const admission = Promise.withResolvers<void>()
      node.keys.before = admission.promise
      await authenticating('a')
      node.clock.nowMs = OPERATION_MS_MAX
      node.sockets.sweep()
      assert.equal((await client.next()).error, 'AUTH_UNAVAILABLE')
      admission.resolve()
      node.keys.before = Promise.resolve()
      // Another key is looked up after the first one was answered.
      const other = await node.connect(transport)
      await other.ask('auth', node.keys.issue(ALICE, 'b'))
      assert.equal((await client.ask('status')).data.account, null)
    })

    test(`a read of a first snapshot that never ends over ${transport} ends the subscription with CHANNEL_UNAVAILABLE`, async () => {
      await client.ask('auth', node.keys.issue(ALICE, 'a'))
      const { snapshot } = node.channels
      const admission = Promise.withResolvers<void>()
      node.channels.snapshot = (name) =>
        admission.promise.then(() => [message(name, 0, 'too late')])
      assert.deepEqual((await client.ask('subscribe', ['mine'])).data, ['mine'])
      node.clock.nowMs = SNAPSHOT_MS_MAX
      node.sockets.sweep()
      const { error, channel } = await client.next()
      assert.deepEqual([error, channel], ['CHANNEL_UNAVAILABLE', 'mine'])
      admission.resolve()
      node.channels.snapshot = snapshot
      await client.ask('subscribe', ['mine'])
      assert.equal((await client.next(({ channel }) => channel === 'mine')).data, 'snapshot')
      assert.ok(client.frames.every(({ data }) => data !== 'too late'))
    })
  })
