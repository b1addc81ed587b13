// Runs drills one after another on a venue, which is rebuilt when a drill has failed or its chain
// has grown long.
import type { Drill } from './drill.ts'
import { type DrillResult, runDrill } from './run-drill.ts'
import { Users } from './users/users.ts'
import { Venue } from './venue/venue.ts'

/** The node keeps the logs of 5,000 blocks, and comparisons start at the first. */
const BLOCKS_MAX = 3_000
/** Fits a database, its log and some minutes of trading, and not much more. */
const DISK_MB = 400

type RunOptions = Readonly<{
  drills: readonly Drill[]
  seed: number
  /** Receives the progress. */
  print(text: string): void
  warn(text: string): void
  stopped: AbortSignal
  /** Keeps the logs of every process. */
  isKept: boolean
}>

type Setup = Readonly<{ venue: Venue; users: Users; isDisk: boolean }>

/** Runs the drills until `stopped`; leaves nothing running. */
export async function runDrills({
  drills,
  seed,
  stopped,
  ...options
}: RunOptions): Promise<DrillResult[]> {
  const { print } = options
  const results: DrillResult[] = []
  let setup: Setup | undefined
  const end = async () => {
    await setup?.users.stop()
    await setup?.venue.stop()
    setup = undefined
  }
  try {
    for (const [index, drill] of drills.entries()) {
      if (stopped.aborted) break
      const isDisk = drill.isDisk === true
      if (setup !== undefined && !(await isReusable(setup, isDisk))) await end()
      if (setup === undefined) {
        print('building a venue')
        setup = await build({ ...options, isDisk, seed: seed + index })
        print(`logs: ${setup.venue.parts.folder}`)
      }
      print(`${drill.name}: ${drill.about}`)
      const result = await untilStopped(
        runDrill(drill, setup, { seed: seed + index, stopped }),
        stopped,
      )
      if (result === undefined) break
      results.push(result)
      for (const failure of result.failures) print(`  FAILED ${failure}`)
      // A remaining fault would affect later drills.
      if (result.failures.length > 0) await end()
    }
  } finally {
    await end()
  }
  return results
}

async function isReusable({ venue, isDisk }: Setup, needsDisk: boolean): Promise<boolean> {
  return isDisk === needsDisk && (await venue.parts.chain.head()) < BLOCKS_MAX
}

type BuildOptions = Pick<RunOptions, 'warn' | 'isKept'> &
  Readonly<{ isDisk: boolean; seed: number }>

async function build({ isDisk, ...options }: BuildOptions): Promise<Setup> {
  const venue = await Venue.start({ ...options, ...(isDisk ? { diskMb: DISK_MB } : {}) })
  try {
    return { venue, users: await Users.start(venue), isDisk }
  } catch (error) {
    await venue.stop()
    throw error
  }
}

/** Returns undefined as soon as `stopped` aborts: pending results are not needed. */
async function untilStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T | undefined> {
  work.catch(() => {})
  const aborted = new Promise<undefined>((resolve) => {
    if (stopped.aborted) resolve(undefined)
    stopped.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([work, aborted])
}
