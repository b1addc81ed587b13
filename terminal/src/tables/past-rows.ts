// Holds one page of a table of what is over: older and newer pages take its place, so that the
// longest past needs no more memory than the shortest.
import { type Accessor, createEffect, createSignal, on } from 'solid-js'
import type { PastPage, PastTab, Tab } from '../worker/tables/table-protocol.ts'
import { PAST_TABS } from '../worker/tables/table-protocol.ts'

export const isPast = (tab: Tab): tab is PastTab => (PAST_TABS as readonly Tab[]).includes(tab)

type Asked = Readonly<{ tab: PastTab; market: string; cursor: string }>
type Source = Readonly<{
  tab: Accessor<Tab>
  market: Accessor<string>
  isReady: Accessor<boolean>
  read: (asked: Asked) => Promise<PastPage | undefined>
}>

const EMPTY: PastPage = { rows: [], older: '' }

export type PastRows = Readonly<{
  page: Accessor<PastPage>
  /** How many pages are newer than the one that is held. */
  newer: Accessor<number>
  goOlder: () => void
  goNewer: () => void
}>

/** Reads anew whenever another table or market is looked at. */
export function createPastRows(source: Source): PastRows {
  const [page, setPage] = createSignal(EMPTY)
  /** Where each page begins, from the newest to the one that is held. */
  const [cursors, setCursors] = createSignal<readonly string[]>([''])
  let asked = 0
  const read = async (next: readonly string[]) => {
    const tab = source.tab()
    if (!isPast(tab) || !source.isReady()) return
    const at = ++asked
    const answer = await source.read({ tab, market: source.market(), cursor: next.at(-1) ?? '' })
    if (answer === undefined || at !== asked) return
    setPage(answer)
    setCursors(next)
  }
  const begin = () => {
    asked++
    setPage(EMPTY)
    setCursors([''])
    void read([''])
  }
  createEffect(on([source.tab, source.market, source.isReady], begin))
  return {
    page,
    newer: () => cursors().length - 1,
    goOlder: () => void read([...cursors(), page().older]),
    goNewer: () => void read(cursors().slice(0, -1)),
  }
}
