// The order book: asks above, bids below, the spread between them.
import { For } from 'solid-js'
import type { Venue } from '../venue.ts'
import type { BookRow } from '../worker/protocol.ts'

export function BookPanel(props: Readonly<{ venue: Venue }>) {
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
          <For each={book().asks}>{(row) => <Row row={row} />}</For>
        </tbody>
        <tbody class="middle">
          <tr>
            <td>{book().mid}</td>
            <td>spread</td>
            <td>{book().spread}</td>
          </tr>
        </tbody>
        <tbody class="bids">
          <For each={book().bids}>{(row) => <Row row={row} />}</For>
        </tbody>
      </table>
    </section>
  )
}

const Row = (props: Readonly<{ row: BookRow }>) => (
  <tr style={{ '--share': props.row.share }}>
    <td class="price">{props.row.price}</td>
    <td>{props.row.amount}</td>
    <td>{props.row.total}</td>
  </tr>
)
