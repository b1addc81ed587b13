// Takes orders off the book whose time has passed.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { orderKey } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { type Abi, encodeFunctionData } from 'viem'
import type { Bell } from './clock.ts'
import type { Desk } from './desk.ts'
import type { Duty } from './duty.ts'
import type { Call, Outcome } from './flight.ts'
import { Pauses } from './pauses.ts'
import type { VenueView } from './venue-view.ts'

const LOOK_MS = 1_000
/** Orders of one call: some 3 million gas, 20 million when each account has 64 positions. */
export const SWEPT_PER_CALL_MAX = 50
/** Calls of one round; the next round goes on. */
export const SWEEPS_MAX = 10

type Batch = Readonly<{ market: Market; numbers: readonly number[] }>

/** Returns the duty. */
export function sweepsDuty(desk: Desk, view: VenueView, bell: Bell): Duty {
  const pauses = new Pauses()
  return {
    name: 'sweeps',
    everyMs: LOOK_MS,
    bell,
    round: async () => {
      const { head } = view.state
      if (head === undefined) return
      pauses.expire(head)
      const batches = batchesOf(view.state, pauses)
      if (batches.length === 0) return
      const calls = batches.map((batch) => callOf(desk, batch))
      const outcomes = await desk.sendAll('sweeps', calls)
      for (const [at, batch] of batches.entries())
        settle(desk, pauses, [batch, outcomes[at]], head.number)
    },
  }
}

function settle(
  { log }: Desk,
  pauses: Pauses,
  [{ market, numbers }, outcome]: readonly [Batch, Outcome | undefined],
  headNumber: number,
): void {
  const isKnown = outcome !== undefined && 'blockNumber' in outcome
  const blockNumber = isKnown ? outcome.blockNumber : headNumber + 1
  for (const number of numbers) pauses.untilBlock(orderKey(market.id, number), blockNumber)
  if (outcome?.kind === 'included')
    log.info({ market: market.name, orders: numbers.length }, 'expired orders were swept')
}

/** Returns what is to be swept, at most `SWEEPS_MAX` batches. */
function batchesOf({ records }: VenueState, pauses: Pauses): Batch[] {
  const numbersBy = new Map<string, number[]>()
  for (const [key, { market, number }] of records.unswept) {
    if (pauses.isPaused(key)) continue
    const numbers = numbersBy.get(market)
    if (numbers === undefined) numbersBy.set(market, [number])
    else numbers.push(number)
  }
  const batches: Batch[] = []
  for (const [id, numbers] of numbersBy) {
    const market = records.market.get(id)
    if (market === undefined) continue
    for (let from = 0; from < numbers.length; from += SWEPT_PER_CALL_MAX)
      batches.push({ market, numbers: numbers.slice(from, from + SWEPT_PER_CALL_MAX) })
  }
  return batches.slice(0, SWEEPS_MAX)
}

function callOf({ deployment }: Desk, { market, numbers }: Batch): Call {
  const isPerp = market.engine === deployment.perps
  const abi: Abi = isPerp ? perpsAbi : spotAbi
  const args = [market.number, numbers]
  return {
    to: market.engine,
    data: encodeFunctionData({ abi, functionName: 'sweep', args }),
    what: `sweep of ${numbers.length} orders, ${market.name}`,
  }
}
