// Finds what is left in markets that have ended: positions to end, and orders in the book.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import type { Market } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'
import { encodeFunctionData } from 'viem'
import type { TxRequest } from './pending-tx.ts'
import { INSURANCE_ACCOUNT } from './risks.ts'
import type { TaskContext } from './task-context.ts'

/** Positions and orders of one call: some 8 million gas. */
const PER_CALL_MAX = 50
type EndedMarket = Readonly<{
  market: Market
  accounts: readonly number[]
  orders: readonly number[]
}>

/** Returns what is left in markets that have ended, in calls of at most `PER_CALL_MAX` each. */
export function listEndings({ records }: VenueState): EndedMarket[] {
  const ended = [...records.market.values()].filter(({ isEnded }) => isEnded)
  return ended.flatMap((market) => {
    const isHere = (row: Readonly<{ market: string }>) => row.market === market.id
    const accounts = [...records.position.values()]
      .filter((row) => isHere(row) && row.lots !== 0n && row.account !== INSURANCE_ACCOUNT)
      .map(({ account }) => account)
    const orders = [...records.order.values(), ...records.unswept.values()]
      .filter(isHere)
      .map(({ number }) => number)
    return [
      ...inCalls(accounts).map((some) => ({ market, accounts: some, orders: [] })),
      ...inCalls(orders).map((some) => ({ market, accounts: [], orders: some })),
    ]
  })
}

const inCalls = (numbers: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(numbers.length / PER_CALL_MAX) }, (_, call) =>
    numbers.slice(call * PER_CALL_MAX, (call + 1) * PER_CALL_MAX),
  )

/** Returns the call that ends them. */
export function endRequest(
  { deployment }: Pick<TaskContext, 'deployment'>,
  { market, accounts, orders }: EndedMarket,
): TxRequest {
  const args = [market.number, accounts, orders] as const
  return {
    to: deployment.perps,
    data: encodeFunctionData({ abi: perpsAbi, functionName: 'endPositions', args }),
    description: `the end of ${accounts.length} positions and ${orders.length} orders, ${market.name}`,
  }
}
