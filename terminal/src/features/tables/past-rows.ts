// Holds one page of a history table. Older and newer pages replace it, so that memory does not grow
// with the history. The newest fills are pushed; only older ones are read, and they stay in place
// while new ones arrive.
import { type Accessor, createEffect, createSignal, on } from 'solid-js'
import {
  FILLS_FIRST,
  PAGED_TABS,
  type PagedTab,
  type PastPage,
  type Tab,
} from './table-protocol.ts'

const isPaged = (tab: Tab): tab is PagedTab => (PAGED_TABS as readonly Tab[]).includes(tab)

type PageRequest = Readonly<{ tab: PagedTab; market: string; cursor: string }>
type RowSource = Readonly<{
  tab: Accessor<Tab>
  market: Accessor<string>
  isReady: Accessor<boolean>
  fills: Accessor<number>
  read: (request: PageRequest) => Promise<PastPage | undefined>
}>

const EMPTY: PastPage = { rows: [], older: '' }

/** `unread`: the request failed. */
type State = 'reading' | 'read' | 'unread'

export type PastRows = Readonly<{
  state: Accessor<State>
  /** Re-reads from the newest row on. */
  again: () => void
  /** Undefined if the table shows pushed rows. */
  page: Accessor<PastPage | undefined>
  hasOlder: Accessor<boolean>
  /** Number of pages newer than the current one. */
  newer: Accessor<number>
  goOlder: () => void
  goNewer: () => void
}>

/** Re-reads whenever another table or market is displayed. */
export function createPastRows(source: RowSource): PastRows {
  const [page, setPage] = createSignal(EMPTY)
  /** Start of each page, from the newest to the current one. */
  const [cursors, setCursors] = createSignal<readonly string[]>([''])
  const [state, setState] = createSignal<State>('read')
  let newest = 0
  const read = async (next: readonly string[]) => {
    const tab = source.tab()
    if (!isPaged(tab) || !source.isReady()) return
    const at = ++newest
    if (isLive(next)) return begin()
    setState('reading')
    const answer = await source.read({ tab, market: source.market(), cursor: next.at(-1) ?? '' })
    if (at !== newest) return
    setState(answer === undefined ? 'unread' : 'read')
    if (answer === undefined) return
    setPage(answer)
    setCursors(next)
  }
  /** The first page of fills shows the pushed rows. */
  const isLive = (pages: readonly string[]) => source.tab() === 'fills' && pages.length === 1
  const begin = () => {
    newest++
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
