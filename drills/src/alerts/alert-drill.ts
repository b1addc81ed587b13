// A drill of alerts: how to cause them, and the remedy of the runbook.
import type { Venue } from '../venue/venue.ts'

export type AlertDrill = Readonly<{
  name: string
  /** One line for the table. */
  about: string
  /** All of them must fire. */
  alerts: readonly string[]
  /** Log line that the runbook mentions, in the processes whose names start with `who`. */
  says?: Readonly<{ who: string; what: RegExp }>
  /** They look back in time: other drills continue meanwhile. */
  isSlowToEnd?: true
  cause(venue: Venue): Promise<void>
  /** The steps under "Do" in the runbook. */
  remedy(venue: Venue): Promise<void>
}>
