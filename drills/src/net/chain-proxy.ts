// A faulty node of the chain: a proxy of the real one that shows an older or another chain, or
// withholds logs.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, keccak256 } from 'viem'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/**
 * `lag`: shows the chain some blocks ago. `shortLogs`: knows every block, but no logs of the newest
 * ones, like a balancer with a lagging node. `noLogs`: the same, with an empty list by hash.
 * `wrongHash`: returns another hash for every block whose number is a multiple of three. `refuse`:
 * answers 503. `stuck`: stays at one block. `forgets`: accepts transactions without forwarding
 * them.
 */
export type ChainFault =
  | Readonly<{ kind: 'honest' }>
  | Readonly<{ kind: 'lag'; blocks: number }>
  | Readonly<{ kind: 'stuck'; block: number }>
  | Readonly<{ kind: 'shortLogs'; blocks: number }>
  | Readonly<{ kind: 'noLogs'; blocks: number }>
  | Readonly<{ kind: 'wrongHash' }>
  | Readonly<{ kind: 'refuse' }>
  | Readonly<{ kind: 'forgets' }>

const HONEST: ChainFault = { kind: 'honest' }
const WRONG_EVERY = 3

type ProxyCall = Readonly<{ id?: unknown; method: string; params?: readonly unknown[] }>
type ProxyReply = { id?: unknown; result?: unknown; error?: { code: number; message: string } }
type Block = Record<string, unknown> & { number: string; hash: string; parentHash: string }

const quantity = (value: number) => `0x${Math.max(0, value).toString(16)}`

export class ChainProxy {
  readonly port: number
  readonly #server: Server
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #upstreamUrl: string
  #fault: ChainFault = HONEST
  /** True hashes by false ones. */
  readonly #falseHashes = new Map<string, string>()

  private constructor(server: Server, upstreamUrl: string) {
    this.#server = server
    this.#upstreamUrl = upstreamUrl
    this.port = (server.address() as AddressInfo).port
    server.on('request', (request, response) => void this.#answer(request, response))
    server.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#follow(client))
    })
  }

  static async open(upstreamUrl: string): Promise<ChainProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ChainProxy(server, upstreamUrl)
  }

  set fault(fault: ChainFault) {
    this.#fault = fault
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readText(request)
      if (this.#fault.kind === 'refuse') {
        response.writeHead(503).end()
        return
      }
      const calls = JSON.parse(body) as ProxyCall | readonly ProxyCall[]
      const replies = await this.#ask(Array.isArray(calls) ? calls : [calls as ProxyCall])
      const answer = Array.isArray(calls) ? replies : replies[0]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    } catch {
      // The upstream node is down, so this one is, too.
      response.destroy()
    }
  }

  /** Asks the real node, in one request with its height, and applies the fault to the answers. */
  async #ask(calls: readonly ProxyCall[]): Promise<ProxyReply[]> {
    if (this.#fault.kind === 'honest') return this.#post(calls)
    const sent = calls.map((call, index) => ({ ...this.#toUpstream(call), id: index }))
    const height = { method: 'eth_blockNumber', params: [], id: calls.length }
    const replies = await this.#post([...sent, height])
    const byId = new Map(replies.map((reply) => [reply.id, reply]))
    const head = Number(byId.get(calls.length)?.result)
    return Promise.all(
      calls.map(async (call, index) => ({
        jsonrpc: '2.0',
        ...(await this.#applyFault(call, byId.get(index) ?? {}, head)),
        id: call.id,
      })),
    )
  }

  async #post(calls: readonly object[]): Promise<ProxyReply[]> {
    const response = await fetch(this.#upstreamUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.map((call) => ({ jsonrpc: '2.0', ...call }))),
    })
    return (await response.json()) as ProxyReply[]
  }

  #toUpstream(call: ProxyCall): ProxyCall {
    return this.#isForgotten(call)
      ? { method: 'eth_blockNumber', params: [] }
      : this.#restoreHashes(call)
  }

  #isForgotten({ method }: ProxyCall): boolean {
    return this.#fault.kind === 'forgets' && method === 'eth_sendRawTransaction'
  }

  /** Replaces a false hash in a call by the true one. */
  #restoreHashes(call: ProxyCall): ProxyCall {
    const text = JSON.stringify(call.params ?? [])
    for (const [wrong, right] of this.#falseHashes)
      if (text.includes(wrong))
        return { ...call, params: JSON.parse(text.replaceAll(wrong, right)) as unknown[] }
    return call
  }

  /** Returns the newest visible block. */
  #newestVisible(head: number): number {
    if (this.#fault.kind === 'lag') return Math.max(0, head - this.#fault.blocks)
    return this.#fault.kind === 'stuck' ? Math.min(head, this.#fault.block) : head
  }

  async #applyFault(call: ProxyCall, reply: ProxyReply, head: number): Promise<ProxyReply> {
    if (this.#isForgotten(call)) return { ...reply, result: keccak256(call.params?.[0] as Hex) }
    const top = this.#newestVisible(head)
    if (call.method === 'eth_blockNumber') return { ...reply, result: quantity(top) }
    if (call.method === 'eth_getLogs') return this.#filterLogs(call, reply, head)
    if (!call.method.startsWith('eth_getBlock')) return reply
    const isNewest = call.params?.[0] === 'latest'
    if (isNewest && top < head) {
      const [at] = await this.#post([
        { ...call, params: [quantity(top), ...(call.params ?? []).slice(1)] },
      ])
      return this.#falsifyHash(at ?? {})
    }
    const { result } = reply
    const number = Array.isArray(result) ? result[0]?.blockNumber : (result as Block | null)?.number
    if (number !== undefined && Number(number) > top) return { ...reply, result: null }
    return this.#falsifyHash(reply)
  }

  #filterLogs(call: ProxyCall, reply: ProxyReply, head: number): ProxyReply {
    const fault = this.#fault
    const [filter] = (call.params ?? []) as { blockHash?: string }[]
    const isShort = fault.kind === 'shortLogs' || fault.kind === 'noLogs'
    const top = isShort ? head - fault.blocks : this.#newestVisible(head)
    if (!Array.isArray(reply.result)) return reply
    const logs = (reply.result as { blockNumber: string }[]).filter(
      ({ blockNumber }) => Number(blockNumber) <= top,
    )
    const isUnknown = filter?.blockHash !== undefined && logs.length < reply.result.length
    if (isUnknown && fault.kind !== 'noLogs')
      return { error: { code: -32_000, message: 'unknown block' } }
    return { ...reply, result: logs }
  }

  /** Replaces the hash of every third block. */
  #falsifyHash(reply: ProxyReply): ProxyReply {
    const block = reply.result as Block | null | undefined
    const isFaulty = this.#fault.kind === 'wrongHash' && typeof block?.hash === 'string'
    if (!isFaulty || Number(block.number) % WRONG_EVERY !== 0) return reply
    const wrong = `0x${'bad'.padEnd(8, '0')}${block.hash.slice(10)}`
    this.#falseHashes.set(wrong, block.hash)
    return { ...reply, result: { ...block, hash: wrong } }
  }

  /** Forwards a subscription to newHeads, with each head as the fault shows it. */
  #follow(client: WebSocket): void {
    const upstream = new WebSocket(this.#upstreamUrl.replace('http', 'ws'))
    const early: RawData[] = []
    client.on('message', (text) => {
      if (upstream.readyState === WebSocket.OPEN) upstream.send(String(text))
      else early.push(text)
    })
    upstream.on('open', () => {
      for (const text of early) upstream.send(String(text))
    })
    upstream.on('message', (text) => void this.#pass(String(text), client))
    for (const [side, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      side.on('close', () => other.terminate())
      side.on('error', () => other.terminate())
    }
  }

  async #pass(text: string, client: WebSocket): Promise<void> {
    const message = JSON.parse(text) as { params?: { result?: Block } }
    const block = message.params?.result
    const head = Number(block?.number)
    if (block === undefined || this.#fault.kind === 'honest') return client.send(text)
    if (this.#fault.kind === 'refuse') return
    const visible = await this.#applyFault(
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { result: block },
      head,
    ).catch(() => undefined)
    if (visible?.result == null) return
    client.send(
      JSON.stringify({ ...message, params: { ...message.params, result: visible.result } }),
    )
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
