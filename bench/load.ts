// Load generator in a process of its own: raw keep-alive sockets with one open request each,
// without pipelining. Receives `LoadOrder`s over IPC and answers each with a `LoadResult`.
import { connect, type Socket } from 'node:net'

export type LoadOrder = Readonly<{
  port: number
  /** Requested in turn. */
  paths: readonly string[]
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined
  connections: number
  durationMs: number
}>

export type LoadResult = Readonly<{
  requests: number
  /** Answers with a status other than 200. */
  refused: number
  seconds: number
  p50Ms: number
  p99Ms: number
  bytes: number
}>

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH_NAME = Buffer.from('content-length: ')
/** Maximum number of latencies per run; later ones are dropped. */
const SAMPLES_MAX = 2_000_000

/** Sends requests for `durationMs` and returns the results. Throws if a socket fails. */
async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const run = new Run(order)
  const sockets = await Promise.all(
    Array.from({ length: order.connections }, () => opened(order.port)),
  )
  const startedMs = performance.now()
  await Promise.all(sockets.map((socket) => run.drive(socket, startedMs + order.durationMs)))
  const seconds = (performance.now() - startedMs) / 1000
  for (const socket of sockets) socket.destroy()
  return run.result(seconds)
}

const headersText = ({ headers = {} }: LoadOrder) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

class Run {
  private readonly requests: readonly Buffer[]
  private readonly latenciesMs = new Float64Array(SAMPLES_MAX)
  private sent = 0
  private answered = 0
  private refused = 0
  private bytes = 0

  constructor(order: LoadOrder) {
    this.requests = order.paths.map((path) =>
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${order.port}\r\nconnection: keep-alive\r\n${headersText(order)}\r\n`,
      ),
    )
  }

  /** Keeps one open request on `socket` until `endMs`; resolves after the last answer. */
  drive(socket: Socket, endMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let sentMs = 0
      const send = () => {
        sentMs = performance.now()
        socket.write(this.requests[this.sent++ % this.requests.length] as Buffer)
      }
      const answered = new AnswerReader((isOk) => {
        const nowMs = performance.now()
        if (this.answered < SAMPLES_MAX) this.latenciesMs[this.answered] = nowMs - sentMs
        this.answered += 1
        if (!isOk) this.refused += 1
        if (nowMs < endMs) send()
        else resolve()
      })
      socket.on('data', (chunk: Buffer) => {
        this.bytes += chunk.length
        answered.read(chunk)
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection under load')))
      send()
    })
  }

  result(seconds: number): LoadResult {
    const sorted = this.latenciesMs.subarray(0, Math.min(this.answered, SAMPLES_MAX)).sort()
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
    const { answered: requests, refused, bytes } = this
    return { requests, refused, bytes, seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}

/** Splits a stream of chunks into answers by content-length. */
class AnswerReader {
  private readonly onAnswer: (isOk: boolean) => void
  private head: Buffer = Buffer.alloc(0)
  private bodyLeft = 0
  private isOk = false

  constructor(onAnswer: (isOk: boolean) => void) {
    this.onAnswer = onAnswer
  }

  read(chunk: Buffer): void {
    if (this.bodyLeft > 0) this.takeBody(chunk)
    else this.takeHead(this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]))
  }

  private takeHead(bytes: Buffer): void {
    const end = bytes.indexOf(HEAD_END)
    if (end < 0) {
      this.head = bytes
      return
    }
    this.head = Buffer.alloc(0)
    this.isOk = bytes.toString('latin1', 9, 12) === '200'
    this.bodyLeft = parseContentLength(bytes, end)
    this.takeBody(bytes.subarray(end + HEAD_END.length))
  }

  private takeBody(bytes: Buffer): void {
    this.bodyLeft -= bytes.length
    if (this.bodyLeft < 0) throw new Error('the answer is longer than its content-length')
    if (this.bodyLeft === 0) this.onAnswer(this.isOk)
  }
}

function parseContentLength(bytes: Buffer, headEnd: number): number {
  let at = bytes.indexOf(LENGTH_NAME)
  if (at < 0 || at > headEnd) {
    // Some servers capitalise the name.
    at = bytes.toString('latin1', 0, headEnd).toLowerCase().indexOf('content-length: ')
    if (at < 0) throw new Error('the answer has no content-length')
  }
  const start = at + LENGTH_NAME.length
  return Number(bytes.toString('latin1', start, bytes.indexOf('\r', start)))
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

if (process.send !== undefined && import.meta.main) {
  process.on('message', (order: LoadOrder) => {
    runLoad(order).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
