// A database that never answers: the client hears of it all the same, over each transport.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, TRANSPORTS } from '../../test/socket-client.ts'
import { ALICE, type SocketApp, socketApp } from '../../test/socket-host.ts'
import { message } from '../../test/test-channels.ts'

// As docs/SOCKETS.md says.
const OPERATION_MS_MAX = 10_000
const SNAPSHOT_MS_MAX = 30_000

for (const transport of TRANSPORTS)
  describe(`a read that never ends, over ${transport}`, () => {
    let app: SocketApp
    let client: Client
    beforeEach(async () => {
      app = await socketApp()
      client = await app.connect(transport)
    })
    afterEach(() => app.close())

    /** Sends `auth`, and waits until the key is looked up. */
    async function authenticating(digit: string): Promise<void> {
      const asked = app.keys.lookups
      client.send({ op: 'auth', id: 'auth', data: app.keys.issue(ALICE, digit) })
      while (app.keys.lookups === asked) await delay(1)
    }

    test('of a key is AUTH_UNAVAILABLE in time, and what waits behind it is answered', async () => {
      const admission = Promise.withResolvers<void>()
      app.keys.before = admission.promise
      await authenticating('a')
      client.send({ op: 'ping', id: 'behind' })
      app.clock.nowMs = OPERATION_MS_MAX - 1
      app.sockets.sweep()
      await delay(0)
      assert.deepEqual(client.frames, [])
      app.clock.nowMs = OPERATION_MS_MAX
      app.sockets.sweep()
      const { id, error } = await client.next()
      assert.deepEqual([id, error], ['auth', 'AUTH_UNAVAILABLE'])
      assert.equal((await client.next()).id, 'behind')
      admission.resolve()
    })

    test('of a key gives no identity to whoever was refused meanwhile', async () => {
      const admission = Promise.withResolvers<void>()
      app.keys.before = admission.promise
      await authenticating('a')
      app.clock.nowMs = OPERATION_MS_MAX
      app.sockets.sweep()
      assert.equal((await client.next()).error, 'AUTH_UNAVAILABLE')
      admission.resolve()
      app.keys.before = Promise.resolve()
      // Another key is looked up after the first one was answered.
      const other = await app.connect(transport)
      await other.ask('auth', app.keys.issue(ALICE, 'b'))
      assert.equal((await client.ask('status')).data.account, null)
    })

    test('of a first snapshot ends the subscription with CHANNEL_UNAVAILABLE', async () => {
      await client.ask('auth', app.keys.issue(ALICE, 'a'))
      const { snapshot } = app.channels
      const admission = Promise.withResolvers<void>()
      app.channels.snapshot = (name) => admission.promise.then(() => [message(name, 0, 'too late')])
      assert.deepEqual((await client.ask('subscribe', ['mine'])).data, ['mine'])
      app.clock.nowMs = SNAPSHOT_MS_MAX
      app.sockets.sweep()
      const { error, channel } = await client.next()
      assert.deepEqual([error, channel], ['CHANNEL_UNAVAILABLE', 'mine'])
      admission.resolve()
      app.channels.snapshot = snapshot
      await client.ask('subscribe', ['mine'])
      assert.equal((await client.next(({ channel }) => channel === 'mine')).data, 'snapshot')
      assert.ok(client.frames.every(({ data }) => data !== 'too late'))
    })
  })
