// A PostgreSQL behind connections that may fall silent without being closed.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy of the server that can be frozen. */
export type Between = Readonly<{
  url: string
  /** Stops all traffic of connections of that name, old and new; absent: of existing ones. */
  freeze: (application?: string) => void
  /** Closes every connection, and resumes all traffic. */
  thaw: () => void
  close: () => void
}>

type Pair = Readonly<{ near: Socket; far: Socket; application: string }>

/** Opens a proxy of the server of `url`. */
export async function startBetween(url: URL): Promise<Between> {
  const sockets = new Set<Socket>()
  const pairs = new Set<Pair>()
  const frozen = new Set<string>()
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname)
    for (const [source, target] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(source)
      source.on('error', () => target.destroy())
      source.on('close', () => target.destroy())
    }
    near.once('data', (startup: Buffer) => {
      const application = applicationName(startup)
      pairs.add({ near, far, application })
      if (frozen.has(application)) return void near.pause()
      far.write(startup)
      near.pipe(far)
      far.pipe(near)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxyUrl = new URL(url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    frozen.clear()
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: proxyUrl.href,
    freeze: (application) => {
      if (application !== undefined) frozen.add(application)
      for (const pair of pairs) {
        if (application !== undefined && pair.application !== application) continue
        pair.near.unpipe()
        pair.far.unpipe()
      }
    },
    thaw: cut,
    close: () => {
      cut()
      server.close()
    },
  }
}

/** Returns the application name in a connection's first message. */
const applicationName = (startup: Buffer) =>
  /application_name\0([^\0]*)/.exec(startup.toString('latin1'))?.[1] ?? ''
