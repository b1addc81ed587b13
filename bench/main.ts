// Measures the venue and prints tables against the goals of docs/SPEED.md: npm run bench -- [parts]
//
//   rest, limited                     public reads, without rate limits and with them
//   integrated, integrated-limited    reads of the second host, the same way
//   partitions                        the same reads of few rows and of years of them
//   deep, accounts, history           what only the database holds: candles, an account's pages
//   backfill, latency                 the indexer: logs a second, a block to its first answer
//   memory, fanout, stuck, junk       an API node: what it holds, and its sockets
//   margin, margin-even               margins of a million positions
//   orders                            acceptance of signed orders, and their way to the chain
//   terminal                          the page to trade on, in Chromium
//   gas                               what the tests of the contracts recorded
//
// A part is measured by the file of its name, which starts the others that begin with it; `limited`
// and `-even` are settings of it. `*-run.ts` measures in a process of its own, `*-bare.ts` is the
// yardstick. Options: --rounds=15 --ms=250 --connections=48 --path=/candles (rest alone)
// --seconds=300 (stuck, junk) --rows=10000000 (history, partitions) --accounts=420000 (margin)
// --holders=1000000 (memory) --loads=9 --hours=0.1 (terminal). Ratios hold on any machine; absolute
// figures only on the one that is printed.
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { measureAccounts } from './accounts.ts'
import { measureBackfill } from './backfill.ts'
import { measureDeep } from './deep.ts'
import { measureFanout } from './fanout.ts'
import { measureGas } from './gas.ts'
import { measureHistory } from './history.ts'
import { measureIntegrated } from './integrated.ts'
import { measureJunk } from './junk.ts'
import { measureLatency } from './latency.ts'
import { measureMargin } from './margin.ts'
import { measureMemory } from './memory.ts'
import { measureOrders } from './orders.ts'
import { measurePartitions } from './partitions.ts'
import { measureRest } from './rest.ts'
import { measureStuck } from './stuck.ts'
import { type Section, tableText } from './table.ts'
import { measureTerminal } from './terminal.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    ms: { type: 'string', default: '250' },
    connections: { type: 'string', default: '48' },
    path: { type: 'string', default: '' },
    seconds: { type: 'string', default: '300' },
    rows: { type: 'string', default: '10000000' },
    accounts: { type: 'string', default: '420000' },
    holders: { type: 'string', default: '1000000' },
    loads: { type: 'string', default: '9' },
    hours: { type: 'string', default: '0.1' },
  },
})

const versus = {
  rounds: Number(values.rounds),
  roundMs: Number(values.ms),
  connections: Number(values.connections),
}

/** Of each kind of junk: it either holds at once or not at all. */
const JUNK_SECONDS_MAX = 10

/** Of the page, looked at and used: both last so long. */
const TERMINAL_SECONDS_MAX = 30

/** A storm of 200 orders a second. */
const ORDERS_SECONDS_MAX = 15

const SECTIONS: Readonly<Record<string, () => Promise<Section | readonly Section[]>>> = {
  rest: () => measureRest(versus, { prefix: values.path, limits: 'unlimited' }),
  limited: () => measureRest(versus, { prefix: values.path, limits: 'limited' }),
  integrated: () => measureIntegrated(versus, 'unlimited'),
  'integrated-limited': () => measureIntegrated(versus, 'limited'),
  deep: () => measureDeep(versus),
  accounts: () => measureAccounts(versus),
  history: () => measureHistory(Number(values.rows)),
  partitions: () => measurePartitions(Number(values.rows)),
  backfill: measureBackfill,
  latency: measureLatency,
  memory: () => measureMemory(Number(values.holders)),
  fanout: measureFanout,
  margin: () => measureMargin(Number(values.accounts), 'mixed'),
  'margin-even': () => measureMargin(Math.ceil(Number(values.accounts) / 84), 'even'),
  stuck: () => measureStuck(Number(values.seconds)),
  junk: () => measureJunk(Math.min(Number(values.seconds), JUNK_SECONDS_MAX)),
  orders: () => measureOrders(Math.min(Number(values.seconds), ORDERS_SECONDS_MAX)),
  terminal: () =>
    measureTerminal({
      loads: Number(values.loads),
      seconds: Math.min(Number(values.seconds), TERMINAL_SECONDS_MAX),
      hours: Number(values.hours),
    }),
  gas: measureGas,
}

const names = positionals.length > 0 ? positionals : Object.keys(SECTIONS)
const print = (text: string) => process.stdout.write(`${text}\n`)

print(machine())
for (const name of names) {
  const measure = SECTIONS[name]
  if (measure === undefined)
    throw new Error(`a section is one of ${Object.keys(SECTIONS)}: ${name}`)
  for (const section of [await measure()].flat()) print(tableText(section))
}

function machine(): string {
  const [{ model = 'unknown' } = {}] = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(1)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, node ${process.version}, ${cpus().length} x ${model}, ${memory} GiB\n`
}
