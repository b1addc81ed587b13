// The route of the page: page and market in the URL, in sync with the browser history, so that back
// and forward work.
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import * as text from './text.ts'
import type { Venue } from './venue.ts'

export const PAGES = [
  ...(['trade', 'markets', 'portfolio', 'accounts', 'keys'] as const),
  // Pages that not every venue offers come last, so that the others keep their places.
  ...(['look', 'status', 'faucet', 'pools'] as const),
] as const
export type PageName = (typeof PAGES)[number]
const NAMES: Readonly<Record<PageName, string>> = {
  trade: text.trade,
  markets: text.markets,
  portfolio: text.portfolio,
  accounts: text.subAccounts,
  keys: text.keys,
  look: text.viewAddress,
  faucet: text.faucet,
  pools: text.pools,
  status: text.status,
}

export const pageName = (page: PageName): string => NAMES[page]

type PoolOffer = Readonly<{
  shown: Readonly<{
    pools: Readonly<{ isOffered: boolean }>
    wallet: Readonly<{ isDevnet: boolean }>
  }>
  faucetUrl: () => string
}>

/** Returns true if the venue offers a page. */
export function isOffered(page: PageName, { shown, faucetUrl }: PoolOffer): boolean {
  if (page === 'pools') return shown.pools.isOffered
  return page !== 'faucet' || shown.wallet.isDevnet || faucetUrl() !== ''
}

/** `account` is the address that is viewed without a key. */
type Route = Readonly<{ page: PageName; market: string; account: string }>

const isPage = (name: string | null): name is PageName => PAGES.some((page) => page === name)

/** Returns the route of a query; an unknown page becomes the trading page. */
export function readRoute(search: string): Route {
  const query = new URLSearchParams(search)
  const page = query.get('page')
  const account = query.get('account') ?? ''
  const unnamed = account === '' ? 'trade' : 'look'
  return { page: isPage(page) ? page : unnamed, market: query.get('market') ?? '', account }
}

/** Returns the query of a route; other parameters of `search` are kept. */
export function writeRoute({ page, market, account }: Route, search: string): string {
  const query = new URLSearchParams(search)
  query.set('page', page)
  if (page === 'trade') query.delete('page')
  if (market !== '') query.set('market', market)
  query.delete('account')
  if (page === 'look' && account !== '') query.set('account', account)
  const parameters = query.toString()
  return parameters === '' ? '' : `?${parameters}`
}

export type Navigation = Readonly<{
  page: () => PageName
  /** The address that is viewed without a key. */
  account: () => string
  /** The market of the link, if the venue has none of this name; otherwise empty. */
  missing: () => string
  /** Opens another page, or another market on it. */
  go: (to: Partial<Route>) => void
  /** Returns the URL of a route, for opening it elsewhere. */
  hrefOf: (to: Partial<Route>) => string
}>

/** Updates the URL when the worker reports the displayed market. */
export function createNavigation(venue: Venue): Navigation {
  const [route, setRoute] = createSignal(readRoute(location.search))
  const [missing, setMissing] = createSignal('')
  const merged = (to: Partial<Route>): Route => ({ ...route(), ...to })
  const hrefOf = (to: Partial<Route>) =>
    `${location.pathname}${writeRoute(merged(to), location.search)}`
  const enter = (next: Route) => {
    setMissing('')
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
        const { market: asked } = route()
        setMissing(venue.shown.markets.some(({ name }) => name === asked) ? '' : asked)
        history.replaceState(null, '', hrefOf({ market }))
        setRoute(merged({ market }))
      },
    ),
  )
  const [page, account] = [() => route().page, () => route().account]
  return { page, account, missing, go, hrefOf }
}
