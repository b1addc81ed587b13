// The header: page links, data freshness, the market and its prices.
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { ChainShown } from '../features/chain/chain-protocol.ts'
import type { MarketRow } from '../features/market/market-protocol.ts'
import { stateText } from '../features/market/market-state.ts'
import { WalletBadge } from '../features/wallet/wallet-badge.tsx'
import type { Venue } from '../page/venue.ts'

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
        <h1 class="brand">openvenue</h1>
        {props.links}
        <div class="trust-line">
          <TrustStrip venue={props.venue} />
          <Show when={shown().network.name}>
            {(name) => (
              <p class="network" title={`The venue's network: ${name()}`}>
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
          <span class="hidden">Market</span>
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
        <Fact name="Mark" value={props.row.mark} />
        <Fact name="24h" value={props.row.change} side={props.row.isUp ? 'buy' : 'sell'} />
        <Fact name="Index" value={props.row.index} />
        <Fact name="24h high" value={props.row.high} />
        <Fact name="24h low" value={props.row.low} />
        <Fact name="24h volume" value={props.row.volume} />
        <Fact name="Open interest" value={props.row.openInterest} />
        <Fact name="Funding, 1h" value={props.row.funding} />
        <Fact name="Next funding" value={props.fundingIn} />
        <Fact name="Market" value={stateText(props.row)} />
      </dl>
      <button
        type="button"
        class="facts-more"
        aria-expanded={isWhole()}
        onClick={() => setWhole(!isWhole())}
      >
        {isWhole() ? 'Less' : 'More'}
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

const ChainTrust = (props: Readonly<{ chain: ChainShown }>) => (
  <Show when={props.chain.block} fallback="▲ loading from the chain …">
    <Show when={props.chain.isOld || props.chain.problem}>▲ </Show>
    <span title="Read from the contracts, without the venue's API">chain</span>
    <span>
      {' '}
      · block {props.chain.block} · {props.chain.age} old
    </span>
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
        <Match when={shown().connection === 'connecting'}>connecting …</Match>
        <Match when={shown().connection === 'resync'}>▲ catching up …</Match>
        <Match when={shown().connection === 'down'}>▲ no answer, trying again</Match>
        <Match when={shown().connection === 'lost'}>▲ connection lost, reconnecting</Match>
        <Match when={shown().connection === 'stale'}>▲ nothing new for {shown().staleAfter}</Match>
        <Match when={shown().trust.isChecked}>
          block {shown().trust.block} · {shown().latency || '…'} ·{' '}
          <span class="good" title="Book checksum verified on every update">
            ✓ exact
          </span>
        </Match>
      </Switch>
    </p>
  )
}
