// Encodes and decodes cursors: a few values as opaque text. The first one identifies the list, so
// that a cursor of another list or filter is refused.
import { hash } from 'node:crypto'
import { Refusal } from './refusals.ts'

/** Long enough to distinguish lists; cursors are not protected against forgery. */
const PRINT_LENGTH = 11

/** Returns a short hash of a list: of everything that decides its rows and their order. */
export const listPrint = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, PRINT_LENGTH)

/** Returns the text of a cursor. */
export const encodeCursor = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

/** Returns the values of a cursor; empty for a text that is not one. */
export function cursorParts(cursor: string): readonly unknown[] {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding is lenient, so only the canonical text is accepted.
  if (bytes.toString('base64url') !== cursor) return []
  try {
    const parts: unknown = JSON.parse(bytes.toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    // The text is not one of our cursors.
    return []
  }
}

/** Returns the refusal of a cursor from an answer to another query. */
export function invalidCursor(): Refusal {
  const message = 'cursor is invalid: expected a cursor from an answer to the same query'
  const detail = { field: 'cursor', code: 'INVALID_CURSOR', message } as const
  return new Refusal('INVALID_CURSOR', { details: [detail] })
}
