// Tracks one transaction from the assignment of its nonce until it is final.

import type { CallAnswer } from '@openvenue/runtime/node'
import { type Hex, keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Head, Inclusion } from './chain-snapshot.ts'
import type { Fee } from './fees.ts'
import type { Reason } from './reason.ts'

/** A contract call to send. */
export type TxRequest = Readonly<{
  to: string
  data: Hex
  /** For the log. */
  description: string
  /** Gas limit, in which case the call is sent without a simulation. */
  gas?: bigint
  /** Maximum gas limit. Absent: the estimate. */
  gasMax?: bigint
  /** Minimum gas limit, for a call that does more with more gas. */
  gasMin?: bigint
  /** Sent before calls that are not urgent; prices are, since other calls depend on them. */
  isUrgent?: boolean
  /** Called with the hash of each version that a node has accepted. */
  onSent?: (hash: Hex) => void
  /** Called with the hash before a version is sent; returns whether it must still be sent. */
  onSigned?: (hash: Hex) => Promise<boolean>
}>

/** Reason of a call whose `onSigned` returned false. */
export const UNWANTED = 'no longer wanted'

/**
 * The outcome of a call. `refused`: it would revert, so nothing was sent. `abandoned`: the sender
 * stopped before the outcome was known; the call may still be included.
 */
export type TxResult =
  | Readonly<{
      kind: 'included'
      hash: Hex
      blockNumber: number
      /** First topic of each log, if the node returned them. */
      events?: readonly string[]
    }>
  | Readonly<{ kind: 'reverted'; hash: Hex; blockNumber: number; reason: Reason }>
  | Readonly<{ kind: 'refused'; reason: Reason }>
  | Readonly<{ kind: 'abandoned' }>

/** A call that waits for a nonce. */
export type QueuedCall = Readonly<{
  request: TxRequest
  gas: bigint
  resolve: (outcome: TxResult) => void
}>

/** `call` undefined: another process sent it, and only its nonce is known. */
export type PendingTx = {
  readonly nonce: number
  readonly call: QueuedCall | undefined
  fee: Fee
  /** Every signed version, the newest last. */
  readonly hashes: Hex[]
  /** The newest signed version. */
  raw: Hex | undefined
  readonly createdAtMs: number
  sentAtMs: number
  sentAtBlock: number
  resentAtMs: number
  /** The node dropped it and accepted it again. */
  isForgotten: boolean
  inclusion: (Inclusion & Readonly<{ hash: Hex }>) | undefined
  /** Number of polls that found the nonce used and no receipt of ours. */
  usedLooks: number
  isSettled: boolean
}

export const createPendingTx = (
  nonce: number,
  call: QueuedCall | undefined,
  { fee, head, nowMs }: Readonly<{ fee: Fee; head: Head; nowMs: number }>,
): PendingTx => ({
  nonce,
  call,
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

/** Gas of an empty payment to oneself, which frees a nonce. */
const PLAIN_GAS = 21_000n

/** Signs `tx` at its fee, as its newest version. A nonce without a call pays zero to itself. */
export async function sign(
  account: PrivateKeyAccount,
  chainId: number,
  tx: PendingTx,
): Promise<Hex> {
  const { nonce, call, fee } = tx
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to: (call?.request.to ?? account.address) as Hex,
    data: call?.request.data ?? '0x',
    gas: call?.gas ?? PLAIN_GAS,
    maxFeePerGas: fee.max,
    maxPriorityFeePerGas: fee.tip,
  })
  const hash = keccak256(raw)
  if (!tx.hashes.includes(hash)) tx.hashes.push(hash)
  tx.raw = raw
  return raw
}

/**
 * The node's answer to a signed transaction. `known`: it already has it. `used`: the nonce is used.
 * `underpriced`: a better-paying transaction holds the nonce.
 */
export type SendResult =
  | 'accepted'
  | 'known'
  | 'used'
  | 'underpriced'
  | Readonly<{ refused: string }>

const KNOWN = /already known|known transaction|already imported/i
const USED = /nonce (is )?too low|already used/i
// Excludes offers below the node's minimum, which are refused with the node's message.
const UNDERPRICED = /replace/i

export function parseSendResult(answer: CallAnswer): SendResult {
  if ('result' in answer) return 'accepted'
  if (KNOWN.test(answer.refused)) return 'known'
  if (USED.test(answer.refused)) return 'used'
  if (UNDERPRICED.test(answer.refused)) return 'underpriced'
  return { refused: answer.refused }
}

/** Asks the caller whether its newest version must still be sent. */
export async function isWanted({ call, hashes }: PendingTx): Promise<boolean> {
  const hash = hashes.at(-1)
  return hash === undefined || (await call?.request.onSigned?.(hash)) !== false
}

export const describe = ({ call }: PendingTx) =>
  call?.request.description ?? "another process's transaction"

/** Passes the newest hash to the caller after a node has accepted it. */
export function notifySent({ call, hashes }: PendingTx): void {
  const hash = hashes.at(-1)
  if (hash !== undefined) call?.request.onSent?.(hash)
}

/** Resolves the promise with the outcome, once. */
export function settleOnce(tx: PendingTx, outcome: TxResult): void {
  if (tx.isSettled) return
  tx.isSettled = true
  tx.call?.resolve(outcome)
}
