// A proxy of PostgreSQL that counts the statements and the connections of one process.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type StatementCounter = Readonly<{
  url: string
  /** Texts of statements since the last call, in the order of their execution. */
  take: () => readonly string[]
  /** Returns how often that text was executed since then. */
  count: (text: string) => number
  /** Largest number of connections at a time. */
  connectionsMax: () => number
  close: () => void
}>

const LENGTH_BYTES = 4

/** Opens a proxy of the server of `url`, for connections without TLS. */
export async function countStatements(url: URL): Promise<StatementCounter> {
  let texts: string[] = []
  let connectionsMax = 0
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname)
    open.add(near)
    connectionsMax = Math.max(connectionsMax, open.size)
    for (const [source, target] of [
      [near, far],
      [far, near],
    ] as const) {
      source.on('error', () => target.destroy())
      source.on('close', () => target.destroy())
    }
    near.on('close', () => open.delete(near))
    const read = createReader((text) => texts.push(text))
    near.on('data', read)
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxyUrl = new URL(url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String((server.address() as AddressInfo).port)
  return {
    url: proxyUrl.href,
    take: () => {
      const taken = texts
      texts = []
      return taken
    },
    count: (text) => texts.filter((each) => each === text).length,
    connectionsMax: () => connectionsMax,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

/** Returns a function that takes the client's bytes and reports each statement that it executes. */
function createReader(onStatement: (text: string) => void): (data: Buffer) => void {
  const prepared = new Map<string, string>()
  const portals = new Map<string, string>()
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  const takeMessage = (type: string, body: Buffer) => {
    const [first = '', second = ''] = body.toString('utf8').split('\0')
    if (type === 'Q') for (const text of statementsOf(first)) onStatement(text)
    if (type === 'P') prepared.set(first, second)
    if (type === 'B') portals.set(first, prepared.get(second) ?? '')
    if (type === 'E') onStatement(portals.get(first) ?? '')
  }
  return (data) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      // The first message has no type.
      const typeBytes = isStarted ? 1 : 0
      if (rest.length < typeBytes + LENGTH_BYTES) return
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) return
      const body = rest.subarray(typeBytes + LENGTH_BYTES, end)
      if (isStarted) takeMessage(rest.toString('latin1', 0, 1), body)
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}

const statementsOf = (script: string) =>
  script
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '')
