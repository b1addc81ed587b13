// Measures the store's throughput: `node store/bench/main.ts [blocks] [seed]`, or, with PostgreSQL
// in addition to PGlite, `node scripts/services.ts node store/bench/main.ts`.
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { testEngines } from '../test/engines.ts'
import { measureBackfill, measureTip, type Quantiles } from './measure.ts'

const [blockCount = 4000, seed = 1] = process.argv.slice(2).map((text) => Number.parseInt(text, 10))
const print = (line: string) => process.stdout.write(`${line}\n`)
const rate = (count: number, seconds: number) => Math.round(count / seconds).toLocaleString('en')
const shown = ({ p50, p99 }: Quantiles) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`

const busy = randomScenario(seed, blockCount, { actionsMax: 40 })
const calm = randomScenario(seed, 1000, { actionsMax: 12 })

for (const engine of testEngines(process.env.DATABASE_URL)) {
  const database = await engine.createSharedDatabase()
  const store = await database.open()
  const { logs, changes, seconds } = await measureBackfill(store, busy)
  print(
    `${engine.name}, backfill: ${logs} logs, ${rate(logs, seconds)} logs/s, ${rate(changes, seconds)} changes/s`,
  )
  const local = await measureTip(store, calm)
  print(`${engine.name}, tip: a block is committed in ${shown(local.commitMs)}`)
  print(`${engine.name}, tip: a reader of the same process has it after ${shown(local.signalMs)}`)
  if (database.options.databaseUrl !== undefined) {
    const other = await database.open()
    const apart = await measureTip(store, calm, other.reader)
    print(`${engine.name}, tip: a reader over LISTEN has it after ${shown(apart.signalMs)}`)
    await other.close()
  }
  await store.close()
  await database.remove()
}
