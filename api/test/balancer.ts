// A balancer in front of API nodes, for tests: requests go to each in turn, or stay with the node
// that a cookie names.
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

const COOKIE = 'node'

export type Balancer = Readonly<{ url: string; close: () => Promise<void> }>

/** Listens on a free port before the nodes at `urls`. */
export async function balancer(urls: readonly string[], isSticky: boolean): Promise<Balancer> {
  const ports = urls.map((url) => Number(new URL(url).port))
  const sockets = new Set<Socket>()
  let turn = 0
  const nodeIndex = ({ headers: { cookie = '' } }: IncomingMessage): number => {
    const [, kept] = new RegExp(`${COOKIE}=(\\d+)`).exec(cookie) ?? []
    return isSticky && kept !== undefined ? Number(kept) : turn++ % ports.length
  }
  const server = createServer((asked, answer) => {
    const index = nodeIndex(asked)
    const { method = 'GET', url = '/', headers } = asked
    const onward = request(
      { host: '127.0.0.1', port: ports[index], method, path: url, headers },
      (response) => {
        const { statusCode = 502, headers: given } = response
        const cookie = isSticky ? { 'set-cookie': `${COOKIE}=${index}; Path=/` } : {}
        answer.writeHead(statusCode, { ...given, ...cookie })
        response.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    const onward = connect(ports[nodeIndex(asked)] ?? 0, '127.0.0.1')
    const lines = asked.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
    onward.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    onward.write(head)
    socket.pipe(onward).pipe(socket)
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
