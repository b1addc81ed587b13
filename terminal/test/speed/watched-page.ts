// Serves the page of a venue from a separate host, with the socket probe put before the worker's
// code. The page connects to the venue directly.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { watchSocket } from './frame-probe.ts'

const WORKER = /venue-worker-[^/]*\.js$/

export type ServedPage = Readonly<{ url: string; close: () => void }>

/** Starts the server for the API at `apiUrl`. */
export async function serveWatchedPage(apiUrl: string): Promise<ServedPage> {
  const answer = async ({ url = '/' }: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(url, apiUrl)
    const found = await fetch(new URL(pathname, apiUrl), { headers: { accept: 'text/html' } })
    response.statusCode = found.status
    response.setHeader('content-type', found.headers.get('content-type') ?? 'text/plain')
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
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
