// Proves that a ledger is whole: every number is there, and the hashes lead to the signed head.
import { createHash } from 'node:crypto'
import { LEDGER_BEGIN, ledgerText } from '@openvenue/core/ledger'
import type { LedgerItem } from '@openvenue/wire/relay'
import type { Breach } from './histories.ts'

export type LedgerRead = Readonly<{
  entries: readonly LedgerItem[]
  fromSeq: number
  head: Readonly<{ seq: number; hash: string }> | undefined
}>

/** Returns what is missing, and where the hashes do not fit. */
export function proveLedger({ entries, fromSeq, head }: LedgerRead): readonly Breach[] {
  // After a gap there may be no entry yet.
  const toSeq = Math.max(head?.seq ?? 0, fromSeq - 1)
  return [...findGaps(entries, fromSeq, toSeq), ...findHashFaults(entries, fromSeq, head)]
}

function findGaps(entries: readonly LedgerItem[], fromSeq: number, toSeq: number): Breach[] {
  const gaps: Breach[] = []
  let expected = fromSeq
  for (const { seq, order_id } of [...entries, { seq: toSeq + 1, order_id: '' }]) {
    if (seq !== expected)
      gaps.push({ orderId: order_id, seq, reason: `entries ${expected} to ${seq - 1} are missing` })
    expected = seq + 1
  }
  return gaps
}

/** Where the beginning is gone, the first hash is the one to begin with. */
function findHashFaults(
  entries: readonly LedgerItem[],
  fromSeq: number,
  head: LedgerRead['head'],
): Breach[] {
  let before = fromSeq === 1 ? LEDGER_BEGIN : undefined
  let pending: LedgerItem[] = []
  for (const entry of entries) {
    pending.push(entry)
    if (entry.hash === null) continue
    const { seq, order_id: orderId, hash } = entry
    const expected = before === undefined ? hash : hashOf(before, pending)
    if (hash !== expected)
      return [{ orderId, seq, reason: 'its hash is not that of the entries up to it' }]
    before = hash
    pending = []
  }
  if (head !== undefined && before !== undefined && before !== head.hash)
    return [{ orderId: '', seq: head.seq, reason: 'the hashes do not lead to the signed head' }]
  return []
}

const hashOf = (before: string, entries: readonly LedgerItem[]) =>
  createHash('sha256')
    .update(
      ledgerText(
        before,
        entries.map((entry) => ({
          seq: entry.seq,
          id: entry.order_id,
          kind: entry.kind,
          lane: entry.lane,
          state: entry.state,
          atNs: entry.at_ns,
          includeByBlock: entry.include_by_block,
          txHash: entry.tx_hash ?? undefined,
          blockNumber: entry.block_number ?? undefined,
          reason: entry.reason ?? undefined,
        })),
      ),
    )
    .digest('hex')
