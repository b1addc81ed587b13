// The trading page. It stays mounted while another page is shown, so that typed values are kept.
import { createEffect, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { AccountPanel } from '../features/account/account-panel.tsx'
import { BookPanel } from '../features/book/book-panel.tsx'
import { ChartPanel } from '../features/chart/chart-panel.tsx'
import type { OrderEnding } from '../features/order/ending.tsx'
import { createEditing } from '../features/order/order-editing.ts'
import { NewsToasts } from '../features/order/order-news.tsx'
import { OrderPanel } from '../features/order/order-panel.tsx'
import type { Ticket } from '../features/order/ticket.ts'
import type { SettingsStore } from '../features/settings/settings.ts'
import { BottomPanel } from '../features/tables/bottom-panel.tsx'
import { TradesPanel } from '../features/trades/trades-panel.tsx'
import type { Venue } from '../page/venue.ts'
import { createLayout, isSeen, type Layout, tabsOf, type ViewName } from './layout.ts'
import './layout.css'
import { later } from '../page/later.ts'
import { OrderSheet } from './order-sheet.tsx'
import { PanelResizer } from './panel-resizer.tsx'
import { tabId, ViewTabs, viewId } from './view-tabs.tsx'

/** Parts are rendered one after another, each in its own task, so that no task is long. */
const FRAME_MS = 16
const EditDialog = later(async () => (await import('../features/order/edit-dialog.tsx')).EditDialog)

type TradePageProps = Readonly<{
  venue: Venue
  ticket: Ticket
  ending: OrderEnding
  settings: SettingsStore
  /** Announcement of the last keyboard command. */
  said: string
  isShown: boolean
  /** The selected tab, where the layout has tabs. */
  view: ViewName
  chooseView: (view: ViewName) => void
}>

export function TradePage(props: TradePageProps) {
  const [isBegun, begin] = createSignal(false)
  createEffect(() => {
    // The account panel also talks to the browser's wallet, whichever page is shown.
    if (props.isShown || props.venue.shown.wallet.kind === 'injected') begin(true)
  })
  return (
    <Show when={isBegun()}>
      <Panels {...props} />
    </Show>
  )
}

function Panels(props: TradePageProps) {
  const looks = createLooks(props)
  const layout = createLayout()
  const { edited, edit, leave } = createEditing()
  const Place = (place: Readonly<{ view: ViewName; children: JSX.Element }>) => (
    <ViewPlace view={place.view} layout={layout()} chosen={props.view}>
      {place.children}
    </ViewPlace>
  )
  const Tabs = () => <ViewTabs layout={layout()} chosen={props.view} choose={props.chooseView} />
  const Form = () => <OrderPanel venue={props.venue} ticket={props.ticket} />
  const take = (price: string) => {
    props.ticket.take(price)
    // In this layout the form that took the price is hidden.
    if (layout() === 'narrow') props.ticket.begin(props.ticket.draft.side)
  }
  return (
    <main class="trade" hidden={!props.isShown}>
      <Show when={layout() === 'narrow'}>
        <Tabs />
      </Show>
      <Place view="chart">
        <ChartPanel venue={props.venue} looks={looks()} edit={edit} ticket={props.ticket} />
      </Place>
      <div class="pair">
        <Show when={layout() === 'middle'}>
          <Tabs />
        </Show>
        <Place view="book">
          <InTurn turn={1}>
            <BookPanel venue={props.venue} settings={props.settings} take={take} />
          </InTurn>
        </Place>
        <Place view="trades">
          <InTurn turn={2}>
            <TradesPanel trades={props.venue.shown.trades} />
          </InTurn>
        </Place>
      </div>
      <Place view="account">
        {/* First, so that nothing in the account moves the form. */}
        <InTurn turn={3}>
          <Show when={layout() !== 'narrow'}>
            <Form />
          </Show>
        </InTurn>
        <InTurn turn={4}>
          <AccountPanel venue={props.venue} />
        </InTurn>
      </Place>
      <Place view="tables">
        <PanelResizer settings={props.settings} controls={viewId('tables')} />
        <InTurn turn={5}>
          <BottomPanel
            {...{ venue: props.venue, settings: props.settings, ending: props.ending, edit }}
          />
        </InTurn>
      </Place>
      <Show when={edited()} keyed>
        {(order) => <EditDialog venue={props.venue} edited={order} leave={leave} />}
      </Show>
      <NewsToasts news={props.venue.shown.orderNews} said={props.said} />
      <Show when={layout() === 'narrow'}>
        <OrderSheet
          ticket={props.ticket}
          isTrading={props.venue.shown.isTrading}
          goToAccount={() => props.chooseView('account')}
        >
          <Form />
        </OrderSheet>
      </Show>
    </main>
  )
}

type PlaceProps = Readonly<{
  view: ViewName
  layout: Layout
  chosen: ViewName
  children: JSX.Element
}>

/** The place of a view; a tab panel if the view has a tab. */
function ViewPlace(props: PlaceProps) {
  const asPanel = () =>
    tabsOf(props.layout).includes(props.view)
      ? ({ role: 'tabpanel', 'aria-labelledby': tabId(props.view) } as const)
      : {}
  return (
    <div
      class={`view view-${props.view}`}
      id={viewId(props.view)}
      hidden={!isSeen(props.layout, props.view, props.chosen)}
      {...asPanel()}
    >
      {props.children}
    </div>
  )
}

/** Key of the current colors: the chart reads them again when it changes. */
function createLooks(props: TradePageProps): () => string {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const [isDark, setDark] = createSignal(query.matches)
  const change = () => setDark(query.matches)
  query.addEventListener('change', change)
  onCleanup(() => query.removeEventListener('change', change))
  return () => `${props.settings.chosen.theme} ${props.settings.chosen.palette} ${isDark()}`
}

/** Renders its children `turn` frames after their surroundings. Their space must be reserved. */
function InTurn(props: Readonly<{ turn: number; children: JSX.Element }>) {
  const [isDue, setDue] = createSignal(false)
  const timer = setTimeout(() => setDue(true), props.turn * FRAME_MS)
  onCleanup(() => clearTimeout(timer))
  return <Show when={isDue()}>{props.children}</Show>
}
