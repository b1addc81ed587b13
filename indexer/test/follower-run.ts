// A follower on a store, driven by heads from a test.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Writer } from '@openvenue/store/store'
import { parseHeader } from '../src/chain.ts'
import { Endpoints } from '../src/endpoints.ts'
import { compileEvents } from '../src/events.ts'
import { type Doubt, Follower } from '../src/follow.ts'
import { HeadFeed } from '../src/heads.ts'
import type { Rpc } from '../src/rpc.ts'
import type { FakeChain } from './chain.ts'
import { FAKE_DEPLOYMENT } from './venue.ts'

export const FINALITY_BLOCKS = 30
const DEADLINE_MS = 20_000

/** Several nodes as one, on the clock of this process. */
export const joinEndpoints = (...rpcs: readonly Rpc[]) =>
  new Endpoints(rpcs, { nowMs: () => performance.now() })

export class FollowerRun {
  readonly chain: FakeChain
  readonly failures: unknown[] = []
  readonly doubts: Doubt[] = []
  readonly rereads: number[] = []
  undone: number[] = []
  commits = 0
  /** Offset of its clock to that of this process. */
  aheadMs = 0
  readAnew = 0
  readonly #endpoints: Endpoints
  readonly #heads: HeadFeed
  readonly #stopped = new AbortController()
  readonly ended: Promise<void>
  #synced: string | undefined
  #isEnded = false
  #signal: () => void = () => {}

  constructor(chain: FakeChain, writer: Writer, endpoints = joinEndpoints(chain.rpc)) {
    this.chain = chain
    this.#endpoints = endpoints
    this.#heads = new HeadFeed(endpoints.isIgnored)
    const follower = new Follower({
      endpoints,
      nowMs: () => performance.now() + this.aheadMs,
      writer,
      events: compileEvents(FAKE_DEPLOYMENT),
      heads: this.#heads,
      startBlock: FAKE_DEPLOYMENT.startBlock,
      finalityBlocks: FINALITY_BLOCKS,
      retryMs: 2,
      watch: {
        readingAnew: () => {
          this.readAnew++
        },
        loaded: (synced) => this.#sees(synced?.hash),
        committed: ({ synced }) => {
          this.commits++
          this.#sees(synced.hash)
        },
        undone: (from, to) => {
          this.undone.push(from.number - to)
          this.#signal()
        },
        doubted: (why) => {
          this.doubts.push(why)
          this.#signal()
        },
        rereading: (_error, depth) => {
          this.rereads.push(depth)
          this.#signal()
        },
        failed: (error) => {
          this.failures.push(error)
          this.#signal()
        },
      },
    })
    this.ended = follower.follow(this.#stopped.signal)
    this.ended.catch(() => {
      this.#isEnded = true
    })
  }

  get synced(): string | undefined {
    return this.#synced
  }

  /** Sends the follower a head, by default the chain's own, from an endpoint. */
  sendHead(message: object = this.chain.headMessage(), endpoint = 0): void {
    const header = parseHeader(message, { endpoint, way: 'polled' })
    this.#endpoints.recordHead(endpoint, header)
    this.#heads.offer(header)
  }

  /** Sends it the chain's head and waits until that is committed. */
  async reachHead(): Promise<void> {
    this.sendHead()
    await this.until('the head is reached', () => this.#synced === this.chain.head.hash)
  }

  /** Waits until `isThere`, checked after each event of the follower; fails if it ends. */
  async until(claim: string, isThere: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(DEADLINE_MS)
    late.addEventListener('abort', () => this.#signal())
    while (!isThere() && !late.aborted) {
      const seen = new Promise<void>((resolve) => {
        this.#signal = resolve
      })
      await Promise.race([seen, this.ended])
    }
    assert.ok(isThere(), `${claim} in time`)
  }

  /** Waits until the last sent head was processed. */
  async taken(): Promise<void> {
    while (this.#heads.isWaiting && !this.#isEnded) await setImmediate()
    await setImmediate()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.ended
  }

  #sees(hash: string | undefined): void {
    this.#synced = hash
    this.#signal()
  }
}
