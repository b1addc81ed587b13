// Callbacks with which a sender reports on its transactions.
import { Outage } from '@openvenue/runtime/outage'
import type { Logger } from 'pino'
import type { Fee } from './fees.ts'
import type { Metrics } from './metrics.ts'

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
  /** A poll that the node answered. */
  answered(): void
}>

/** Returns callbacks that log and count. A node that fails or rejects again is logged once. */
export function txSenderWatch(
  log: Pick<Logger, 'info' | 'warn' | 'debug'>,
  metrics: Pick<Metrics, 'replaced' | 'resent' | 'pending'>,
): TxSenderWatch {
  const down = 'the node failed, trying again'
  const node = new Outage({ log, down, up: 'the node answers again' })
  const rejection = new Outage({
    log,
    down: 'the node rejects a transaction',
    up: 'the node accepts transactions again',
  })
  let cappedNonce: number | undefined
  return {
    sent: (description, nonce) => {
      log.debug({ what: description, nonce }, 'sent')
      rejection.recovered()
    },
    replaced: (description, nonce, fee) => {
      metrics.replaced()
      const wei = { max: fee.max.toString(), tip: fee.tip.toString() }
      log.warn({ what: description, nonce, ...wei }, 'stuck: sent again at a higher fee')
    },
    resent: (description, nonce) => {
      metrics.resent()
      log.warn({ what: description, nonce }, 'dropped or undone: sent again')
    },
    foreign: (nonce) => log.info({ nonce }, "another process's transaction of this key"),
    capped: (what, nonce) => {
      if (nonce === cappedNonce) return
      cappedNonce = nonce
      log.warn({ what, nonce }, 'stuck at the highest fee (KEEPER_FEE_CAP_GWEI)')
    },
    rejected: (what, words) => rejection.failed(words, { what, words }),
    pending: metrics.pending,
    failed: (error) => node.failed(error),
    answered: () => node.recovered(),
  }
}
