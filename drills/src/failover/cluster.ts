// Three machines with Patroni, and the HAProxy through which services reach the primary.
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../net/ports.ts'
import { Child } from '../servers/child.ts'
import { until } from '../servers/until.ts'
import { Machine } from './machine.ts'
import { MACHINES, type Network } from './network.ts'
import { fillIn, type MachineSettings, machineSettings } from './settings.ts'

const STARTED_MS_MAX = 120_000
const HEALTHY_MS_MAX = 120_000
/** Patroni 3.1 and later report standbys that stream as `streaming`. */
const isUp = (state: string) => state === 'running' || state === 'streaming'
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy']

export class Cluster {
  readonly machines: readonly Machine[]
  /** Ports of HAProxy. */
  readonly ports: Readonly<{ primary: number; replica: number }>
  /** Name and password of the venue's user. */
  readonly user: string
  readonly #settings: MachineSettings
  readonly #network: Network
  readonly #folder: string
  #balancer: Child | undefined

  private constructor(
    network: Network,
    folder: string,
    ports: Readonly<{ primary: number; replica: number }>,
  ) {
    this.#network = network
    this.#folder = folder
    this.ports = ports
    const password = () => randomBytes(16).toString('hex')
    this.user = `openvenue:${password()}`
    const addresses = MACHINES.map((name) => [name.toUpperCase(), network.address(name)])
    this.#settings = machineSettings({
      ...Object.fromEntries(addresses),
      CLIENTS: network.subnet,
      WATCHDOG: 'off',
      ARCHIVE_COMMAND: 'true',
      PRIMARY_PORT: String(ports.primary),
      REPLICA_PORT: String(ports.replica),
      SUPERUSER_PASSWORD: password(),
      REPLICATION_PASSWORD: password(),
      REST_PASSWORD: password(),
    })
    const options = { network, folder, settings: this.#settings }
    this.machines = MACHINES.map((name) => new Machine(name, options))
  }

  /** Starts all, with an empty database `openvenue` of the user. */
  static async start(
    network: Network,
    folder: string,
    onExit: (end: () => void) => void,
  ): Promise<Cluster> {
    const missing = PROGRAMS.filter((path) => !existsSync(path))
    if (missing.length > 0)
      throw new Error(`${missing} missing: apt-get install patroni etcd-server haproxy`)
    const ports = { primary: await freePort(), replica: await freePort() }
    const cluster = new Cluster(network, folder, ports)
    onExit(() => {
      for (const machine of cluster.machines) machine.killNow()
    })
    try {
      await cluster.#start()
    } catch (error) {
      const logs = cluster.machines.map((machine) => machine.lastLines()).join('\n')
      await cluster.stop()
      throw new Error(logs, { cause: error })
    }
    return cluster
  }

  async #start(): Promise<void> {
    for (const machine of this.machines) machine.start()
    await this.healthy(STARTED_MS_MAX)
    const [name, password] = this.user.split(':')
    await this.psql(
      `CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE pg_monitor`,
      `CREATE DATABASE openvenue OWNER ${name}`,
      'ALTER DATABASE openvenue SET openvenue.synchronous = on',
    )
    const configPath = join(this.#folder, 'haproxy.cfg')
    writeFileSync(configPath, fillIn('haproxy.cfg', this.#settings))
    const args = ['-db', '-f', configPath]
    const logPath = join(this.#folder, 'haproxy.log')
    this.#balancer = Child.start({ command: '/usr/sbin/haproxy', args, logPath })
  }

  /** Resolves when there is a primary with a synchronous standby, and another one. */
  async healthy(withinMs = HEALTHY_MS_MAX): Promise<void> {
    await until('a primary has both standbys', () => this.#isHealthy(), withinMs)
  }

  async #isHealthy(): Promise<boolean> {
    const { members = [] } = (await (await this.primary()).report()) ?? {}
    const [leader] = members.filter(({ role }) => role === 'leader')
    return (
      members.length === MACHINES.length &&
      members.some(({ role }) => role === 'sync_standby') &&
      members.every(({ state, timeline }) => isUp(state) && timeline === leader?.timeline)
    )
  }

  /** The machine that HAProxy leads to; throws while there is none. */
  async primary(): Promise<Machine> {
    const are = await Promise.all(this.machines.map((machine) => machine.isPrimary()))
    const machine = this.machines[are.indexOf(true)]
    if (machine === undefined) throw new Error('no machine is the primary')
    return machine
  }

  /** The synchronous standby; throws while there is none. */
  async synchronous(): Promise<Machine> {
    const { members = [] } = (await (await this.primary()).report()) ?? {}
    const name = members.find(({ role }) => role === 'sync_standby')?.name
    const machine = this.machines.find((machine) => machine.name === name)
    if (machine === undefined) throw new Error('no machine is the synchronous standby')
    return machine
  }

  /** Hands the primary over to its synchronous standby, like an operator. */
  async switchover(): Promise<void> {
    const { name, configPath } = await this.primary()
    const args = ['-c', configPath, 'switchover', 'openvenue', '--force', '--leader', name]
    const { stdout, stderr } = await promisify(execFile)('/usr/bin/patronictl', args)
    if (!stdout.includes('Successfully')) throw new Error(`switchover: ${stdout}${stderr}`)
  }

  /** Runs statements on the primary as the superuser, from its machine. */
  async psql(...statements: readonly string[]): Promise<string> {
    const { name, address } = await this.primary()
    const commands = statements.flatMap((text) => ['-c', text])
    const url = `postgres://postgres:${this.#settings.SUPERUSER_PASSWORD}@${address}/postgres`
    const args = [url, '-v', 'ON_ERROR_STOP=1', '-At', ...commands]
    const [program = '', ...rest] = this.#network.commandOn(name, ['psql', ...args])
    const { status, stdout, stderr } = spawnSync(program, rest)
    if (status !== 0) throw new Error(`psql ended with ${status}: ${stderr}`)
    return stdout.toString().trim()
  }

  async stop(): Promise<void> {
    await this.#balancer?.end()
    for (const machine of this.machines) await machine.stop()
  }
}
