// The line above everything: which market, its prices, and how far what is shown can be trusted.
import { For, Match, Show, Switch } from 'solid-js'
import { WalletBadge } from '../account/wallet-badge.tsx'
import type { Venue } from '../venue.ts'
import type { MarketRow } from '../worker/protocol.ts'

export function MarketHeader(props: Readonly<{ venue: Venue; row: MarketRow | undefined }>) {
  const shown = () => props.venue.shown
  return (
    <header class="header">
      <h1 class="brand">openvenue</h1>
      <label class="market">
        <span class="hidden">Market</span>
        <select
          value={shown().market}
          onInput={(event) => props.venue.choose(event.currentTarget.value)}
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
      <Show when={props.row}>{(row) => <MarketFacts row={row()} />}</Show>
      <TrustStrip venue={props.venue} />
      <WalletBadge venue={props.venue} />
    </header>
  )
}

function MarketFacts(props: Readonly<{ row: MarketRow }>) {
  const facts = () => [
    ['Mark', props.row.mark],
    ['Index', props.row.index],
    ['24h volume', props.row.volume],
    ['Open interest', props.row.openInterest],
    ['Funding, 1h', props.row.funding],
  ]
  return (
    <dl class="facts">
      <For each={facts()}>
        {([name, value]) => (
          <Show when={value}>
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
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
    <p class="trust" role="status">
      <Switch>
        <Match when={shown().connection === 'connecting'}>connecting …</Match>
        <Match when={shown().connection === 'lost'}>▲ connection lost, connecting again</Match>
        <Match when={shown().connection === 'stale'}>▲ nothing new for 2 s</Match>
        <Match when={shown().trust.isChecked}>
          <span class="good">✓</span> block {shown().trust.block}, book checked
        </Match>
      </Switch>
    </p>
  )
}
