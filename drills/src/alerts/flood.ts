// Opens many sockets that send more than any may, each from an address of its own.
import { once } from 'node:events'
import { WebSocket } from 'ws'

const SOCKETS = 30
/** Of 127.0.0.0/8, every address is this machine's. */
const ADDRESS_MIN = 10
const MESSAGES = 5_000
const CLOSED_MS_MAX = 30_000

/** Returns how many of them the venue closed. */
export async function flood(apiUrl: string): Promise<number> {
  const url = `${apiUrl.replace('http', 'ws')}/ws`
  const closed = await Promise.all(
    Array.from({ length: SOCKETS }, (_, at) => floodFrom(url, `127.0.0.${ADDRESS_MIN + at}`)),
  )
  return closed.filter(Boolean).length
}

async function floodFrom(url: string, localAddress: string): Promise<boolean> {
  const socket = new WebSocket(url, { localAddress })
  socket.on('error', () => {})
  await once(socket, 'open')
  const over = once(socket, 'close', { signal: AbortSignal.timeout(CLOSED_MS_MAX) })
  for (let n = 0; n < MESSAGES; n++) socket.send(JSON.stringify({ op: 'ping', id: n }))
  return over.then(
    () => true,
    () => false,
  )
}
