// Runs PostgreSQL with a streaming replica, from Debian's packages, on ports of their own.
import { spawnSync } from 'node:child_process'
import { chownSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../net/ports.ts'
import { Child } from './child.ts'
import { until } from './until.ts'

const READY_MS_MAX = 60_000
const QUERY_MS_MAX = 10_000
/** A run is disposable: protection against broken machines is off. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=replica',
  'max_wal_senders=4',
  'hot_standby=on',
  'listen_addresses=127.0.0.1',
  'wal_retrieve_retry_interval=500ms',
  'min_wal_size=32MB',
  'max_wal_size=64MB',
  'shared_buffers=64MB',
  'max_connections=200',
].flatMap((setting) => ['-c', setting])

type ProcessUser = Readonly<{ uid: number; gid: number }>

/** A server that can be killed and restarted with the same folder and port. */
export class Postgres {
  readonly port: number
  readonly dataDir: string
  readonly #logPath: string
  #child: Child | undefined

  private constructor(dataDir: string, port: number, logPath: string) {
    this.dataDir = dataDir
    this.port = port
    this.#logPath = logPath
  }

  /** Creates and starts a server in `folder`. */
  static async primary(folder: string, logPath: string): Promise<Postgres> {
    const dataDir = createDataDir(folder)
    run('initdb', ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
    const server = new Postgres(dataDir, await freePort(), logPath)
    await server.start()
    return server
  }

  /** Creates and starts a replica of `primary` in `folder`. */
  static async startReplica(primary: Postgres, folder: string, logPath: string): Promise<Postgres> {
    const dataDir = createDataDir(folder)
    const source = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres']
    run('pg_basebackup', [
      '-D',
      dataDir,
      ...source,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
    ])
    const server = new Postgres(dataDir, await freePort(), logPath)
    await server.start()
    return server
  }

  url(port = this.port, database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${port}/${database}`
  }

  get isRunning(): boolean {
    return this.#child !== undefined && !this.#child.hasEnded
  }

  /** Starts it, after waiting for the remains of a killed one. */
  async start(): Promise<void> {
    await until(`PostgreSQL is ready (${this.#logPath})`, () => this.#tryStart(), READY_MS_MAX)
  }

  async #tryStart(): Promise<boolean> {
    if (!this.isRunning) {
      const args = ['-D', this.dataDir, '-p', `${this.port}`, '-k', '', ...SETTINGS]
      const command = join(binFolder(), 'postgres')
      this.#child = Child.start({ command, args, logPath: this.#logPath, cwd: '/', ...findOwner() })
    }
    await this.query('SELECT 1')
    return true
  }

  /** Runs one statement on a connection of its own; returns the first column of the first row. */
  async query(text: string, database = 'postgres'): Promise<string> {
    const client = new Client({
      connectionString: this.url(this.port, database),
      connectionTimeoutMillis: QUERY_MS_MAX,
      query_timeout: QUERY_MS_MAX,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query({ text, rowMode: 'array' })
      return String(rows[0]?.[0] ?? '')
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Kills the server and all of its processes, like a power failure. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined || child.hasEnded) return
    const pids = [child.pid, ...listChildren(child.pid)]
    for (const pid of pids) signal(pid, 'SIGKILL')
    await child.ended
    await until('its processes are gone', () => !pids.some(isAlive), READY_MS_MAX)
  }

  async stop(): Promise<void> {
    await this.#child?.end('SIGINT', 10_000)
  }
}

/** PostgreSQL refuses to run as root, and in a folder of another user. */
function createDataDir(folder: string): string {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const owner = findOwner()
  if (owner !== undefined) chownSync(dataDir, owner.uid, owner.gid)
  return dataDir
}

let owner: ProcessUser | undefined

/** Returns the user for programs that refuse to run as root; undefined when we are not. */
export function findOwner(): ProcessUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const readId = (kind: string) => Number(spawnSync('id', [kind, 'postgres']).stdout.toString())
  owner ??= { uid: readId('-u'), gid: readId('-g') }
  return owner
}

function binFolder(): string {
  const folder = globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)
  if (folder === undefined)
    throw new Error('PostgreSQL is missing: node scripts/services.ts true installs it')
  return folder
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(binFolder(), program), args, {
    cwd: '/',
    ...findOwner(),
  })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
}

const parentPid = (pid: string) =>
  Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])

/** Returns the processes whose parent is `pid`. */
export function listChildren(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => {
      try {
        return /^\d+$/.test(name) && parentPid(name) === pid
      } catch {
        // It has ended meanwhile.
        return false
      }
    })
    .map(Number)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
