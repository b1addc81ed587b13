// Holds a plain WebSocket of the venue, as a bot would.

export type Frame = Readonly<{
  channel: string
  type: 'snapshot' | 'update' | 'undo'
  seq: number
  prev_seq: number | null
  block_number: number
  data: unknown
}>

type Reply = Readonly<{ id?: number; data?: unknown; error?: string }>

const ANSWERED_WITHIN_MS = 10_000

export class SocketClient {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  readonly #listeners: ((frame: Frame) => void)[] = []
  #id = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)))
  }

  /** Connects to `/ws` of the API. */
  static async open(apiUrl: string): Promise<SocketClient> {
    const socket = new WebSocket(`${apiUrl.replace('http', 'ws')}/ws`)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error('the socket opens'))
    })
    return new SocketClient(socket)
  }

  /** Calls `listener` with every frame of a channel. */
  onFrame(listener: (frame: Frame) => void): void {
    this.#listeners.push(listener)
  }

  /** Asks and returns the data of the reply. Throws the code of a refusal. */
  async ask(op: string, data?: unknown): Promise<unknown> {
    const id = ++this.#id
    const reply = new Promise<Reply>((resolve, reject) => {
      this.#waiting.set(id, resolve)
      setTimeout(() => reject(new Error(`${op} is answered`)), ANSWERED_WITHIN_MS).unref()
    })
    this.#socket.send(JSON.stringify({ op, id, ...(data === undefined ? {} : { data }) }))
    const { data: answer, error } = await reply
    if (error !== undefined) throw new Error(error)
    return answer
  }

  close(): void {
    this.#socket.close()
  }

  #take(message: Frame & Reply): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message)
    else if (message.channel !== undefined)
      for (const listener of this.#listeners) listener(message)
  }
}
