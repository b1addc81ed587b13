// A drill: a temporary fault.
import type { Random } from '@openvenue/devnet/random'
import type { Venue } from './venue/venue.ts'

type DrillContext = Readonly<{
  random: Random
  /** Waits while the fault lasts. */
  hold(seconds: number): Promise<void>
}>

export type Drill = Readonly<{
  name: string
  /** One line for the table. */
  about: string
  /** Set for drills that continuous integration runs. */
  isShort?: true
  /** Set when its database needs a small disk that can be full, which requires root. */
  isDisk?: true
  /** Causes the fault, holds it and ends it. */
  run(venue: Venue, context: DrillContext): Promise<void>
}>
