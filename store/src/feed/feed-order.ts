// Checks that a feed entry continues from its reader's head.
import type { Header } from '@openvenue/core/events'
import type { FeedEntry } from '../store.ts'

/**
 * Returns whether `entry` continues from `head`: an added block is the child of the head, and an
 * undone block is the head. The feed omits final blocks without events, so that the next one only
 * has a higher number. `head` is undefined before the first block.
 */
export function goesOnFrom(head: Header | undefined, { kind, header }: FeedEntry): boolean {
  if (head === undefined) return kind === 'apply'
  if (kind === 'undo') return header.number === head.number - 1 && header.hash === head.parentHash
  const step = header.number - head.number
  return step > 1 || (step === 1 && header.parentHash === head.hash)
}
