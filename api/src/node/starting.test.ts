import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@openvenue/core/test/until'

const WAIT_MS_MAX = 30_000

/** A database that accepts connections and never answers. */
const sockets = new Set<Socket>()
const database = createServer((socket) => sockets.add(socket.on('error', () => {})))
after(() => {
  for (const socket of sockets) socket.destroy()
  database.close()
})

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

for (const [what, main, variable] of [
  ['an API node', './main.ts', 'PORT'],
  ['the second host', '../integrated/main.ts', 'INTEGRATED_PORT'],
] as const)
  test(`${what} lives and is not ready while its database does not answer`, async () => {
    if (!database.listening) await once(database.listen(0, '127.0.0.1'), 'listening')
    const { port: databasePort } = database.address() as AddressInfo
    const port = await freePort()
    const child = spawn(process.execPath, [fileURLToPath(new URL(main, import.meta.url))], {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: `postgres://127.0.0.1:${databasePort}/x`,
        [variable]: String(port),
      },
    })
    const ended = once(child, 'exit')
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    const answer = () => ask('/health').catch(() => undefined)
    const health = await until('the process answers /health', answer, WAIT_MS_MAX)
    const ready = await ask('/ready')
    const { awaiting } = (await ready.json()) as { awaiting?: string }
    assert.deepEqual([health.status, ready.status, awaiting], [200, 503, 'reading the database'])
    child.kill('SIGKILL')
    await ended
  })
