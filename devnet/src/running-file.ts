// File in a data directory that names the running venue and its URLs, so that commands find it at
// any port, and a second start refuses.
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { readProcessStart } from './process-start.ts'

/** URLs of a venue's parts. None of them is secret. */
export type VenueUrls = Readonly<{
  apiUrl: string
  /** URL of the second host. */
  integratedUrl: string
  indexerUrl: string
  keeperUrl: string
  rpcUrl: string
  /** Name of its typed-data domains. */
  domainName: string
}>

/** The venue of a data directory: its process and its known URLs. */
type RunningVenue = Readonly<{
  pid: number
  processStart: string
  startedMs: number
  isReady: boolean
}> &
  Partial<VenueUrls>

export type DataDirClaim = Readonly<{
  /** Publishes the URLs that answer already. */
  publish: (urls: Partial<VenueUrls>) => void
  /** Marks the venue as ready. */
  publishReady: (urls: VenueUrls) => void
  /** Removes the file. */
  release: () => void
}>

/** Maximum attempts: concurrent starts may each find the file of a killed one. */
const CLAIMS_MAX = 10

const runningPath = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Claims `dataDir` for this process. Throws `ConfigInvalid` when a venue runs there; the file of a
 * killed one is replaced.
 */
export function claimDataDir(dataDir: string, nowMs: number): DataDirClaim {
  const { pid } = process
  const path = runningPath(dataDir)
  let running: RunningVenue = {
    pid,
    processStart: readProcessStart(pid) ?? '',
    startedMs: nowMs,
    isReady: false,
  }
  mkdirSync(dataDir, { recursive: true })
  claim(path, running)
  const write = (change: Partial<RunningVenue>) => {
    running = { ...running, ...change }
    renameSync(writeAside(path, running), path)
  }
  return {
    publish: (urls) => write(urls),
    publishReady: (urls) => write({ ...urls, isReady: true }),
    release: () => {
      if (isSame(readRunning(path), running)) rmSync(path, { force: true })
    },
  }
}

/** Returns the URLs of the venue in `dataDir`; throws with a message when none runs, or not yet. */
export function findVenue(dataDir: string): VenueUrls {
  const running = readRunning(runningPath(dataDir))
  const folder = resolve(dataDir)
  if (running === undefined || !isLive(running))
    throw new Error(
      `no venue runs in ${folder}: start one with npm start, or name the directory of another with DATA_DIR`,
    )
  if (!running.isReady)
    throw new Error(
      `the venue in ${folder} is starting (process ${running.pid}): try again when npm start reports that it is ready`,
    )
  return running as VenueUrls
}

function claim(path: string, running: RunningVenue): void {
  const aside = writeAside(path, running)
  try {
    for (let tries = 0; !isPlaced(aside, path); tries++) {
      const holder = readRunning(path)
      if (tries === CLAIMS_MAX || (holder !== undefined && isLive(holder)))
        throw taken(path, holder)
      setAside(path, holder)
    }
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Creates the file atomically unless it exists, so that no reader sees a part of it. */
function isPlaced(aside: string, path: string): boolean {
  try {
    placeNew(aside, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function placeNew(aside: string, path: string): void {
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // Some file systems have no links.
    copyFileSync(aside, path, constants.COPYFILE_EXCL)
  }
}

/** Removes the file of a dead venue; restores it if another start was faster. */
function setAside(path: string, dead: RunningVenue | undefined): void {
  const away = `${path}.${process.pid}.dead`
  try {
    renameSync(path, away)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const moved = readRunning(away)
  if (moved !== undefined && !isSame(moved, dead)) isPlaced(away, path)
  rmSync(away, { force: true })
}

function writeAside(path: string, running: RunningVenue): string {
  const aside = `${path}.${process.pid}.next`
  writeFileSync(aside, `${JSON.stringify(running, null, 2)}\n`)
  return aside
}

/** Returns the content of the file; undefined when there is none, or it is invalid. */
function readRunning(path: string): RunningVenue | undefined {
  try {
    const running = JSON.parse(readFileSync(path, 'utf8')) as RunningVenue | null
    return Number.isSafeInteger(running?.pid) ? (running as RunningVenue) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return
    throw error
  }
}

const isLive = ({ pid, processStart }: RunningVenue) => readProcessStart(pid) === processStart

const isSame = (venue: RunningVenue | undefined, other: RunningVenue | undefined) =>
  venue?.pid === other?.pid && venue?.processStart === other?.processStart

function taken(path: string, holder: RunningVenue | undefined): ConfigInvalid {
  const { pid, startedMs = 0, apiUrl } = holder ?? {}
  const where = apiUrl === undefined ? '' : `${apiUrl}, `
  return new ConfigInvalid(
    `a venue runs in ${resolve(path, '..')} already (${where}process ${pid}, since ` +
      `${new Date(startedMs).toISOString()}): DATA_DIR names another directory`,
  )
}
