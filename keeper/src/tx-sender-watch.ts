// Callbacks with which a sender reports on its transactions.
import type { Fee } from './fees.ts'

export type TxSenderWatch = Readonly<{
  sent(description: string, nonce: number): void
  replaced(description: string, nonce: number, fee: Fee): void
  /** Dropped by the pool, or undone by a reorg. */
  resent(description: string, nonce: number): void
  /** A nonce that another process of this key has used or left pending. */
  foreign(nonce: number): void
  /** The fee has reached its cap and the transaction still waits. */
  capped(description: string, nonce: number): void
  /** The node refuses a valid transaction: no funds, an offer too low, a full pool. */
  rejected(description: string, words: string): void
  pending(count: number, oldestMs?: number): void
  failed(error: unknown): void
}>
