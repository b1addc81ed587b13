// Generates a small venue and one of years on the PostgreSQL of DATABASE_URL, reads the same from
// both, and prints the section as JSON. Arguments: fills of the large and the small venue.

import { PARTITION_SECONDS } from '@openvenue/store/db/partitions'
import { openOn } from '@openvenue/store/open'
import type { Store } from '@openvenue/store/store'
import { type Engine, postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { explainReads } from './partitions-plans.ts'
import { createReads, type TimedRead } from './partitions-reads.ts'
import { addYears, type Years } from './partitions-rows.ts'
import { median, type Section, whole } from './table.ts'

/** Number of partitions of the large venue; the small one has the same growth and one partition. */
const PARTITIONS = 10
/** Markets with all candles of one and five minutes. */
const CANDLE_MARKETS = 2
const ROUNDS = 61
const WARM_UPS = 7
/** Accounts and positions that were not read before. */
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

/** Median times, and the number of rows of the last execution. */
type Times = Readonly<{ first: number; warm: number; rows: number }>
type BenchVenue = Readonly<{ store: Store; database: TestDatabase; reads: readonly TimedRead[] }>

const engine = postgresEngine(process.env.DATABASE_URL)
if (engine === undefined) throw new Error('DATABASE_URL: expected a PostgreSQL server')
const note = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const few = await makeVenue(engine, small)
const many = await makeVenue(engine, large)
const accessed = await countAccessed(large, many.database)
process.stdout.write(`${JSON.stringify(await measureAll())}\n`)
for (const { store, database } of [few, many]) {
  await store.close()
  await database.remove()
}

async function makeVenue(on: Engine, years: Years): Promise<BenchVenue> {
  const database = await on.createSharedDatabase()
  const store = await database.open()
  await addYears(store.db, years, note)
  return { store, database, reads: createReads(store, years) }
}

/**
 * Measures both in turn, so that other load on the machine affects both: first with new parameters,
 * then repeatedly with the same.
 */
async function measurePair(pair: readonly TimedRead[]): Promise<readonly Times[]> {
  const runs = pair.map((timed) => ({
    timedRead: timed,
    firsts: [] as number[],
    warms: [] as number[],
    rows: 0,
  }))
  const timed = async (run: (typeof runs)[number], n: number) => {
    const startMs = performance.now()
    const { count } = await run.timedRead.read(n)
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

/** Returns the number of partitions that each read accesses. */
async function countAccessed(years: Years, database: TestDatabase) {
  const seen = new Set<string>()
  const explaining = await openOn(explainReads((await database.open()).db, seen))
  const counts = new Map<string, number>()
  for (const { name, read } of createReads(explaining, years)) {
    // The store must know the head before it estimates.
    await read(0)
    seen.clear()
    await read(0)
    counts.set(name, seen.size)
  }
  await explaining.close()
  return counts
}

async function measureAll(): Promise<Section> {
  const rows: string[][] = []
  for (const [index, timed] of few.reads.entries()) {
    const [before, after] = await measurePair([timed, many.reads[index] as TimedRead])
    if (before === undefined || after === undefined) continue
    const ratio = (after.warm / before.warm).toFixed(2)
    const times = [before.warm, after.warm, before.first, after.first].map((ms) => ms.toFixed(2))
    rows.push([
      timed.name,
      `${before.rows}, ${after.rows}`,
      ...times.slice(0, 2),
      ...[ratio, String(GOAL)],
      ...times.slice(2),
      String(accessed.get(timed.name)),
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

async function gigabytes({ store }: BenchVenue): Promise<string> {
  const text = 'SELECT (pg_database_size(current_database()) / 1e9)::numeric(9, 1)::text'
  return String((await store.db.primary.query(text))[0]?.[0])
}
