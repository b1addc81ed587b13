// The order book: asks above, bids below, the spread between them. Rows are slots that stay where
// they are: only their texts change.
import { For, onMount, Show } from 'solid-js'
import type { Venue } from '../venue.ts'
import type { BookRow } from '../worker/protocol.ts'
import './book.css'
import { drawBars } from './book-bars.ts'

/** Rows of a side, as many as the worker makes. */
const SLOTS = Array.from({ length: 20 }, (_, at) => at)

type BookProps = Readonly<{
  venue: Venue
  /** Takes the price of a row that is chosen. */
  take: (price: string) => void
}>

export function BookPanel(props: BookProps) {
  const book = () => props.venue.shown.book
  const isOwned = () => [...book().asks, ...book().bids].some(({ own }) => own !== '')
  let canvas: HTMLCanvasElement | undefined
  let asks: HTMLTableSectionElement | undefined
  let bids: HTMLTableSectionElement | undefined
  onMount(() => {
    if (canvas && asks && bids) drawBars({ canvas, asks, bids }, book)
  })
  // The best prices are what is seen once nobody looks at others.
  const toBest = () => {
    for (const side of [asks, bids])
      if (side?.matches(':focus-within') === false) side.scrollTop = 0
  }
  const Slots = (side: Readonly<{ rows: () => readonly BookRow[] }>) => (
    <For each={SLOTS}>{(at) => <Row row={side.rows()[at]} at={at} take={props.take} />}</For>
  )
  return (
    <section
      class="panel book"
      classList={{ owned: isOwned() }}
      aria-label="Order book"
      onPointerLeave={toBest}
      onFocusOut={() => queueMicrotask(toBest)}
    >
      <canvas ref={canvas} class="book-bars" />
      <div class="panel-head">
        <h2>Book</h2>
        <label>
          <span class="hidden">Group prices by</span>
          <select
            onInput={(event) => props.venue.group(event.currentTarget.selectedIndex)}
            value={book().group}
          >
            <For each={book().groups}>{(group) => <option value={group}>{group}</option>}</For>
          </select>
        </label>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Price</th>
            <th scope="col">Amount</th>
            <th scope="col">Total</th>
            <th scope="col" class="ahead" title="What is before your order at its price, at most">
              Ahead
            </th>
          </tr>
        </thead>
        <tbody class="asks" ref={asks}>
          <Slots rows={() => book().asks} />
        </tbody>
        <tbody class="middle">
          <tr>
            <td>{book().mid}</td>
            <td>spread</td>
            <td>{book().spread}</td>
          </tr>
        </tbody>
        <tbody class="bids" ref={bids}>
          <Slots rows={() => book().bids} />
        </tbody>
      </table>
    </section>
  )
}

type RowProps = Readonly<{
  row: BookRow | undefined
  at: number
  take: (price: string) => void
}>

/** One row of each side is reached by Tab, the others from there by arrows. */
function Row(props: RowProps) {
  const take = () => {
    if (props.row !== undefined) props.take(props.row.price)
  }
  return (
    <tr
      classList={{ vacant: props.row === undefined, mine: (props.row?.own ?? '') !== '' }}
      tabindex={props.at === 0 ? 0 : -1}
      title={props.row && 'Take this price into the order (Enter)'}
      onClick={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
        else if (move(event.currentTarget, event.key)) event.preventDefault()
      }}
    >
      <td class="price">
        <Show when={props.row?.own}>
          {(own) => (
            <span class="own" title={`yours: ${own()}`}>
              ◆<span class="hidden"> yours: {own()} at </span>
            </span>
          )}
        </Show>
        {props.row?.price}
      </td>
      <td>{props.row?.amount}</td>
      <td>{props.row?.total}</td>
      <td class="ahead">{props.row?.ahead}</td>
    </tr>
  )
}

/** Moves the focus up or down the screen; asks are drawn from the bottom up. */
function move(row: HTMLElement, key: string): boolean {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
  const isAsk = row.parentElement?.classList.contains('asks') === true
  const isNext = (key === 'ArrowDown') !== isAsk
  const to = isNext ? row.nextElementSibling : row.previousElementSibling
  if (to instanceof HTMLElement) to.focus()
  return true
}
