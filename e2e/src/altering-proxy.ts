// A proxy between the page and the API that changes socket messages on their way to the page, like
// a broken proxy or a bug of the venue. Everything else passes unchanged.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/** Returns a message as it is delivered. */
type AlterMessage = (message: string) => string

export type AlteringProxy = Readonly<{
  url: string
  /** Changes messages from now on; undefined: none. */
  alter(change: AlterMessage | undefined): void
  stop(): void
}>

/** Starts it in front of the API at `apiUrl`, initially without changes. */
export async function startAlteringProxy(apiUrl: string): Promise<AlteringProxy> {
  let change: AlterMessage | undefined
  const server = createServer((request, answer) => forward(apiUrl, request, answer))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (client, { url = '/' }) => {
    const upstream = new WebSocket(new URL(url, apiUrl.replace(/^http/, 'ws')))
    join(client, upstream, (message) => change?.(message) ?? message)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alter: (next) => {
      change = next
    },
    stop: () => {
      for (const client of sockets.clients) client.terminate()
      server.close()
      server.closeAllConnections()
    },
  }
}

function forward(apiUrl: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url = '/' } = incoming
  const upstream = request(new URL(url, apiUrl), { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  upstream.on('error', () => answer.destroy())
  incoming.pipe(upstream)
}

function join(client: WebSocket, upstream: WebSocket, change: AlterMessage): void {
  const early: string[] = []
  client.on('message', (data) => {
    if (upstream.readyState === WebSocket.OPEN) upstream.send(String(data))
    else early.push(String(data))
  })
  upstream.on('open', () => {
    for (const message of early.splice(0)) upstream.send(message)
  })
  upstream.on('message', (data) => client.send(change(String(data))))
  // When one side ends, the other is closed.
  client.on('close', () => upstream.terminate())
  upstream.on('close', () => client.close())
  for (const socket of [client, upstream]) socket.on('error', () => socket.terminate())
}
