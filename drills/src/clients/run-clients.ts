// Runs clients of the venue over a link that breaks every few seconds and leads to another node
// each time, kills a node meanwhile, and compares what they received with the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { grantTxs } from '@openvenue/devnet/grant'
import { seededRandom } from '@openvenue/devnet/random'
import { registerWallet } from '@openvenue/devnet/registration'
import { ROLES } from '@openvenue/devnet/roles'
import { TxSender } from '@openvenue/devnet/tx-sender'
import { Child } from '../servers/child.ts'
import { until } from '../servers/until.ts'
import { markdownTable } from '../table.ts'
import type { VenueChain } from '../venue/chain.ts'
import { Venue } from '../venue/venue.ts'
import { type Blocks, DatabaseEvents } from './database-events.ts'
import type { StreamName } from './received-events.ts'
import { UnstableLink } from './unstable-link.ts'
import { type Watcher, watchWithCcxt, watchWithCommand, watchWithLibrary } from './watchers.ts'

/** Range of the time between two breaks of the link. */
const [BREAK_MS_MIN, BREAK_MS_MAX] = [1_000, 6_000]
const DAY_SECONDS = 86_400
const BEGUN_MS_MAX = 120_000
/** The longest pause of a client between two attempts is half a minute. */
const CAUGHT_UP_MS_MAX = 90_000
const MAKER_PATIENCE_SECONDS = 120
const GRANTED_MS_MAX = 20_000
const SHOWN_MAX = 3
const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url))

type ClientsRun = Readonly<{
  seed: number
  seconds: number
  /** Lets the example market maker use the link. */
  withMaker: boolean
  /** Environment of the started processes. */
  env: NodeJS.ProcessEnv
  print(text: string): void
  isKept: boolean
}>

/** Returns whether nothing was lost or duplicated. */
export async function runClients(run: ClientsRun): Promise<boolean> {
  const { seed, print, isKept } = run
  print('building a venue')
  const venue = await Venue.start({ seed, warn: () => {}, isKept, relays: true })
  const ends: (() => Promise<void>)[] = [() => venue.stop()]
  try {
    print(`logs: ${venue.parts.folder}`)
    return await follow(venue, run, ends)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function follow(
  venue: Venue,
  run: ClientsRun,
  ends: (() => Promise<void>)[],
): Promise<boolean> {
  const { print } = run
  const { folder, apis, database } = venue.parts
  const restUrl = apis[0]?.url ?? ''
  const {
    apiKey: { key, secret },
    account,
  } = await registerWallet({
    apiUrl: restUrl,
    index: ROLES.traders[0],
    expirySeconds: Math.floor(Date.now() / 1000) + DAY_SECONDS,
  })
  const owner = { account: await venue.accountOf(account), wallet: account.toLowerCase() }
  const events = new DatabaseEvents(database, owner)
  const link = await UnstableLink.open(apis.map(({ url }) => Number(new URL(url).port)))
  ends.push(() => link.close())
  const followed = { url: link.url, restUrl, key, secret, folder, env: run.env }
  const watchers = [watchWithLibrary(followed), watchWithCcxt(followed), watchWithCommand(followed)]
  for (const { stop } of watchers) ends.push(stop)
  await until('every client follows', () => watchers.every(hasBegun), BEGUN_MS_MAX)
  const maker = run.withMaker ? await startMaker(venue, link.url, run) : undefined
  if (maker !== undefined) ends.push(() => maker.end())
  const from = await events.head()
  for (const { received } of watchers)
    for (const counts of Object.values(received.counts)) counts.clear()
  print(`breaking the link for ${run.seconds} s from block ${from}`)
  await breakLink(venue, link, run)
  const to = await events.head()
  print(`the link broke ${link.cuts} times until block ${to}`)
  const failures = await compare(watchers, events, { from, to }, print)
  if (maker !== undefined) failures.push(...(await checkMaker(maker)))
  for (const failure of failures) print(`  FAILED ${failure}`)
  return failures.length === 0
}

const hasBegun = ({ received, streams, read }: Watcher): boolean => {
  read()
  return streams.every((stream) => received.counts[stream].size > 0)
}

async function breakLink(venue: Venue, link: UnstableLink, run: ClientsRun): Promise<void> {
  const random = seededRandom(run.seed)
  const endMs = performance.now() + run.seconds * 1000
  const killMs = performance.now() + (run.seconds * 1000) / 2
  let isKilled = false
  while (performance.now() < endMs) {
    await sleep(BREAK_MS_MIN + random.whole(BREAK_MS_MAX - BREAK_MS_MIN))
    link.cut()
    if (isKilled || performance.now() < killMs) continue
    isKilled = true
    const node = venue.parts.apis[1]
    await node?.kill()
    node?.start()
  }
  await venue.ready()
}

/** Prints what each client received, and returns its faults. */
async function compare(
  watchers: readonly Watcher[],
  events: DatabaseEvents,
  blocks: Blocks,
  print: ClientsRun['print'],
): Promise<string[]> {
  const failures: string[] = []
  const rows: string[][] = []
  for (const watcher of watchers) {
    const { received, streams, read } = watcher
    for (const stream of streams) {
      const countMissing = () => findMissing(watcher, stream, events, blocks)
      const isComplete = async () => (await countMissing()).lost.length === 0
      await until('every event was received', isComplete, CAUGHT_UP_MS_MAX).catch(() => {})
      const { lost, all } = await countMissing()
      const doubled = [...received.counts[stream]].filter(([, count]) => count > 1)
      rows.push([received.client, stream, String(all), String(lost.length), String(doubled.length)])
      if (all === 0) failures.push(`${received.client}: no ${stream} to compare`)
      if (lost.length > 0)
        failures.push(`${received.client}: lost ${stream}: ${lost.slice(0, SHOWN_MAX)}`)
      if (doubled.length > 0)
        failures.push(`${received.client}: duplicate ${stream}: ${doubled.slice(0, SHOWN_MAX)}`)
    }
    read()
    for (const complaint of received.complaints) print(`  ${received.client}: ${complaint}`)
  }
  print(`\n${markdownTable(['client', 'stream', 'events', 'lost', 'duplicate'], rows)}`)
  return failures
}

async function findMissing(
  { received, read }: Watcher,
  stream: StreamName,
  events: DatabaseEvents,
  blocks: Blocks,
): Promise<Readonly<{ lost: readonly string[]; all: number }>> {
  read()
  if (stream !== 'orders') {
    const ids = await events.ids(stream, blocks)
    return { lost: ids.filter((id) => !received.counts[stream].has(id)), all: ids.length }
  }
  // Their status keeps changing: each must have arrived with its current one.
  const orders = await events.orders(blocks)
  const lost = [...orders].filter(([id, status]) => received.orders.get(id) !== status)
  return { lost: lost.map(([id, status]) => `${id} ${status}`), all: orders.size }
}

/** Funds and registers a new account that makes a market over the link. */
async function startMaker({ parts }: Venue, link: string, run: ClientsRun): Promise<Child> {
  const [index] = ROLES.visitors
  const { chain, folder, apis } = parts
  const restUrl = apis[0]?.url ?? ''
  await grantTo(chain, index)
  const register = Child.start({
    command: process.execPath,
    args: [`${EXAMPLES}register.ts`, '--index', String(index)],
    logPath: `${folder}/maker.env`,
    env: { ...run.env, OPENVENUE_URL: restUrl, NO_COLOR: '1' },
  })
  if ((await register.ended) !== 0) throw new Error(register.lastLines())
  const lines = register.lastLines(100).matchAll(/^(?:export )?(OPENVENUE_\w+)='?([^'\n]*)'?$/gm)
  const keys = Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
  return Child.start({
    command: process.execPath,
    args: [`${EXAMPLES}market-maker.ts`],
    logPath: `${folder}/maker.log`,
    env: { ...run.env, ...keys, OPENVENUE_URL: link, OPENVENUE_SECONDS: String(run.seconds) },
  })
}

async function grantTo({ rpc, deployment }: VenueChain, index: number): Promise<void> {
  const wallets = (await rpc.call('eth_accounts')) as string[]
  const sender = new TxSender(rpc)
  const grants = grantTxs(deployment, wallets[ROLES.faucet] ?? '', wallets[index] ?? '')
  const hashes = (await sender.send(grants)).flatMap((tx) => ('hash' in tx ? tx.hash : []))
  const areDone = async () => {
    const receipts = await sender.readReceipts(hashes)
    return receipts.length === grants.length && receipts.every((receipt) => receipt?.isDone)
  }
  await until('the maker is funded', areDone, GRANTED_MS_MAX)
}

/** The program compares its own ledger with that of the venue, to the last unit. */
async function checkMaker(maker: Child): Promise<string[]> {
  const late = sleep(MAKER_PATIENCE_SECONDS * 1000, 'did not end in time', { ref: false })
  const end = await Promise.race([maker.ended, late])
  return end === 0 ? [] : [`the market maker: ${end}: ${maker.lastLines()}`]
}
