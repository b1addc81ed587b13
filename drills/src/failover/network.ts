// Gives each machine of a failover drill an address: a network namespace with a link to a bridge,
// or an address of the loopback interface where namespaces are not available.
import { spawnSync } from 'node:child_process'

export const MACHINES = ['a', 'b', 'c'] as const
export type MachineName = (typeof MACHINES)[number]

const OCTETS = 200
/** Host numbers of the machines in the network; the bridge has the first one. */
const HOST_MIN = 11

export class Network {
  /** Machines have links that can be cut. */
  readonly hasLinks: boolean
  /** Network of all machines and the services, CIDR. */
  readonly subnet: string
  readonly #prefix: string
  readonly #id: string

  private constructor(hasLinks: boolean) {
    this.hasLinks = hasLinks
    const [second, third] = [randomOctet(), randomOctet()]
    this.#prefix = `${hasLinks ? 10 : 127}.${second}.${third}`
    this.subnet = hasLinks ? `${this.#prefix}.0/24` : '127.0.0.0/8'
    this.#id = `ov${second}x${third}`
  }

  static open(): Network {
    const network = new Network(canMakeNamespaces())
    if (network.hasLinks) network.#build()
    return network
  }

  address(name: MachineName): string {
    return `${this.#prefix}.${HOST_MIN + MACHINES.indexOf(name)}`
  }

  /** Returns the command that runs `command` on a machine. */
  commandOn(name: MachineName, command: readonly string[]): readonly string[] {
    return this.hasLinks ? ['ip', 'netns', 'exec', this.#namespace(name), ...command] : command
  }

  /** Packets from and to the machine are lost. Without links this does nothing. */
  cut(name: MachineName): void {
    if (this.hasLinks) ip('link', 'set', this.#link(name), 'down')
  }

  mend(name: MachineName): void {
    if (this.hasLinks) ip('link', 'set', this.#link(name), 'up')
  }

  /** Ends every process on the machines, and deletes the network. */
  remove(): void {
    if (!this.hasLinks) return
    for (const name of MACHINES) {
      const { stdout } = spawnSync('ip', ['netns', 'pids', this.#namespace(name)])
      for (const pid of stdout.toString().split('\n').filter(Boolean))
        spawnSync('kill', ['-KILL', pid])
      spawnSync('ip', ['netns', 'del', this.#namespace(name)])
    }
    spawnSync('ip', ['link', 'del', this.#id])
  }

  #build(): void {
    ip('link', 'add', this.#id, 'type', 'bridge')
    ip('addr', 'add', `${this.#prefix}.1/24`, 'dev', this.#id)
    ip('link', 'set', this.#id, 'up')
    for (const name of MACHINES) {
      const [namespace, link] = [this.#namespace(name), this.#link(name)]
      const inside = (...args: readonly string[]) => ip('-n', namespace, ...args)
      ip('netns', 'add', namespace)
      ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', link, 'master', this.#id, 'up')
      inside('addr', 'add', `${this.address(name)}/24`, 'dev', 'eth0')
      inside('link', 'set', 'eth0', 'up')
      inside('link', 'set', 'lo', 'up')
    }
  }

  #namespace(name: MachineName): string {
    return `${this.#id}-${name}`
  }

  #link(name: MachineName): string {
    return `${this.#id}${name}`
  }
}

const randomOctet = () => 1 + Math.floor(Math.random() * OCTETS)

function canMakeNamespaces(): boolean {
  const name = `ov-probe-${process.pid}`
  const isMade = spawnSync('ip', ['netns', 'add', name]).status === 0
  if (isMade) spawnSync('ip', ['netns', 'del', name])
  return isMade
}

function ip(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', args)
  if (status !== 0) throw new Error(`ip ${args.join(' ')} ended with ${status}: ${stderr}`)
}
