// Keeps one transaction on its way: from the nonce it was given until nothing can undo it.
import { type Hex, keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Head, Inclusion } from './chain-look.ts'
import type { Fee } from './fees.ts'
import type { Answer } from './node.ts'
import type { Reason } from './reason.ts'

/** A call of a contract that is to be sent, and how. */
export type TxRequest = Readonly<{
  to: string
  data: Hex
  /** For the log. */
  what: string
  /** The gas that it is given: it is then sent without a simulation. */
  gas?: bigint
  /** The most gas that it is given; absent: what it takes. */
  gasMax?: bigint
  /** The least gas that it is given, for a call that does the more the more it has. */
  gasMin?: bigint
  /** Goes out before what is not: all else depends on prices, for one. */
  isUrgent?: boolean
  /** Called with the hash of each version that a node has taken. */
  onSent?: (hash: Hex) => void
  /** Asked before a version goes out, with its hash: whether it is still to go. */
  onSigned?: (hash: Hex) => Promise<boolean>
}>

/** The reason where `onSigned` said no. */
export const UNWANTED = 'not wanted any more'

/**
 * The outcome of a call. `refused`: it would revert, so nothing was sent. `abandoned`: the sender
 * stopped before it was known; it may still come.
 */
export type Outcome =
  | Readonly<{
      kind: 'included'
      hash: Hex
      blockNumber: number
      /** First topic of each log, where the node shown them. */
      events?: readonly string[]
    }>
  | Readonly<{ kind: 'reverted'; hash: Hex; blockNumber: number; reason: Reason }>
  | Readonly<{ kind: 'refused'; reason: Reason }>
  | Readonly<{ kind: 'abandoned' }>

/** A call that waits for a nonce. */
export type Waiting = Readonly<{
  request: TxRequest
  gas: bigint
  resolve: (outcome: Outcome) => void
}>

/** `waiting` undefined: another process sent it; only its nonce is known. */
export type PendingTx = {
  readonly nonce: number
  readonly waiting: Waiting | undefined
  fee: Fee
  /** Every version that was signed; the newest last. */
  readonly hashes: Hex[]
  /** The newest version. */
  raw: Hex | undefined
  readonly createdAtMs: number
  sentAtMs: number
  sentAtBlock: number
  resentAtMs: number
  /** The node took it again, since it did not have it any more. */
  isForgotten: boolean
  inclusion: (Inclusion & Readonly<{ hash: Hex }>) | undefined
  /** Looks that found the nonce used and no receipt of ours. */
  usedLooks: number
  isSettled: boolean
}

export const createPendingTx = (
  nonce: number,
  waiting: Waiting | undefined,
  { fee, head, nowMs }: Readonly<{ fee: Fee; head: Head; nowMs: number }>,
): PendingTx => ({
  nonce,
  waiting,
  fee,
  hashes: [],
  raw: undefined,
  createdAtMs: nowMs,
  sentAtMs: nowMs,
  sentAtBlock: head.number,
  resentAtMs: 0,
  isForgotten: false,
  inclusion: undefined,
  usedLooks: 0,
  isSettled: false,
})

/** Gas of a payment of nothing to oneself, which is what frees a nonce. */
const PLAIN_GAS = 21_000n

/** Signs `tx` at its fee, as its newest version. A nonce without a call pays nothing to itself. */
export async function sign(
  account: PrivateKeyAccount,
  chainId: number,
  tx: PendingTx,
): Promise<Hex> {
  const { nonce, waiting, fee } = tx
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to: (waiting?.request.to ?? account.address) as Hex,
    data: waiting?.request.data ?? '0x',
    gas: waiting?.gas ?? PLAIN_GAS,
    maxFeePerGas: fee.max,
    maxPriorityFeePerGas: fee.tip,
  })
  const hash = keccak256(raw)
  if (!tx.hashes.includes(hash)) tx.hashes.push(hash)
  tx.raw = raw
  return raw
}

/**
 * The answer of a node to a signed transaction. `known`: it has it already; `used`: its nonce is;
 * `underpriced`: another stands.
 */
export type SendResult =
  | 'accepted'
  | 'known'
  | 'used'
  | 'underpriced'
  | Readonly<{ refused: string }>

const KNOWN = /already known|known transaction|already imported/i
const USED = /nonce (is )?too low|already used/i
// Not what offers too little for the node whatever stands: that is refused in the node's words.
const UNDERPRICED = /replace/i

export function parseSendResult(answer: Answer): SendResult {
  if ('result' in answer) return 'accepted'
  if (KNOWN.test(answer.refused)) return 'known'
  if (USED.test(answer.refused)) return 'used'
  if (UNDERPRICED.test(answer.refused)) return 'underpriced'
  return { refused: answer.refused }
}

/** Asks who wanted it whether its newest version is still to go out. */
export async function isWanted({ waiting, hashes }: PendingTx): Promise<boolean> {
  const hash = hashes.at(-1)
  return hash === undefined || (await waiting?.request.onSigned?.(hash)) !== false
}

/** Returns what it does, for the log. */
export const describe = ({ waiting }: PendingTx) =>
  waiting?.request.what ?? "another process's transaction"

/** Hands its newest hash to who asked for it, now that a node has taken it. */
export function notifySent({ waiting, hashes }: PendingTx): void {
  const hash = hashes.at(-1)
  if (hash !== undefined) waiting?.request.onSent?.(hash)
}

/** Resolves its promise with what became of it, the first time. */
export function settleOnce(tx: PendingTx, outcome: Outcome): void {
  if (tx.isSettled) return
  tx.isSettled = true
  tx.waiting?.resolve(outcome)
}
