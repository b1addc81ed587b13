// Describes a drill of alerts: what brings them about, and what the runbook says to do.
import type { Venue } from '../venue/venue.ts'

export type AlertDrill = Readonly<{
  name: string
  /** One line for whoever reads the table. */
  about: string
  /** All of them fire. */
  alerts: readonly string[]
  /** What the runbook says to look for in the logs of the processes whose names begin so. */
  says?: Readonly<{ who: string; what: RegExp }>
  /** They look back: others go on meanwhile. */
  isSlowToEnd?: true
  cause(venue: Venue): Promise<void>
  /** What the runbook has under "Do". */
  remedy(venue: Venue): Promise<void>
}>
