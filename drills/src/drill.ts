// Describes a drill: a fault that comes and goes.
import type { Random } from '@openvenue/devnet/random'
import type { Venue } from './venue/venue.ts'

type DrillContext = Readonly<{
  random: Random
  /** Lets the fault last. */
  hold(seconds: number): Promise<void>
}>

export type Drill = Readonly<{
  name: string
  /** One line for whoever reads the table. */
  about: string
  /** Whether it is one of the few that continuous integration does. */
  isShort?: true
  /** Whether its database needs a disk that can be full, for which one must be root. */
  isDisk?: true
  /** Brings the fault, lets it last and takes it away. */
  run(venue: Venue, context: DrillContext): Promise<void>
}>
