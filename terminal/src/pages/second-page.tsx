// All pages but the one to trade on, each loaded when it is opened.
import { Match, Switch } from 'solid-js'
import { later } from '../shell/later.ts'
import type { Page } from '../shell/route.ts'
import type { PageProps } from './page-props.ts'

const Markets = later(async () => (await import('./markets-page.tsx')).MarketsPage)
const Portfolio = later(async () => (await import('./portfolio-page.tsx')).PortfolioPage)
const Accounts = later(async () => (await import('./accounts-page.tsx')).AccountsPage)
const Keys = later(async () => (await import('./keys-page.tsx')).KeysPage)
const Look = later(async () => (await import('./look-page.tsx')).LookPage)
const Faucet = later(async () => (await import('./faucet-page.tsx')).FaucetPage)
const Pools = later(async () => (await import('./pools-page.tsx')).PoolsPage)
const Status = later(async () => (await import('./status-page.tsx')).StatusPage)

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
        <Pools pools={props.venue.shown.pools} ask={props.venue.ask} />
      </Match>
      <Match when={is('status')}>
        <Status status={props.venue.shown.status} />
      </Match>
    </Switch>
  )
}
