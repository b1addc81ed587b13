// Divides test files into processes and decides in which order these start.
import { readFileSync } from 'node:fs'
import type { Package, Program, Suite } from './packages.ts'

/** A unit of the queue: test files that share a process, or programs one after another. */
export type Job = Readonly<{
  package: string
  files: readonly string[]
  programs: readonly Program[]
  /** Expected duration on a quiet machine, seconds. */
  seconds: number
}>

/** Seconds by path of a file. */
type Durations = Readonly<Record<string, number>>

/** Loading what tests import costs each process a second. */
const FILES_PER_JOB_MAX = 10
/** A longer job would leave the other core idle at the end of a run. */
const SECONDS_PER_JOB_MAX = 60
/** Expected of a file without a recorded duration. */
const SECONDS_UNKNOWN = 1
/** Expected of the programs of a package: they compile, on every core. */
const PROGRAM_SECONDS = 120
/** A comment at the start of a file that must not share its process. */
const ALONE = /^\/\/ Runs alone: \S/m
const HEADER_CHARACTERS = 2_000

export const DURATIONS_FILE = new URL('./durations.json', import.meta.url)

/** Returns what was recorded of each suite: a file takes longer where it has servers. */
export const readDurations = (): Readonly<Record<Suite, Durations>> =>
  JSON.parse(readFileSync(DURATIONS_FILE, 'utf8'))

/** Returns true if `file` states why it must have a process to itself. */
const isAlone = (file: string): boolean =>
  ALONE.test(readFileSync(file, 'utf8').slice(0, HEADER_CHARACTERS))

/** Returns the jobs of a package: its programs, and its files by tens. */
export function createJobs(
  { name, programs }: Package,
  files: readonly string[],
  durations: Durations,
): Job[] {
  const job = (some: readonly string[]): Job => ({
    package: name,
    files: some,
    programs: [],
    seconds: some.reduce((sum, file) => sum + secondsOf(file), 0),
  })
  const secondsOf = (file: string) => durations[file] ?? SECONDS_UNKNOWN
  const alone = files.filter(isAlone)
  const shared = files.filter((file) => !alone.includes(file))
  return [
    ...(programs.length > 0
      ? [{ package: name, files: [], programs, seconds: PROGRAM_SECONDS }]
      : []),
    ...alone.map((file) => job([file])),
    ...divide(shared, secondsOf).map(job),
  ]
}

/** Fills as few groups as the limits allow: the longest file first, each into the shortest. */
function divide(files: readonly string[], secondsOf: (file: string) => number): string[][] {
  const total = files.reduce((sum, file) => sum + secondsOf(file), 0)
  const count = Math.max(
    Math.ceil(files.length / FILES_PER_JOB_MAX),
    Math.ceil(total / SECONDS_PER_JOB_MAX),
  )
  const groups = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const open = groups.filter((group) => group.files.length < FILES_PER_JOB_MAX)
    const shortest = open.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    shortest.files.push(file)
    shortest.seconds += secondsOf(file)
  }
  return groups.map((group) => group.files).filter((some) => some.length > 0)
}

/** Returns the jobs in the order in which they start: the longest first. */
export const longestFirst = (jobs: readonly Job[]): Job[] =>
  jobs.toSorted((a, b) => b.seconds - a.seconds)
