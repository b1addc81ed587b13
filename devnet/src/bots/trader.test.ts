import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SocketNode, socketNode } from '@openvenue/api/test/socket-node'
import { ConnectionError, RefusedError, VenueSocket } from 'openvenue'
import { listenUntilFirst } from './trader.ts'

let node: SocketNode
before(async () => {
  node = await socketNode()
})
after(() => node.close())

test('a refused channel rejects the wait for its first message and closes the socket', async () => {
  const socket = new VenueSocket({ url: node.url })
  const wait = listenUntilFirst(socket, ['index:NONE'], () => {})
  await assert.rejects(
    wait,
    (error) => error instanceof RefusedError && error.code === 'CHANNEL_NOT_FOUND',
  )
  assert.equal(socket.state, 'closed')
})

test('a socket that is closed rejects the wait for its first message', async () => {
  const socket = new VenueSocket({ url: node.url })
  const wait = listenUntilFirst(socket, ['index:NONE'], () => {})
  socket.close()
  await assert.rejects(wait, ConnectionError)
})
