// Makes a small venue and one of years on the PostgreSQL of DATABASE_URL, asks both for the same,
// and prints the section as JSON. Arguments: fills of the large one, of the small one.

import { openOn } from '@openvenue/store/open'
import { PARTITION_SECONDS } from '@openvenue/store/partitions'
import type { Store } from '@openvenue/store/store'
import { type Engine, postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { type Asked, createAsked } from './partitions-asked.ts'
import { watched } from './partitions-looked.ts'
import { addYears, type Years } from './partitions-rows.ts'
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

/** Median times, and rows at the last time. */
type Times = Readonly<{ first: number; warm: number; rows: number }>
type Venue = Readonly<{ store: Store; database: TestDatabase; asked: readonly Asked[] }>

const engine = postgresEngine(process.env.DATABASE_URL)
if (engine === undefined) throw new Error('DATABASE_URL names a PostgreSQL')
const note = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const few = await makeVenue(engine, small)
const many = await makeVenue(engine, large)
const looked = await countLooked(large, many.database)
process.stdout.write(`${JSON.stringify(await measureAll())}\n`)
for (const { store, database } of [few, many]) {
  await store.close()
  await database.remove()
}

async function makeVenue(on: Engine, years: Years): Promise<Venue> {
  const database = await on.createSharedDatabase()
  const store = await database.open()
  await addYears(store.db, years, note)
  return { store, database, asked: createAsked(store, years) }
}

/**
 * Both are asked in turns, so that what else the machine does is in both figures. First for what
 * nobody has asked for yet, then again and again for the same.
 */
async function measurePair(pair: readonly Asked[]): Promise<readonly Times[]> {
  const runs = pair.map((asked) => ({
    asked,
    firsts: [] as number[],
    warms: [] as number[],
    rows: 0,
  }))
  const timed = async (run: (typeof runs)[number], n: number) => {
    const startMs = performance.now()
    const { count } = await run.asked.read(n)
    run.rows = count
    return performance.now() - startMs
  }
  for (const run of runs) await timed(run, FIRST_TIMES)
  for (let n = 0; n < FIRST_TIMES; n++) for (const run of runs) run.firsts.push(await timed(run, n))
  for (let round = 0; round < WARM_UPS; round++) for (const run of runs) await timed(run, 0)
  for (let round = 0; round < ROUNDS; round++)
    for (const run of runs) run.warms.push(await timed(run, 0))
  return runs.map(({ firsts, warms, rows }) => ({
    first: median(firsts),
    warm: median(warms),
    rows,
  }))
}

/** Returns in how many partitions each read looks. */
async function countLooked(years: Years, database: TestDatabase) {
  const seen = new Set<string>()
  const watching = await openOn(watched((await database.open()).db, seen))
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

async function measureAll(): Promise<Section> {
  const rows: string[][] = []
  for (const [index, asked] of few.asked.entries()) {
    const [before, after] = await measurePair([asked, many.asked[index] as Asked])
    if (before === undefined || after === undefined) continue
    const ratio = (after.warm / before.warm).toFixed(2)
    const times = [before.warm, after.warm, before.first, after.first].map((ms) => ms.toFixed(2))
    rows.push([
      asked.name,
      `${before.rows}, ${after.rows}`,
      ...times.slice(0, 2),
      ...[ratio, String(GOAL)],
      ...times.slice(2),
      String(looked.get(asked.name)),
    ])
  }
  const sizes = await Promise.all([few, many].map(gigabytes))
  return {
    title: `reads of ${whole(fills)} fills in ${PARTITIONS} partitions (${sizes[1]} GB) and of ${whole(smallFills)} (${sizes[0]} GB)`,
    columns: [
      '',
      'rows',
      'few ms',
      'many ms',
      'ratio',
      'goal',
      'first few',
      'first many',
      'partitions',
    ],
    rows,
  }
}

async function gigabytes({ store }: Venue): Promise<string> {
  const text = 'SELECT (pg_database_size(current_database()) / 1e9)::numeric(9, 1)::text'
  return String((await store.db.primary.query(text))[0]?.[0])
}
