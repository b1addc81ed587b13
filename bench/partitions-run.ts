// Makes a small venue and one of years on the PostgreSQL of DATABASE_URL, asks both for the same,
// and prints the section as JSON. Arguments: fills of the large one, of the small one.

import { openOn, openStore } from '@openvenue/store/open'
import { PARTITION_SECONDS } from '@openvenue/store/partitions'
import { postgresEngine } from '@openvenue/store/test/engines'
import { type Asked, createAsked } from './partitions-asked.ts'
import { addYears, type Years } from './partitions-rows.ts'
import { watched } from './partitions-touched.ts'
import { median, type Section, whole } from './table.ts'

/** The large venue has so many partitions; the small one grows as fast, and has one. */
const PARTITIONS = 10
/** Markets whose candles are there, all of one and five minutes. */
const CANDLE_MARKETS = 2
const ROUNDS = 61
const WARM_UPS = 7
/** Other accounts and places that nobody has asked for before. */
const FIRST_TIMES = 25
const GOAL = 1.5

const [fills = 0, smallFills = 100_000] = process.argv.slice(2).map(Number)
const seconds = PARTITIONS * PARTITION_SECONDS
const large: Years = { fills, seconds: seconds - 1, candleMarkets: CANDLE_MARKETS }
const small: Years = {
  ...large,
  fills: smallFills,
  seconds: Math.floor((seconds * smallFills) / fills),
}

type Times = Readonly<{ first: number; warm: number; rows: number }>
type Measured = ReadonlyMap<string, Times>

const engine = postgresEngine(process.env.DATABASE_URL)
if (engine === undefined) throw new Error('DATABASE_URL names a PostgreSQL')
const note = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const few = await measureVenue(small)
const many = await measureVenue(large)
process.stdout.write(`${JSON.stringify(section())}\n`)

type Venue = Readonly<{ times: Measured; touched: ReadonlyMap<string, number>; gigabytes: string }>

async function measureVenue(years: Years): Promise<Venue> {
  if (engine === undefined) throw new Error('DATABASE_URL names a PostgreSQL')
  const database = await engine.createDatabase()
  const store = await database.open()
  try {
    await addYears(store.db, years, note)
    const times = new Map<string, Times>()
    for (const asked of createAsked(store, years)) times.set(asked.name, await measure(asked))
    const [[size] = []] = await store.db.primary.query(
      'SELECT (pg_database_size(current_database()) / 1e9)::numeric(9, 1)::text',
    )
    return { times, touched: await countTouched(years, database.options), gigabytes: `${size}` }
  } finally {
    await store.close()
    await database.remove()
  }
}

/** First of what nobody has asked for yet, then again and again of the same. */
async function measure({ read }: Asked): Promise<Times> {
  const firsts: number[] = []
  let rows = 0
  const timed = async (n: number) => {
    const startMs = performance.now()
    rows = await read(n)
    return performance.now() - startMs
  }
  await timed(FIRST_TIMES)
  for (let n = 0; n < FIRST_TIMES; n++) firsts.push(await timed(n))
  for (let round = 0; round < WARM_UPS; round++) await timed(0)
  const warms: number[] = []
  for (let round = 0; round < ROUNDS; round++) warms.push(await timed(0))
  return { first: median(firsts), warm: median(warms), rows }
}

async function countTouched(years: Years, options: Parameters<typeof openStore>[0]) {
  const store = await openStore(options)
  const seen = new Set<string>()
  const watching = await openOn(watched(store.db, seen))
  const counts = new Map<string, number>()
  for (const { name, read } of createAsked(watching, years)) {
    // The store has to see where the head is before it guesses.
    await read(0)
    seen.clear()
    await read(0)
    counts.set(name, seen.size)
  }
  await watching.close()
  return counts
}

function section(): Section {
  const rows = [...few.times].map(([name, before]) => {
    const after = many.times.get(name) as Times
    return [
      name,
      `${before.rows}, ${after.rows}`,
      before.warm.toFixed(2),
      after.warm.toFixed(2),
      (after.warm / before.warm).toFixed(2),
      String(GOAL),
      before.first.toFixed(2),
      after.first.toFixed(2),
      String(many.touched.get(name) ?? 0),
    ]
  })
  const size = `${few.gigabytes} and ${many.gigabytes} GB`
  return {
    title: `reads of ${whole(fills)} fills in ${PARTITIONS} partitions, against ${whole(smallFills)} (${size})`,
    columns: [
      '',
      'rows',
      'few ms',
      'many ms',
      'ratio',
      'goal',
      'first few',
      'first many',
      'touched',
    ],
    rows,
  }
}
