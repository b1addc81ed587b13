// The button that signs and sends, and everything that speaks against it, in words.
import { For, Show } from 'solid-js'
import type { Venue } from '../venue.ts'
import type { Shown } from '../worker/protocol.ts'
import { shownRow, type Ticket } from './ticket.ts'

type Props = Readonly<{ venue: Venue; ticket: Ticket }>

export function PlaceButton(props: Props) {
  const side = () => props.ticket.draft.side
  const shown = () => props.venue.shown
  const closed = () => closedText(shown().network.trading)
  const isHalted = () => shownRow(props.venue)?.isActive === false
  const isUnmeant = () => props.ticket.isStale() && !props.ticket.isStaleMeant()
  const isReady = () =>
    shown().isTrading && props.ticket.waitSeconds() === 0 && closed() === '' && !isUnmeant()
  const label = () => {
    const wait = props.ticket.waitSeconds()
    if (wait > 0 && closed() === '') return `Again in ${wait} s`
    if (props.ticket.isPlacing()) return 'Signing and sending …'
    return `${side() === 'buy' ? 'Buy' : 'Sell'} ${shown().market}`
  }
  const halted = () => (isHalted() ? [haltedText(shownRow(props.venue)?.kind)] : [])
  const warnings = () => [...halted(), ...props.ticket.check().warnings]
  return (
    <>
      <Show when={closed()}>
        <p class="order-rule">
          <span aria-hidden="true">▲</span> {closed()}
        </p>
      </Show>
      <For each={warnings()}>
        {(text) => (
          <p class="order-rule">
            <span aria-hidden="true">▲</span> {text}
          </p>
        )}
      </For>
      <Show when={props.ticket.isStale()}>
        <Stale ticket={props.ticket} />
      </Show>
      <Show when={!shown().isTrading}>
        <p class="order-words">
          {shown().chain.isOn
            ? 'New orders wait until the venue answers again: nothing relays them now.'
            : 'To trade, connect a wallet and enable trading; on a devnet, get test money.'}
        </p>
      </Show>
      <button
        type="submit"
        class={`place ${side()}`}
        disabled={!isReady() || props.ticket.isPlacing()}
      >
        {label()}
      </button>
    </>
  )
}

/** An order on old prices has to be meant: until they are new again. */
const Stale = (props: Readonly<{ ticket: Ticket }>) => (
  <div class="order-stale">
    <p>
      <span aria-hidden="true">▲</span> What is shown is old: prices may be others by now.
    </p>
    <label class="check">
      <input
        type="checkbox"
        checked={props.ticket.isStaleMeant()}
        onInput={(event) => props.ticket.meanStale(event.currentTarget.checked)}
      />
      Place it all the same
    </label>
  </div>
)

function closedText(trading: Shown['network']['trading']): string {
  if (trading === 'coming_soon')
    return 'Trading is not live on this network yet. Deposits, withdrawals and cancels work.'
  if (trading === 'cancel_only')
    return 'Maintenance: no new orders are taken. Cancels, deposits and withdrawals go on.'
  return ''
}

const haltedText = (kind: string | undefined): string =>
  kind === 'PERPETUAL'
    ? 'The market is halted: only orders that reduce a position are taken, so reduce-only is on. Cancels and withdrawals go on.'
    : 'The market is halted: it takes no new orders. Cancels and withdrawals go on.'
