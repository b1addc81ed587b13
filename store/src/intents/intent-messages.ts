// Entries of the intents' log as bodies of messages.
import type { Intent, IntentLogEntry } from './intents.ts'

/** Members that JSON leaves out while they are undefined. */
const ABSENT_ENTRY = {
  txHash: undefined,
  blockNumber: undefined,
  reason: undefined,
  intent: undefined,
}
const { intent: _, ...ABSENT_END } = ABSENT_ENTRY
const ABSENT_INTENT = { clientOrderId: undefined, parentId: undefined, ...ABSENT_END }

const withDigits = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? value.toString() : value

/** Returns the body for `entries`. */
export const encodeLog = (entries: readonly IntentLogEntry[]): string =>
  JSON.stringify(entries, withDigits)

/** Returns entries `first` to `last` of a body of `encodeLog`; undefined for any other text. */
export function decodeLog(
  { first, last }: Readonly<{ first: number; last: number }>,
  body: string,
): readonly IntentLogEntry[] | undefined {
  try {
    const entries = (JSON.parse(body) as readonly IntentLogEntry[]).map(restoreEntry)
    const isWhole = entries.every(({ seq }, at) => seq === first + at)
    return isWhole && first + entries.length - 1 === last ? entries : undefined
  } catch {
    return undefined
  }
}

const restoreEntry = (entry: IntentLogEntry): IntentLogEntry => ({
  ...ABSENT_ENTRY,
  ...entry,
  atNs: BigInt(entry.atNs),
  intent: entry.intent && restoreIntent(entry.intent),
})

const restoreIntent = (intent: Intent): Intent => ({
  ...ABSENT_INTENT,
  ...intent,
  deadlineSeconds: BigInt(intent.deadlineSeconds),
  receivedNs: BigInt(intent.receivedNs),
  updatedNs: BigInt(intent.updatedNs),
})
