// A fake chain behind HTTP and WebSocket, for a standalone indexer process.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import { WebSocketServer } from 'ws'
import type { FakeChain } from './chain.ts'

export type ServedChain = Readonly<{
  url: string
  wsUrl: string
  /** Notifies subscribers of the chain's head. */
  announce(): void
  /** Resolves once a client has subscribed. */
  subscribed(): Promise<void>
  /** Closes all sockets and accepts no more. */
  refuseSockets(): void
  close(): Promise<void>
}>

type Request = RpcCall & Readonly<{ id: number }>

const REFUSED = { error: { code: -32601, message: 'subscriptions are not supported' } }

/** Serves `chain` on a free port, with or without subscriptions. */
export async function serveChain(chain: FakeChain, canSubscribe = true): Promise<ServedChain> {
  const server = createServer((request, response) => {
    answerBody(chain, request).then(
      (text) => response.end(text),
      () => response.destroy(),
    )
  })
  let isRefusing = false
  const subscription = Promise.withResolvers<void>()
  const sockets = new WebSocketServer({ server, verifyClient: () => !isRefusing })
  sockets.on('connection', (socket) =>
    socket.on('message', (text) => {
      const { id } = JSON.parse(String(text)) as Request
      const answer = canSubscribe ? { result: '0x1' } : REFUSED
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
      subscription.resolve()
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    announce: () => {
      const params = { subscription: '0x1', result: chain.headMessage() }
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params })
      for (const socket of sockets.clients) socket.send(text)
    },
    subscribed: () => subscription.promise,
    refuseSockets: () => {
      isRefusing = true
      for (const socket of sockets.clients) socket.terminate()
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answerBody(chain: FakeChain, request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Request | Request[]
  const calls = Array.isArray(body) ? body : [body]
  chain.beforeCall(calls)
  const answers = calls.map((call) => answerCall(chain, call))
  return JSON.stringify(Array.isArray(body) ? answers : answers[0])
}

function answerCall(chain: FakeChain, { id, ...call }: Request): object {
  try {
    return { jsonrpc: '2.0', id, result: chain.answer(call) }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { jsonrpc: '2.0', id, error: { code: -32000, message: error.message } }
  }
}
