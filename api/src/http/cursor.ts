// Writes and reads cursors: a few values as text that clients hand back unread. The first of them
// names the list, so that a cursor of another list or filter is refused.
import { hash } from 'node:crypto'
import { Refusal } from './refusals.ts'

/** A cursor is distinguished, not protected: a few characters do. */
const PRINT_LENGTH = 11

/** Returns a short name of a list: of everything that decides its rows and their order. */
export const listPrint = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, PRINT_LENGTH)

/** Returns the text of a cursor. */
export const encodeCursor = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

/** Returns what a cursor is made of; nothing for a text that is none. */
export function cursorParts(cursor: string): readonly unknown[] {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding is lenient: what is not a cursor's own text is none.
  if (bytes.toString('base64url') !== cursor) return []
  try {
    const parts: unknown = JSON.parse(bytes.toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    // Whatever it is, it is no cursor of ours.
    return []
  }
}

/** Returns the refusal of a cursor that no answer to the same query gave. */
export function invalidCursor(): Refusal {
  const message = 'cursor is one that an answer to the same query gave'
  const detail = { field: 'cursor', code: 'INVALID_CURSOR', message } as const
  return new Refusal('INVALID_CURSOR', { details: [detail] })
}
