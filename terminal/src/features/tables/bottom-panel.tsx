// The account's tables, one per tab, and actions on all of their rows.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { saveFile } from '../../page/export-button.tsx'
import type { Venue } from '../../page/venue.ts'
import { createWorking } from '../../page/working.ts'
import type { OrderEnding } from '../order/ending.tsx'
import type { EditOrder } from '../order/order-editing.ts'
import { CLOSE_WAYS, type CloseWay } from '../order/order-protocol.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { CellsTable } from './cells-table.tsx'
import { createPastRows, type PastRows } from './past-rows.ts'
import {
  type ActionResult,
  LIVE_TABS,
  type LiveTab,
  PAGE_ROWS,
  PAST_TABS,
  type Tab,
  type TableRow,
} from './table-protocol.ts'
import * as text from './text.ts'
import './tables.css'

/** Empty tables are reported as empty only after they were read. */
const NONE: Readonly<Record<string, string>> = {
  reading: text.loading,
  unread: text.notLoaded,
}
const TABS: readonly Tab[] = [...LIVE_TABS, ...PAST_TABS]

export function BottomPanel(
  props: Readonly<{
    venue: Venue
    settings: SettingsStore
    ending: OrderEnding
    edit: EditOrder
  }>,
) {
  const shown = () => props.venue.shown
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [tab, setTab] = createSignal<Tab>('positions')
  const isAll = () => props.settings.chosen.listsAll
  const market = () => (isAll() ? '' : shown().market)
  /** Describes rows missing from the last saved file. */
  const [limit, setLimit] = createSignal('')
  createEffect(on([tab, market], () => setLimit('')))
  const [refused, setRefused] = createSignal<readonly string[]>([])
  const past = createPastRows({
    ...{ tab, market },
    isReady: () => shown().wallet.isEnabled,
    fills: () => (tab() === 'fills' ? shown().fills.length : 0),
    read: (request) => work('readTable', request),
  })
  const inScope = (all: readonly TableRow[]) =>
    all.filter((row) => isAll() || row.market === '' || row.market === shown().market)
  const rows = () => past.page()?.rows ?? inScope(shown()[tab() as LiveTab])
  const end = async (ended: Promise<ActionResult | undefined>) =>
    setRefused((await ended)?.refused ?? [])
  const act = (row: TableRow) => {
    if (row.action === 'cancel') void end(work('cancelOrder', { id: row.id }))
    // Without the API the wallet closes the whole position: there is no preview of a part.
    else void end(props.ending.closePositions(row.market))
  }
  const save = async () => {
    setLimit('')
    const file = await work('exportTable', { tab: tab(), market: market() })
    if (file === undefined) return
    saveFile(`${tab()}.csv`, file.text)
    setLimit(file.limit)
  }
  const Button = (button: Readonly<{ label: string; isEmpty: boolean; run: () => void }>) => (
    <button type="button" disabled={isBusy() || button.isEmpty} onClick={() => button.run()}>
      {button.label}
    </button>
  )
  return (
    <section class="panel bottom" aria-label={text.tables}>
      <div class="panel-head">
        <Tabs tab={tab()} venue={props.venue} onTab={setTab} />
        <div class="actions">
          <Scope isAll={isAll()} choose={(listsAll) => props.settings.choose({ listsAll })} />
          <Button
            label={text.cancelAll}
            isEmpty={inScope(shown().orders).length === 0}
            run={() => void end(props.ending.cancelOrders(market()))}
          />
          <Button
            label={text.closeAll}
            isEmpty={inScope(shown().positions).length === 0}
            run={() => void end(props.ending.closePositions(market()))}
          />
          <Button label={text.exportRows} isEmpty={rows().length === 0} run={() => void save()} />
        </div>
      </div>
      <Show when={problem()?.message ?? refused().join('; ')}>
        {(message) => (
          <p class="problem" role="alert">
            {message()}
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
        none={NONE[past.state()] ?? text.noRows(tab())}
        canEdit={!shown().chain.isOn}
        onAct={act}
        onEdit={(id) => props.edit({ id, at: '' })}
        onClose={(market, way) => props.ending.close({ market, way })}
      />
      <PageButtons past={past} isBusy={isBusy()} isEmpty={rows().length === 0} />
    </section>
  )
}

const Scope = (props: Readonly<{ isAll: boolean; choose: (isAll: boolean) => void }>) => (
  <fieldset class="scope">
    <legend class="hidden">{text.rowsOf}</legend>
    <button type="button" aria-pressed={!props.isAll} onClick={() => props.choose(false)}>
      {text.thisMarket}
    </button>
    <button type="button" aria-pressed={props.isAll} onClick={() => props.choose(true)}>
      {text.allMarkets}
    </button>
  </fieldset>
)

const PageButtons = (props: Readonly<{ past: PastRows; isBusy: boolean; isEmpty: boolean }>) => (
  <>
    <Show when={props.isEmpty && props.past.state() === 'unread'}>
      <div class="table-pages">
        <button type="button" onClick={() => props.past.again()}>
          {text.refresh}
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
          {text.showNewer}
        </button>
        <span>{text.pageOf(props.past.newer() + 1, PAGE_ROWS)}</span>
        <button
          type="button"
          disabled={props.isBusy || !props.past.hasOlder()}
          onClick={() => props.past.goOlder()}
        >
          {text.showOlder}
        </button>
      </div>
    </Show>
  </>
)

const Tabs = (props: Readonly<{ tab: Tab; venue: Venue; onTab: (tab: Tab) => void }>) => (
  <fieldset class="tabs">
    <legend class="hidden">{text.table}</legend>
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

type RowsProps = Readonly<{
  tab: Tab
  rows: readonly TableRow[]
  /** Text of an empty table. */
  none: string
  isBusy: boolean
  /** True if the venue is available to replace an order. */
  canEdit: boolean
  onAct: (row: TableRow) => void
  onEdit: (id: string) => void
  onClose: (market: string, way: CloseWay) => void
}>

/** The rows of a tab, each with its buttons. */
const RowsTable = (props: RowsProps) => (
  <CellsTable
    class={`rows ${props.tab}-rows`}
    caption={props.tab}
    columns={text.columns[props.tab]}
    rows={props.rows}
    none={props.none}
    action={(row) => <RowButtons {...props} row={row} />}
  />
)

const RowButtons = (props: RowsProps & Readonly<{ row: TableRow }>) => {
  const hasWays = () => props.row.action === 'close' && props.canEdit
  return (
    <>
      <Show when={props.row.action === 'cancel' && props.canEdit}>
        <EditButton {...props} id={props.row.id} name={text.edit} />
      </Show>
      <For each={props.canEdit ? props.row.edits : []}>
        {({ id, name }) => <EditButton {...props} id={id} name={text.editExit(name)} />}
      </For>
      <For each={hasWays() ? CLOSE_WAYS : []}>
        {(way) => (
          <button
            type="button"
            aria-label={text.closingOf[way](labelOf(props.row))}
            onClick={() => props.onClose(props.row.market, way)}
          >
            {text.closings[way]}
          </button>
        )}
      </For>
      <Show when={!hasWays() && props.row.action}>
        <button
          type="button"
          disabled={props.isBusy}
          aria-label={`${props.row.action} ${labelOf(props.row)}`}
          onClick={() => props.onAct(props.row)}
        >
          {text.actions[props.row.action]}
        </button>
      </Show>
    </>
  )
}

type EditProps = RowsProps & Readonly<{ row: TableRow; id: string; name: string }>

const EditButton = (props: EditProps) => (
  <button
    type="button"
    aria-label={`${props.name} ${labelOf(props.row)}`}
    onClick={() => props.onEdit(props.id)}
  >
    {props.name}
  </button>
)

/** Label of a row: its first cells. */
const labelOf = ({ cells }: TableRow): string =>
  cells
    .map((cell) => cell.text)
    .slice(0, 4)
    .join(' ')
