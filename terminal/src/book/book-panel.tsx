// The order book: asks above, bids below, the spread between them.
import { For, Show } from 'solid-js'
import type { Venue } from '../venue.ts'
import type { BookRow } from '../worker/protocol.ts'
import './book.css'

type BookProps = Readonly<{
  venue: Venue
  /** Takes the price of a row that is chosen. */
  take: (price: string) => void
}>

export function BookPanel(props: BookProps) {
  const book = () => props.venue.shown.book
  return (
    <section class="panel book" aria-label="Order book">
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
          </tr>
        </thead>
        <tbody class="asks">
          <For each={book().asks}>{(row, at) => <Row row={row} at={at()} take={props.take} />}</For>
        </tbody>
        <tbody class="middle">
          <tr>
            <td>{book().mid}</td>
            <td>spread</td>
            <td>{book().spread}</td>
          </tr>
        </tbody>
        <tbody class="bids">
          <For each={book().bids}>{(row, at) => <Row row={row} at={at()} take={props.take} />}</For>
        </tbody>
      </table>
    </section>
  )
}

type RowProps = Readonly<{ row: BookRow; at: number; take: (price: string) => void }>

/** One row of each side is reached by Tab, the others from there by arrows. */
const Row = (props: RowProps) => (
  <tr
    style={{ '--share': props.row.share }}
    tabindex={props.at === 0 ? 0 : -1}
    onClick={() => props.take(props.row.price)}
    onKeyDown={(event) => {
      if (event.key === 'Enter') props.take(props.row.price)
      else if (move(event.currentTarget, event.key)) event.preventDefault()
    }}
  >
    <td class="price">
      <Show when={props.row.own}>
        <span class="own" title={`yours: ${props.row.own}`}>
          ◆<span class="hidden"> yours: {props.row.own} at </span>
        </span>
      </Show>
      {props.row.price}
    </td>
    <td>{props.row.amount}</td>
    <td>{props.row.total}</td>
  </tr>
)

/** Moves the focus up or down the screen; asks are drawn from the bottom up. */
function move(row: HTMLElement, key: string): boolean {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
  const isAsk = row.parentElement?.classList.contains('asks') === true
  const isNext = (key === 'ArrowDown') !== isAsk
  const to = isNext ? row.nextElementSibling : row.previousElementSibling
  if (to instanceof HTMLElement) to.focus()
  return true
}
