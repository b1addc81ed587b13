// Holds one page of a table of what is over: older and newer pages take its place, so that the
// longest past needs no more memory than the shortest. The newest fills come by themselves: only
// what is behind them is read, and stays as it is while others come.
import { type Accessor, createEffect, createSignal, on } from 'solid-js'
import {
  FILLS_FIRST,
  PAGED_TABS,
  type PagedTab,
  type PastPage,
  type Tab,
} from '../worker/tables/table-protocol.ts'

const isPaged = (tab: Tab): tab is PagedTab => (PAGED_TABS as readonly Tab[]).includes(tab)

type Asked = Readonly<{ tab: PagedTab; market: string; cursor: string }>
type Source = Readonly<{
  tab: Accessor<Tab>
  market: Accessor<string>
  isReady: Accessor<boolean>
  /** How many of the newest fills there are. */
  fills: Accessor<number>
  read: (asked: Asked) => Promise<PastPage | undefined>
}>

const EMPTY: PastPage = { rows: [], older: '' }

/** `unread`: it was asked for, and no answer came. */
type State = 'reading' | 'read' | 'unread'

export type PastRows = Readonly<{
  state: Accessor<State>
  /** Reads from the newest on. */
  again: () => void
  /** Undefined where the table shows what comes by itself. */
  page: Accessor<PastPage | undefined>
  hasOlder: Accessor<boolean>
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
  const [state, setState] = createSignal<State>('read')
  let asked = 0
  const read = async (next: readonly string[]) => {
    const tab = source.tab()
    if (!isPaged(tab) || !source.isReady()) return
    const at = ++asked
    if (isLive(next)) return begin()
    setState('reading')
    const answer = await source.read({ tab, market: source.market(), cursor: next.at(-1) ?? '' })
    if (at !== asked) return
    setState(answer === undefined ? 'unread' : 'read')
    if (answer === undefined) return
    setPage(answer)
    setCursors(next)
  }
  /** Before the first page of what is behind them, the newest fills are shown. */
  const isLive = (pages: readonly string[]) => source.tab() === 'fills' && pages.length === 1
  const begin = () => {
    asked++
    setPage(EMPTY)
    setState('read')
    setCursors([''])
    if (!isLive([''])) void read([''])
  }
  createEffect(on([source.tab, source.market, source.isReady], begin))
  const isOwn = () => isPaged(source.tab()) && !isLive(cursors())
  return {
    state,
    again: begin,
    page: () => (isOwn() ? page() : undefined),
    hasOlder: () => (isOwn() ? page().older !== '' : source.fills() >= FILLS_FIRST),
    newer: () => cursors().length - 1,
    goOlder: () => void read([...cursors(), page().older]),
    goNewer: () => void read(cursors().slice(0, -1)),
  }
}
