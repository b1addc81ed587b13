// Runs one drill: causes the fault, waits for the recovery, and compares everything.
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@openvenue/devnet/random'
import { createComparer } from '@openvenue/e2e/compare'
import { quantity } from '@openvenue/runtime/node'
import type { Log } from 'viem'
import { compareWithFreshIndex } from './checks/database-comparison.ts'
import { checkSockets } from './checks/socket-state.ts'
import type { Drill } from './drill.ts'
import { until } from './servers/until.ts'
import { type Span, type Summary, summarize } from './users/summary.ts'
import { MARKET, type Users } from './users/users.ts'
import type { BlockTimes } from './venue/block-times.ts'
import type { Venue } from './venue/venue.ts'

/** Number of blocks to compare per node. */
const BLOCKS = 2
const COMPARED_MS_MAX = 60_000
const PAUSE_MS = 50

/** Throws when an API node differs from the contracts at the same block. */
async function compareWithContracts({ parts }: Venue, leaderUrl: string): Promise<void> {
  parts.chain.isSlow = true
  try {
    for (const { url, name } of parts.apis) await compareNode(parts.chain, { name, url }, leaderUrl)
  } finally {
    parts.chain.isSlow = false
  }
}

async function compareNode(
  { url: rpcUrl, deployment }: Venue['parts']['chain'],
  { name, url: apiUrl }: Readonly<{ name: string; url: string }>,
  indexerUrl: string,
): Promise<void> {
  const comparer = createComparer({ apiUrl, indexerUrl, rpcUrl, deployment })
  const compared = new Set<number>()
  const deadlineMs = performance.now() + COMPARED_MS_MAX
  while (compared.size < BLOCKS) {
    if (performance.now() > deadlineMs)
      throw new Error(
        `${name}: got ${compared.size} compared blocks in ${COMPARED_MS_MAX} ms, expected ${BLOCKS}`,
      )
    const block = await comparer.compare()
    if (block === undefined) await sleep(PAUSE_MS)
    else compared.add(block)
  }
}

/** Returns the longest time in `span` between two blocks with a log of the oracle. */
async function measurePriceGap(
  { parts }: Venue,
  blocks: BlockTimes,
  { fromMs, toMs }: Span,
): Promise<number> {
  const { rpc, deployment } = parts.chain
  const from = blocks.blockAt(fromMs)
  const range = { fromBlock: quantity(from), toBlock: 'latest' }
  const logs = (await rpc.call('eth_getLogs', {
    address: deployment.oracles[0],
    ...range,
  })) as Log[]
  const arrivedMs = logs
    .map(({ blockNumber }) => blocks.arrivedMs(Number(blockNumber)) ?? fromMs)
    .filter((atMs) => atMs >= fromMs && atMs <= toMs)
  const momentsMs = [fromMs, ...arrivedMs.sort((a, b) => a - b), toMs]
  return Math.max(...momentsMs.map((atMs, index) => atMs - (momentsMs[index - 1] ?? atMs)))
}

const RECOVERED_MS_MAX = 60_000
/** Maximum distance to the chain's head at which a node counts as serving it. */
const BEHIND_MAX = 2
const STEADY_MS = 1_500

export type DrillResult = Readonly<{
  drill: Drill
  faultMs: number
  /** From the end of the fault until every node is ready and serves the head. */
  recoveredMs: number
  summary: Summary
  priceGapMs: number
  /** Number of unexpected exits by process. */
  exits: Readonly<Record<string, number>>
  /** The failed checks; empty: passed. */
  failures: readonly string[]
}>

export async function runDrill(
  drill: Drill,
  { venue, users }: Readonly<{ venue: Venue; users: Users }>,
  { seed, stopped }: Readonly<{ seed: number; stopped: AbortSignal }>,
): Promise<DrillResult> {
  const failures: string[] = []
  const check = async (check: string, work: () => Promise<void>) => {
    stopped.throwIfAborted()
    await work().catch((error: unknown) => failures.push(`${check}: ${errorText(error)}`))
  }
  await sleep(STEADY_MS)
  for (const { user } of users.followers) user.recount()
  for (const service of venue.services) service.exits = 0
  const fromMs = performance.now()
  const context = {
    random: seededRandom(seed),
    hold: (seconds: number) => sleep(seconds * 1000, undefined, { signal: stopped }),
  }
  await check('fault', () => drill.run(venue, context))
  const restoredMs = performance.now()
  venue.parts.links.restore()
  await check('recovery', () => awaitRecovery(venue, users))
  const toMs = performance.now()
  const summary = summarize(users, { fromMs, toMs })
  const priceGapMs = await measurePriceGap(venue, users.blocks, { fromMs, toMs })
  // Later exits happen during the checks, which cause no faults.
  const exits = countExits(venue)
  const leader = (await venue.leader('indexers')) ?? venue.parts.indexers[0]
  await check('clients', () => checkSockets(venue, users))
  await check('contracts', () => compareWithContracts(venue, leader?.url ?? ''))
  await check('uninterrupted run', () => compareWithFreshIndex(venue))
  return {
    drill,
    summary,
    priceGapMs,
    exits,
    failures,
    faultMs: restoredMs - fromMs,
    recoveredMs: toMs - restoredMs,
  }
}

async function awaitRecovery(venue: Venue, users: Users): Promise<void> {
  await venue.ready(RECOVERED_MS_MAX)
  for (const { url, name } of venue.parts.apis)
    await until(`${name} serves the head`, () => isAtHead(url, users), RECOVERED_MS_MAX)
}

async function isAtHead(apiUrl: string, { blocks }: Users): Promise<boolean> {
  const response = await fetch(`${apiUrl}/orderbook/${MARKET}`, {
    signal: AbortSignal.timeout(5_000),
  })
  await response.arrayBuffer()
  return Number(response.headers.get('x-block-number')) >= blocks.head - BEHIND_MAX
}

const countExits = ({ services }: Venue) =>
  Object.fromEntries(services.flatMap(({ name, exits }) => (exits === 0 ? [] : [[name, exits]])))

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // An assertion's first line names the difference; its comparison is long.
  return error.message.split('\n').slice(0, 12).join('\n')
}
