// Uses several nodes of a chain as one: requests go to the best one, and disputes to all. An
// endpoint that fails, lags or contradicts the others is penalised and retried later.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Header } from '@openvenue/core/events'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import type { Rpc } from './rpc.ts'

/** In a dispute, a slower endpoint abstains. */
const VOTE_MS_MAX = 2_000
/** Penalty of a first strike, milliseconds; it doubles with each, up to the maximum. */
const PENALTY_MS = 500
const PENALTY_MS_MAX = 60_000
/** Strikes of an endpoint that a majority contradicts. */
const STRIKES_OF_MINORITY = 7

type Peer = {
  readonly index: number
  readonly rpc: Rpc
  /** True once it is known to serve the expected chain. */
  isAdmitted: boolean
  head: Header | undefined
  strikes: number
  backUntilMs: number
}

type EndpointsOptions = Readonly<{
  /** Monotonic clock, milliseconds. */
  nowMs: () => number
  /** False: no endpoint is used before `admit`. */
  areAdmitted?: boolean
}>

export class Endpoints {
  readonly #peers: readonly Peer[]
  readonly #nowMs: () => number

  constructor(rpcs: readonly Rpc[], { nowMs, areAdmitted = true }: EndpointsOptions) {
    this.#nowMs = nowMs
    this.#peers = rpcs.map((rpc, index) => ({
      index,
      rpc,
      isAdmitted: areAdmitted,
      head: undefined,
      strikes: 0,
      backUntilMs: 0,
    }))
  }

  get count(): number {
    return this.#peers.length
  }

  /** The highest head of endpoints without a penalty; undefined before the first. */
  get head(): Header | undefined {
    return this.#inOrder().find(({ head }) => head !== undefined)?.head
  }

  /**
   * The height reached by more than half of the endpoints without a penalty; undefined before the
   * first head. Finality is counted from it, so that a single endpoint cannot finalise blocks.
   */
  get commonHeight(): number | undefined {
    const inUse = this.#inOrder().filter((peer) => !this.#isBack(peer))
    const heights = (inUse.length > 0 ? inUse : this.#peers).flatMap(
      ({ head }) => head?.number ?? [],
    )
    return heights.toSorted((a, b) => b - a)[Math.floor(heights.length / 2)]
  }

  /** Admits an endpoint that serves the expected chain. */
  admit(index: number): void {
    const peer = this.#peers[index]
    if (peer !== undefined) peer.isAdmitted = true
  }

  /** Records an endpoint's newest block. */
  recordHead(index: number, head: Header): void {
    const peer = this.#peers[index]
    if (peer !== undefined) peer.head = head
  }

  /** Returns whether heads of this endpoint wait: it is penalised while another one is not. */
  readonly isIgnored = (index: number): boolean =>
    this.#isBack(this.#peers[index]) &&
    this.#peers.some((peer) => peer.isAdmitted && !this.#isBack(peer))

  /** Penalises an endpoint, longer each time until `forgive`. */
  penalise(index: number, strikes = 1): void {
    const peer = this.#peers[index]
    if (peer === undefined) return
    peer.strikes = Math.min(STRIKES_OF_MINORITY, peer.strikes + strikes)
    const ms = Math.min(PENALTY_MS_MAX, PENALTY_MS * 2 ** (peer.strikes - 1))
    peer.backUntilMs = this.#nowMs() + ms
  }

  /** Resets the strikes of an endpoint without a current penalty, since its head was reached. */
  forgive(index: number): void {
    const peer = this.#peers[index]
    if (peer !== undefined && !this.#isBack(peer)) peer.strikes = 0
  }

  /**
   * Sends to the best endpoint, and to the next when it fails or refuses. Throws the error of the
   * first that refused, or else of the last one.
   */
  readonly rpc: Rpc = async (calls) => {
    let failure = new RpcError('unreachable', 'no node is known to serve the chain yet')
    for (const peer of this.#inOrder()) {
      try {
        return await peer.rpc(calls)
      } catch (error) {
        if (!(error instanceof RpcError) || isFinal(error)) throw error
        if (error.kind !== 'refused') this.penalise(peer.index)
        if (failure.kind !== 'refused') failure = error
      }
    }
    throw failure
  }

  /**
   * Asks every endpoint; undefined for each that does not answer. Throws when none does. A single
   * endpoint needs no vote: its failure is thrown.
   */
  async ask(calls: readonly RpcCall[]): Promise<readonly (readonly unknown[] | undefined)[]> {
    if (this.count === 1) return [await this.rpc(calls)]
    const answers = await Promise.all(this.#peers.map((peer) => this.#vote(peer, calls)))
    if (answers.every((answer) => answer === undefined))
      throw new RpcError('unreachable', 'no node answers')
    return answers
  }

  async #vote({ rpc, isAdmitted }: Peer, calls: readonly RpcCall[]) {
    if (!isAdmitted) return undefined
    const over = new AbortController()
    const late = sleep(VOTE_MS_MAX, undefined, { signal: over.signal }).catch(() => undefined)
    try {
      return await Promise.race([rpc(calls), late])
    } catch (error) {
      if (error instanceof RpcError) return undefined
      throw error
    } finally {
      over.abort()
    }
  }

  /** Penalises endpoints that a majority contradicts. */
  condemn(indexes: readonly number[]): void {
    for (const index of indexes) this.penalise(index, STRIKES_OF_MINORITY)
  }

  readonly #isBack = (peer: Peer | undefined) => (peer?.backUntilMs ?? 0) > this.#nowMs()

  /** Endpoints without a penalty first, then by higher head, then in configured order. */
  #inOrder(): readonly Peer[] {
    const rank = (peer: Peer) => (this.#isBack(peer) ? 1 : 0)
    const height = ({ head }: Peer) => head?.number ?? -1
    return this.#peers
      .filter(({ isAdmitted }) => isAdmitted)
      .toSorted((a, b) => rank(a) - rank(b) || height(b) - height(a) || a.index - b.index)
  }
}

/** A revert and an oversized answer are the same at every endpoint. */
const isFinal = ({ kind, code }: RpcError) => kind === 'tooLarge' || code === 3
