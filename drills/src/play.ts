// One drill: the fault comes and goes, the venue recovers, and then everything is compared.

import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '@openvenue/devnet/random'
import { equalsContracts } from './checks/contracts.ts'
import { longestWithoutPrices } from './checks/prices.ts'
import { areResumed } from './checks/resumed.ts'
import { equalsUninterrupted } from './checks/uninterrupted.ts'
import type { Drill } from './drill.ts'
import { until } from './servers/until.ts'
import { type Crowd, MARKET } from './users/crowd.ts'
import { type Impression, impressionOf } from './users/impression.ts'
import type { Stage } from './venue/stage.ts'

const RECOVERED_MS_MAX = 60_000
/** A node this close to the chain's head serves it. */
const BEHIND_MAX = 2
const STEADY_MS = 1_500

export type Played = Readonly<{
  drill: Drill
  faultMs: number
  /** From the end of the fault until every node is ready, and serves the head. */
  recoveredMs: number
  impression: Impression
  withoutPricesMs: number
  /** How often processes ended by themselves. */
  exits: Readonly<Record<string, number>>
  /** What is not as it should be; empty: passed. */
  failures: readonly string[]
}>

export async function play(
  drill: Drill,
  { stage, crowd }: Readonly<{ stage: Stage; crowd: Crowd }>,
  { seed, stopped }: Readonly<{ seed: number; stopped: AbortSignal }>,
): Promise<Played> {
  const failures: string[] = []
  const check = async (what: string, work: () => Promise<void>) => {
    stopped.throwIfAborted()
    await work().catch((error: unknown) => failures.push(`${what}: ${textOf(error)}`))
  }
  await sleep(STEADY_MS)
  for (const { user } of crowd.followers) user.recount()
  for (const service of stage.services) service.exits = 0
  const fromMs = performance.now()
  const moment = {
    random: randomOf(seed),
    hold: (seconds: number) => sleep(seconds * 1000, undefined, { signal: stopped }),
  }
  await check('the fault', () => drill.play(stage, moment))
  const healedMs = performance.now()
  stage.parts.links.heal()
  await check('recovers', () => recovered(stage, crowd))
  const toMs = performance.now()
  const impression = impressionOf(crowd, { fromMs, toMs })
  const withoutPricesMs = await longestWithoutPrices(stage, crowd.blocks, { fromMs, toMs })
  // What ended from here on ended in the checks, which take nothing away.
  const exits = exitsOf(stage)
  const leader = (await stage.leader('indexers')) ?? stage.parts.indexers[0]
  await check('clients', () => areResumed(stage, crowd))
  await check('contracts', () => equalsContracts(stage, leader?.url ?? ''))
  await check('uninterrupted run', () => equalsUninterrupted(stage))
  return {
    ...{ drill, impression, withoutPricesMs, exits, failures },
    faultMs: healedMs - fromMs,
    recoveredMs: toMs - healedMs,
  }
}

async function recovered(stage: Stage, crowd: Crowd): Promise<void> {
  await stage.ready(RECOVERED_MS_MAX)
  for (const { url, name } of stage.parts.apis)
    await until(`${name} serves the head`, () => isAtHead(url, crowd), RECOVERED_MS_MAX)
}

async function isAtHead(apiUrl: string, { blocks }: Crowd): Promise<boolean> {
  const response = await fetch(`${apiUrl}/orderbook/${MARKET}`, {
    signal: AbortSignal.timeout(5_000),
  })
  await response.arrayBuffer()
  return Number(response.headers.get('x-block-number')) >= blocks.head - BEHIND_MAX
}

const exitsOf = ({ services }: Stage) =>
  Object.fromEntries(services.flatMap(({ name, exits }) => (exits === 0 ? [] : [[name, exits]])))

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // An assertion's first line names what differs; its comparison is long.
  return error.message.split('\n').slice(0, 12).join('\n')
}
