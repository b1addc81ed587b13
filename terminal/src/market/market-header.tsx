// The line above everything: which market, its prices, and how far what is shown can be trusted.

import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { WalletBadge } from '../account/wallet-badge.tsx'
import type { Venue } from '../venue.ts'
import type { MarketRow } from '../worker/protocol.ts'

type HeaderProps = Readonly<{
  venue: Venue
  row: MarketRow | undefined
  choose: (market: string) => void
  /** What stands at its end: links to pages, settings. */
  children?: JSX.Element
}>

export function MarketHeader(props: HeaderProps) {
  const shown = () => props.venue.shown
  return (
    <header class="header">
      <h1 class="brand">openvenue</h1>
      <label class="market">
        <span class="hidden">Market</span>
        <select value={shown().market} onInput={(event) => props.choose(event.currentTarget.value)}>
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
      <TrustStrip venue={props.venue} />
      <WalletBadge venue={props.venue} />
      {props.children}
    </header>
  )
}

function MarketFacts(props: Readonly<{ row: MarketRow; fundingIn: string }>) {
  const facts = () => [
    ['Mark', props.row.mark],
    ['Index', props.row.index],
    ['24h', props.row.change, props.row.isUp ? 'buy' : 'sell'],
    ['24h high', props.row.high],
    ['24h low', props.row.low],
    ['24h volume', props.row.volume],
    ['Open interest', props.row.openInterest],
    ['Funding, 1h', props.row.funding],
    ['Next funding', props.fundingIn],
    ['Market', props.row.isActive ? 'active' : '▲ halted'],
  ]
  return (
    <dl class="facts">
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
  )
}

function TrustStrip(props: Readonly<{ venue: Venue }>) {
  const shown = () => props.venue.shown
  return (
    <p class="trust">
      <Switch>
        <Match when={shown().connection === 'connecting'}>connecting …</Match>
        <Match when={shown().connection === 'resync'}>▲ catching up …</Match>
        <Match when={shown().connection === 'down'}>▲ no answer, trying again</Match>
        <Match when={shown().connection === 'lost'}>▲ connection lost, connecting again</Match>
        <Match when={shown().connection === 'stale'}>▲ nothing new for 2 s</Match>
        <Match when={shown().trust.isChecked}>
          block {shown().trust.block} · {shown().latency || '…'} ·{' '}
          <span class="good" title="Each change of the book was checked by its checksum">
            ✓ exact
          </span>
        </Match>
      </Switch>
    </p>
  )
}
