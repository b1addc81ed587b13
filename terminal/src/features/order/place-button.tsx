// The button that signs and sends an order, and all warnings about it.
import { For, Show } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import { certainRefusal, closedText, offersOf, stoppedOrders } from '../market/market-state.ts'
import * as text from './text.ts'
import { isTriggered, positionSide, shownRow, type Ticket } from './ticket.ts'

type Props = Readonly<{ venue: Venue; ticket: Ticket }>

export function PlaceButton(props: Props) {
  const side = () => props.ticket.draft.side
  const shown = () => props.venue.shown
  const closed = () => closedText(shown().network.trading)
  const refusal = () => refusalOf(props)
  const waits = () => props.ticket.waitSeconds()
  const isUnmeant = () => props.ticket.isStale() && !props.ticket.isStaleMeant()
  const isReady = () =>
    shown().isTrading && waits() === 0 && closed() === '' && refusal() === '' && !isUnmeant()
  const label = () => {
    if (waits() > 0 && closed() === '') return text.retryIn(waits())
    if (props.ticket.isPlacing()) return text.placing
    return `${side() === 'buy' ? text.buy : text.sell} ${shown().market}`
  }
  return (
    <>
      <For each={warningsOf(props, closed(), refusal())}>
        {(warning) => (
          <p class="order-rule">
            <span aria-hidden="true">▲</span> {warning}
          </p>
        )}
      </For>
      <Show when={!shown().chain.isOn && props.ticket.isStale()}>
        <Stale ticket={props.ticket} />
      </Show>
      <Show when={!shown().isTrading && accountWords(props.venue)}>
        {(words) => <p class="order-words">{words()}</p>}
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

/** Returns warnings without duplicates and without those shown beside a field. */
function warningsOf({ venue, ticket }: Props, closed: string, refusal: string): readonly string[] {
  const row = shownRow(venue)
  const { problems, warnings } = ticket.check()
  const halted = row === undefined ? '' : stoppedOrders(row)
  const isShown = problems.some((problem) => problem.text === refusal)
  const lost = ticket.lost() && text.orderLost(ticket.lost())
  const all = [closed, halted, isShown ? '' : refusal, lost, ...warnings]
  return [...new Set(all)].filter((warning) => warning !== '')
}

/** Returns why the venue would certainly refuse the order, whatever its numbers. */
function refusalOf({ venue, ticket }: Props): string {
  const row = shownRow(venue)
  // A missing account is not a reason to refuse.
  if (row === undefined || !venue.shown.isTrading) return ''
  const { side, isReduceOnly } = ticket.draft
  return certainRefusal({
    ...{ kind: row.kind, state: row.state, side, isReduceOnly },
    isHeld: isTriggered(ticket.draft),
    position: positionSide(venue),
  })
}

const accountWords = ({ shown }: Venue): string =>
  shown.chain.isOn ? text.venueDown : offersOf(shown.network.trading).form

/** Confirms an order on outdated prices; needed until prices are fresh again. */
const Stale = (props: Readonly<{ ticket: Ticket }>) => (
  <div class="order-stale">
    <p>
      <span aria-hidden="true">▲</span> {text.stalePrices}
    </p>
    <label class="check">
      <input
        type="checkbox"
        checked={props.ticket.isStaleMeant()}
        onInput={(event) => props.ticket.meanStale(event.currentTarget.checked)}
      />
      {text.placeAnyway}
    </label>
  </div>
)
