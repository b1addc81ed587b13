// The lists of markets: their sort order, a search, and the rows that are visible.
import type { MarketRow } from './market-protocol.ts'

export const COLUMNS = ['name', 'mark', 'change', 'volume', 'openInterest', 'funding'] as const
export type MarketColumn = (typeof COLUMNS)[number]
export type MarketSort = Readonly<{ column: MarketColumn; isDescending: boolean }>

type RankedMarket = Pick<MarketRow, 'name' | 'ranks' | 'changeRank'>

/** Returns the rows in an order; ties are sorted by name. */
export function sortMarkets<Row extends RankedMarket>(
  rows: readonly Row[],
  { column, isDescending }: MarketSort,
): readonly Row[] {
  const sign = isDescending ? -1 : 1
  const byName = (a: Row, b: Row) => (a.name < b.name ? -1 : Number(a.name > b.name))
  return [...rows].sort((a, b) => {
    if (column === 'name') return sign * byName(a, b)
    return sign * (rankOf(a, column) - rankOf(b, column)) || byName(a, b)
  })
}

/** Choosing a column again reverses its order; numbers start with the largest. */
export const nextOrder = (order: MarketSort, column: MarketColumn): MarketSort =>
  order.column === column
    ? { column, isDescending: !order.isDescending }
    : { column, isDescending: column !== 'name' }

const rankOf = (row: RankedMarket, column: Exclude<MarketColumn, 'name'>): number =>
  column === 'change' ? row.changeRank : row.ranks[column]

export const MENU_TABS = ['favourites', 'all', 'perpetuals', 'spot'] as const
export type MenuTab = (typeof MENU_TABS)[number]
type MenuChoice = Readonly<{ typed: string; tab: MenuTab; favourites: readonly string[] }>

/** Returns the markets of a tab whose names contain the typed text, by volume. */
export function listMarkets<Row extends RankedMarket & Pick<MarketRow, 'kind'>>(
  rows: readonly Row[],
  { typed, tab, favourites }: MenuChoice,
): readonly Row[] {
  const query = typed.trim().toLowerCase()
  const isOfTab = ({ name, kind }: Row) => {
    if (tab === 'favourites') return favourites.includes(name)
    return tab === 'all' || (kind === 'SPOT') === (tab === 'spot')
  }
  const found = rows.filter((row) => isOfTab(row) && row.name.toLowerCase().includes(query))
  return sortMarkets(found, { column: 'volume', isDescending: true })
}

export type Window = Readonly<{ from: number; to: number; abovePx: number; belowPx: number }>
type ScrollState = Readonly<{ scrollPx: number; heightPx: number; count: number; rowPx: number }>

/** Extra rows rendered above and below the visible part, so that scrolling finds them ready. */
const SPARE_ROWS = 8

/** Returns the rows to render, and the height that the others take. */
export function windowRows({ scrollPx, heightPx, count, rowPx }: ScrollState): Window {
  const first = Math.floor(scrollPx / rowPx) - SPARE_ROWS
  const last = Math.ceil((scrollPx + heightPx) / rowPx) + SPARE_ROWS
  const from = Math.max(0, Math.min(first, count))
  const to = Math.max(from, Math.min(last, count))
  return { from, to, abovePx: from * rowPx, belowPx: (count - to) * rowPx }
}
