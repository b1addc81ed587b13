// Places of the chart where an order can begin: by right click, by "+" beside the axis, or by the
// menu key.
import { createSignal, onCleanup, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import type { Ticket } from '../order/ticket.ts'
import type { CandleChart } from './candle-chart.ts'
import type { PricePlace } from './price-menu.tsx'
import * as text from './text.ts'

const PriceMenu = later(async () => (await import('./price-menu.tsx')).PriceMenu)

type PriceSpotProps = Readonly<{
  chart: CandleChart
  frame: HTMLElement
  ticket: Ticket
  /** Pointer above the candles, from the top; undefined: there is none. */
  pointerY: number | undefined
}>
export function PriceSpot(props: PriceSpotProps) {
  const [place, setPlace] = createSignal<PricePlace>()
  const open = (x: number, y: number) => {
    const price = props.chart.textAt(y)
    const isBelow = y > (props.chart.lastY ?? 0)
    if (price !== undefined) setPlace({ x, y, price, isBelow })
  }
  const openBy = (event: MouseEvent) => {
    event.preventDefault()
    const { left, top } = props.frame.getBoundingClientRect()
    const [x, y] = [event.clientX - left, event.clientY - top]
    // The menu key has no pointer: it takes the candle that is pointed at.
    const isKey = event instanceof PointerEvent && event.pointerType === ''
    const at = isKey ? props.chart.pointedPlace : { x, y }
    if (at !== undefined && props.chart.isAmongCandles(at.x, at.y)) open(at.x, at.y)
  }
  props.frame.addEventListener('contextmenu', openBy)
  onCleanup(() => props.frame.removeEventListener('contextmenu', openBy))
  return (
    <>
      <Show when={place() === undefined && props.pointerY}>
        {(y) => (
          <button
            type="button"
            class="price-add"
            style={{ top: `${y()}px`, left: `${props.chart.engine.pane.width}px` }}
            title={text.orderAtPrice}
            onPointerLeave={() => props.chart.leave()}
            onClick={() => open(props.chart.engine.pane.width, y())}
          >
            <span aria-hidden="true">+</span>
            <span class="hidden">{text.orderAtPrice}</span>
          </button>
        )}
      </Show>
      <Show when={place()} keyed>
        {(at) => (
          <PriceMenu
            place={at}
            chart={props.chart}
            ticket={props.ticket}
            close={() => {
              setPlace(undefined)
              props.frame.focus()
            }}
          />
        )}
      </Show>
    </>
  )
}
