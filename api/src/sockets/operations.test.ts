// Every operation and every way to refuse one, over each transport.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type SocketApp, socketApp } from '../testing/socket-app.ts'
import { type Client, TRANSPORTS } from '../testing/socket-client.ts'

for (const transport of TRANSPORTS)
  describe(`operations over ${transport}`, () => {
    let app: SocketApp
    let client: Client
    before(async () => {
      app = await socketApp()
      client = await app.connect(transport)
    })
    after(() => app.close())

    test('a subscription is answered first, then has its snapshot, then what is published', async () => {
      assert.deepEqual(await client.ask('subscribe', ['wall']), { id: 1, data: ['wall'] })
      assert.deepEqual(await client.next(), { channel: 'wall', seq: 0, data: 'snapshot' })
      app.channels.tell('wall', 'hello')
      assert.deepEqual(await client.next(), { channel: 'wall', seq: 1, data: 'hello' })
    })
  })
