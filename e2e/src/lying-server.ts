// A proxy between a client and the venue that changes answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Changes an answer: its parsed body in place, or its headers. */
export type Lie = (answer: { body: never; headers: Map<string, string> }) => void

export type LyingServer = Readonly<{
  url: string
  /** Applies `lie` to answers to paths starting with `path`; returns the function that stops it. */
  lie(path: string, lie: Lie): () => void
  stop(): Promise<void>
}>

/** Headers of one connection, or of the original body. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'content-encoding',
  'etag',
  'keep-alive',
])

/** Starts a proxy in front of `apiUrl`, initially without lies. */
export async function startLyingServer(apiUrl: string): Promise<LyingServer> {
  const lies = new Map<string, Lie>()
  const server = createServer((request, response) => {
    forward(apiUrl, lies, request, response).catch((error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (path, lie) => {
      lies.set(path, lie)
      return () => lies.delete(path)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function forward(
  apiUrl: string,
  lies: ReadonlyMap<string, Lie>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '/', headers } = request
  const answer = await fetch(new URL(url, apiUrl), { headers: keyHeaders(headers) })
  const given = new Map([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)))
  const said = { body: (await answer.json()) as never, headers: given }
  for (const [path, lie] of lies) if (url.startsWith(path)) lie(said)
  response.writeHead(answer.status, Object.fromEntries(given))
  response.end(JSON.stringify(said.body))
}

const keyHeaders = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(
    ['api-key', 'api-secret'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
