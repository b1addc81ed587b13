// Sends what the keeper has decided: one owner of the key's nonces, in order, a bounded number on
// their way at a time. What is stuck is replaced at a higher fee, what was dropped or undone by a
// reorg is sent again, and what a former process left is waited for or replaced.
import { type Hex, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type ChainLook, lookAt, weiOf } from './chain-look.ts'
import { Bell, type Clock } from './clock.ts'
import { type Fee, feeOf, raised, replaces } from './fees.ts'
import {
  type Call,
  type Flight,
  flightOf,
  type Outcome,
  sign,
  type Taken,
  takenOf,
  tellOnce,
  tellSent,
  type Waiting,
  whatOf,
} from './flight.ts'
import { type Node, quantity } from './node.ts'
import { type Reason, reasonOf, refusalOf } from './reason.ts'

/** What others like to know of it. */
export type SenderWatch = Readonly<{
  sent(what: string, nonce: number): void
  replaced(what: string, nonce: number, fee: Fee): void
  /** Dropped by the pool, or undone by a reorg. */
  resent(what: string, nonce: number): void
  /** Nonces that another process of this key has used, or left waiting. */
  foreign(nonce: number): void
  /** The fee has reached its cap and the transaction still waits. */
  capped(what: string, nonce: number): void
  /** The node does not want it though it would work: no funds, an offer too low, a full pool. */
  untaken(what: string, words: string): void
  inFlight(count: number): void
  failed(error: unknown): void
}>

export type SenderDeps = Readonly<{
  node: Node
  account: PrivateKeyAccount
  chainId: number
  clock: Clock
  /** Whether this process may send now. Asked right before each transaction. */
  mayAct: () => boolean
  watch: SenderWatch
  /** A transaction that waits longer while blocks come is replaced. */
  stuckMs?: number
  /** So many blocks on top, and a transaction is never looked at again. */
  depth?: number
  /** The most that is offered, wei per unit of gas. */
  feeCap?: bigint
}>

/** Nodes keep about this many of one account that wait for each other. */
export const IN_FLIGHT_MAX = 16
/** Three blocks of a slow chain. */
export const STUCK_MS = 36_000
export const DEPTH_BLOCKS = 12
/** 500 gwei. */
export const FEE_CAP_WEI = 500_000_000_000n
/** State may change between the estimate and the block: a third more than it said. */
const GAS_NUMERATOR = 4n
const GAS_DENOMINATOR = 3n
/** A pool that does not keep what it is given is asked this often. */
const RESEND_MS = 1_000
/** Pause between looks while something is on its way, and while nothing is or the node fails. */
const BUSY_MS = 150
const IDLE_MS = 1_000
/** A node behind a balancer may answer from a moment ago: what it says once is not believed. */
const LOOKS_TO_BELIEVE = 2
/** Nonces of another process that are waited for, at a time. */
const ADOPTED_MAX = 64

export class Sender {
  readonly #deps: SenderDeps
  readonly #bell = new Bell()
  /** By nonce, ascending, without a gap. */
  #flights: Flight[] = []
  #waiting: Waiting[] = []
  /** Calls that have lost their nonces. */
  #aside: Waiting[] = []
  #isOn = false
  #gapLooks = 0

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  get address(): string {
    return this.#deps.account.address
  }

  /**
   * Simulates `call` and, unless it would revert, sends it. Returns once it is in a block. Throws
   * `NodeFailed` when the simulation gets no answer.
   */
  async send(call: Call): Promise<Outcome> {
    const [outcome] = await this.sendAll([call])
    return outcome ?? { kind: 'abandoned' }
  }

  /** As `send`: each is simulated on the newest block, and they go out in this order. */
  async sendAll(calls: readonly Call[]): Promise<readonly Outcome[]> {
    if (!this.#isOn) return calls.map(() => ({ kind: 'abandoned' }))
    const gases = await this.#gasesOf(calls)
    return Promise.all(calls.map((call, at) => this.#queue(call, gases[at])))
  }

  #queue(call: Call, gas: bigint | Reason | undefined): Promise<Outcome> | Outcome {
    if (gas === undefined || !this.#isOn) return { kind: 'abandoned' }
    if (typeof gas !== 'bigint') return { kind: 'refused', reason: gas }
    return new Promise((tell) => {
      this.#await({ call, gas, tell })
      this.#bell.ring()
    })
  }

  /** Has `waiting` wait for a nonce: behind its like, urgent ones before all others. */
  #await(waiting: Waiting): void {
    const first = this.#waiting.findIndex(({ call }) => call.isUrgent !== true)
    if (waiting.call.isUrgent !== true || first < 0) this.#waiting.push(waiting)
    else this.#waiting.splice(first, 0, waiting)
  }

  /** Works until `signal` aborts; then everything on its way is abandoned. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, watch } = this.#deps
    this.#isOn = true
    try {
      while (!signal.aborted) {
        const isWell = await this.#step().then(
          () => true,
          (error: unknown) => {
            watch.failed(error)
            return false
          },
        )
        const isBusy = isWell && this.#open().length > 0
        await this.#bell.heard(clock, isBusy ? BUSY_MS : IDLE_MS, signal)
      }
    } finally {
      this.#isOn = false
      for (const { tell } of [...this.#waiting, ...this.#aside]) tell({ kind: 'abandoned' })
      for (const flight of this.#flights) tellOnce(flight, { kind: 'abandoned' })
      this.#waiting = []
      this.#aside = []
      this.#flights = []
    }
  }

  async #gasesOf(calls: readonly Call[]): Promise<readonly (bigint | Reason)[]> {
    const { node, account } = this.#deps
    const answers = await node.batch(
      calls.map(({ to, data, gasMax }) => ({
        method: 'eth_estimateGas',
        params: [
          {
            ...{ from: account.address, to, data },
            ...(gasMax === undefined ? {} : { gas: numberToHex(gasMax) }),
          },
          'latest',
        ],
      })),
    )
    return answers.map((answer, at) => {
      if (!('result' in answer)) return reasonOf(answer.data, answer.refused)
      const estimated = (weiOf(answer.result) * GAS_NUMERATOR) / GAS_DENOMINATOR
      const { gasMin = estimated, gasMax } = calls[at] ?? {}
      const gas = estimated < gasMin ? gasMin : estimated
      return gasMax !== undefined && gas > gasMax ? gasMax : gas
    })
  }

  #open(): Flight[] {
    return this.#flights.filter(({ place }) => place === undefined)
  }

  async #step(): Promise<void> {
    const look = await this.#look()
    await this.#settle(look)
    await this.#sendAnew()
    this.#forgetFinal(look)
    this.#adopt(look)
    for (const flight of this.#open()) await this.#mend(flight, look)
    await this.#sendWaiting(look)
    this.#deps.watch.inFlight(this.#open().length)
  }

  /** Looks once, and again when the newest block with a transaction of ours was undone. */
  async #look(): Promise<ChainLook> {
    const anchor = this.#flights.findLast(({ place }) => place !== undefined)?.place
    const look = await this.#lookOnce(anchor?.blockNumber)
    if (anchor === undefined || look.anchorHash === anchor.blockHash) return look
    for (const flight of this.#flights) flight.place = undefined
    return this.#lookOnce(undefined)
  }

  #lookOnce(anchorNumber: number | undefined): Promise<ChainLook> {
    const { node, account } = this.#deps
    const open = this.#open()
    return lookAt(node, {
      address: account.address,
      receipts: open.flatMap(({ hashes }) => hashes),
      presence: open.flatMap(({ hashes }) => hashes),
      anchorNumber,
    })
  }

  /** Tells of what is in a block by now, and takes back what somebody else's nonce displaced. */
  async #settle(look: ChainLook): Promise<void> {
    for (const flight of this.#open()) {
      const hash = flight.hashes.find((version) => look.places.has(version))
      const place = hash && look.places.get(hash)
      if (hash !== undefined && place !== undefined) {
        const placed = { ...place, hash }
        // A node that is away now is asked again at the next look, since it is still open then.
        if (!flight.isTold) tellOnce(flight, await this.#outcomeOf(flight, placed))
        flight.place = placed
        flight.usedLooks = 0
      } else flight.usedLooks = look.mined > flight.nonce ? flight.usedLooks + 1 : 0
    }
    const displaced = this.#flights.filter(({ usedLooks }) => usedLooks >= LOOKS_TO_BELIEVE)
    this.#flights = this.#flights.filter((flight) => !displaced.includes(flight))
    this.#putAside(displaced)
    this.#noticeGap(look)
  }

  async #outcomeOf(flight: Flight, place: NonNullable<Flight['place']>): Promise<Outcome> {
    const { hash, blockNumber, isDone } = place
    if (isDone) return { kind: 'included', hash, blockNumber }
    return {
      kind: 'reverted',
      hash,
      blockNumber,
      reason: await this.#reasonOf(flight, blockNumber),
    }
  }

  /** Asks for what the call would do on the block it failed in, which is mostly why. */
  async #reasonOf({ waiting }: Flight, blockNumber: number): Promise<Reason> {
    const { node, account } = this.#deps
    const { to, data } = waiting?.call ?? { to: account.address, data: '0x' }
    const params = [{ from: account.address, to, data }, quantity(blockNumber)]
    const [answer] = await node.batch([{ method: 'eth_call', params }])
    return (answer && refusalOf(answer)) ?? { name: 'reverted for a reason of its block', args: [] }
  }

  /** A reorg deeper than what is remembered gives nonces back: all of ours go out again. */
  #noticeGap(look: ChainLook): void {
    const first = this.#flights[0]?.nonce
    const isGap = first !== undefined && look.mined < first && look.pending < first
    this.#gapLooks = isGap ? this.#gapLooks + 1 : 0
    if (this.#gapLooks < LOOKS_TO_BELIEVE) return
    const all = this.#flights
    this.#flights = []
    this.#gapLooks = 0
    this.#putAside(all)
  }

  /** Puts the calls of `flights` aside, to be sent anew. */
  #putAside(flights: readonly Flight[]): void {
    for (const { nonce, waiting } of flights) {
      this.#deps.watch.foreign(nonce)
      if (waiting === undefined) continue
      this.#deps.watch.resent(waiting.call.what, nonce)
      // Who was told of it once hears no second word: a promise has one outcome.
      this.#aside.push(waiting)
    }
  }

  /** What was put aside is simulated again first: it may have become needless. */
  async #sendAnew(): Promise<void> {
    if (this.#aside.length === 0) return
    const gases = await this.#gasesOf(this.#aside.map(({ call }) => call))
    for (const [at, { call, tell }] of this.#aside.entries()) {
      const gas = gases[at]
      if (typeof gas === 'bigint') this.#await({ call, gas, tell })
      else if (gas !== undefined) tell({ kind: 'refused', reason: gas })
    }
    this.#aside = []
  }

  #forgetFinal({ head }: ChainLook): void {
    const { depth = DEPTH_BLOCKS } = this.#deps
    this.#flights = this.#flights.filter(
      ({ place }) => place === undefined || head.number - place.blockNumber < depth,
    )
  }

  /** Transactions of this key that another process left in the pool. */
  #adopt(look: ChainLook): void {
    const from = this.#nextNonce(look)
    const upTo = Math.min(look.pending, look.mined + ADOPTED_MAX)
    for (let nonce = from; nonce < upTo; nonce++) {
      this.#deps.watch.foreign(nonce)
      const at = { fee: this.#fee(look), head: look.head, nowMs: this.#deps.clock.nowMs() }
      this.#flights.push(flightOf(nonce, undefined, at))
    }
  }

  #nextNonce(look: ChainLook): number {
    const last = this.#flights.at(-1)
    return last === undefined ? look.mined : Math.max(last.nonce + 1, look.mined)
  }

  #fee({ head, tip }: ChainLook): Fee {
    const { feeCap = FEE_CAP_WEI } = this.#deps
    return feeOf(head.baseFee, tip, feeCap)
  }

  /** Sends again what the pool no longer has, and at a higher fee what does not get into blocks. */
  async #mend(flight: Flight, look: ChainLook): Promise<void> {
    if (look.mined > flight.nonce) return
    if (this.#isStuck(flight, look)) return this.#replace(flight, look)
    if (flight.raw === undefined || flight.hashes.some((hash) => look.known.has(hash))) return
    const nowMs = this.#deps.clock.nowMs()
    if (Math.abs(nowMs - flight.resentAtMs) < RESEND_MS) return
    flight.resentAtMs = nowMs
    this.#deps.watch.resent(whatOf(flight), flight.nonce)
    await this.#give(flight.raw)
  }

  #isStuck(flight: Flight, look: ChainLook): boolean {
    const { clock, stuckMs = STUCK_MS } = this.#deps
    const nowMs = clock.nowMs()
    // A clock that was set back must not make it wait longer.
    flight.sentAtMs = Math.min(flight.sentAtMs, nowMs)
    const isLate = nowMs - flight.sentAtMs >= stuckMs
    const isPassedOver = look.head.number > flight.sentAtBlock
    const isFirst = flight.nonce === look.mined
    return isLate && isPassedOver && (isFirst || flight.fee.max < this.#fee(look).max)
  }

  async #replace(flight: Flight, look: ChainLook): Promise<void> {
    const { feeCap = FEE_CAP_WEI, account, chainId, clock, watch } = this.#deps
    const fee = raised(flight.fee, this.#fee(look), feeCap)
    if (!replaces(fee, flight.fee)) {
      flight.sentAtMs = clock.nowMs()
      watch.capped(whatOf(flight), flight.nonce)
      if (flight.raw !== undefined) await this.#give(flight.raw)
      return
    }
    flight.fee = fee
    const taken = await this.#give(await sign(account, chainId, flight))
    // Another process's offer is higher still: raise again at the next look.
    if (taken === 'underpriced') return
    flight.sentAtMs = clock.nowMs()
    flight.sentAtBlock = look.head.number
    watch.replaced(whatOf(flight), flight.nonce, fee)
    tellSent(flight)
  }

  async #sendWaiting(look: ChainLook): Promise<void> {
    const { account, chainId, clock, mayAct, watch } = this.#deps
    while (this.#waiting.length > 0 && this.#open().length < IN_FLIGHT_MAX && mayAct()) {
      const waiting = this.#waiting.shift() as Waiting
      const at = { fee: this.#fee(look), head: look.head, nowMs: clock.nowMs() }
      const flight = flightOf(this.#nextNonce(look), waiting, at)
      this.#flights.push(flight)
      const taken = await this.#give(await sign(account, chainId, flight))
      if (taken === 'taken') {
        watch.sent(waiting.call.what, flight.nonce)
        tellSent(flight)
      } else if (!this.#takeBack(flight, taken)) return
    }
  }

  /** Undoes a first sending that the node did not take. Returns whether the next may go out. */
  #takeBack(flight: Flight, taken: Taken): boolean {
    this.#flights.pop()
    if (taken === 'used' || taken === 'underpriced') {
      // Somebody else has used the nonce since the look: the next look knows better.
      this.#waiting.unshift(flight.waiting as Waiting)
      this.#deps.watch.foreign(flight.nonce)
      return false
    }
    const { mayAct, watch } = this.#deps
    const name = typeof taken === 'object' ? taken.refused : taken
    if (mayAct()) watch.untaken(whatOf(flight), name)
    const outcome: Outcome = mayAct()
      ? { kind: 'refused', reason: { name, args: [] } }
      : { kind: 'abandoned' }
    flight.waiting?.tell(outcome)
    return true
  }

  /** Hands a signed transaction to the node. Nothing leaves a process that may not act. */
  async #give(raw: Hex): Promise<Taken> {
    const { mayAct, node } = this.#deps
    if (!mayAct()) return { refused: 'another keeper has taken over' }
    const [answer] = await node.batch([{ method: 'eth_sendRawTransaction', params: [raw] }])
    return answer === undefined ? { refused: 'no answer' } : takenOf(answer)
  }
}
