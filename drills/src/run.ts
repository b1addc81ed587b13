// Plays drills one after another, on a venue that is built anew when the last drill has hurt it or
// its chain has grown long.
import type { Drill } from './drill.ts'
import { type Played, play } from './play.ts'
import { Crowd } from './users/crowd.ts'
import { Stage } from './venue/stage.ts'

/** The node keeps the logs of 5,000 blocks, and what is compared begins at the first. */
const BLOCKS_MAX = 3_000
/** A database, its log and some minutes of trading, and not much more. */
const DISK_MB = 400

export type RunOptions = Readonly<{
  drills: readonly Drill[]
  seed: number
  /** Hears what goes on. */
  tell(text: string): void
  warn(text: string): void
  stopped: AbortSignal
  /** Leaves the logs of every process behind. */
  isKept: boolean
}>

type Venue = Readonly<{ stage: Stage; crowd: Crowd; isDisk: boolean }>

/** Plays every drill, or those before `stopped`; leaves nothing running. */
export async function run({ drills, seed, stopped, ...options }: RunOptions): Promise<Played[]> {
  const { tell } = options
  const played: Played[] = []
  let venue: Venue | undefined
  const end = async () => {
    await venue?.crowd.stop()
    await venue?.stage.stop()
    venue = undefined
  }
  try {
    for (const [index, drill] of drills.entries()) {
      if (stopped.aborted) break
      const isDisk = drill.isDisk === true
      if (venue !== undefined && !(await isGoodFor(venue, isDisk))) await end()
      if (venue === undefined) {
        tell('building a venue')
        venue = await build({ ...options, isDisk, seed: seed + index })
        tell(`logs: ${venue.stage.parts.folder}`)
      }
      tell(`${drill.name}: ${drill.about}`)
      const one = await orStopped(play(drill, venue, { seed: seed + index, stopped }), stopped)
      if (one === undefined) break
      played.push(one)
      for (const failure of one.failures) tell(`  FAILED ${failure}`)
      // What is wrong now would be wrong in every drill that follows.
      if (one.failures.length > 0) await end()
    }
  } finally {
    await end()
  }
  return played
}

async function isGoodFor({ stage, isDisk }: Venue, wantsDisk: boolean): Promise<boolean> {
  return isDisk === wantsDisk && (await stage.parts.chain.head()) < BLOCKS_MAX
}

type Building = Pick<RunOptions, 'warn' | 'isKept'> & Readonly<{ isDisk: boolean; seed: number }>

async function build({ isDisk, ...options }: Building): Promise<Venue> {
  const stage = await Stage.start({ ...options, ...(isDisk ? { diskMb: DISK_MB } : {}) })
  try {
    return { stage, crowd: await Crowd.enter(stage), isDisk }
  } catch (error) {
    await stage.stop()
    throw error
  }
}

/** Returns undefined as soon as `stopped` aborts: what is still waited for is of no use. */
async function orStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T | undefined> {
  work.catch(() => {})
  const aborted = new Promise<undefined>((resolve) => {
    if (stopped.aborted) resolve(undefined)
    stopped.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([work, aborted])
}
