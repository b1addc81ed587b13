// Names what a sender of transactions reports of them.
import type { Fee } from './fees.ts'

/** Receives what the log and the metrics show of it. */
export type TxSenderWatch = Readonly<{
  sent(what: string, nonce: number): void
  replaced(what: string, nonce: number, fee: Fee): void
  /** Dropped by the pool, or undone by a reorg. */
  resent(what: string, nonce: number): void
  /** Nonces that another process of this key has used, or left waiting. */
  foreign(nonce: number): void
  /** The fee has reached its cap and the transaction still waits. */
  capped(what: string, nonce: number): void
  /** The node does not want it though it would work: no funds, an offer too low, a full pool. */
  rejected(what: string, words: string): void
  pending(count: number, oldestMs?: number): void
  failed(error: unknown): void
}>
