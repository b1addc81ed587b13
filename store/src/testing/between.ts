// A PostgreSQL behind a connection that may fall silent.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A door to the server that can be held shut. */
export type Between = Readonly<{
  url: string
  freeze: () => void
  thaw: () => void
  close: () => void
}>

/** Opens a door to the server of `url`. */
export async function startBetween(url: URL): Promise<Between> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String((server.address() as AddressInfo).port)
  const all = (act: (socket: Socket) => void) => () => {
    for (const socket of sockets) act(socket)
  }
  return {
    url: own.href,
    freeze: all((socket) => socket.unpipe()),
    thaw: all((socket) => socket.destroy()),
    close: () => {
      all((socket) => socket.destroy())()
      server.close()
    },
  }
}
