// Removes expired orders from the book, and closes out markets that have ended.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { orderKey } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import type { Signal } from '@openvenue/runtime/signal'
import { type Abi, encodeFunctionData } from 'viem'
import { Backoff } from './backoff.ts'
import { endRequest, listEndings } from './ended-markets.ts'
import type { TxRequest, TxResult } from './pending-tx.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'
import type { VenueView } from './venue-view.ts'

const LOOK_MS = 1_000
/** Orders of one call: some 3 million gas, 20 million when each account has 64 positions. */
export const SWEPT_PER_CALL_MAX = 50
/** Maximum number of calls in one round; the next round continues. */
export const SWEEPS_MAX = 10

/**
 * Blocks until the next check when ended markets are empty: a check scans all positions, and a
 * delay costs users nothing.
 */
const NOTHING_LEFT_BLOCKS = 60

type SweepBatch = Readonly<{ market: Market; numbers: readonly number[] }>

/** Returns the task. */
export function sweepsTask(context: TaskContext, view: VenueView, trigger: Signal): Task {
  const backoff = new Backoff()
  /** The block after which ended markets are checked again. */
  let endedUntil = 0
  return {
    name: 'sweeps',
    everyMs: LOOK_MS,
    trigger,
    round: async () => {
      const { head } = view.state
      if (head === undefined) return
      backoff.expire(head)
      if (head.number > endedUntil) endedUntil = await endAll(context, view.state)
      const batches = makeBatches(view.state, backoff)
      if (batches.length === 0) return
      const calls = batches.map((batch) => sweepRequest(context, batch))
      const outcomes = await context.sendAll('sweeps', calls)
      for (const [at, batch] of batches.entries())
        settle(context, backoff, [batch, outcomes[at]], head.number)
    },
  }
}

/** Closes out ended markets, and returns the block after which to check again. */
async function endAll(context: TaskContext, state: VenueState): Promise<number> {
  const calls = listEndings(state)
    .slice(0, SWEEPS_MAX)
    .map((ending) => endRequest(context, ending))
  if (calls.length === 0) return (state.head?.number ?? 0) + NOTHING_LEFT_BLOCKS
  const outcomes = await context.sendAll('sweeps', calls)
  const blocks = outcomes.map((outcome) => ('blockNumber' in outcome ? outcome.blockNumber : 0))
  return Math.max(state.head?.number ?? 0, ...blocks)
}

function settle(
  { log }: TaskContext,
  backoff: Backoff,
  [{ market, numbers }, outcome]: readonly [SweepBatch, TxResult | undefined],
  headNumber: number,
): void {
  const isKnown = outcome !== undefined && 'blockNumber' in outcome
  const blockNumber = isKnown ? outcome.blockNumber : headNumber + 1
  for (const number of numbers) backoff.untilBlock(orderKey(market.id, number), blockNumber)
  if (outcome?.kind === 'included')
    log.info({ market: market.name, orders: numbers.length }, 'expired orders were swept')
}

/** Returns the orders to sweep, in at most `SWEEPS_MAX` batches. */
function makeBatches({ records }: VenueState, backoff: Backoff): SweepBatch[] {
  const numbersBy = new Map<string, number[]>()
  for (const [key, { market, number }] of records.unswept) {
    if (backoff.isBackedOff(key)) continue
    const numbers = numbersBy.get(market)
    if (numbers === undefined) numbersBy.set(market, [number])
    else numbers.push(number)
  }
  const batches: SweepBatch[] = []
  for (const [id, numbers] of numbersBy) {
    const market = records.market.get(id)
    if (market === undefined) continue
    for (let from = 0; from < numbers.length; from += SWEPT_PER_CALL_MAX)
      batches.push({ market, numbers: numbers.slice(from, from + SWEPT_PER_CALL_MAX) })
  }
  return batches.slice(0, SWEEPS_MAX)
}

function sweepRequest({ deployment }: TaskContext, { market, numbers }: SweepBatch): TxRequest {
  const isPerp = market.engine === deployment.perps
  const abi: Abi = isPerp ? perpsAbi : spotAbi
  const args = [market.number, numbers]
  return {
    to: market.engine,
    data: encodeFunctionData({ abi, functionName: 'sweep', args }),
    description: `sweep of ${numbers.length} orders, ${market.name}`,
  }
}
