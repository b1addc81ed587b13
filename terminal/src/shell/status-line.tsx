// The line at the bottom: block and latency of the data, and the venue's network.
import { Match, Show, Switch } from 'solid-js'
import type { ChainStatus } from '../features/chain/chain-protocol.ts'
import type { Venue } from '../page/venue.ts'
import * as text from './text.ts'

export const StatusLine = (props: Readonly<{ shown: Venue['shown'] }>) => (
  <footer class="status-line">
    <Trust shown={props.shown} />
    <Show when={props.shown.network.name}>
      {(name) => (
        <p class="network" title={text.networkOf(name())}>
          {name()}
        </p>
      )}
    </Show>
  </footer>
)

const ChainTrust = (props: Readonly<{ chain: ChainStatus }>) => (
  <Show when={props.chain.block} fallback={text.loadingChain}>
    <Show when={props.chain.isOld || props.chain.problem}>▲ </Show>
    <span title={text.chainTerms}>{text.chain}</span>
    <span>{text.chainAge(props.chain.block, props.chain.age)}</span>
  </Show>
)

const Trust = (props: Readonly<{ shown: Venue['shown'] }>) => (
  <p class="trust">
    <Switch>
      <Match when={props.shown.chain.isOn}>
        <ChainTrust chain={props.shown.chain} />
      </Match>
      <Match when={props.shown.connection === 'connecting'}>{text.connecting}</Match>
      <Match when={props.shown.connection === 'resync'}>{text.catchingUp}</Match>
      <Match when={props.shown.connection === 'down'}>{text.noAnswer}</Match>
      <Match when={props.shown.connection === 'lost'}>{text.connectionLost}</Match>
      <Match when={props.shown.connection === 'stale'}>
        {text.delayed} {props.shown.quietFor}
      </Match>
      <Match when={props.shown.trust.isChecked}>
        {text.block} {props.shown.trust.block} · {props.shown.latency || '…'} ·{' '}
        <span class="good" title={text.exactTerms}>
          {text.exact}
        </span>
      </Match>
    </Switch>
  </p>
)
