// All pages but the one to trade on, each loaded when it is opened.
import { lazy, Match, Switch } from 'solid-js'
import type { Page } from '../shell/route.ts'
import type { PageProps } from './page-props.ts'

const Markets = lazy(async () => ({ default: (await import('./markets-page.tsx')).MarketsPage }))
const Portfolio = lazy(async () => ({
  default: (await import('./portfolio-page.tsx')).PortfolioPage,
}))
const Accounts = lazy(async () => ({ default: (await import('./accounts-page.tsx')).AccountsPage }))
const Keys = lazy(async () => ({ default: (await import('./keys-page.tsx')).KeysPage }))
const Look = lazy(async () => ({ default: (await import('./look-page.tsx')).LookPage }))
const Faucet = lazy(async () => ({ default: (await import('./faucet-page.tsx')).FaucetPage }))
const Pools = lazy(async () => ({ default: (await import('./pools-page.tsx')).PoolsPage }))
const Status = lazy(async () => ({ default: (await import('./status-page.tsx')).StatusPage }))

export function SecondPage(props: PageProps) {
  const is = (page: Page) => props.navigation.page() === page
  return (
    <Switch>
      <Match when={is('markets')}>
        <Markets venue={props.venue} navigation={props.navigation} />
      </Match>
      <Match when={is('portfolio')}>
        <Portfolio venue={props.venue} navigation={props.navigation} />
      </Match>
      <Match when={is('accounts')}>
        <Accounts venue={props.venue} navigation={props.navigation} />
      </Match>
      <Match when={is('keys')}>
        <Keys venue={props.venue} navigation={props.navigation} />
      </Match>
      <Match when={is('look')}>
        <Look venue={props.venue} navigation={props.navigation} />
      </Match>
      <Match when={is('faucet')}>
        <Faucet venue={props.venue} navigation={props.navigation} />
      </Match>
      <Match when={is('pools')}>
        <Pools pools={props.venue.shown.pools} />
      </Match>
      <Match when={is('status')}>
        <Status status={props.venue.shown.status} />
      </Match>
    </Switch>
  )
}
