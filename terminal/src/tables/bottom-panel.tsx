// The tables of the account, one tab for each, and what can be done with all of their rows.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { createWorking } from '../account/working.ts'
import type { Ending } from '../order/ending.ts'
import type { EditOrder } from '../order/order-editing.ts'
import type { Venue } from '../venue.ts'
import {
  LIVE_TABS,
  type LiveTab,
  type Outcome,
  PAGE_ROWS,
  PAST_TABS,
  type Tab,
  type TableRow,
} from '../worker/tables/table-protocol.ts'
import { createPastRows, type PastRows } from './past-rows.ts'
import { RowsTable } from './rows-table.tsx'
import { saveFile } from './save-file.ts'
import './tables.css'

/** Before it was read nothing says that there is none. */
const NONE: Readonly<Record<string, string>> = { reading: 'Reading …', unread: 'Not read.' }
const TABS: readonly Tab[] = [...LIVE_TABS, ...PAST_TABS]

type BottomProps = Readonly<{ venue: Venue; ending: Ending; edit: EditOrder }>

export function BottomPanel(props: BottomProps) {
  const shown = () => props.venue.shown
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [tab, setTab] = createSignal<Tab>('positions')
  const [isAll, setAll] = createSignal(true)
  const market = () => (isAll() ? '' : shown().market)
  /** What the file that was saved last does not have. */
  const [limit, setLimit] = createSignal('')
  createEffect(on([tab, market], () => setLimit('')))
  const [refused, setRefused] = createSignal<readonly string[]>([])
  const past = createPastRows({
    ...{ tab, market },
    isReady: () => shown().wallet.isEnabled,
    fills: () => (tab() === 'fills' ? shown().fills.length : 0),
    read: (asked) => work('readTable', asked),
  })
  const inScope = (all: readonly TableRow[]) =>
    all.filter((row) => isAll() || row.market === '' || row.market === shown().market)
  const rows = () => past.page()?.rows ?? inScope(shown()[tab() as LiveTab])
  const end = async (ended: Promise<Outcome | undefined>) =>
    setRefused((await ended)?.refused ?? [])
  const act = (row: TableRow) => {
    if (row.action === 'cancel') void end(work('cancelOrder', { id: row.id }))
    // Without the API a position is closed whole, by the wallet: there is no preview of a part.
    else if (shown().chain.isOn) void end(props.ending.closePositions(row.market))
    else props.ending.close(row.market)
  }
  const save = async () => {
    setLimit('')
    const file = await work('exportTable', { tab: tab(), market: market() })
    if (file === undefined) return
    saveFile(`${tab()}.csv`, file.text)
    setLimit(file.limit)
  }
  const Button = (button: Readonly<{ text: string; isEmpty: boolean; run: () => void }>) => (
    <button type="button" disabled={isBusy() || button.isEmpty} onClick={() => button.run()}>
      {button.text}
    </button>
  )
  return (
    <section class="panel bottom" aria-label="Positions and orders">
      <div class="panel-head">
        <Tabs tab={tab()} venue={props.venue} onTab={setTab} />
        <div class="actions">
          <Scope isAll={isAll()} choose={setAll} />
          <Button
            text="Cancel all"
            isEmpty={inScope(shown().orders).length === 0}
            run={() => void end(props.ending.cancelOrders(market()))}
          />
          <Button
            text="Close all"
            isEmpty={inScope(shown().positions).length === 0}
            run={() => void end(props.ending.closePositions(market()))}
          />
          <Button text="Export" isEmpty={rows().length === 0} run={() => void save()} />
        </div>
      </div>
      <Show when={problem()?.message ?? refused().join('; ')}>
        {(text) => (
          <p class="problem" role="alert">
            {text()}
          </p>
        )}
      </Show>
      <Show when={limit()}>
        <p class="file-limit" role="status">
          ▲ {limit()}
        </p>
      </Show>
      <RowsTable
        {...{ tab: tab(), rows: rows(), isBusy: isBusy() }}
        none={NONE[past.state()] ?? `No ${tab()}.`}
        canEdit={!shown().chain.isOn}
        onAct={act}
        onEdit={({ id }) => props.edit({ id, at: '' })}
      />
      <PageButtons past={past} isBusy={isBusy()} isEmpty={rows().length === 0} />
    </section>
  )
}

const Scope = (props: Readonly<{ isAll: boolean; choose: (isAll: boolean) => void }>) => (
  <fieldset class="scope">
    <legend class="hidden">Rows of</legend>
    <button type="button" aria-pressed={!props.isAll} onClick={() => props.choose(false)}>
      This market
    </button>
    <button type="button" aria-pressed={props.isAll} onClick={() => props.choose(true)}>
      All
    </button>
  </fieldset>
)

type PagesProps = Readonly<{ past: PastRows; isBusy: boolean; isEmpty: boolean }>

const PageButtons = (props: PagesProps) => (
  <>
    <Show when={props.isEmpty && props.past.state() === 'unread'}>
      <div class="table-pages">
        <button type="button" onClick={() => props.past.again()}>
          Read again
        </button>
      </div>
    </Show>
    <Show when={props.past.newer() > 0 || props.past.hasOlder()}>
      <div class="table-pages">
        <button
          type="button"
          disabled={props.isBusy || props.past.newer() === 0}
          onClick={() => props.past.goNewer()}
        >
          Show newer
        </button>
        <span>
          Page {props.past.newer() + 1}, {PAGE_ROWS} rows at most
        </span>
        <button
          type="button"
          disabled={props.isBusy || !props.past.hasOlder()}
          onClick={() => props.past.goOlder()}
        >
          Show older
        </button>
      </div>
    </Show>
  </>
)

const Tabs = (props: Readonly<{ tab: Tab; venue: Venue; onTab: (tab: Tab) => void }>) => (
  <fieldset class="tabs">
    <legend class="hidden">Table</legend>
    <For each={TABS}>
      {(tab) => (
        <button type="button" aria-pressed={tab === props.tab} onClick={() => props.onTab(tab)}>
          {tab}
          <Show when={tab === 'positions' || tab === 'orders'}>
            {' '}
            ({props.venue.shown[tab as 'positions' | 'orders'].length})
          </Show>
        </button>
      )}
    </For>
  </fieldset>
)
