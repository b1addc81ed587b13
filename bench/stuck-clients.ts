// Clients of which some never read. Half use Socket.IO, half plain WebSocket. A stuck client that
// the server closes reconnects and is stuck again. Arguments: port, clients, number of stuck
// clients.
import WebSocket from 'ws'

export type ClientFigures = Readonly<{
  /** Total frames received by reading clients, and the fewest of any of them. */
  frames: number
  fewest: number
  /** Reading clients whose connection ended. */
  lost: number
  /** Longest delay of a frame to a reading client since the last question. */
  slowestMs: number
}>

const [port = '', count = '1', stuck = '0'] = process.argv.slice(2)
const EVERYBODY = 'ticker:all'
const subscribe = (names: readonly string[]) => ({ op: 'subscribe', data: names })
const frames: number[] = []
let lost = 0
let slowestMs = 0

function open(isSocketIo: boolean, names: readonly string[]): Promise<WebSocket> {
  const path = isSocketIo ? 'socket.io/?EIO=4&transport=websocket' : 'ws'
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${path}`, { perMessageDeflate: false })
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.on('open', () => {
      if (isSocketIo) return
      socket.send(JSON.stringify(subscribe(names)))
      resolve(socket)
    })
    if (!isSocketIo) return
    socket.on('message', (bytes: Buffer) => {
      const text = bytes.toString('latin1', 0, 2)
      if (text.startsWith('0')) socket.send('40')
      else if (text === '2') socket.send('3')
      else if (text === '40') {
        socket.send(`42${JSON.stringify(['message', subscribe(names)])}`)
        resolve(socket)
      }
    })
  })
}

async function reader(index: number): Promise<void> {
  const socket = await open(index % 2 === 0, [EVERYBODY])
  frames[index] = 0
  socket.on('message', (bytes: Buffer) => {
    const [, sent] = /sent\\?":(\d+)/.exec(bytes.toString('latin1', 0, 120)) ?? []
    if (sent === undefined) return
    frames[index] = (frames[index] ?? 0) + 1
    slowestMs = Math.max(slowestMs, Date.now() - Number(sent))
  })
  socket.on('close', () => {
    lost += 1
  })
}

/** Subscribes and never reads. A closed connection is only noticed by an occasional read. */
async function stuckOne(index: number): Promise<void> {
  const socket = await open(index % 2 === 0, [EVERYBODY, 'orderbook:all'])
  const raw = (socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
  raw.pause()
  const looking = setInterval(() => {
    raw.resume()
    setTimeout(() => raw.pause(), 1)
  }, 20_000)
  socket.on('close', () => {
    clearInterval(looking)
    void stuckOne(index)
  })
}

process.on('message', () => {
  const figures: ClientFigures = {
    frames: frames.reduce((sum, count) => sum + count, 0),
    fewest: Math.min(...frames),
    lost,
    slowestMs,
  }
  slowestMs = 0
  process.send?.(figures)
})
process.once('disconnect', () => process.exit(0))

for (let index = 0; index < Number(count) - Number(stuck); index++) await reader(index)
for (let index = 0; index < Number(stuck); index++) await stuckOne(index)
process.send?.({ isReady: true })
