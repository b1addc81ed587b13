// The menu of orders at a price of the chart.
import { For, onMount } from 'solid-js'
import type { Ticket } from '../order/ticket.ts'
import type { CandleChart } from './candle-chart.ts'
import * as text from './text.ts'

const MENU_PX = { width: 190, height: 80 } as const

/** A price with its place; `isBelow` the last price. */
export type PricePlace = Readonly<{ x: number; y: number; price: string; isBelow: boolean }>

type MenuProps = Readonly<{
  place: PricePlace
  chart: CandleChart
  ticket: Ticket
  close: () => void
}>

export function PriceMenu(props: MenuProps) {
  let menu: HTMLDivElement | undefined
  const { width, height } = props.chart.engine.pane
  const left = Math.max(0, Math.min(props.place.x, width - MENU_PX.width))
  const top = Math.max(0, Math.min(props.place.y, height - MENU_PX.height))
  onMount(() => menu?.querySelector('button')?.focus())
  const leave = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && menu?.contains(event.relatedTarget)) return
    props.close()
  }
  const press = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') props.close()
    const next = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' } as const
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const sibling = document.activeElement?.[next[event.key]]
    if (sibling instanceof HTMLElement) sibling.focus()
  }
  return (
    <div
      ref={menu}
      role="menu"
      tabindex={-1}
      class="price-menu"
      aria-label={text.orderAtPrice}
      style={{ left: `${left}px`, top: `${top}px` }}
      onFocusOut={leave}
      onKeyDown={press}
    >
      <For each={ordersAt(props.place)}>
        {({ side, type, label }) => (
          <button
            type="button"
            role="menuitem"
            class={side}
            onClick={() => {
              const price = props.place.price.replaceAll(',', '')
              props.close()
              props.ticket.set({ type, ...(type === 'stop' ? { trigger: price } : { price }) })
              props.ticket.begin(side)
            }}
          >
            {label}
          </button>
        )}
      </For>
    </div>
  )
}

/** Returns the orders that do not fill at once: by a limit, or by a stop beyond the market. */
const ordersAt = ({ price, isBelow }: PricePlace) =>
  isBelow
    ? ([
        { side: 'buy', type: 'limit', label: text.buyLimit(price) },
        { side: 'sell', type: 'stop', label: text.sellStop(price) },
      ] as const)
    : ([
        { side: 'sell', type: 'limit', label: text.sellLimit(price) },
        { side: 'buy', type: 'stop', label: text.buyStop(price) },
      ] as const)
