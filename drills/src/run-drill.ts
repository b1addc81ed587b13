// Runs one drill: the fault comes and goes, the venue recovers, and then everything is compared.

import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@openvenue/devnet/random'
import { equalsContracts } from './checks/contracts.ts'
import { longestWithoutPrices } from './checks/prices.ts'
import { areResumed } from './checks/resumed.ts'
import { equalsUninterrupted } from './checks/uninterrupted.ts'
import type { Drill } from './drill.ts'
import { until } from './servers/until.ts'
import { type Summary, summarize } from './users/summary.ts'
import { MARKET, type Users } from './users/users.ts'
import type { Venue } from './venue/venue.ts'

const RECOVERED_MS_MAX = 60_000
/** A node this close to the chain's head serves it. */
const BEHIND_MAX = 2
const STEADY_MS = 1_500

export type DrillResult = Readonly<{
  drill: Drill
  faultMs: number
  /** From the end of the fault until every node is ready, and serves the head. */
  recoveredMs: number
  summary: Summary
  withoutPricesMs: number
  /** How often processes ended by themselves. */
  exits: Readonly<Record<string, number>>
  /** The checks that failed; empty: passed. */
  failures: readonly string[]
}>

export async function runDrill(
  drill: Drill,
  { venue, users }: Readonly<{ venue: Venue; users: Users }>,
  { seed, stopped }: Readonly<{ seed: number; stopped: AbortSignal }>,
): Promise<DrillResult> {
  const failures: string[] = []
  const check = async (what: string, work: () => Promise<void>) => {
    stopped.throwIfAborted()
    await work().catch((error: unknown) => failures.push(`${what}: ${errorText(error)}`))
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
  // Programs that end from here on end in the checks, which take nothing away.
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
  // An assertion's first line names what differs; its comparison is long.
  return error.message.split('\n').slice(0, 12).join('\n')
}
