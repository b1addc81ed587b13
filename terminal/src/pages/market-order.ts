// Puts the list of markets into the order of one of its columns.
import type { MarketRow } from '../worker/protocol.ts'

export const COLUMNS = ['name', 'mark', 'change', 'volume', 'openInterest', 'funding'] as const
export type Column = (typeof COLUMNS)[number]
export type Order = Readonly<{ column: Column; isDescending: boolean }>

type Ranked = Pick<MarketRow, 'name' | 'ranks' | 'changeRank'>

/** Returns the rows in that order; those of equal rank go by their names. */
export function sortMarkets<Row extends Ranked>(
  rows: readonly Row[],
  { column, isDescending }: Order,
): readonly Row[] {
  const sign = isDescending ? -1 : 1
  const byName = (a: Row, b: Row) => (a.name < b.name ? -1 : Number(a.name > b.name))
  return [...rows].sort((a, b) => {
    if (column === 'name') return sign * byName(a, b)
    return sign * (rankOf(a, column) - rankOf(b, column)) || byName(a, b)
  })
}

/** A column that is chosen again turns around; numbers begin with the greatest. */
export const nextOrder = (order: Order, column: Column): Order =>
  order.column === column
    ? { column, isDescending: !order.isDescending }
    : { column, isDescending: column !== 'name' }

const rankOf = (row: Ranked, column: Exclude<Column, 'name'>): number =>
  column === 'change' ? row.changeRank : row.ranks[column]
