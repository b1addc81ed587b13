// Above everything: pages, how far what is shown can be trusted, the market and its prices.

import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { WalletBadge } from '../account/wallet-badge.tsx'
import type { Venue } from '../venue.ts'
import type { ChainShown } from '../worker/chain/chain-protocol.ts'
import type { MarketRow } from '../worker/protocol.ts'

type HeaderProps = Readonly<{
  venue: Venue
  row: MarketRow | undefined
  choose: (market: string) => void
  /** Whether the market's prices are of use on the page that is shown. */
  hasMarket: boolean
  links: JSX.Element
  /** What stands at its end. */
  children?: JSX.Element
}>

export function MarketHeader(props: HeaderProps) {
  const shown = () => props.venue.shown
  return (
    <header class="header">
      <div class="header-line">
        <h1 class="brand">openvenue</h1>
        {props.links}
        <TrustStrip venue={props.venue} />
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
  const facts = () => [
    ['Mark', props.row.mark],
    ['24h', props.row.change, props.row.isUp ? 'buy' : 'sell'],
    ['Index', props.row.index],
    ['24h high', props.row.high],
    ['24h low', props.row.low],
    ['24h volume', props.row.volume],
    ['Open interest', props.row.openInterest],
    ['Funding, 1h', props.row.funding],
    ['Next funding', props.fundingIn],
    ['Market', props.row.isActive ? 'active' : '▲ halted'],
  ]
  return (
    <>
      <dl class="facts" classList={{ whole: isWhole() }}>
        <For each={facts()}>
          {([name, value, side]) => (
            <Show when={value}>
              <div>
                <dt>{name}</dt>
                <dd class={side}>{value}</dd>
              </div>
            </Show>
          )}
        </For>
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

const ChainTrust = (props: Readonly<{ chain: ChainShown }>) => (
  <Show when={props.chain.block} fallback="▲ reading the chain …">
    <Show when={props.chain.isOld || props.chain.problem}>▲ </Show>
    <span title="Read from the contracts, without the venue's API">chain</span>
    <span class="trust-more">
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
        <Match when={shown().connection === 'lost'}>▲ connection lost, connecting again</Match>
        <Match when={shown().connection === 'stale'}>▲ nothing new for 2 s</Match>
        <Match when={shown().trust.isChecked}>
          <span class="trust-more">
            block {shown().trust.block} · {shown().latency || '…'} ·{' '}
          </span>
          <span class="good" title="Each change of the book was checked by its checksum">
            ✓ exact
          </span>
        </Match>
      </Switch>
    </p>
  )
}
