// Nodes that accept orders and listen, and clients of their sockets: for tests.
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { Consume } from '../src/http/limits.ts'
import { issueKey } from './keyed.ts'
import { type Client, connectTo, type Transport } from './socket-client.ts'
import { type TradingNodes, type TradingOptions, tradingNodes } from './trading-node.ts'

/** Keys are valid from before every scenario until long after. */
const KEY_LIFE_MS = 4_000_000_000_000

const allow: Consume = async () => ({ allowed: true, remaining: 1, resetMs: 0 })

export type TradingSockets = TradingNodes &
  Readonly<{
    /** URLs of the nodes. */
    urls: readonly string[]
    connect: (transport: Transport, node?: number) => Promise<Client>
    /** Connects with a new key of an account in the scenario. */
    connectAs: (who: string, transport: Transport, node?: number) => Promise<Client>
    /** Issues a key to an account; returns its credentials. */
    issue: (who: string) => Promise<Readonly<{ key: string; secret: string }>>
  }>

export async function tradingSockets(
  scenario: Scenario,
  options: TradingOptions = {},
): Promise<TradingSockets> {
  const host = { rates: { consume: allow, publicRate: undefined, proxyHops: 0 }, ...options.host }
  const venue = await tradingNodes(scenario, { ...options, host })
  const urls = await Promise.all(
    venue.hosts.map((host) => host.listen({ host: '127.0.0.1', port: 0 })),
  )
  const clients: Client[] = []
  const connect: TradingSockets['connect'] = async (transport, node = 0) => {
    const client = await connectTo(urls[node] ?? '', transport)
    clients.push(client)
    return client
  }
  const issue: TradingSockets['issue'] = async (who) => {
    const { key, secret } = await issueKey(venue.store, venue.walletOf(who), 0, KEY_LIFE_MS)
    return { key, secret }
  }
  return {
    ...venue,
    urls,
    connect,
    issue,
    connectAs: async (who, transport, node) => {
      const client = await connect(transport, node)
      const { error } = await client.ask('auth', await issue(who))
      if (error !== undefined) throw new Error(error)
      return client
    },
    close: async () => {
      for (const client of clients) client.close()
      await venue.close()
    },
  }
}
