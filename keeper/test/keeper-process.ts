// Runs the keeper, or another process of the venue, to be killed and stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { LEASE_ENDED_MS } from '@openvenue/runtime/lease'
import { STANDBY_MS, TRIED } from '../src/leadership.ts'
import { TASKS } from '../src/task.ts'
import type { LiveVenue } from './live-venue.ts'

const OWN_CACHE = join(tmpdir(), 'openvenue-compile-cache')
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/**
 * Attempts within which a lease is taken over: the server ends the session of a process that hangs,
 * and the next attempt but one succeeds. Counted in attempts, since a busy machine stretches the
 * pauses between them as well.
 */
export const TRIES_MAX = Math.ceil(LEASE_ENDED_MS / STANDBY_MS) + 2

export class KeeperProcess {
  /** All its output, log lines and errors. */
  readonly lines: string[] = []
  readonly #process: ChildProcess
  readonly #written: Promise<unknown>

  constructor(env: Readonly<Record<string, string>>, main = MAIN) {
    this.#process = spawn(process.execPath, [main], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        KEEPER_PORT: '0',
        LOG_LEVEL: 'debug',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? OWN_CACHE,
        ...env,
      },
    })
    const readers = [this.#process.stdout, this.#process.stderr].map((stream) => {
      if (stream === null) throw new Error('the output is piped')
      return createInterface(stream).on('line', (line) => this.lines.push(line))
    })
    this.#written = Promise.all(readers.map((reader) => once(reader, 'close')))
  }

  /** Returns true when its last log line about the lease reports that it leads. */
  get leads(): boolean {
    const word = this.lines.findLast(
      (line) => line.includes('keeper lead') || line.includes('leads'),
    )
    return word?.includes('"this keeper leads"') ?? false
  }

  get isStandby(): boolean {
    return this.lines.some((line) => line.includes('on standby')) && !this.leads
  }

  /** Number of failed attempts to take the lease; `STANDBY_MS` apart. */
  get tries(): number {
    return this.lines.filter((line) => line.includes(TRIED)).length
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#process.kill(name)
  }

  /** Returns the exit code once it has exited on its own and its output was read. */
  async ended(): Promise<number | null> {
    if (!this.hasEnded) await once(this.#process, 'exit')
    await this.#written
    return this.#process.exitCode
  }

  /** Stops it if it still runs; returns its exit code, null when it was killed. */
  async end(name: 'SIGKILL' | 'SIGTERM' = 'SIGTERM'): Promise<number | null> {
    if (this.hasEnded) return this.#process.exitCode
    const exited = once(this.#process, 'exit')
    this.#process.kill(name)
    await exited
    return this.#process.exitCode
  }
}

type RelayerPlace = Readonly<{
  live: LiveVenue
  databaseUrl: string | undefined
  /** Folder of the deployment file. */
  folder: string
  keys: readonly string[]
}>

/** Starts a keeper that only relays. */
export const startRelayer = ({ live, databaseUrl = '', folder, keys }: RelayerPlace) =>
  new KeeperProcess({
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    RPC_URL: live.venue.url,
    RELAY_KEYS: keys.join(),
    ...Object.fromEntries(TASKS.map((task) => [`KEEPER_${task.toUpperCase()}`, 'off'])),
  })
