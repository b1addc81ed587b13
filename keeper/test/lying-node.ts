// A proxy between a keeper and its node that misbehaves like real nodes: false answers, dropped
// connections, silence and delays.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestClock } from './clock.ts'

type Call = Readonly<{ id: unknown; method: string; params: readonly unknown[] }>
type Reply = Readonly<{ jsonrpc: '2.0'; id: unknown; result?: unknown; error?: unknown }>

export class LyingNode {
  /** `cut`: the connection closes. `frozen`: no answer. `cut after`: closes after the call. */
  mode: 'well' | 'cut' | 'frozen' | 'cut after' = 'well'
  lateMs = 0
  /** Requests in the mode `cut`. */
  cuts = 0
  /** Changes replies. */
  lie: (call: Call, reply: Reply) => Reply = (_, reply) => reply
  /** Requested methods, in order. */
  readonly asked: string[] = []
  readonly #server: Server
  readonly #frozen = new Set<ServerResponse>()
  readonly #clock: TestClock

  private constructor(url: string, clock: TestClock) {
    this.#clock = clock
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.#answer(url, Buffer.concat(chunks).toString(), response).catch(() =>
          response.destroy(),
        )
      })
    })
  }

  /** `clock` measures `lateMs`. */
  static async before(url: string, clock: TestClock): Promise<LyingNode> {
    const node = new LyingNode(url, clock)
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve))
    return node
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Returns to normal behaviour; connections of waiting calls are closed. */
  behave(): void {
    this.mode = 'well'
    this.lateMs = 0
    this.lie = (_, reply) => reply
    for (const response of this.#frozen) response.destroy()
    this.#frozen.clear()
  }

  async stop(): Promise<void> {
    this.behave()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(url: string, body: string, response: ServerResponse): Promise<void> {
    const { mode, lateMs } = this
    if (mode === 'cut') {
      this.cuts++
      return void response.destroy()
    }
    if (mode === 'frozen') return void this.#frozen.add(response)
    const calls = [JSON.parse(body)].flat() as Call[]
    this.asked.push(...calls.map(({ method }) => method))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    const replies = [await answer.json()].flat() as Reply[]
    if (mode === 'cut after') return void response.destroy()
    const said = replies.map((reply) => {
      const call = calls.find(({ id }) => id === reply.id)
      return call === undefined ? reply : this.lie(call, reply)
    })
    if (lateMs > 0) await this.#clock.delay(lateMs)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body.trimStart().startsWith('[') ? said : said[0]))
  }
}
