// One machine of the database: etcd, Patroni and PostgreSQL, from Debian's packages.
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Child } from '../servers/child.ts'
import { findOwner, isAlive, listChildren, signal } from '../servers/postgres.ts'
import { until } from '../servers/until.ts'
import type { MachineName, Network } from './network.ts'
import { fillIn, type MachineSettings } from './settings.ts'

const ENDED_MS_MAX = 20_000
const ANSWER_MS_MAX = 2_000
const PATRONI = '/usr/bin/patroni'

/** Patroni's view of the cluster. */
type ClusterReport = Readonly<{
  members: readonly Readonly<{
    name: MachineName
    role: 'leader' | 'sync_standby' | 'replica'
    state: string
    timeline?: number
  }>[]
}>

export class Machine {
  readonly name: MachineName
  readonly address: string
  readonly configPath: string
  readonly #network: Network
  readonly #folder: string
  readonly #settings: MachineSettings
  #etcd: Child | undefined
  #agent: Child | undefined

  constructor(
    name: MachineName,
    {
      network,
      folder,
      settings,
    }: Readonly<{
      network: Network
      folder: string
      settings: MachineSettings
    }>,
  ) {
    this.name = name
    this.address = network.address(name)
    this.#network = network
    this.#folder = join(folder, name)
    this.#settings = {
      ...settings,
      NAME: name,
      ADDRESS: this.address,
      DATA_DIR: join(this.#folder, 'data'),
      ETCD_DATA_DIR: join(this.#folder, 'etcd'),
      RUN_DIR: this.#folder,
    }
    mkdirSync(this.#folder)
    const owner = findOwner()
    if (owner !== undefined) chownSync(this.#folder, owner.uid, owner.gid)
    this.configPath = join(this.#folder, 'patroni.yml')
    writeFileSync(this.configPath, fillIn('patroni.yml', this.#settings))
  }

  start(): void {
    this.#etcd = this.#run('etcd', ['/usr/bin/etcd'], {
      ...(parseEnv(fillIn('etcd.env', this.#settings)) as MachineSettings),
      ETCD_INITIAL_CLUSTER_STATE: this.#etcd === undefined ? 'new' : 'existing',
    })
    this.#agent = this.#run('patroni', [PATRONI, this.configPath], {})
  }

  /** Runs a program on the machine, as the user of PostgreSQL. */
  #run(log: string, command: readonly string[], env: Readonly<Record<string, string>>): Child {
    const settings = { HOME: this.#folder, LC_ALL: 'C.UTF-8', ...env }
    const asOwner =
      findOwner() === undefined
        ? []
        : ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
    const inEnv = ['env', ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)]
    const [program = '', ...args] = this.#network.commandOn(this.name, [
      ...asOwner,
      ...inEnv,
      ...command,
    ])
    const logPath = `${this.#folder}-${log}.log`
    return Child.start({ command: program, args, logPath, cwd: '/' })
  }

  /** Kills PostgreSQL and all of its processes; the agent remains. */
  async killServer(): Promise<void> {
    await this.#kill(this.#serverPids())
  }

  /** Cuts the machine off, and then ends everything on it: no connection is closed. */
  async lose(): Promise<void> {
    this.#network.cut(this.name)
    await this.#kill(this.#allPids())
    await Promise.all([this.#etcd?.ended, this.#agent?.ended])
  }

  /** Starts a lost machine with its disk as it was. */
  return(): void {
    this.#network.mend(this.name)
    this.start()
  }

  /** The agent hangs, and PostgreSQL goes on. */
  hangAgent(): void {
    this.#agent?.signal('SIGSTOP')
  }

  resumeAgent(): void {
    this.#agent?.signal('SIGCONT')
  }

  /** Returns the state of the cluster as its agent sees it; undefined without an answer. */
  async report(): Promise<ClusterReport | undefined> {
    return (await this.#ask('cluster'))?.json() as Promise<ClusterReport | undefined>
  }

  /** True when HAProxy leads to it. */
  async isPrimary(): Promise<boolean> {
    const answer = await this.#ask('primary')
    await answer?.arrayBuffer()
    return answer?.ok === true
  }

  async #ask(path: string): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    return fetch(`http://${this.address}:8008/${path}`, { signal }).catch(() => undefined)
  }

  lastLines(): string {
    return [this.#etcd, this.#agent].map((child) => child?.lastLines() ?? '').join('\n')
  }

  #serverPids(): readonly number[] {
    try {
      const text = readFileSync(join(this.#settings.DATA_DIR ?? '', 'postmaster.pid'), 'utf8')
      const pid = Number(text.split('\n')[0])
      return isAlive(pid) ? [pid, ...listChildren(pid)] : []
    } catch {
      return []
    }
  }

  /** Signals everything at once, for an exit without an orderly shutdown. */
  killNow(): void {
    for (const pid of this.#allPids()) signal(pid, 'SIGKILL')
  }

  #allPids(): readonly number[] {
    const own = [this.#agent?.pid, this.#etcd?.pid].filter((pid) => pid !== undefined)
    return [...own, ...this.#serverPids()]
  }

  async #kill(pids: readonly number[]): Promise<void> {
    for (const pid of pids) signal(pid, 'SIGKILL')
    await until('its processes are gone', () => !pids.some(isAlive), ENDED_MS_MAX)
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    await this.#kill(this.#allPids())
  }
}
