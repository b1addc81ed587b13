// All drills in the order in which they are run.
import type { Drill } from '../drill.ts'
import { CLOCK_DRILLS } from './clocks.ts'
import { LINK_DRILLS } from './links.ts'
import { NODE_DRILLS } from './nodes.ts'
import { PROCESS_DRILLS } from './processes.ts'
import { RANDOM_DRILLS } from './random-faults.ts'
import { REORG_DRILLS } from './reorgs.ts'
import { SERVER_DRILLS } from './servers.ts'

export const DRILLS: readonly Drill[] = [
  ...LINK_DRILLS,
  ...NODE_DRILLS,
  ...PROCESS_DRILLS,
  ...SERVER_DRILLS,
  ...CLOCK_DRILLS,
  ...REORG_DRILLS,
  ...RANDOM_DRILLS,
]
