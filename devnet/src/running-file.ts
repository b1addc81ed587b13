// Keeps the file in a data directory that says which venue runs there and where its parts answer,
// so that commands find it whatever its ports are, and a second start leaves it alone.
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
import { ConfigInvalid } from '@openvenue/store/environment'
import { readProcessStart } from './process-start.ts'

/** Where the parts of a venue answer. Nothing of it is secret. */
export type VenueUrls = Readonly<{
  apiUrl: string
  /** Of the second host. */
  integratedUrl: string
  indexerUrl: string
  keeperUrl: string
  rpcUrl: string
  /** Name of its typed-data domains. */
  domainName: string
}>

/** The venue of a data directory: its process, and what is known of it by now. */
type Running = Readonly<{
  pid: number
  processStart: string
  startedMs: number
  isReady: boolean
}> &
  Partial<VenueUrls>

export type DataDirClaim = Readonly<{
  /** Says where what answers already can be reached. */
  publish: (urls: Partial<VenueUrls>) => void
  /** Says that everything runs. */
  publishReady: (urls: VenueUrls) => void
  /** Removes the file. */
  release: () => void
}>

/** Two starts at the same moment can each find the file of a third that was killed. */
const CLAIMS_MAX = 10

const runningPath = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Marks `dataDir` as this process's. Throws `ConfigInvalid` when a venue runs there; the file of
 * one that was killed is taken over.
 */
export function claimDataDir(dataDir: string, nowMs: number): DataDirClaim {
  const { pid } = process
  const path = runningPath(dataDir)
  let running: Running = {
    pid,
    processStart: readProcessStart(pid) ?? '',
    startedMs: nowMs,
    isReady: false,
  }
  mkdirSync(dataDir, { recursive: true })
  claim(path, running)
  const write = (change: Partial<Running>) => {
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

/** Returns where the venue of `dataDir` answers; throws a sentence when none runs, or not yet. */
export function findVenue(dataDir: string): VenueUrls {
  const running = readRunning(runningPath(dataDir))
  const place = resolve(dataDir)
  if (running === undefined || !isLive(running))
    throw new Error(
      `no venue runs in ${place}: start one with npm start, or name the directory of another with DATA_DIR`,
    )
  if (!running.isReady)
    throw new Error(
      `the venue in ${place} is starting (process ${running.pid}): try again when npm start says that it is ready`,
    )
  return running as VenueUrls
}

function claim(path: string, running: Running): void {
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

/** Puts the file in its place unless there is one, whole, so that nobody reads half of it. */
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
    // Not every file system has links.
    copyFileSync(aside, path, constants.COPYFILE_EXCL)
  }
}

/** Takes the file of a dead venue away, unless another start was quicker: its file goes back. */
function setAside(path: string, dead: Running | undefined): void {
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

function writeAside(path: string, running: Running): string {
  const aside = `${path}.${process.pid}.next`
  writeFileSync(aside, `${JSON.stringify(running, null, 2)}\n`)
  return aside
}

/** Returns what the file says; undefined when there is none, or it is not ours. */
function readRunning(path: string): Running | undefined {
  try {
    const running = JSON.parse(readFileSync(path, 'utf8')) as Running | null
    return Number.isSafeInteger(running?.pid) ? (running as Running) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return
    throw error
  }
}

const isLive = ({ pid, processStart }: Running) => readProcessStart(pid) === processStart

const isSame = (one: Running | undefined, other: Running | undefined) =>
  one?.pid === other?.pid && one?.processStart === other?.processStart

function taken(path: string, holder: Running | undefined): ConfigInvalid {
  const { pid, startedMs = 0, apiUrl } = holder ?? {}
  const where = apiUrl === undefined ? '' : `${apiUrl}, `
  return new ConfigInvalid(
    `a venue runs in ${resolve(path, '..')} already (${where}process ${pid}, since ` +
      `${new Date(startedMs).toISOString()}): DATA_DIR names another directory`,
  )
}
