// Whether an entry of the feed goes on from where its reader is.
import type { Header } from '@openvenue/core/events'
import type { FeedEntry } from './store.ts'

/**
 * Returns whether `entry` goes on from `head`: a block that is added is the child of the head, and
 * one that is taken back is the head. Final blocks without events are left out of the feed: what
 * comes after them is only higher. `head` is undefined before the first block.
 */
export function goesOnFrom(head: Header | undefined, { kind, header }: FeedEntry): boolean {
  if (head === undefined) return kind === 'apply'
  if (kind === 'undo') return header.number === head.number - 1 && header.hash === head.parentHash
  const step = header.number - head.number
  return step > 1 || (step === 1 && header.parentHash === head.hash)
}
