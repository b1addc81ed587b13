// The order book: asks above, bids below, the spread between them. Rows are fixed slots: only their
// texts change.
import { createEffect, For, onMount, Show } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import { createPlot } from '../chart/plot.ts'
import type { BookRow, BookView } from '../market/market-protocol.ts'
import type { SettingsStore } from '../settings/settings.ts'
import './book.css'
import * as text from './text.ts'

/** Rows per side, as many as the worker sends. */
const SLOTS = Array.from({ length: 20 }, (_, at) => at)

type BookProps = Readonly<{
  venue: Venue
  settings: SettingsStore
  /** Takes the price of a clicked row. */
  take: (price: string) => void
}>

export function BookPanel(props: BookProps) {
  const book = () => props.venue.shown.book
  createEffect(() => props.venue.group(props.settings.chosen.bookGroup))
  const isOwned = () => [...book().asks, ...book().bids].some(({ ownSize }) => ownSize !== '')
  let canvas: HTMLCanvasElement | undefined
  let asks: HTMLTableSectionElement | undefined
  let bids: HTMLTableSectionElement | undefined
  onMount(() => {
    if (canvas && asks && bids) drawBars({ canvas, asks, bids }, book)
  })
  // Scrolls back to the best prices unless a row has focus.
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
      aria-label={text.region}
      onPointerLeave={toBest}
      onFocusOut={() => queueMicrotask(toBest)}
    >
      <canvas ref={canvas} class="book-bars" />
      <div class="panel-head">
        <h2>{text.title}</h2>
        <label>
          <span class="hidden">{text.grouping}</span>
          <select
            onInput={(event) =>
              props.settings.choose({ bookGroup: event.currentTarget.selectedIndex })
            }
            value={book().group}
          >
            <For each={book().groups}>{(group) => <option value={group}>{group}</option>}</For>
          </select>
        </label>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.price}</th>
            <th scope="col">{text.amount}</th>
            <th scope="col">{text.total}</th>
            <th scope="col" class="ahead" title={text.aheadHint}>
              {text.ahead}
            </th>
          </tr>
        </thead>
        <tbody class="asks" ref={asks}>
          <Slots rows={() => book().asks} />
        </tbody>
        <tbody class="middle">
          <tr>
            <td>{book().mid}</td>
            <td>{text.spread}</td>
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

/** One row of each side is in the tab order; arrow keys reach the others. */
function Row(props: RowProps) {
  const take = () => {
    if (props.row !== undefined) props.take(props.row.price)
  }
  return (
    <tr
      classList={{ vacant: props.row === undefined, mine: (props.row?.ownSize ?? '') !== '' }}
      tabindex={props.at === 0 ? 0 : -1}
      title={props.row && text.usePrice}
      onClick={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
        else if (move(event.currentTarget, event.key)) event.preventDefault()
      }}
    >
      <td class="price">
        <Show when={props.row?.ownSize}>
          {(size) => (
            <span class="own" title={text.ownSize(size())}>
              ◆<span class="hidden">{text.ownSizeAt(size())}</span>
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

/** Moves the focus up or down the screen. Asks are drawn from the bottom up. */
function move(row: HTMLElement, key: string): boolean {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
  const isAsk = row.parentElement?.classList.contains('asks') === true
  const isNext = (key === 'ArrowDown') !== isAsk
  const to = isNext ? row.nextElementSibling : row.previousElementSibling
  if (to instanceof HTMLElement) to.focus()
  return true
}

type BookElements = Readonly<{
  canvas: HTMLCanvasElement
  asks: HTMLElement
  bids: HTMLElement
}>

/** Draws the depth bars at the current positions of the rows: each side scrolls separately. */
function drawBars({ canvas, asks, bids }: BookElements, book: () => BookView): void {
  const plot = createPlot(canvas, (context, { width }) => {
    const { color, outlineColor } = getComputedStyle(canvas)
    const rowPx = asks.firstElementChild?.clientHeight ?? 0
    const from = canvas.getBoundingClientRect().top
    const side = (rows: readonly BookRow[], within: HTMLElement, isUp: boolean) => {
      const { top, bottom, height } = within.getBoundingClientRect()
      context.save()
      context.beginPath()
      context.rect(0, top - from, width, height)
      context.clip()
      // Asks begin at the bottom, and are scrolled from there.
      const edge = (isUp ? bottom : top) - from - within.scrollTop
      for (const [at, { share }] of rows.entries()) {
        const y = isUp ? edge - (at + 1) * rowPx : edge + at * rowPx
        context.fillRect(width * (1 - share), y, width * share, rowPx - 1)
      }
      context.restore()
    }
    context.fillStyle = color
    side(book().asks, asks, true)
    context.fillStyle = outlineColor
    side(book().bids, bids, false)
  })
  for (const within of [asks, bids]) within.addEventListener('scroll', plot.redraw)
  createEffect(() => {
    for (const { share } of [...book().asks, ...book().bids]) if (share < 0) return
    plot.redraw()
  })
}
