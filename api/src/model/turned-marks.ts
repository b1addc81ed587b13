// Finds marks that come into force, or go back, by nothing but the time of a block.
import type { Header } from '@openvenue/core/events'
import { markAt } from '@openvenue/core/marks'
import type { VenueState } from '@openvenue/core/state'

/** Returns the markets of `state` whose mark is another at `head` than at the state's own head. */
export function turnedMarks({ head: before, records }: VenueState, head: Header): string[] {
  const turned: string[] = []
  if (before === undefined || before.seconds === head.seconds) return turned
  for (const mark of records.mark.values())
    if (markAt(mark, before.seconds).price !== markAt(mark, head.seconds).price)
      turned.push(mark.market)
  return turned
}
