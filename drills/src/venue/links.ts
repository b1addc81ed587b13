// Every connection of the venue, each with a proxy of ours in it: between a process and what stands
// behind it there is one of its own.
import { ChainProxy, type Fault } from '../net/chain-proxy.ts'
import { type Failure, TcpProxy } from '../net/tcp-proxy.ts'

export type Backend = 'database' | 'replica' | 'redis' | 'node' | 'indexer'

export type Link = Readonly<{
  /** Name of the process. */
  from: string
  to: Backend
  proxy: TcpProxy
}>

/** Which links are meant; absent: all. */
export type Which = Readonly<{ from?: string; to?: Backend }>

export class Links {
  readonly #links: Link[] = []
  readonly #chains: Readonly<{ from: string; proxy: ChainProxy }>[] = []

  /** Opens a link from the process `from` to the server at `port`; returns its own port. */
  async open(from: string, to: Backend, port: number): Promise<number> {
    const proxy = await TcpProxy.open(port)
    this.#links.push({ from, to, proxy })
    return proxy.port
  }

  /** Opens a link to the chain, over a node that can be told to lie. */
  async openNode(from: string, chainUrl: string): Promise<number> {
    const node = await ChainProxy.open(chainUrl)
    this.#chains.push({ from, proxy: node })
    return this.open(from, 'node', node.port)
  }

  get all(): readonly Link[] {
    return this.#links
  }

  fail(which: Which, failure: Failure): void {
    for (const { from, to, proxy } of this.#links)
      if (isMeant(which, from) && (which.to === undefined || which.to === to)) proxy.fail(failure)
  }

  /** Sets the fault of the nodes of the processes whose name begins with `from`. */
  lie(fault: Fault, from = ''): void {
    for (const chain of this.#chains) if (chain.from.startsWith(from)) chain.proxy.fault = fault
  }

  heal(): void {
    this.lie({ kind: 'honest' })
    for (const { proxy } of this.#links) proxy.heal()
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map(({ proxy }) => proxy.close()))
    await Promise.all(this.#chains.map(({ proxy }) => proxy.close()))
  }
}

const isMeant = (which: Which, from: string) =>
  which.from === undefined || from.startsWith(which.from)
