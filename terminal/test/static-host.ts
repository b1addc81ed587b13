// Serves the built page like any static host, with a config.json of the test.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Starts a host; `close` ends it. `injected` is malicious markup added to the page. */
export async function staticHost(
  config: object,
  injected = '',
): Promise<{ url: string; server: Server }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://static.example')
    const path = pathname === '/' ? '/index.html' : normalize(pathname)
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    if (path === '/config.json') return response.end(JSON.stringify(config))
    try {
      const bytes = readFileSync(join(DIST, path))
      if (path !== '/index.html') return response.end(bytes)
      return response.end(String(bytes).replace('</body>', `${injected}</body>`))
    } catch {
      return response.writeHead(404).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
