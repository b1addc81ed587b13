// Scenarios as the store gets them: what their blocks did, and the state they lead to.
import type { BlockChanges, Change } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState, type VenueState } from '@openvenue/core/state'
import { rowKey } from '@openvenue/core/test/row-key'
import { applyBlock } from '@openvenue/core/venue'
import type { RecordFields } from '../src/db/tables.ts'

type Replay = Readonly<{ state: VenueState; blocks: readonly BlockChanges[] }>

/** Applies `blocks` to an empty venue. */
export function replay(blocks: readonly VenueBlock[]): Replay {
  const state = emptyState()
  return { state, blocks: blocks.map((block) => applyBlock(state, block)) }
}

/** Picks all that two states have to agree on: the rest of a state is made from it. */
export const comparedState = ({ head, records }: VenueState) => ({ head, records })

/** Every row that changes left, with its last content, in the order in which it first came. */
export function rowsOfKind(changes: readonly Change[], kind: Change['what']): RecordFields[] {
  const rows = new Map<string, RecordFields>()
  for (const { what, before, after } of changes) {
    if (what !== kind) continue
    if (after !== undefined) rows.set(rowKey(what, after), after)
    else if (before !== undefined) rows.delete(rowKey(what, before))
  }
  return [...rows.values()]
}

/** Counts the lists of accounts by day, row by row, as lines of `tableDump`. */
export function naiveCounts(changes: readonly Change[]): string[] {
  const counts = new Map<string, number>()
  const count = (list: string, rows: readonly RecordFields[], seconds: string) => {
    for (const row of rows) {
      const day = Math.floor(Number(row[seconds]) / 86_400)
      const isEnded = list === 'order' && row.restingLots === 0n
      const ended = isEnded ? Math.floor(Number(row.updatedSeconds) / (90 * 86_400)) : -1
      const key = `${list} ${row.account} ${row.market} ${day} ${ended}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const fills = rowsOfKind(changes, 'fill')
  const orders = rowsOfKind(changes, 'order').filter(({ status }) => status !== 'open')
  count('closedCycle', rowsOfKind(changes, 'closedCycle'), 'seconds')
  count('fill', fills, 'seconds')
  const forced = fills.filter(({ kind }) => kind !== 'trade')
  count('forced', forced, 'seconds')
  count('order', orders, 'createdSeconds')
  return [...counts].sort(([a], [b]) => compareKeys(a, b)).map(countLine)
}

const countLine = ([key, rows]: readonly [string, number]) => `history_counts ${key} ${rows}`

/** Places of numbers in a key: account, day and partition. */
const NUMBERS = [1, 3, 4]

/** Compares keys in the order of the database: numbers by value. */
function compareKeys(a: string, b: string): number {
  const others = b.split(' ')
  for (const [index, part] of a.split(' ').entries()) {
    const its = others[index] ?? ''
    if (part === its) continue
    return NUMBERS.includes(index) ? Number(part) - Number(its) : part < its ? -1 : 1
  }
  return 0
}
