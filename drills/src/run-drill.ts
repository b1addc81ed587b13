// Runs one drill: the fault comes and goes, the venue recovers, and then everything is compared.

import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@openvenue/devnet/random'
import { createComparer } from '@openvenue/e2e/compare'
import { longestWithoutPrices } from './checks/prices.ts'
import { areResumed } from './checks/resumed.ts'
import { equalsUninterrupted } from './checks/uninterrupted.ts'
import type { Drill } from './drill.ts'
import { until } from './servers/until.ts'
import { type Summary, summarize } from './users/summary.ts'
import { MARKET, type Users } from './users/users.ts'
import type { Venue } from './venue/venue.ts'

// Checks after a drill that the answers of every API node equal the contracts.

/** Number of blocks to compare per node. */
const BLOCKS = 2
const COMPARED_MS_MAX = 60_000
const PAUSE_MS = 50

/** Throws when an API node differs from the contracts at the same block. */
async function equalsContracts({ parts }: Venue, leaderUrl: string): Promise<void> {
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
      throw new Error(`${name}: got ${compared.size} compared blocks in time, expected ${BLOCKS}`)
    const block = await comparer.compare()
    if (block === undefined) await sleep(PAUSE_MS)
    else compared.add(block)
  }
}

const RECOVERED_MS_MAX = 60_000
/** Maximum distance to the chain's head at which a node counts as serving it. */
const BEHIND_MAX = 2
const STEADY_MS = 1_500

export type DrillResult = Readonly<{
  drill: Drill
  faultMs: number
  /** From the end of the fault until every node is ready, and serves the head. */
  recoveredMs: number
  summary: Summary
  withoutPricesMs: number
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
  await check('the fault', () => drill.run(venue, context))
  const restoredMs = performance.now()
  venue.parts.links.restore()
  await check('recovers', () => recovered(venue, users))
  const toMs = performance.now()
  const summary = summarize(users, { fromMs, toMs })
  const withoutPricesMs = await longestWithoutPrices(venue, users.blocks, { fromMs, toMs })
  // Processes that end from here on do so during the checks, which cause no faults.
  const exits = countExits(venue)
  const leader = (await venue.leader('indexers')) ?? venue.parts.indexers[0]
  await check('clients', () => areResumed(venue, users))
  await check('contracts', () => equalsContracts(venue, leader?.url ?? ''))
  await check('uninterrupted run', () => equalsUninterrupted(venue))
  return {
    drill,
    summary,
    withoutPricesMs,
    exits,
    failures,
    faultMs: restoredMs - fromMs,
    recoveredMs: toMs - restoredMs,
  }
}

async function recovered(venue: Venue, users: Users): Promise<void> {
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
