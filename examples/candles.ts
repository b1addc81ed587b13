// Writes the candles of a market as CSV, oldest first, in as many requests as needed.
//
//   npx node examples/candles.ts ETH-PERP --resolution 60 --from 2026-11-01 > eth.csv
//
// --resolution is in minutes, or 1D, 1W, 1M. --from and --to are dates or Unix seconds, both
// inclusive; by default everything until now. --fill adds a flat candle for periods without trades.
import { parseArgs } from 'node:util'
import { type Endpoints, Rest, type shapes } from 'openvenue'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    resolution: { type: 'string', default: '60' },
    from: { type: 'string', default: '0' },
    to: { type: 'string' },
    fill: { type: 'boolean', default: false },
    page: { type: 'string', default: '5000' },
  },
})
const COLUMNS = ['open', 'high', 'low', 'close', 'volume', 'quote_volume', 'trades'] as const
const [market = 'ETH-PERP'] = positionals
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000' } = process.env
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const patience = { retries: 5, waitMsMax: 60_000 }
const rest = new Rest({ url, patience, signal: stop.signal })

function toSeconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000
  if (Number.isNaN(seconds)) throw new Error(`time: got ${text}, expected a date or Unix seconds`)
  return Math.floor(seconds)
}

/** Reads backwards, since only the position of the newest candle is known. */
async function readCandles(from: number, to: number | undefined): Promise<shapes.Candle[]> {
  const pages: shapes.Candle[][] = []
  const resolution = values.resolution as Endpoints['GET /candles']['query']['resolution']
  const query = { instrument_name: market, resolution, countback: Number(values.page) }
  for (let until = to; ; ) {
    const page = await rest.call('GET /candles', {
      query: {
        ...query,
        ...(until !== undefined && { to: until }),
        fill: values.fill ? 'previous' : 'none',
      },
    })
    pages.unshift(page.filter(({ time }) => time >= from))
    const first = page[0]?.time
    if (first === undefined || first <= from || page.length < query.countback) return pages.flat()
    until = first - 1
  }
}

const to = values.to === undefined ? undefined : toSeconds(values.to)
const candles = await readCandles(toSeconds(values.from), to)
// A reader such as `head` closes the pipe early, which is not an error.
process.stdout.on('error', () => process.exit())
process.stdout.write(`time,${COLUMNS.join()}\n`)
for (const candle of candles) {
  const time = new Date(candle.time * 1000).toISOString()
  process.stdout.write(`${time},${COLUMNS.map((column) => candle[column]).join()}\n`)
}
