// Finds ports that a process can use again after it was killed.
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the system's range for outgoing connections: otherwise one of them might take the port of a
 * process while it is down.
 */
const PORT_MIN = 12_000
const PORT_MAX = 32_000
const TRIES_MAX = 200

/** Returns a random free port of 127.0.0.1, so that two runs do not collide. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN))
    if (await isFree(port)) return port
  }
  throw new Error(`no free port after ${TRIES_MAX} attempts`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
