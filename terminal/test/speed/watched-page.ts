// Serves the page of a venue from a separate host, with the socket probe put before the worker's
// code. The page connects to the venue directly.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { watchSocket } from './frame-probe.ts'

const WORKER = /venue-worker-[^/]*\.js$/

export type ServedPage = Readonly<{
  url: string
  close: () => void
}>

/** `requested`: paths that browsers have requested here, in order. */
export type WatchedPage = ServedPage & Readonly<{ requested: readonly string[] }>

/** Starts the server for the API at `apiUrl`. */
export async function serveWatchedPage(apiUrl: string): Promise<WatchedPage> {
  const requested: string[] = []
  const answer = async ({ url = '/' }: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(url, apiUrl)
    requested.push(pathname)
    const found = await fetch(new URL(pathname, apiUrl), { headers: { accept: 'text/html' } })
    response.statusCode = found.status
    response.setHeader('content-type', found.headers.get('content-type') ?? 'text/plain')
    response.setHeader('cache-control', found.headers.get('cache-control') ?? 'no-cache')
    if (pathname === '/config.json') response.end(JSON.stringify({ apiUrl }))
    else if (WORKER.test(pathname))
      response.end(`(${watchSocket.toString()})();${await found.text()}`)
    else response.end(Buffer.from(await found.arrayBuffer()))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requested, close: () => server.close() }
}
