// Puts a proxy into every connection of the venue, one between each process and each server.
import { type ChainFault, ChainProxy } from '../net/chain-proxy.ts'
import { type Failure, TcpProxy } from '../net/tcp-proxy.ts'

type Backend = 'database' | 'replica' | 'redis' | 'node' | 'indexer'

type Link = Readonly<{
  /** Name of the process. */
  from: string
  to: Backend
  proxy: TcpProxy
}>

/** Selects links; absent: all. */
export type LinkFilter = Readonly<{ from?: string; to?: Backend }>

/** Selects faulty nodes by process, and their number per process. */
type FaultyNodes = Readonly<{ from?: string; first?: number }>

export class Links {
  readonly #links: Link[] = []
  readonly #nodes: Readonly<{ from: string; index: number; proxy: ChainProxy }>[] = []

  /** Opens a link from the process `from` to the server at `port`; returns its own port. */
  async open(from: string, to: Backend, port: number): Promise<number> {
    const proxy = await TcpProxy.open(port)
    this.#links.push({ from, to, proxy })
    return proxy.port
  }

  /** Opens links to `count` nodes of the chain, each with its own fault; returns their ports. */
  async openNodes(from: string, chainUrl: string, count = 1): Promise<readonly number[]> {
    const ports: number[] = []
    for (let index = 0; index < count; index++) {
      const proxy = await ChainProxy.open(chainUrl)
      this.#nodes.push({ from, index, proxy })
      ports.push(await this.open(from, 'node', proxy.port))
    }
    return ports
  }

  get all(): readonly Link[] {
    return this.#links
  }

  fail(filter: LinkFilter, failure: Failure): void {
    for (const { from, to, proxy } of this.#links)
      if (isSelected(filter, from) && (filter.to === undefined || filter.to === to))
        proxy.fail(failure)
  }

  /** Sets the fault of the first nodes of each selected process; absent: all. */
  setFault(
    fault: ChainFault,
    { from = '', first = Number.POSITIVE_INFINITY }: FaultyNodes = {},
  ): void {
    for (const node of this.#nodes)
      if (node.from.startsWith(from) && node.index < first) node.proxy.fault = fault
  }

  restore(): void {
    this.setFault({ kind: 'honest' })
    for (const { proxy } of this.#links) proxy.restore()
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map(({ proxy }) => proxy.close()))
    await Promise.all(this.#nodes.map(({ proxy }) => proxy.close()))
  }
}

const isSelected = (filter: LinkFilter, from: string) =>
  filter.from === undefined || from.startsWith(filter.from)
