// Feed entries as bodies of messages.
import { decodeChanges, encodeChanges } from '@openvenue/core/codec'
import type { FeedEntry } from '../store.ts'

/** Maximum changes of an entry that is sent as a whole. */
const CHANGES_MAX = 2000

/** Returns the body for `entry`; undefined when it is too large to send. */
export function encodeEntry({ kind, header, changes }: FeedEntry): string | undefined {
  if (changes.length > CHANGES_MAX) return undefined
  const { number, hash, parentHash, seconds } = header
  return `${JSON.stringify([kind, number, hash, parentHash, seconds])}\n${encodeChanges(changes)}`
}

/** Returns the entry `seq` of a body of `encodeEntry`; undefined for any other text. */
export function decodeEntry(seq: number, body: string): FeedEntry | undefined {
  const end = body.indexOf('\n')
  try {
    const [kind, number, hash, parentHash, seconds] = JSON.parse(body.slice(0, end))
    const changes = decodeChanges(body.slice(end + 1))
    return { seq, kind, header: { number, hash, parentHash, seconds }, changes }
  } catch {
    return undefined
  }
}
