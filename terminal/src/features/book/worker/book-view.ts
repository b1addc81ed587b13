// Builds the rows of the book: grouped, cumulative, best price first.
import { fromSteps, type Level, toSteps } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { BookRow, BookView } from '../../market/market-protocol.ts'
import * as text from '../text.ts'

/** Rows per side. */
export const ROWS = 20
/** Group sizes, in price steps. */
const GROUPS = [1n, 10n, 100n, 1_000n]
const SHARE_UNITS = 10_000n

/** The view before the first book. */
export const NO_BOOK: BookView = {
  ...{ bids: [], asks: [], spread: '', mid: '', picks: [], groups: [], group: '', block: '' },
}

export type BookSteps = Readonly<{ price_step: string; amount_step: string }>
export type BookSides = Readonly<{
  bids: readonly Level[]
  asks: readonly Level[]
  blockNumber: number
}>
/** A resting order of the account, with the size ahead of it if known. */
export type OwnOrder = Readonly<{
  side: 'buy' | 'sell'
  price: string
  remaining: string
  /** In steps of the amount. */
  ahead?: bigint | undefined
}>

/** Returns the view of a book whose prices are grouped by `GROUPS[at]` steps. */
export function viewBook(
  book: BookSides,
  steps: BookSteps,
  at: number,
  ownOrders: readonly OwnOrder[] = [],
): BookView {
  const group = GROUPS[at] ?? 1n
  const side = (levels: readonly Level[], isBid: boolean) => {
    const grouping = { group, isBid }
    const mine = sumOwn(ownOrders, steps, grouping)
    return sumUp(groupLevels(levels, steps, grouping), steps, mine)
  }
  const bids = side(book.bids, true)
  const asks = side(book.asks, false)
  const deepest = [bids.total, asks.total].reduce((a, b) => (a > b ? a : b))
  const [bid, ask] = [book.bids[0]?.[0], book.asks[0]?.[0]]
  return {
    bids: bids.rows.map((row) => withShare(row, deepest)),
    asks: asks.rows.map((row) => withShare(row, deepest)),
    ...middleOf(bid, ask, steps.price_step),
    groups: GROUPS.map((count) => fromSteps(count, steps.price_step)),
    group: fromSteps(group, steps.price_step),
    block: showDecimal(String(book.blockNumber)),
  }
}

type Grouping = Readonly<{ group: bigint; isBid: boolean }>
type GroupedLevel = Readonly<{ steps: bigint; lots: bigint }>

/** Rounds bids down and asks up, so that no displayed price is better than the real one. */
const groupPrice = (steps: bigint, { group, isBid }: Grouping): bigint =>
  ((isBid ? steps : steps + group - 1n) / group) * group

/** `ahead` belongs to the order of the row that fills first. */
type OwnSize = Readonly<{ lots: bigint; first: bigint; ahead: bigint | undefined }>

/** Sums the account's own orders of a side by the price of their row. */
function sumOwn(
  ownOrders: readonly OwnOrder[],
  { price_step, amount_step }: BookSteps,
  grouping: Grouping,
): ReadonlyMap<bigint, OwnSize> {
  const rows = new Map<bigint, OwnSize>()
  for (const { side, price, remaining, ahead } of ownOrders) {
    if ((side === 'buy') !== grouping.isBid) continue
    const steps = toSteps(price, price_step)
    const row = groupPrice(steps, grouping)
    const mine = { lots: toSteps(remaining, amount_step), first: steps, ahead }
    const before = rows.get(row)
    rows.set(row, before === undefined ? mine : joinMine(before, mine, grouping))
  }
  return rows
}

function joinMine(a: OwnSize, b: OwnSize, { isBid }: Grouping): OwnSize {
  const lots = a.lots + b.lots
  const isSame = a.first === b.first
  const isLess = (b.ahead ?? 0n) < (a.ahead ?? 0n)
  const isBetter = isBid ? b.first > a.first : b.first < a.first
  const first = isBetter || (isSame && isLess) ? b : a
  return { ...first, lots }
}

function groupLevels(
  levels: readonly Level[],
  { price_step, amount_step }: BookSteps,
  grouping: Grouping,
): readonly GroupedLevel[] {
  const grouped: { steps: bigint; lots: bigint }[] = []
  for (const [price, amount] of levels) {
    const steps = groupPrice(toSteps(price, price_step), grouping)
    const lots = toSteps(amount, amount_step)
    const last = grouped.at(-1)
    if (last?.steps === steps) last.lots += lots
    else if (grouped.length === ROWS) break
    else grouped.push({ steps, lots })
  }
  return grouped
}

type DepthRow = Readonly<{ row: Omit<BookRow, 'share'>; total: bigint }>

function sumUp(
  levels: readonly GroupedLevel[],
  { price_step, amount_step }: BookSteps,
  mineByPrice: ReadonlyMap<bigint, OwnSize>,
) {
  const [priceDigits, amountDigits] = [decimalsOf(price_step), decimalsOf(amount_step)]
  let total = 0n
  const rows = levels.map(({ steps, lots }): DepthRow => {
    total += lots
    const mine = mineByPrice.get(steps)
    const row = {
      price: showDecimal(fromSteps(steps, price_step), priceDigits),
      amount: showDecimal(fromSteps(lots, amount_step), amountDigits),
      total: showDecimal(fromSteps(total, amount_step), amountDigits),
      ownSize:
        mine === undefined ? '' : showDecimal(fromSteps(mine.lots, amount_step), amountDigits),
      ahead: aheadText(mine?.ahead, amount_step),
    }
    return { row, total }
  })
  return { rows, total }
}

/** Formats the upper bound of the size ahead; only zero is exact. */
function aheadText(lots: bigint | undefined, step: string): string {
  if (lots === undefined) return ''
  if (lots === 0n) return text.firstInQueue
  return text.aheadAtMost(showDecimal(fromSteps(lots, step), decimalsOf(step)))
}

const withShare = ({ row, total }: DepthRow, deepest: bigint): BookRow => ({
  ...row,
  share: Number((total * SHARE_UNITS) / deepest) / Number(SHARE_UNITS),
})

function middleOf(bid: string | undefined, ask: string | undefined, step: string) {
  if (bid === undefined || ask === undefined) return { spread: '', mid: '', picks: [] }
  const [low, high] = [toSteps(bid, step), toSteps(ask, step)]
  const half = fromSteps(low + high, step)
  const digits = decimalsOf(step)
  return {
    spread: showDecimal(fromSteps(high - low, step), digits),
    mid: showDecimal(halve(half), digits + 1),
    picks: [low, (low + high) / 2n, high].map((steps) => fromSteps(steps, step)),
  }
}

/** Returns half of a decimal text, exactly: its digits times five, shifted one place right. */
function halve(decimal: string): string {
  const [whole = '0', part = ''] = decimal.split('.')
  const digits = (BigInt(whole + part) * 5n).toString().padStart(part.length + 2, '0')
  const point = digits.length - part.length - 1
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}
