// The page as a whole: header, panels, and what the tab says.
import { createEffect, Show } from 'solid-js'
import { AccountPanel } from '../account/account-panel.tsx'
import { BookPanel } from '../book/book-panel.tsx'
import { ChartPanel } from '../chart/chart-panel.tsx'
import { Keyboard } from '../keys/keyboard.tsx'
import { MarketHeader } from '../market/market-header.tsx'
import { OrderNewsRegion } from '../order/order-news.tsx'
import { OrderPanel } from '../order/order-panel.tsx'
import { createTicket } from '../order/ticket.ts'
import { BottomPanel } from '../tables/bottom-panel.tsx'
import { TradesPanel } from '../trades/trades-panel.tsx'
import type { Venue } from '../venue.ts'

export function App(props: Readonly<{ venue: Venue }>) {
  const shown = () => props.venue.shown
  const row = () => shown().markets.find(({ name }) => name === shown().market)
  const ticket = createTicket(props.venue)
  createEffect(() => {
    const { market } = shown()
    if (market === '') return
    document.title = `${row()?.mark ?? ''} ${market} · openvenue`
    const url = new URL(location.href)
    url.searchParams.set('market', market)
    history.replaceState(null, '', url)
  })
  return (
    <div class="page" classList={{ stale: shown().connection !== 'open' }}>
      <MarketHeader venue={props.venue} row={row()} />
      <Show when={shown().problem}>
        <p class="problem" role="alert">
          {shown().problem}
        </p>
      </Show>
      <main class="panels">
        <ChartPanel venue={props.venue} />
        <BookPanel venue={props.venue} take={ticket.take} />
        <TradesPanel trades={shown().trades} />
        <div class="side">
          <AccountPanel venue={props.venue} />
          <OrderPanel venue={props.venue} ticket={ticket} />
        </div>
      </main>
      <BottomPanel venue={props.venue} />
      <Keyboard venue={props.venue} ticket={ticket} />
      <OrderNewsRegion news={shown().orderNews} />
    </div>
  )
}
