// A venue of years with few rows: blocks at random times, weeks without any among them.
import type { BlockChanges, Change } from '@openvenue/core/changes'
import { orderKey } from '@openvenue/core/ids'
import { makeCycle, makeFill, makeOrder, makePayment, makeTrade, placed } from './chain-rows.ts'

export const YEAR_MARKETS = ['0xm1', '0xm2', '0xm3'] as const
export const YEAR_ACCOUNTS = [7, 8, 9] as const

/** Returns what a block of trades did, with rows of each table that is partitioned. */
export function yearBlock(number: number, seconds: number, random: () => number): BlockChanges {
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T
  const changes: Change[] = []
  for (let index = 0; index < 3; index++) {
    const at = { number, index, seconds }
    const who = { account: pick(YEAR_ACCOUNTS), market: pick(YEAR_MARKETS) }
    const { id: key } = placed(at)
    const order = makeOrder(at, who)
    const fill = makeFill(at, who, pick(['trade', 'trade', 'trade', 'absorption'] as const))
    changes.push(
      { what: 'order', key: orderKey(order.market, order.number), before: undefined, after: order },
      { what: 'fill', key, before: undefined, after: fill },
      { what: 'trade', key, before: undefined, after: makeTrade(at, who) },
      { what: 'closedCycle', key, before: undefined, after: makeCycle(at, who) },
      { what: 'fundingPayment', key, before: undefined, after: makePayment(at, who) },
    )
  }
  const header = { number, hash: `0x${number}`, parentHash: `0x${number - 1}`, seconds }
  return { header, changes }
}

/** Returns blocks at random times between `from` and `to`. */
export function yearBlocks(
  { from, to, count }: Readonly<{ from: number; to: number; count: number }>,
  random: () => number,
): BlockChanges[] {
  const times = Array.from({ length: count }, () => from + Math.floor(random() * (to - from)))
  return times.sort((a, b) => a - b).map((seconds, index) => yearBlock(index + 1, seconds, random))
}
