// Reads what the relayer says of itself, for everybody who asks within a second.
import { decodeRelayStatus, type RelayStatus } from '@openvenue/core/relay'
import type { Intents } from '@openvenue/store/intents'
import type { Clock } from '../model/clock.ts'
import type { Receipts } from './receipt.ts'

/** What the relayer said of itself last, and when. */
export type RelaySaid = Readonly<{ status: RelayStatus; updatedMs: number }>

export type RelayParts = Readonly<{
  /** Undefined where there has been no relayer. Rejects when the database does not answer. */
  readStatus: () => Promise<RelaySaid | undefined>
  /** Undefined: this node accepts no orders. */
  receipts: Receipts | undefined
}>

/** It says so every second. */
const KEPT_MS = 1000

/** Returns what reads it, at most once in a second, however many ask. */
export function createRelayStatus(
  intents: Pick<Intents, 'readStatus'>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): RelayParts['readStatus'] {
  let asked: Promise<RelaySaid | undefined> | undefined
  let askedMs = 0
  return () => {
    if (asked === undefined || monotonicMs() - askedMs >= KEPT_MS) {
      askedMs = monotonicMs()
      asked = intents
        .readStatus()
        .then((said) => said && { ...said, status: decodeRelayStatus(said.status) })
    }
    return asked
  }
}
