// The header: page links, data freshness, the market and its prices.
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { ChainStatus } from '../features/chain/chain-protocol.ts'
import type { MarketRow } from '../features/market/market-protocol.ts'
import { stateText } from '../features/market/market-state.ts'
import { WalletBadge } from '../features/wallet/wallet-badge.tsx'
import type { Venue } from '../page/venue.ts'
import * as text from './text.ts'

type HeaderProps = Readonly<{
  venue: Venue
  row: MarketRow | undefined
  choose: (market: string) => void
  /** True if the current page uses the market's prices. */
  hasMarket: boolean
  links: JSX.Element
  /** Content at the end of the header. */
  children?: JSX.Element
}>

export function MarketHeader(props: HeaderProps) {
  const shown = () => props.venue.shown
  return (
    <header class="header">
      <div class="header-line">
        <h1 class="brand">{text.brand}</h1>
        {props.links}
        <div class="trust-line">
          <TrustStrip venue={props.venue} />
          <Show when={shown().network.name}>
            {(name) => (
              <p class="network" title={text.networkOf(name())}>
                {name()}
              </p>
            )}
          </Show>
        </div>
        <WalletBadge venue={props.venue} />
        {props.children}
      </div>
      <div class="header-line market-line" hidden={!props.hasMarket}>
        <label class="market">
          <span class="hidden">{text.market}</span>
          <select
            value={shown().market}
            onInput={(event) => props.choose(event.currentTarget.value)}
          >
            <For each={shown().markets}>
              {({ name }) => (
                <option value={name} selected={name === shown().market}>
                  {name}
                </option>
              )}
            </For>
          </select>
        </label>
        <Show when={props.row}>
          {(row) => <MarketFacts row={row()} fundingIn={shown().fundingIn} />}
        </Show>
      </div>
    </header>
  )
}

function MarketFacts(props: Readonly<{ row: MarketRow; fundingIn: string }>) {
  const [isWhole, setWhole] = createSignal(false)
  return (
    <>
      <dl class="facts" classList={{ whole: isWhole() }}>
        <Fact name={text.mark} value={props.row.mark} />
        <Fact name={text.change} value={props.row.change} side={props.row.isUp ? 'buy' : 'sell'} />
        <Fact name={text.index} value={props.row.index} />
        <Fact name={text.high} value={props.row.high} />
        <Fact name={text.low} value={props.row.low} />
        <Fact name={text.volume} value={props.row.volume} />
        <Fact name={text.openInterest} value={props.row.openInterest} />
        <Fact name={text.funding} value={props.row.funding} />
        <Fact name={text.nextFunding} value={props.fundingIn} />
        <Fact name={text.market} value={stateText(props.row)} />
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

/** The value is one text node, updated in place; hidden without a value. */
const Fact = (props: Readonly<{ name: string; value: string; side?: 'buy' | 'sell' }>) => (
  <Show when={props.value}>
    <div>
      <dt>{props.name}</dt>
      <dd class={props.side}>{props.value}</dd>
    </div>
  </Show>
)

const ChainTrust = (props: Readonly<{ chain: ChainStatus }>) => (
  <Show when={props.chain.block} fallback={text.loadingChain}>
    <Show when={props.chain.isOld || props.chain.problem}>▲ </Show>
    <span title={text.chainTerms}>{text.chain}</span>
    <span>{text.chainAge(props.chain.block, props.chain.age)}</span>
  </Show>
)

function TrustStrip(props: Readonly<{ venue: Venue }>) {
  const shown = () => props.venue.shown
  return (
    <p class="trust">
      <Switch>
        <Match when={shown().chain.isOn}>
          <ChainTrust chain={shown().chain} />
        </Match>
        <Match when={shown().connection === 'connecting'}>{text.connecting}</Match>
        <Match when={shown().connection === 'resync'}>{text.catchingUp}</Match>
        <Match when={shown().connection === 'down'}>{text.noAnswer}</Match>
        <Match when={shown().connection === 'lost'}>{text.connectionLost}</Match>
        <Match when={shown().connection === 'stale'}>
          {text.nothingNew} {shown().staleAfter}
        </Match>
        <Match when={shown().trust.isChecked}>
          {text.block} {shown().trust.block} · {shown().latency || '…'} ·{' '}
          <span class="good" title={text.exactTerms}>
            {text.exact}
          </span>
        </Match>
      </Switch>
    </p>
  )
}
