// The header: page links, the market with its prices, and the account.
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { MarketRow } from '../features/market/market-protocol.ts'
import { stateText } from '../features/market/market-state.ts'
import type { SettingsStore } from '../features/settings/settings.ts'
import { WalletBadge } from '../features/wallet/wallet-badge.tsx'
import type { Venue } from '../page/venue.ts'
import * as text from './text.ts'

type HeaderProps = Readonly<{
  venue: Venue
  settings: SettingsStore
  row: MarketRow | undefined
  choose: (market: string) => void
  /** Opens the list of markets. */
  openMenu: () => void
  /** Shows the ways to connect a wallet. */
  connect: () => void
  /** True if the current page uses the market's prices. */
  hasMarket: boolean
  links: JSX.Element
  /** Content at the end of the header. */
  children?: JSX.Element
}>

export function MarketHeader(props: HeaderProps) {
  const shown = () => props.venue.shown
  return (
    <header>
      <div class="header" classList={{ 'has-market': props.hasMarket }}>
        {props.links}
        <h1 class="brand">{text.brand}</h1>
        <div class="market-line" hidden={!props.hasMarket}>
          <button
            type="button"
            class="market-name"
            aria-haspopup="dialog"
            title={text.chooseMarket}
            onClick={() => props.openMenu()}
          >
            {shown().market}
          </button>
          <Show when={props.row}>{(row) => <MarketFacts row={row()} shown={shown()} />}</Show>
        </div>
        <div class="header-end">
          <WalletBadge venue={props.venue} connect={props.connect} />
          {props.children}
        </div>
      </div>
      <Show when={props.hasMarket && props.settings.chosen.favourites.length > 0}>
        <Favourites {...props} />
      </Show>
    </header>
  )
}

/** A button for each favourite market that the venue has. */
const Favourites = (props: HeaderProps) => (
  <nav class="favourites" aria-label={text.favourites}>
    <For each={props.settings.chosen.favourites}>
      {(name) => (
        <Show when={props.venue.shown.markets.find((row) => row.name === name)}>
          {(row) => (
            <button
              type="button"
              aria-current={name === props.venue.shown.market}
              onClick={() => props.choose(name)}
            >
              {name} <span class={row().isUp ? 'buy' : 'sell'}>{row().change}</span>
            </button>
          )}
        </Show>
      )}
    </For>
  </nav>
)

function MarketFacts(props: Readonly<{ row: MarketRow; shown: Venue['shown'] }>) {
  const [isWhole, setWhole] = createSignal(false)
  const last = () => props.shown.trades[0]
  const sideOf = (isUp: boolean | undefined) => (isUp === false ? 'sell' : 'buy')
  const funding = () => [props.row.funding, props.shown.fundingIn].filter(Boolean).join(' · ')
  const state = () => (props.row.state === 'active' ? '' : stateText(props.row))
  return (
    <>
      <dl class="facts" classList={{ whole: isWhole() }}>
        <Fact
          name={text.last}
          value={last()?.price ?? props.row.last}
          side={sideOf(last()?.isBuy)}
        />
        <Fact name={text.change} value={props.row.change} side={sideOf(props.row.isUp)} />
        <Fact name={text.mark} value={props.row.mark} />
        <Fact name={text.index} value={props.row.index} />
        <Fact name={text.high} value={props.row.high} />
        <Fact name={text.low} value={props.row.low} />
        <Fact name={text.volume} value={props.row.volume} unit={props.row.quote} />
        <Fact name={text.openInterest} value={props.row.openInterestValue} unit={props.row.quote} />
        <Fact name={text.funding} value={funding()} />
        <Fact name={text.market} value={state()} />
      </dl>
      <button
        type="button"
        class="facts-more"
        aria-expanded={isWhole()}
        onClick={() => setWhole(!isWhole())}
      >
        {isWhole() ? text.showLess : text.showMore}
      </button>
    </>
  )
}

type FactProps = Readonly<{ name: string; value: string; unit?: string; side?: 'buy' | 'sell' }>

/** The value is one text node, updated in place; hidden without a value. */
const Fact = (props: FactProps) => (
  <Show when={props.value}>
    <div>
      <dt>
        {props.name} {props.unit}
      </dt>
      <dd class={props.side}>{props.value}</dd>
    </div>
  </Show>
)
