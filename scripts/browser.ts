// Builds the terminal and runs its tests in Chromium: `npm run test:browser`, or with names of
// files after `--`. All files share one Chromium and have contexts of their own in it.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { BrowserServer } from 'playwright-core'
import { startBrowserServer } from '../terminal/test/browser.ts'
import { CHROMIUM, installChromium } from './debian.ts'
import { addCounts, isGreen, NONE } from './tests/counts.ts'
import { type FilesResult, runFiles } from './tests/files.ts'
import { reportRun } from './tests/report.ts'

const TESTS = 'terminal/test/*.browser.ts'
/** Found in a file whose venue is several processes on one PostgreSQL. */
const NEEDS_DATABASE = 'process.env.DATABASE_URL'
/** Processes at the same time, more than one per core: each waits for blocks most of the time. */
const LANES = 3
/** Counts requests and jumps of a first visit, which depend on how fast the venue answers. */
const ALONE = ['speed']
/**
 * Files of one process, the longest first. Several share a venue (terminal/test/common-venue.ts),
 * whose chain is restarted after four minutes: no process may take longer.
 */
const PROCESSES: readonly (readonly string[])[] = [
  ['states'],
  ['pages'],
  ['layout', 'person'],
  ['order', 'placing', 'tables'],
  ['away'],
  ['wallet', 'book'],
  ['chart-moves', 'chart'],
  ['page'],
  ['account'],
  ['deployed'],
  ['killed'],
  ['market-menu', 'memory'],
]
/** Compiled modules, kept for the next file and shared with `npm test`. */
const COMPILE_CACHE = resolve('node_modules/.cache/openvenue/compiled')

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Runs a program of node's and returns its status. */
const runProgram = (...args: readonly string[]): number =>
  spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1

async function main(): Promise<number> {
  if (!installChromium()) {
    print('Chromium is not installed: the terminal is not tested')
    return 1
  }
  const given = process.argv.slice(2)
  const files = given.length > 0 ? given : globSync(TESTS)
  const needsDatabase = files.some((file) => readFileSync(file, 'utf8').includes(NEEDS_DATABASE))
  if (needsDatabase && process.env.DATABASE_URL === undefined)
    return runProgram('scripts/services.ts', process.execPath, 'scripts/browser.ts', ...files)
  process.env.CHROMIUM = CHROMIUM
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE
  const status = runProgram('terminal/scripts/build.ts')
  if (status !== 0) return status
  return (await runAll(files)) ? 0 : 1
}

/** Returns whether every test has passed. */
async function runAll(files: readonly string[]): Promise<boolean> {
  const startedMs = performance.now()
  const folder = useFolder()
  const browser = new SharedBrowser()
  const results: FilesResult[] = []
  const runLanes = async (queue: string[][], lanes: number) => {
    const work = async () => {
      for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
        await browser.offer()
        results.push(await runFiles(part, print))
      }
    }
    await Promise.all(Array.from({ length: lanes }, work))
  }
  try {
    const isAlone = (file: string) => ALONE.includes(nameOf(file))
    await runLanes(inProcesses(files.filter((file) => !isAlone(file))), LANES)
    await runLanes(
      files.filter(isAlone).map((file) => [file]),
      1,
    )
  } finally {
    await browser.close()
    endLeftChains(folder)
    rmSync(folder, { recursive: true, force: true })
  }
  const counts = results.map((result) => result.counts).reduce(addCounts, NONE)
  const failures = results.flatMap((result) => result.failures)
  const ms = performance.now() - startedMs
  print(await reportRun([{ name: 'browser', counts, ms, failures, output: [] }], ms))
  return isGreen(counts)
}

const nameOf = (file: string) => basename(file, '.browser.ts')

/** Returns the files of each process; a file that is not listed has one of its own. */
function inProcesses(files: readonly string[]): string[][] {
  const listed = PROCESSES.map((names) =>
    names.flatMap((name) => files.filter((file) => nameOf(file) === name)),
  ).filter(({ length }) => length > 0)
  const others = files.filter((file) => !PROCESSES.flat().includes(nameOf(file)))
  return [...others.map((file) => [file]), ...listed]
}

/** Returns the folder of the run, which holds all data of its venues. */
function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-browser-'))
  process.env.TMPDIR = folder
  // Venues start from one past, which the first of them makes (e2e/src/shared-past.ts).
  process.env.VENUE_PAST_DIR = join(folder, 'past')
  return folder
}

/** Ends the chains of files that were ended before they could do it. */
function endLeftChains(folder: string): void {
  for (const path of globSync(join(folder, '*/anvil.pid'))) {
    const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number }
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended as well.
    }
  }
}

/** The Chromium of the run, started again where it has ended. */
class SharedBrowser {
  #server: Promise<BrowserServer> | undefined

  /** Has files that start from now on connect to it. */
  async offer(): Promise<void> {
    this.#server ??= this.#start()
    process.env.BROWSER_SERVER = (await this.#server).wsEndpoint()
  }

  async close(): Promise<void> {
    await (await this.#server)?.close()
  }

  async #start(): Promise<BrowserServer> {
    const server = await startBrowserServer()
    server.once('close', () => {
      this.#server = undefined
    })
    return server
  }
}

process.exitCode = await main()
