// Measures the time from the node's announcement of a block to the first answer of the API at that
// block, on a devnet with trading. The API is polled continuously on one connection.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { DevnetMessage } from './devnet.ts'
import type { Section } from './table.ts'

/** Budget of architecture section 10. */
const P50_MS_MAX = 10
const P99_MS_MAX = 25
const BLOCKS = 200
/** Initial blocks that do not count. */
const WARM_UP_BLOCKS = 20
/** Time limit for a block to appear, after which the run fails. */
const DEADLINE_MS = 10_000
const PATH = '/orderbook/ETH-USDC'

export async function measureLatency(): Promise<Section> {
  const devnet = fork(new URL('./devnet.ts', import.meta.url))
  try {
    const { apiUrl, rpcUrl } = await spoken(devnet)
    const samples = (await latencies(apiUrl, rpcUrl)).toSorted((a, b) => a - b)
    const at = (share: number) => samples[Math.floor((samples.length - 1) * share)] ?? Number.NaN
    const row = (name: string, share: number, budget?: number) => {
      const value = at(share)
      const verdict = budget === undefined ? '' : value <= budget ? 'met' : `above ${budget} ms`
      return [name, `${value.toFixed(1)} ms`, verdict]
    }
    return {
      title: `Block at the RPC to REST, ${samples.length} blocks of a devnet with traders on PGlite`,
      columns: ['', 'latency', 'budget'],
      rows: [row('p50', 0.5, P50_MS_MAX), row('p99', 0.99, P99_MS_MAX), row('max', 1)],
    }
  } finally {
    await stopped(devnet)
  }
}

async function spoken(devnet: ChildProcess): Promise<DevnetMessage> {
  const ended = once(devnet, 'exit').then(([code]) => {
    throw new Error(`the devnet ended with ${code}`)
  })
  const [message] = (await Promise.race([once(devnet, 'message'), ended])) as [DevnetMessage]
  return message
}

async function stopped(devnet: ChildProcess): Promise<void> {
  if (devnet.exitCode !== null || !devnet.connected) return
  const ended = once(devnet, 'exit')
  devnet.send('stop')
  await ended
}

async function latencies(apiUrl: string, rpcUrl: string): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const heads = new Heads(rpcUrl)
  const samples: number[] = []
  try {
    for (let block = 0; block < WARM_UP_BLOCKS + BLOCKS; block++) {
      const { number, atMs } = await heads.next()
      let servedNumber = -1
      while (servedNumber < number) {
        if (performance.now() - atMs > DEADLINE_MS)
          throw new Error(`block ${number} does not appear, REST is at ${servedNumber}`)
        servedNumber = await servedBlock(new URL(PATH, apiUrl), agent)
      }
      if (block >= WARM_UP_BLOCKS) samples.push(performance.now() - atMs)
    }
    return samples
  } finally {
    heads.close()
    agent.destroy()
  }
}

type SeenHead = Readonly<{ number: number; atMs: number }>

/** Newest head that the node announced. Heads that were not awaited are skipped. */
class Heads {
  readonly #socket: WebSocket
  #wait = Promise.withResolvers<SeenHead>()

  constructor(rpcUrl: string) {
    this.#socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'))
    this.#socket.addEventListener('open', () => {
      const request = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }
      this.#socket.send(JSON.stringify(request))
    })
    this.#socket.addEventListener('message', ({ data }) => {
      const atMs = performance.now()
      const { params } = JSON.parse(String(data)) as { params?: { result: { number: string } } }
      if (params !== undefined) this.#wait.resolve({ number: Number(params.result.number), atMs })
    })
    this.#socket.addEventListener('error', () => this.#wait.reject(new Error('the node is gone')))
  }

  next(): Promise<SeenHead> {
    this.#wait = Promise.withResolvers()
    return this.#wait.promise
  }

  close(): void {
    this.#socket.close()
  }
}

function servedBlock(url: URL, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(Number(response.headers['x-block-number'] ?? -1)))
    }).on('error', reject)
  })
}
