// Lightweight clients of a Socket.IO server, so that the server is what is measured: they implement
// the transport protocol and count frames. Arguments: port, number of clients.
import WebSocket from 'ws'

const CHANNEL = 'orderbook:ETH-USDC'
const CONNECTED = '40'
const PING = '2'
const PONG = '3'
const EVENT = '42['
const SUBSCRIBE = `42["message",${JSON.stringify({ op: 'subscribe', data: [CHANNEL] })}]`
/** Marks an update of the book; replies and snapshots are not counted. */
const UPDATE = '\\"type\\":\\"update\\"'

const [port = '', count = '1'] = process.argv.slice(2)
const counting = { left: 0, frames: [] as string[], isKept: false }

function connect(isFirst: boolean): Promise<void> {
  const url = `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`
  const socket = new WebSocket(url, { perMessageDeflate: false })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1')
      const reply = replyTo(text)
      if (reply !== undefined) socket.send(reply)
      else if (text.includes(UPDATE)) take(text, isFirst)
      else if (text.startsWith(EVENT)) resolve()
    })
  })
}

/** Returns the reply that the transport protocol requires, if any. */
function replyTo(text: string): string | undefined {
  if (text.startsWith('0')) return CONNECTED
  if (text === PING) return PONG
  return text.startsWith(CONNECTED) ? SUBSCRIBE : undefined
}

function take(text: string, isFirst: boolean): void {
  if (counting.isKept && isFirst) counting.frames.push(parseFrame(text))
  counting.left--
  if (counting.left === 0) process.send?.({ frames: counting.frames })
}

/** Returns the message, the second member of the event. */
const parseFrame = (text: string) => (JSON.parse(text.slice(2)) as [string, string])[1]

process.on('message', ({ frames, isKept }: Readonly<{ frames: number; isKept: boolean }>) => {
  counting.left = frames * Number(count)
  counting.isKept = isKept
  counting.frames = []
  process.send?.({ isReady: true })
})
process.once('disconnect', () => process.exit(0))

for (let index = 0; index < Number(count); index++) await connect(index === 0)
process.send?.({ isReady: true })
