// Keeps the route and the browser's history together: back and forward work.
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { Venue } from '../venue.ts'
import { type Page, type Route, readRoute, writeRoute } from './route.ts'

export type Navigation = Readonly<{
  page: () => Page
  /** The address that is only looked at. */
  account: () => string
  /** Opens another page, or another market on it. */
  go: (to: Partial<Route>) => void
  /** The address of a route, to be opened elsewhere. */
  hrefOf: (to: Partial<Route>) => string
}>

/** The worker names the market that is shown: the URL follows it. */
export function createNavigation(venue: Venue): Navigation {
  const [route, setRoute] = createSignal(readRoute(location.search))
  const merged = (to: Partial<Route>): Route => ({ ...route(), ...to })
  const hrefOf = (to: Partial<Route>) =>
    `${location.pathname}${writeRoute(merged(to), location.search)}`
  const enter = (next: Route) => {
    if (next.market !== '' && next.market !== venue.shown.market) venue.choose(next.market)
    if (next.page !== route().page) venue.page(next.page)
    setRoute(next)
  }
  const go = (to: Partial<Route>) => {
    history.pushState(null, '', hrefOf(to))
    enter(merged(to))
  }
  const back = () => enter(readRoute(location.search))
  addEventListener('popstate', back)
  onCleanup(() => removeEventListener('popstate', back))
  venue.page(route().page)
  createEffect(
    on(
      () => venue.shown.market,
      (market) => {
        if (market === '' || market === route().market) return
        history.replaceState(null, '', hrefOf({ market }))
        setRoute(merged({ market }))
      },
    ),
  )
  return { page: () => route().page, account: () => route().account, go, hrefOf }
}
