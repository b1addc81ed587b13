// The page as a whole: header, banners, and the current page.
import { createEffect, createSignal, Match, on, Show, Switch } from 'solid-js'
import { createSaying, Keyboard } from '../features/keyboard/keyboard.tsx'
import { createEnding, EndingDialogs } from '../features/order/ending.tsx'
import { OrderNewsRegion } from '../features/order/order-news.tsx'
import { createTicket } from '../features/order/ticket.ts'
import { createSettings } from '../features/settings/settings.ts'
import { SettingsPanel } from '../features/settings/settings-panel.tsx'
import { later } from '../page/later.ts'
import { createNavigation, type PageName, pageName } from '../page/navigation.ts'
import { PageLinks } from '../page/page-links.tsx'
import type { PageProps } from '../page/secondary-page.tsx'
import type { Venue } from '../page/venue.ts'
import type { ViewName } from './layout.ts'
import { MarketHeader } from './market-header.tsx'
import { LiquidationBanner, StateBanner } from './state-banner.tsx'
import { StatusLine } from './status-line.tsx'
import * as text from './text.ts'
import { TradePage } from './trade-page.tsx'
import './shell.css'

const MarketMenu = later(async () => (await import('./market-menu.tsx')).MarketMenu)
const NotificationTray = later(
  async () => (await import('../features/notifications/notification-tray.tsx')).NotificationTray,
)

export function App(props: Readonly<{ venue: Venue }>) {
  const shown = () => props.venue.shown
  const row = () => shown().markets.find(({ name }) => name === shown().market)
  const settings = createSettings()
  const ticket = createTicket(props.venue, settings)
  const ending = createEnding(props.venue, settings)
  const navigation = createNavigation(props.venue)
  const saying = createSaying()
  const [isFrozen, setFrozen] = createSignal(false)
  const [isMenuOpen, openMenu] = createSignal(false)
  const [view, chooseView] = createSignal<ViewName>('chart')
  const choose = (market: string) => navigation.go({ market, page: 'trade' })
  const connect = () => {
    navigation.go({ page: 'trade' })
    chooseView('account')
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.account button')?.focus())
  }
  createEffect(() => props.venue.freeze(isFrozen()))
  createEffect(
    on(
      () => shown().market,
      () => setFrozen(false),
    ),
  )
  createEffect(() => {
    const page = navigation.page() === 'trade' ? '' : pageName(navigation.page())
    document.title = [shown().title, page, text.brand].filter((part) => part !== '').join(' · ')
  })
  return (
    <div class="shell" classList={{ stale: isStale(shown()), frozen: isFrozen() }}>
      <a class="skip" href="#content">
        {text.skipToPage}
      </a>
      <MarketHeader
        {...{ venue: props.venue, settings, choose, connect }}
        row={row()}
        openMenu={() => openMenu(true)}
        hasMarket={navigation.page() === 'trade'}
        links={<PageLinks venue={props.venue} navigation={navigation} />}
      >
        <Show when={shown().isTrading}>
          <NotificationTray venue={props.venue} settings={settings} />
        </Show>
        <SettingsPanel settings={settings} isFrozen={isFrozen()} freeze={setFrozen} />
      </MarketHeader>
      <StateBanner
        {...{ shown: shown(), row: row(), isFrozen: isFrozen() }}
        missing={navigation.missing()}
      />
      <LiquidationBanner account={shown().account} />
      <div class="content" id="content" tabindex="-1">
        <TradePage
          venue={props.venue}
          ticket={ticket}
          ending={ending}
          settings={settings}
          said={saying.said()}
          {...{ view: view(), chooseView }}
          isShown={navigation.page() === 'trade'}
        />
        <SecondPage venue={props.venue} navigation={navigation} />
      </div>
      <Keyboard
        {...{ venue: props.venue, ticket, ending, navigation, saying, settings }}
        {...{ isMenuOpen: isMenuOpen(), openMenu: () => openMenu(true) }}
      />
      <Show when={isMenuOpen()}>
        <MarketMenu {...{ venue: props.venue, settings, choose }} onClose={() => openMenu(false)} />
      </Show>
      <EndingDialogs venue={props.venue} ending={ending} settings={settings} />
      <OrderNewsRegion news={shown().orderNews} />
      <StatusLine shown={shown()} />
    </div>
  )
}

/** Chain data is as fresh as its block. */
const isStale = ({ connection, chain }: Venue['shown']): boolean =>
  chain.isOn ? chain.isOld || chain.problem !== '' : connection !== 'open'

const Markets = later(async () => (await import('../features/market/markets-page.tsx')).MarketsPage)
const Portfolio = later(
  async () => (await import('../features/portfolio/portfolio-page.tsx')).PortfolioPage,
)
const Accounts = later(
  async () => (await import('../features/sub-accounts/accounts-page.tsx')).AccountsPage,
)
const Keys = later(async () => (await import('../features/keys/keys-page.tsx')).KeysPage)
const Look = later(async () => (await import('../features/address/address-page.tsx')).LookPage)
const Faucet = later(async () => (await import('../features/faucet/faucet-page.tsx')).FaucetPage)
const Pools = later(async () => (await import('../features/pools/pools-page.tsx')).PoolsPage)
const Status = later(async () => (await import('../features/status/status-page.tsx')).StatusPage)

/** Shows a page other than the trading page; each is loaded when opened. */
function SecondPage(props: PageProps) {
  const is = (page: PageName) => props.navigation.page() === page
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
