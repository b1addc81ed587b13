// News of orders, for a while, in the one region that is announced.
import { For } from 'solid-js'
import type { OrderNews } from '../worker/order/order-protocol.ts'
import './order.css'

const SIGNS = { good: '✓', bad: '▲', plain: '•' } as const

export const OrderNewsRegion = (props: Readonly<{ news: readonly OrderNews[] }>) => (
  <div class="order-news" role="status" aria-live="polite" aria-atomic="false">
    <For each={props.news}>
      {({ text, tone }) => (
        <p class={tone}>
          {SIGNS[tone]} {text}
        </p>
      )}
    </For>
  </div>
)
