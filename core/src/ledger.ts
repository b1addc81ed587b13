// Writes entries of the ledger of promises as the lines that its chain of hashes is made of.

/** A step of an intent: a promise, or what became of one. */
export type LedgerEntry = Readonly<{
  seq: number
  /** Digest of what was signed; of an unsigned cancel, `cancel:` and its target. */
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

/** The hash before the first entry. */
export const LEDGER_BEGIN = '0'.repeat(64)

const orDash = (value: number | string | undefined) => value ?? '-'

/** Returns the line of an entry: its members with spaces between, a dash for an absent one. */
export const ledgerLine = (entry: LedgerEntry): string => {
  const { seq, id, kind, lane, state, atNs, includeByBlock, txHash, blockNumber, reason } = entry
  const end = [txHash, blockNumber, reason].map(orDash)
  return [seq, id, kind, lane, state, atNs, includeByBlock, ...end].join(' ')
}

/**
 * Returns the text whose SHA-256 is the hash of a commit: the hash of the one before it, and the
 * line of each of its entries.
 */
export const ledgerText = (before: string, entries: readonly LedgerEntry[]): string =>
  [before, ...entries.map(ledgerLine)].join('\n')
