// A node's WebSocket that accepts connections and refuses requests, like nodes without
// subscriptions.
import type { Server } from 'node:http'
import { WebSocketServer } from 'ws'

type RefusingSocket = Readonly<{
  /** Number of requests. */
  refused(): number
  close(): void
}>

/** Accepts the WebSockets of `server`. */
export function refuseSubscriptions(server: Server): RefusingSocket {
  const sockets = new WebSocketServer({ server })
  let refusals = 0
  sockets.on('connection', (socket) => {
    socket.on('message', (text) => {
      const { id, method } = JSON.parse(String(text)) as { id: unknown; method: string }
      refusals += 1
      const error = { code: -32601, message: `${method} is not supported` }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }))
    })
  })
  return {
    refused: () => refusals,
    close: () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    },
  }
}
