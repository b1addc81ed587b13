// Measures orders through a whole venue on one machine: a real API node with all its checks, the
// relayer, a real chain and the PostgreSQL of DATABASE_URL. Prints its sections as JSON.
import { testEngines } from '@openvenue/store/test/engines'
import { gasSection, record, replayAlone } from './orders-chain.ts'
import { type Phase, Storm } from './orders-storm.ts'
import { type OrdersVenue, type PartMicros, startOrdersVenue } from './orders-venue.ts'
import { type Section, whole } from './table.ts'

/** Orders per second of the open loop, sent whether or not earlier ones were answered. */
const RATE = 200
const CONNECTIONS = 64
/** Warm-up orders, in which each process compiles its code. */
const WARM_ORDERS = 600
const CLOSED_ORDERS = 2_000
const CANCELLED_ORDERS = 1_000

const [seconds = 10] = process.argv.slice(2).map(Number)

const at = (sorted: readonly number[], share: number) =>
  (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1)

function timesRow(name: string, { acceptance, opening, cancelling }: Phase): string[] {
  const pair = (sorted: readonly number[]) =>
    sorted.length === 0 ? '' : `${at(sorted, 0.5)} / ${at(sorted, 0.99)}`
  return [name, pair(acceptance), pair(opening), pair(cancelling)]
}

function rateRow(name: string, { accepted, refused, seconds: took, settledSeconds }: Phase) {
  const [rate, settled] = [accepted / took, accepted / settledSeconds]
  return [name, whole(accepted), whole(rate), whole(settled), whole(refused)]
}

const PARTS = ['api', 'venue', 'anvil', 'postgres'] as const

function costRow(name: string, { accepted, micros }: Phase): string[] {
  const each = (part: keyof PartMicros) => micros[part] / accepted
  const all = PARTS.reduce((sum, part) => sum + each(part), 0)
  return [name, ...PARTS.map((part) => whole(each(part))), whole(all)]
}

async function measure(venue: OrdersVenue): Promise<readonly Section[]> {
  const storm = await Storm.open(venue)
  const closed = { connections: CONNECTIONS, isCancelled: false }
  await storm.closed(await storm.sign(WARM_ORDERS), closed)
  const phases: [string, Phase][] = []
  const steady = await storm.open(await storm.sign(RATE * seconds), RATE)
  phases.push([`${RATE} a second`, steady])
  const [more, some] = [await storm.sign(CLOSED_ORDERS), await storm.sign(CANCELLED_ORDERS)]
  const [full, placed] = await record(venue, () => storm.closed(more, closed))
  phases.push([`${CONNECTIONS} at once`, full])
  const [cancelled, both] = await record(venue, () =>
    storm.closed(some, { ...closed, isCancelled: true }),
  )
  phases.push([`${CONNECTIONS} at once, each cancelled`, cancelled])
  storm.close()
  const alone = await replayAlone(venue, placed)
  const named = <T>(row: (name: string, phase: Phase) => T) =>
    phases.map(([name, phase]) => row(name, phase))
  return [
    {
      title: 'orders through a whole venue: milliseconds, p50 / p99',
      columns: ['', 'until accepted', 'accepted to opened', 'cancel asked to cancelled'],
      rows: named(timesRow),
    },
    {
      title: 'orders a second, everything on one machine',
      columns: ['', 'orders', 'accepted', 'and settled', 'refused for room'],
      rows: [
        ...named(rateRow),
        ['the chain only, the same calldata', whole(alone.orders), '', whole(alone.rate), ''],
      ],
    },
    {
      title: 'microseconds of processor time for an order',
      columns: ['', 'API', 'indexer, keeper, relayer', 'anvil', 'PostgreSQL', 'all'],
      rows: named(costRow),
    },
    gasSection([...placed.batches, ...both.batches]),
  ]
}

const engine = testEngines(process.env.DATABASE_URL).at(-1)
if (engine?.name !== 'PostgreSQL') throw new Error('DATABASE_URL: expected a PostgreSQL server')
const database = await engine.createSharedDatabase()
const venue = await startOrdersVenue(database.options.databaseUrl ?? '')
try {
  process.stdout.write(`${JSON.stringify(await measure(venue))}\n`)
} finally {
  await venue.stop()
  await database.remove()
}
