// Measures deep history on the PostgreSQL of DATABASE_URL and prints the section as JSON.
import { LISTINGS, MARKET_NAMES } from '@openvenue/core/test/scenario/listing'
import { SCENARIO_START_SECONDS } from '@openvenue/core/test/scenario/scenario'
import { testEngines } from '@openvenue/store/test/engines'
import type { Section } from './table.ts'
import { COLUMNS, measureRow, NODE_FLAGS, nextMessage, withProcesses } from './versus.ts'

/** Budget of architecture section 10. */
const RATIO_MIN = 0.5
/** Minutes of trading, far more than the 1,500 bars in memory. */
const MINUTES = 4_000
const BARS = [100, 1_000]
/** Number of bars that a node keeps of each series. */
const NEWEST_BARS = 1_500
/** Number of range ends requested in turn, enough to miss every cache. */
const ENDS = 1_400
const FIRST_END = 1_000

const [rounds = 15, roundMs = 250, connections = 48] = process.argv.slice(2).map(Number)
const engine = testEngines(process.env.DATABASE_URL).at(-1)
if (engine?.name !== 'PostgreSQL') throw new Error('DATABASE_URL: expected a PostgreSQL server')
const database = await engine.createSharedDatabase()
const { databaseUrl = '' } = database.options

const section = await withProcesses(async (start): Promise<Section> => {
  const venue = start('./venue-server.ts', [String(MINUTES), 'unlimited', databaseUrl], NODE_FLAGS)
  const { port } = await nextMessage<{ port: number }>(venue)
  await askForNewest(port)
  const plain = start('./deep-bare.ts', [databaseUrl])
  const bench = {
    load: start('./load.ts'),
    venue: { child: venue, port },
    plain: { child: plain, ...(await nextMessage<{ port: number }>(plain)) },
  }
  const rows: string[][] = []
  for (const bars of BARS) {
    const paths = Array.from({ length: ENDS }, (_, index) => swapPath(bars, FIRST_END + index))
    const comparison = { name: `/candles, ${bars} old bars`, paths, ratioMin: RATIO_MIN }
    rows.push(await measureRow(bench, comparison, { rounds, roundMs, connections }))
  }
  return {
    title: 'Deep history against the bare query, JSON.stringify and node:http, PostgreSQL',
    columns: COLUMNS,
    rows,
  }
})
await database.remove()
process.stdout.write(`${JSON.stringify(section)}\n`)

/** Warms the texts of the newest bars, which slow down all other bars: decision 0012. */
async function askForNewest(port: number): Promise<void> {
  for (const name of MARKET_NAMES)
    for (const resolution of ['1', '3', '5']) {
      const query = `instrument_name=${name}&resolution=${resolution}&countback=${NEWEST_BARS}`
      const response = await fetch(`http://127.0.0.1:${port}/candles?${query}`)
      await response.arrayBuffer()
    }
}

/** Adds `market` for the bare server, which the venue ignores. */
function swapPath(bars: number, endMinute: number): string {
  const { id, name } = LISTINGS['ETH-PERP']
  const to = SCENARIO_START_SECONDS + endMinute * 60
  return `/candles?instrument_name=${name}&resolution=1&to=${to}&countback=${bars}&market=${id}`
}
