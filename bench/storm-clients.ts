// Lightweight clients of one transport that follow a book, and connect again at once to the current
// node when their connection ends. Arguments: port, number of clients, number of the first address,
// transport, channel. Each 100 clients have an address of 127.0.0.0/8.
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'

/** Sent when every client has a snapshot, after the start and after a storm. */
export type Whole = Readonly<{
  /** Connections refused with 429 or 503, and attempts that failed otherwise. */
  refused: number
  failed: number
}>
/** Delays of book messages since the last question, ms. */
export type Delays = Readonly<{ delaysMs: readonly number[] }>

const [first = '', count = '1', firstAddress = '0', transport, channel = ''] = process.argv.slice(2)
const CLIENTS_PER_ADDRESS = 100
/** Connections opened at once at the start, which is not a storm. */
const STARTING_MAX = 32
/** Pause before another attempt, ms. */
const PAUSE_MS = { min: 100, max: 1_000 }
const SUBSCRIBE = JSON.stringify({ op: 'subscribe', data: [channel] })
/** A message in a message of Socket.IO has escaped quotes. */
const SNAPSHOT = /"type\\?":\\?"snapshot/
const isSocketIo = transport === 'socket.io'
const total = Number(count)
let port = Number(first)
let whole = 0
let refused = 0
let failed = 0
let delaysMs: number[] = []

const addressOf = (index: number) => {
  const number = Number(firstAddress) + Math.floor(index / CLIENTS_PER_ADDRESS)
  return `127.0.${1 + (number >> 8)}.${number & 255}`
}

/** Resolves when the client has its snapshot; rejects when the connection fails. */
function connect(index: number): Promise<void> {
  const path = isSocketIo ? 'socket.io/?EIO=4&transport=websocket' : 'ws'
  const localAddress = addressOf(index)
  const options = { perMessageDeflate: false, localAddress }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${path}`, options)
  return new Promise((resolve, reject) => {
    let isWhole = false
    if (!isSocketIo) socket.on('open', () => socket.send(SUBSCRIBE))
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, { statusCode }) => {
      refused += 1
      reject(new Error(`refused with ${statusCode}`))
      socket.terminate()
    })
    socket.on('message', (bytes: Buffer) => {
      const text = bytes.toString('latin1', 0, 400)
      const reply = isSocketIo ? replyTo(text) : undefined
      if (reply !== undefined) socket.send(reply)
      else if (isWhole) noteDelay(text)
      else if (SNAPSHOT.test(text)) {
        isWhole = true
        whole += 1
        resolve()
        reportWhole()
      }
    })
    socket.on('close', () => {
      reject(new Error('closed'))
      if (!isWhole) return
      whole -= 1
      void keep(index)
    })
  })
}

/** Returns the reply that the protocols of Socket.IO require, or the subscription. */
function replyTo(text: string): string | undefined {
  if (text.startsWith('0')) return '40'
  if (text === '2') return '3'
  return text.startsWith('40') ? `42["message",${SUBSCRIBE}]` : undefined
}

function reportWhole(): void {
  if (whole === total) process.send?.({ refused, failed } satisfies Whole)
}

function noteDelay(text: string): void {
  const [, sentMs] = /"ts\\?":(\d+)/.exec(text) ?? []
  if (sentMs !== undefined) delaysMs.push(Date.now() - Number(sentMs))
}

/** Connects until it succeeds. */
async function keep(index: number): Promise<void> {
  for (;;) {
    try {
      await connect(index)
      return
    } catch {
      failed += 1
      await delay(randomInt(PAUSE_MS.min, PAUSE_MS.max))
    }
  }
}

process.on('message', (message: Readonly<{ port?: number }>) => {
  refused = 0
  failed = 0
  if (message.port !== undefined) port = message.port
  else {
    process.send?.({ delaysMs } satisfies Delays)
    delaysMs = []
  }
})
process.once('disconnect', () => process.exit(0))

let next = 0
const start = async () => {
  while (next < total) await keep(next++)
}
await Promise.all(Array.from({ length: STARTING_MAX }, start))
