// The orders that were placed last: what the venue promised, and what the chain has said since.
import { For, Show } from 'solid-js'
import type { PlacedView } from '../worker/order/order-protocol.ts'

const SIGNS = { good: '✓', bad: '▲', plain: '•' } as const

export const PlacedList = (props: Readonly<{ placed: readonly PlacedView[] }>) => (
  <Show when={props.placed.length > 0}>
    <ul class="order-placed" aria-label="Placed last">
      <For each={props.placed}>{(placed) => <Placed placed={placed} />}</For>
    </ul>
  </Show>
)

const Placed = (props: Readonly<{ placed: PlacedView }>) => (
  <li class={props.placed.tone} classList={{ pending: props.placed.isPending }}>
    <p>
      <span aria-hidden="true">{props.placed.isPending ? '○' : SIGNS[props.placed.tone]}</span>{' '}
      {props.placed.text}
    </p>
    <details>
      <summary>{props.placed.promise}</summary>
      <dl>
        <For each={props.placed.receipt}>
          {({ name, value }) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <p class="order-at">
        The venue signed this.{' '}
        <a href={props.placed.ledgerUrl} target="_blank" rel="noopener">
          What became of it
        </a>{' '}
        stands in its public ledger, ten seconds later; whoever runs
        <code> check-relay</code> holds the ledger against the chain.
      </p>
    </details>
  </li>
)
