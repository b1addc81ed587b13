// Formats entries of the promise ledger as the lines that are hashed into its chain.

/** A step in the life of an intent: a promise or its outcome. */
export type LedgerEntry = Readonly<{
  seq: number
  /** Digest of the signed message; for an unsigned cancel, `cancel:` and its target. */
  id: string
  kind: string
  lane: string
  state: string
  atNs: bigint | string
  /** 0 while it is held. */
  includeByBlock: number
  txHash: string | undefined
  blockNumber: number | undefined
  reason: string | undefined
}>

/** The hash that precedes the first entry. */
export const LEDGER_BEGIN = '0'.repeat(64)

const orDash = (value: number | string | undefined) => value ?? '-'

/** Returns the line of an entry: its fields separated by spaces, with a dash for an absent one. */
export const ledgerLine = (entry: LedgerEntry): string => {
  const { seq, id, kind, lane, state, atNs, includeByBlock, txHash, blockNumber, reason } = entry
  const end = [txHash, blockNumber, reason].map(orDash)
  return [seq, id, kind, lane, state, atNs, includeByBlock, ...end].join(' ')
}

/** Returns the text whose SHA-256 is the hash of a commit: the previous hash and its entries. */
export const ledgerText = (before: string, entries: readonly LedgerEntry[]): string =>
  [before, ...entries.map(ledgerLine)].join('\n')
