// Shows the cost of holding perpetuals: the annualised rates of this hour and the next, the
// distance of the mark from the index, and the end of the hour. Longs pay positive rates to shorts.
//
//   npx node examples/funding.ts                    # every perpetual, a table every 5 s
//   npx node examples/funding.ts ETH-PERP BTC-PERP --every 1
//   npx node examples/funding.ts --once
import { parseArgs } from 'node:util'
import { fromRaw, Rest, type shapes, toRaw, toSteps, VenueSocket } from 'openvenue'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '5' },
    once: { type: 'boolean', default: false },
  },
})
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000' } = process.env
const HOURS_A_YEAR = 24n * 365n
const onState = (state: string) =>
  state === 'waiting' && process.stderr.write(`connection to ${url} lost, reconnecting\n`)
const socket = new VenueSocket({ url, onState })
process.once('SIGINT', () => socket.close())

type PriceRow = { mark?: bigint; index?: bigint; funding?: shapes.Funding }
const rows = new Map<string, PriceRow>()
const raw = (decimal: string) => toRaw(decimal, 18)

/** Returns a fraction with 18 decimals as a percentage, truncated to `digits` decimals. */
function percent(fraction: bigint, digits: number): string {
  const steps = toSteps(fromRaw(fraction * 100n, 18), fromRaw(1n, digits), 'down')
  const [whole, part = ''] = fromRaw(steps < 0n ? -steps : steps, digits).split('.')
  return `${fraction < 0n ? '-' : '+'}${whole}.${part.padEnd(digits, '0')}%`
}

function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function cells([name, { mark, index, funding }]: [string, PriceRow]): string[] {
  const basis = mark && index ? percent((mark * raw('1')) / index - raw('1'), 4) : '-'
  if (funding === undefined) return [name, '-', '-', '-', basis, '-']
  const rate = raw(funding.funding_rate)
  return [
    name,
    percent(rate, 6),
    percent(rate * HOURS_A_YEAR, 2),
    percent(raw(funding.estimated_rate), 6),
    basis,
    clock(funding.next_funding_time - Date.now()),
  ]
}

function show(): void {
  const head = ['market', 'per hour', 'per year', 'next hour', 'basis', 'ends in']
  const lines = [head, ...[...rows].map(cells)].map(([name = '', ...others]) => {
    return name.padEnd(12) + others.map((cell) => cell.padStart(12)).join('')
  })
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

async function followPrices(name: string, row: PriceRow): Promise<void> {
  for await (const { data } of socket.subscribe(`ticker-500ms:${name}`)) {
    const { mark, index } = data.tickers[0] ?? {}
    if (mark?.price) row.mark = raw(mark.price)
    if (index?.price) row.index = raw(index.price)
  }
}

async function followFunding(name: string, row: PriceRow): Promise<void> {
  for await (const { data } of socket.subscribe(`funding:${name}`)) row.funding = data
}

const markets = await new Rest({ url }).call('GET /markets', {
  query: { instrument_type: 'PERPETUAL' },
})
const listed = markets.map(({ instrument_name }) => instrument_name)
const names = positionals.length > 0 ? positionals : listed
const following = names.map((name) => {
  if (!listed.includes(name)) throw new Error(`market: got ${name}, expected ${listed.join(', ')}`)
  const row: PriceRow = {}
  rows.set(name, row)
  return Promise.all([followPrices(name, row), followFunding(name, row)])
})
const isWhole = () => [...rows.values()].every(({ mark, funding }) => mark && funding)
const timer = setInterval(
  () => {
    if (values.once && !isWhole()) return
    show()
    if (values.once) socket.close()
  },
  values.once ? 100 : Number(values.every) * 1000,
)
await Promise.all(following).catch((error) => {
  if (socket.state !== 'closed') throw error
})
clearInterval(timer)
