// Measures the venue and prints tables against the goals of docs/SPEED.md: npm run bench -- [parts]
//
//   rest, limited                     public reads, without and with rate limits
//   integrated, integrated-limited    reads of the second host, likewise
//   partitions                        the same reads of few rows and of years of rows
//   deep, accounts, history           data that only the database has: candles, account pages
//   backfill, latency                 indexer: logs per second, time from a block to its answer
//   feed                              how blocks reach 50 followers, by LISTEN and over NATS
//   memory, fanout, stuck, junk       API node: memory and sockets
//   storm                             cost of a client; clients of a killed node come to another
//   margin, margin-even               margins of a million positions
//   orders                            acceptance of signed orders, and their way to the chain
//   terminal                          the trading page in Chromium
//   gas                               gas recorded by the tests of the contracts
//
// The file with the name of a part measures it and starts the other files with that prefix;
// `limited` and `-even` are variants. `*-run.ts` measures in a process of its own, `*-bare.ts` is
// the baseline. Options: --rounds=15 --ms=250 --connections=48 --path=/candles (rest only)
// --seconds=300 (stuck, junk) --rows=10000000 (history, partitions) --accounts=420000 (margin)
// --clients=10000 (storm) --holders=1000000 (memory) --loads=9 --hours=0.1 (terminal)
// --followers=50 (feed). Ratios hold on any machine; absolute figures only on the machine that is
// printed.
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { measureAccounts } from './accounts.ts'
import { measureBackfill } from './backfill.ts'
import { measureDeep } from './deep.ts'
import { measureFanout } from './fanout.ts'
import { measureFeed } from './feed.ts'
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
import { measureStorm } from './storm.ts'
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
    clients: { type: 'string', default: '10000' },
    holders: { type: 'string', default: '1000000' },
    loads: { type: 'string', default: '9' },
    hours: { type: 'string', default: '0.1' },
    followers: { type: 'string', default: '50' },
  },
})

const versus = {
  rounds: Number(values.rounds),
  roundMs: Number(values.ms),
  connections: Number(values.connections),
}

/** Per kind of junk, which either is withstood at once or not at all. */
const JUNK_SECONDS_MAX = 10

/** Duration of viewing and of using the page, each. */
const TERMINAL_SECONDS_MAX = 30

/** Duration of a storm of 200 orders a second. */
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
  feed: () => measureFeed(Number(values.followers)),
  memory: () => measureMemory(Number(values.holders)),
  fanout: measureFanout,
  margin: () => measureMargin(Number(values.accounts), 'mixed'),
  'margin-even': () => measureMargin(Math.ceil(Number(values.accounts) / 84), 'even'),
  stuck: () => measureStuck(Number(values.seconds)),
  storm: () => measureStorm(Number(values.clients)),
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
    throw new Error(`part: got ${name}, expected one of ${Object.keys(SECTIONS)}`)
  for (const section of [await measure()].flat()) print(tableText(section))
}

function machine(): string {
  const [{ model = 'unknown' } = {}] = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(1)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, node ${process.version}, ${cpus().length} x ${model}, ${memory} GiB\n`
}
