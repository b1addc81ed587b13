// The tables of the account, one tab for each, and what can be done with all of their rows.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { createWorking } from '../account/working.ts'
import type { Venue } from '../venue.ts'
import { LIVE_TABS, PAST_TABS, type Tab, type TableRow } from '../worker/tables/table-protocol.ts'
import { RowsTable } from './rows-table.tsx'
import { saveFile } from './save-file.ts'
import './tables.css'

const TABS: readonly Tab[] = [...LIVE_TABS, ...PAST_TABS]
const isPast = (tab: Tab): tab is (typeof PAST_TABS)[number] =>
  (PAST_TABS as readonly Tab[]).includes(tab)

export function BottomPanel(props: Readonly<{ venue: Venue }>) {
  const shown = () => props.venue.shown
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [tab, setTab] = createSignal<Tab>('positions')
  const [isAll, setAll] = createSignal(true)
  const [past, setPast] = createSignal<readonly TableRow[]>([])
  const [refused, setRefused] = createSignal<readonly string[]>([])
  const market = () => (isAll() ? '' : shown().market)
  const readPast = async () => {
    const now = tab()
    if (!isPast(now) || !shown().wallet.isEnabled) return
    setPast([])
    const rows = await work('readTable', { tab: now, market: market() })
    if (rows !== undefined && tab() === now) setPast(rows)
  }
  createEffect(on([tab, market, () => shown().wallet.isEnabled], () => void readPast()))
  const rows = () => {
    const now = tab()
    const all = isPast(now) ? past() : shown()[now]
    return all.filter((row) => isAll() || row.market === '' || row.market === shown().market)
  }
  const end = async (...asked: Parameters<typeof work>) => {
    const outcome = (await work(...asked)) as { refused: readonly string[] } | undefined
    setRefused(outcome?.refused ?? [])
  }
  const act = (row: TableRow) =>
    row.action === 'cancel'
      ? end('cancelOrder', { id: row.id })
      : end('closePositions', { market: row.market })
  const save = async () => {
    const text = await work('exportTable', { tab: tab(), market: market() })
    if (text !== undefined) saveFile(`${tab()}.csv`, text)
  }
  return (
    <section class="panel bottom" aria-label="Positions and orders">
      <div class="panel-head">
        <Tabs tab={tab()} venue={props.venue} onTab={setTab} />
        <div class="actions">
          <label>
            <input
              type="checkbox"
              checked={!isAll()}
              onInput={(event) => setAll(!event.currentTarget.checked)}
            />
            this market only
          </label>
          <Show when={tab() === 'orders'}>
            <button
              type="button"
              disabled={isBusy() || rows().length === 0}
              onClick={() => void end('cancelOrders', { market: market() })}
            >
              Cancel all
            </button>
          </Show>
          <Show when={tab() === 'positions'}>
            <button
              type="button"
              disabled={isBusy() || rows().length === 0}
              onClick={() => void end('closePositions', { market: market() })}
            >
              Close all
            </button>
          </Show>
          <button
            type="button"
            disabled={isBusy() || rows().length === 0}
            onClick={() => void save()}
          >
            Export CSV
          </button>
        </div>
      </div>
      <Show when={problem()?.message ?? refused().join('; ')}>
        {(text) => (
          <p class="problem" role="alert">
            {text()}
          </p>
        )}
      </Show>
      <RowsTable tab={tab()} rows={rows()} isBusy={isBusy()} onAct={(row) => void act(row)} />
    </section>
  )
}

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
