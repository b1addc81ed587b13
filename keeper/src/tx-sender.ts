// Sends the keeper's transactions. It owns the key's nonces and keeps a bounded number pending.
// Stuck transactions are replaced at a higher fee, dropped and reorganised ones are resent, and
// those of a previous process are awaited or replaced.
import { quantity, type RpcNode } from '@openvenue/runtime/node'
import { Signal } from '@openvenue/runtime/signal'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type ChainSnapshot, readChainSnapshot } from './chain-snapshot.ts'
import type { Clock } from './clock.ts'
import { type Fee, type FeeBounds, offerFee, raised, replaces } from './fees.ts'
import { estimateGas } from './gas.ts'
import {
  createPendingTx,
  describe,
  isWanted,
  notifySent,
  type PendingTx,
  parseSendResult,
  type QueuedCall,
  type SendResult,
  settleOnce,
  sign,
  type TxRequest,
  type TxResult,
  UNWANTED,
} from './pending-tx.ts'
import { decodeRefusal, type Reason } from './reason.ts'
import type { TxSenderWatch } from './tx-sender-watch.ts'

export type TxSenderOptions = Partial<FeeBounds> &
  Readonly<{
    node: RpcNode
    account: PrivateKeyAccount
    chainId: number
    clock: Clock
    /** Returns true while this process may send. Checked right before each transaction. */
    mayAct: () => boolean
    watch: TxSenderWatch
    /** A transaction that waits longer than this while blocks arrive is replaced. */
    stuckMs?: number | (() => number)
    /** Number of confirmations after which a transaction is no longer checked. */
    depth?: number
    /** Maps the node's tip to the offered tip. */
    tipOf?: (tip: bigint) => bigint
  }>

/** Nodes keep about this many queued transactions of one account. */
export const PENDING_MAX = 16
/** Three blocks of a slow chain. */
export const STUCK_MS = 36_000
const DEPTH_BLOCKS = 12
const FEE_CAP_WEI = 500n * 10n ** 9n
/** Minimum time between two resends of a transaction that the pool drops. */
const RESEND_MS = 1_000
/** Pause between polls while transactions are pending, and while none are or the node fails. */
const BUSY_MS = 150
const IDLE_MS = 1_000
/** A node behind a balancer may lag: an answer counts once it was repeated. */
const LOOKS_TO_BELIEVE = 2
/** Maximum number of another process's nonces to wait for at a time. */
const ADOPTED_MAX = 64

export class TxSender {
  readonly #deps: TxSenderOptions
  readonly #trigger = new Signal()
  /** Ascending by nonce, without a gap. */
  #txs: PendingTx[] = []
  #waiting: QueuedCall[] = []
  /** Calls that have lost their nonces. */
  #aside: QueuedCall[] = []
  #isOn = false
  #gapLooks = 0

  constructor(deps: TxSenderOptions) {
    this.#deps = deps
  }

  get address(): string {
    return this.#deps.account.address
  }

  /**
   * Simulates `request` and sends it unless it would revert. Returns once it is in a block. Throws
   * `NodeFailed` when the simulation gets no answer.
   */
  async send(request: TxRequest): Promise<TxResult> {
    const [outcome] = await this.sendAll([request])
    return outcome ?? { kind: 'abandoned' }
  }

  /** Sends several requests in order, each simulated on the newest block. See `send`. */
  async sendAll(requests: readonly TxRequest[]): Promise<readonly TxResult[]> {
    if (!this.#isOn) return requests.map(() => ({ kind: 'abandoned' }))
    const { node, account } = this.#deps
    const gases = await estimateGas(node, account.address, requests)
    return Promise.all(requests.map((request, at) => this.#queue(request, gases[at])))
  }

  #queue(request: TxRequest, gas: bigint | Reason | undefined): Promise<TxResult> | TxResult {
    if (gas === undefined || !this.#isOn) return { kind: 'abandoned' }
    if (typeof gas !== 'bigint') return { kind: 'refused', reason: gas }
    return new Promise((resolve) => {
      this.#await({ request, gas, resolve })
      this.#trigger.set()
    })
  }

  /** Queues `call` for a nonce, urgent calls before all others. */
  #await(call: QueuedCall): void {
    const first = this.#waiting.findIndex(({ request }) => request.isUrgent !== true)
    if (call.request.isUrgent !== true || first < 0) this.#waiting.push(call)
    else this.#waiting.splice(first, 0, call)
  }

  /** Runs until `signal` aborts; then every pending call is abandoned. */
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
        await this.#trigger.wait((quiet) =>
          clock.delay(isBusy ? BUSY_MS : IDLE_MS, AbortSignal.any([quiet, signal])),
        )
      }
    } finally {
      this.#isOn = false
      for (const { resolve } of [...this.#waiting, ...this.#aside]) resolve({ kind: 'abandoned' })
      for (const tx of this.#txs) settleOnce(tx, { kind: 'abandoned' })
      this.#waiting = []
      this.#aside = []
      this.#txs = []
      watch.pending(0)
    }
  }

  #open(): PendingTx[] {
    return this.#txs.filter(({ inclusion }) => inclusion === undefined)
  }

  async #step(): Promise<void> {
    const snapshot = await this.#readChain()
    await this.#settle(snapshot)
    await this.#sendAnew()
    this.#forgetFinal(snapshot)
    this.#adopt(snapshot)
    for (const tx of this.#open()) await this.#mend(tx, snapshot)
    await this.#sendWaiting(snapshot)
    this.#deps.watch.pending(this.#open().length, this.#open()[0]?.createdAtMs)
    this.#deps.watch.answered()
  }

  /** Polls once, and again when the newest block with a transaction of ours was undone. */
  async #readChain(): Promise<ChainSnapshot> {
    const anchor = this.#txs.findLast(({ inclusion }) => inclusion !== undefined)?.inclusion
    const snapshot = await this.#readChainOnce(anchor?.blockNumber)
    if (anchor === undefined || snapshot.anchorHash === anchor.blockHash) return snapshot
    for (const tx of this.#txs) tx.inclusion = undefined
    return this.#readChainOnce(undefined)
  }

  #readChainOnce(anchorNumber: number | undefined): Promise<ChainSnapshot> {
    const { node, account } = this.#deps
    const open = this.#open()
    return readChainSnapshot(node, {
      address: account.address,
      receipts: open.flatMap(({ hashes }) => hashes),
      presence: open.flatMap(({ hashes }) => hashes),
      anchorNumber,
    })
  }

  /** Settles included transactions, and takes back those whose nonce another process has used. */
  async #settle(snapshot: ChainSnapshot): Promise<void> {
    for (const tx of this.#open()) {
      const hash = tx.hashes.find((version) => snapshot.inclusions.has(version))
      const inclusion = hash && snapshot.inclusions.get(hash)
      if (hash !== undefined && inclusion !== undefined) {
        const included = { ...inclusion, hash }
        // A failing node is asked again at the next poll, since the transaction is still open.
        if (!tx.isSettled) settleOnce(tx, await this.#readOutcome(tx, included))
        tx.inclusion = included
        tx.usedLooks = 0
      } else tx.usedLooks = snapshot.mined > tx.nonce ? tx.usedLooks + 1 : 0
    }
    const displaced = this.#txs.filter(({ usedLooks }) => usedLooks >= LOOKS_TO_BELIEVE)
    this.#txs = this.#txs.filter((tx) => !displaced.includes(tx))
    this.#putAside(displaced)
    this.#seeGap(snapshot)
  }

  async #readOutcome(
    tx: PendingTx,
    inclusion: NonNullable<PendingTx['inclusion']>,
  ): Promise<TxResult> {
    const { hash, blockNumber, isDone, events } = inclusion
    if (isDone) return { kind: 'included', hash, blockNumber, events }
    return {
      kind: 'reverted',
      hash,
      blockNumber,
      reason: await this.#readRevertReason(tx, blockNumber),
    }
  }

  /** Repeats the call on the block that it failed in, which usually yields the reason. */
  async #readRevertReason({ call }: PendingTx, blockNumber: number): Promise<Reason> {
    const { node, account } = this.#deps
    const { to, data } = call?.request ?? { to: account.address, data: '0x' }
    const params = [{ from: account.address, to, data }, quantity(blockNumber)]
    const [answer] = await node.batch([{ method: 'eth_call', params }])
    return (
      (answer && decodeRefusal(answer)) ?? { name: 'reverted for a reason of its block', args: [] }
    )
  }

  /** A reorg deeper than the tracked depth frees nonces: all of ours are resent. */
  #seeGap(snapshot: ChainSnapshot): void {
    const first = this.#txs[0]?.nonce
    const isGap = first !== undefined && snapshot.mined < first && snapshot.pending < first
    this.#gapLooks = isGap ? this.#gapLooks + 1 : 0
    if (this.#gapLooks < LOOKS_TO_BELIEVE) return
    const all = this.#txs
    this.#txs = []
    this.#gapLooks = 0
    this.#putAside(all)
  }

  /** Puts the requests of `txs` aside for resending. */
  #putAside(txs: readonly PendingTx[]): void {
    for (const { nonce, call } of txs) {
      this.#deps.watch.foreign(nonce)
      if (call === undefined) continue
      this.#deps.watch.resent(call.request.description, nonce)
      // A settled call gets no second outcome: a promise settles once.
      this.#aside.push(call)
    }
  }

  /** Simulates the calls put aside again first: they may no longer be needed. */
  async #sendAnew(): Promise<void> {
    if (this.#aside.length === 0) return
    const { node, account } = this.#deps
    const requests = this.#aside.map(({ request }) => request)
    const gases = await estimateGas(node, account.address, requests)
    for (const [at, { request, resolve }] of this.#aside.entries()) {
      const gas = gases[at]
      if (typeof gas === 'bigint') this.#await({ request, gas, resolve })
      else if (gas !== undefined) resolve({ kind: 'refused', reason: gas })
    }
    this.#aside = []
  }

  #forgetFinal({ head }: ChainSnapshot): void {
    const { depth = DEPTH_BLOCKS } = this.#deps
    this.#txs = this.#txs.filter(
      ({ inclusion }) => inclusion === undefined || head.number - inclusion.blockNumber < depth,
    )
  }

  /** Adopts transactions of this key that another process left in the pool. */
  #adopt(snapshot: ChainSnapshot): void {
    const from = this.#nextNonce(snapshot)
    const upTo = Math.min(snapshot.pending, snapshot.mined + ADOPTED_MAX)
    for (let nonce = from; nonce < upTo; nonce++) {
      this.#deps.watch.foreign(nonce)
      const at = { fee: this.#fee(snapshot), head: snapshot.head, nowMs: this.#deps.clock.nowMs() }
      this.#txs.push(createPendingTx(nonce, undefined, at))
    }
  }

  #nextNonce(snapshot: ChainSnapshot): number {
    const last = this.#txs.at(-1)
    return last === undefined ? snapshot.mined : Math.max(last.nonce + 1, snapshot.mined)
  }

  #fee({ head, tip }: ChainSnapshot): Fee {
    const { feeCap = FEE_CAP_WEI, feeFloor = 0n, tipOf } = this.#deps
    return offerFee(head.baseFee, tipOf?.(tip) ?? tip, { feeCap, feeFloor })
  }

  /** Resends what the pool has dropped, and raises the fee of what does not get into blocks. */
  async #mend(tx: PendingTx, snapshot: ChainSnapshot): Promise<void> {
    if (snapshot.mined > tx.nonce) return
    const isShown = tx.raw === undefined || tx.hashes.some((hash) => snapshot.known.has(hash))
    if (isShown) tx.isForgotten = false
    else await this.#resend(tx, snapshot)
    // No fee keeps a dropped transaction in the pool, so do not push each to its cap.
    if (tx.isForgotten && !this.#isBelow(tx, snapshot)) return
    if (this.#isStuck(tx, snapshot)) await this.#replace(tx, snapshot)
  }

  /** Resends unchanged what the node does not show. Accepted again, its wait restarts. */
  async #resend(tx: PendingTx, snapshot: ChainSnapshot): Promise<void> {
    const nowMs = this.#deps.clock.nowMs()
    if (Math.abs(nowMs - tx.resentAtMs) < RESEND_MS) return
    tx.resentAtMs = nowMs
    // A node that reports it, or another one at its nonce, as known has dropped nothing.
    tx.isForgotten = (await this.#give(tx.raw as Hex)) === 'accepted'
    if (tx.isForgotten) this.#deps.watch.resent(describe(tx), tx.nonce)
    if (!tx.isForgotten || this.#isBelow(tx, snapshot)) return
    tx.sentAtMs = nowMs
    tx.sentAtBlock = snapshot.head.number
  }

  /** Returns whether the network's price has risen above the offer. */
  #isBelow(tx: PendingTx, snapshot: ChainSnapshot): boolean {
    return tx.fee.max < this.#fee(snapshot).max
  }

  #isStuck(tx: PendingTx, snapshot: ChainSnapshot): boolean {
    const { clock, stuckMs = STUCK_MS } = this.#deps
    const patienceMs = typeof stuckMs === 'number' ? stuckMs : stuckMs()
    const nowMs = clock.nowMs()
    // A clock that was set back must not prolong the wait.
    tx.sentAtMs = Math.min(tx.sentAtMs, nowMs)
    const isLate = nowMs - tx.sentAtMs >= patienceMs
    const isPassedOver = snapshot.head.number > tx.sentAtBlock
    const isFirst = tx.nonce === snapshot.mined
    return isLate && isPassedOver && (isFirst || this.#isBelow(tx, snapshot))
  }

  async #replace(tx: PendingTx, snapshot: ChainSnapshot): Promise<void> {
    const { feeCap = FEE_CAP_WEI, account, chainId, clock, watch } = this.#deps
    const fee = raised(tx.fee, this.#fee(snapshot), feeCap)
    if (!replaces(fee, tx.fee)) {
      tx.sentAtMs = clock.nowMs()
      watch.capped(describe(tx), tx.nonce)
      if (tx.raw !== undefined) await this.#give(tx.raw)
      return
    }
    tx.fee = fee
    const raw = await sign(account, chainId, tx)
    await isWanted(tx)
    const result = await this.#give(raw)
    // Another process's offer is still higher: raise again at the next poll.
    if (result === 'underpriced') return
    tx.sentAtMs = clock.nowMs()
    tx.sentAtBlock = snapshot.head.number
    watch.replaced(describe(tx), tx.nonce, fee)
    notifySent(tx)
  }

  async #sendWaiting(snapshot: ChainSnapshot): Promise<void> {
    const { account, chainId, clock, mayAct, watch } = this.#deps
    while (this.#waiting.length > 0 && this.#open().length < PENDING_MAX && mayAct()) {
      const call = this.#waiting[0] as QueuedCall
      const at = { fee: this.#fee(snapshot), head: snapshot.head, nowMs: clock.nowMs() }
      const tx = createPendingTx(this.#nextNonce(snapshot), call, at)
      const raw = await sign(account, chainId, tx)
      const goes = await isWanted(tx)
      this.#waiting = this.#waiting.filter((queued) => queued !== call)
      if (!goes) {
        call.resolve({ kind: 'refused', reason: { name: UNWANTED, args: [] } })
        continue
      }
      this.#txs.push(tx)
      const result = await this.#give(raw)
      if (result === 'accepted' || result === 'known') {
        watch.sent(call.request.description, tx.nonce)
        notifySent(tx)
      } else if (!this.#takeBack(tx, result)) return
    }
  }

  /** Undoes a first send that the node did not accept. Returns whether the next may be sent. */
  #takeBack(tx: PendingTx, result: SendResult): boolean {
    this.#txs.pop()
    if (result === 'used' || result === 'underpriced') {
      // Another process has used the nonce since the last poll; the next poll corrects it.
      this.#waiting.unshift(tx.call as QueuedCall)
      this.#deps.watch.foreign(tx.nonce)
      return false
    }
    const { mayAct, watch } = this.#deps
    const name = typeof result === 'object' ? result.refused : result
    if (mayAct()) watch.rejected(describe(tx), name)
    const outcome: TxResult = mayAct()
      ? { kind: 'refused', reason: { name, args: [] } }
      : { kind: 'abandoned' }
    tx.call?.resolve(outcome)
    return true
  }

  /** Sends a signed transaction to the node, only while this process may act. */
  async #give(raw: Hex): Promise<SendResult> {
    const { mayAct, node } = this.#deps
    if (!mayAct()) return { refused: 'another keeper has taken over' }
    const [answer] = await node.batch([{ method: 'eth_sendRawTransaction', params: [raw] }])
    return answer === undefined ? { refused: 'no answer' } : parseSendResult(answer)
  }
}
