// Measures account pages on the PostgreSQL of DATABASE_URL and prints the section as JSON.
import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import { testEngines } from '@openvenue/store/test/engines'
import type { Section } from './table.ts'
import { COLUMNS, measureRow, NODE_FLAGS, nextMessage, withProcesses } from './versus.ts'

/** Budget of architecture section 10. */
const RATIO_MIN = 0.5
/** Three trades a minute in each of six markets: about 10,000 fills per account. */
const MINUTES = 560
/** Maximum number of pages, requested in turn. */
const PAGES_MAX = 150

type Ready = Readonly<{ port: number; headers: Readonly<Record<string, string>> }>
type PageAnswer = Readonly<{ pagination: Readonly<{ next_cursor: string | null }> }>

const market = LISTINGS['ETH-PERP'].name

/** Requested pages; `kind` selects the table of the bare server. */
const ASKED = [
  { name: '/trade-history, 50', path: '/trade-history?limit=50', kind: 'fill' },
  { name: '/trade-history, 1000', path: '/trade-history?limit=1000', kind: 'fill' },
  {
    name: '/trade-history, 50 of a market',
    path: `/trade-history?limit=50&instrument_name=${market}`,
    kind: 'fill',
  },
  { name: '/order-history, 50', path: '/order-history?limit=50', kind: 'order' },
  { name: '/order-history, 1000', path: '/order-history?limit=1000', kind: 'order' },
  { name: '/position-history, 50', path: '/position-history?limit=50', kind: 'closedCycle' },
  { name: '/transaction-history, 50', path: '/transaction-history?limit=50', kind: 'transfer' },
  { name: '/open-orders, 50', path: '/open-orders?limit=50', kind: 'resting' },
  { name: '/open-orders, 1000', path: '/open-orders?limit=1000', kind: 'resting' },
  { name: '/orders', path: '/orders', kind: 'resting' },
] as const

const [rounds = 15, roundMs = 250, connections = 48] = process.argv.slice(2).map(Number)
const engine = testEngines(process.env.DATABASE_URL).at(-1)
if (engine?.name !== 'PostgreSQL') throw new Error('DATABASE_URL: expected a PostgreSQL server')
const database = await engine.createSharedDatabase()
const { databaseUrl = '' } = database.options

const section = await withProcesses(async (start): Promise<Section> => {
  const args = [String(MINUTES), 'unlimited', databaseUrl, 'keyed']
  const venue = start('./venue-server.ts', args, NODE_FLAGS)
  const ready = await nextMessage<Ready>(venue)
  const plain = start('./accounts-bare.ts', [databaseUrl])
  const bench = {
    load: start('./load.ts'),
    venue: { child: venue, port: ready.port },
    plain: { child: plain, ...(await nextMessage<{ port: number }>(plain)) },
    headers: ready.headers,
  }
  const rows: string[][] = []
  for (const { name, path, kind } of ASKED) {
    const paths = (await scanned(ready, path)).map((each) => withKind(each, kind))
    const comparison = { name, paths, ratioMin: RATIO_MIN }
    rows.push(await measureRow(bench, comparison, { rounds, roundMs, connections }))
  }
  return {
    title: 'Account pages against the bare query, JSON.stringify and node:http, PostgreSQL',
    columns: COLUMNS,
    rows,
  }
})
await database.remove()
process.stdout.write(`${JSON.stringify(section)}\n`)

/** Returns the paths of all pages of a list, as a client that pages through it requests them. */
async function scanned({ port, headers }: Ready, path: string): Promise<string[]> {
  const paths = [path]
  for (;;) {
    const last = paths.at(-1) as string
    const response = await fetch(`http://127.0.0.1:${port}${last}`, { headers })
    const { pagination } = (await response.json()) as Partial<PageAnswer>
    const cursor = pagination?.next_cursor ?? null
    if (cursor === null || paths.length === PAGES_MAX) return paths
    paths.push(`${path}&cursor=${encodeURIComponent(cursor)}`)
  }
}

/** Adds a parameter for the bare server, which the venue ignores. */
function withKind(path: string, kind: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}kind=${kind}`
}
