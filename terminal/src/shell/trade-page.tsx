// The page to trade on. It stays while another page is shown: what somebody typed is not lost.
import { createEffect, createSignal, onCleanup, Show } from 'solid-js'
import { AccountPanel } from '../account/account-panel.tsx'
import { BookPanel } from '../book/book-panel.tsx'
import { ChartPanel } from '../chart/chart-panel.tsx'
import { OrderPanel } from '../order/order-panel.tsx'
import type { Ticket } from '../order/ticket.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { BottomPanel } from '../tables/bottom-panel.tsx'
import { TradesPanel } from '../trades/trades-panel.tsx'
import type { Venue } from '../venue.ts'
import { PanelResizer } from './panel-resizer.tsx'

const BELOW = 'below'

type TradePageProps = Readonly<{
  venue: Venue
  ticket: Ticket
  settings: SettingsStore
  isShown: boolean
}>

export function TradePage(props: TradePageProps) {
  const [isBegun, begin] = createSignal(false)
  createEffect(() => {
    if (props.isShown) begin(true)
  })
  const looks = createLooks(props)
  return (
    <Show when={isBegun()}>
      <main class="trade" hidden={!props.isShown}>
        <div class="panels">
          {/* The chart takes its colours when it is made. */}
          <Show when={looks()} keyed>
            <ChartPanel venue={props.venue} />
          </Show>
          <BookPanel venue={props.venue} take={props.ticket.take} />
          <TradesPanel trades={props.venue.shown.trades} />
          <div class="side">
            <AccountPanel venue={props.venue} />
            <OrderPanel venue={props.venue} ticket={props.ticket} />
          </div>
        </div>
        <PanelResizer settings={props.settings} controls={BELOW} />
        <div class="below" id={BELOW}>
          <BottomPanel venue={props.venue} />
        </div>
      </main>
    </Show>
  )
}

/** What colours depend on, as text: another one means other colours. */
function createLooks(props: TradePageProps): () => string {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const [isDark, setDark] = createSignal(query.matches)
  const change = () => setDark(query.matches)
  query.addEventListener('change', change)
  onCleanup(() => query.removeEventListener('change', change))
  return () => `${props.settings.chosen.theme} ${props.settings.chosen.palette} ${isDark()}`
}
