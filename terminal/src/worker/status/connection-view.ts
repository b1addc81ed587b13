// Judges how far what is shown is what the venue says now.

/**
 * `resync`: connected again, what was missed is on its way; `stale`: nothing has come for a while,
 * what is shown may be old; `down`: nothing has been reached for long.
 */
export type Connection = 'connecting' | 'resync' | 'open' | 'stale' | 'lost' | 'down'

/** When nothing has come for so long, what is shown is old, unless blocks take longer. */
export const STALE_MS = 2_000
/** So many times the time from block to block. */
const BLOCKS_STALE = 3
/** Without a connection for so long, the API is taken to be down. */
export const DOWN_MS = 8_000

/** Times are of one clock, in milliseconds; undefined: never. */
export type ConnectionFacts = Readonly<{
  isOpen: boolean
  /** When the socket was opened or lost last. */
  changedMs: number
  /** When something was published last. */
  heardMs: number | undefined
  /** From block to block of late. */
  blockMs?: number
}>

/** When nothing has come for so long, what is shown is old. */
export const staleAfterMs = (blockMs: number): number => Math.max(STALE_MS, BLOCKS_STALE * blockMs)

/** Returns the state at `nowMs`. */
export function judgeConnection(facts: ConnectionFacts, nowMs: number): Connection {
  const { isOpen, changedMs, heardMs, blockMs = 0 } = facts
  const staleMs = staleAfterMs(blockMs)
  if (!isOpen) {
    if (nowMs - changedMs > DOWN_MS) return 'down'
    return heardMs === undefined ? 'connecting' : 'lost'
  }
  if (heardMs === undefined) return 'connecting'
  if (heardMs < changedMs) return nowMs - changedMs > staleMs ? 'stale' : 'resync'
  return nowMs - heardMs > staleMs ? 'stale' : 'open'
}
