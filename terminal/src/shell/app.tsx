// The page as a whole: header, what is wrong, and one of the pages.
import { createEffect, createSignal, on, Show } from 'solid-js'
import { LiquidationBanner } from '../account/liquidation-banner.tsx'
import { createSaying, Keyboard } from '../keys/keyboard.tsx'
import { MarketHeader } from '../market/market-header.tsx'
import { createEnding } from '../order/ending.ts'
import { EndingDialogs } from '../order/ending-dialogs.tsx'
import { OrderNewsRegion } from '../order/order-news.tsx'
import { createTicket } from '../order/ticket.ts'
import { SecondPage } from '../pages/second-page.tsx'
import { createSettings } from '../settings/settings.ts'
import type { Venue } from '../venue.ts'
import { createNavigation } from './navigation.ts'
import { PageLinks } from './page-links.tsx'
import { pageName } from './route.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { StateBanner } from './state-banner.tsx'
import { TradePage } from './trade-page.tsx'
import './shell.css'
import { later } from './later.ts'

const NotificationTray = later(
  async () => (await import('../notifications/notification-tray.tsx')).NotificationTray,
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
  createEffect(() => props.venue.freeze(isFrozen()))
  createEffect(
    on(
      () => shown().market,
      () => setFrozen(false),
    ),
  )
  createEffect(() => {
    const page = navigation.page() === 'trade' ? '' : pageName(navigation.page())
    document.title = [shown().title, page, 'openvenue'].filter((part) => part !== '').join(' · ')
  })
  return (
    <div class="shell" classList={{ stale: isStale(shown()), frozen: isFrozen() }}>
      <a class="skip" href="#content">
        Skip to the page
      </a>
      <MarketHeader
        venue={props.venue}
        row={row()}
        choose={(market) => navigation.go({ market })}
        hasMarket={navigation.page() === 'trade'}
        links={<PageLinks venue={props.venue} navigation={navigation} />}
      >
        <Show when={shown().isTrading}>
          <NotificationTray venue={props.venue} settings={settings} />
        </Show>
        <SettingsPanel settings={settings} isFrozen={isFrozen()} freeze={setFrozen} />
      </MarketHeader>
      <StateBanner shown={shown()} row={row()} isFrozen={isFrozen()} />
      <LiquidationBanner account={shown().account} />
      <div class="content" id="content" tabindex="-1">
        <TradePage
          venue={props.venue}
          ticket={ticket}
          ending={ending}
          settings={settings}
          said={saying.said()}
          isShown={navigation.page() === 'trade'}
        />
        <SecondPage venue={props.venue} navigation={navigation} />
      </div>
      <Keyboard venue={props.venue} {...{ ticket, ending, navigation, saying, settings }} />
      <EndingDialogs venue={props.venue} ending={ending} settings={settings} />
      <OrderNewsRegion news={shown().orderNews} />
    </div>
  )
}

/** What is read from the chain is as new as the chain is. */
const isStale = ({ connection, chain }: Venue['shown']): boolean =>
  chain.isOn ? chain.isOld || chain.problem !== '' : connection !== 'open'
