// News of orders, shown for a while: in the live region, and as toasts.
import { For, Show } from 'solid-js'
import type { OrderNews } from './order-protocol.ts'
import './order.css'

const SIGNS = { good: '✓', bad: '▲', plain: '•' } as const

type NewsProps = Readonly<{ news: readonly OrderNews[] }>

const NewsList = (props: NewsProps) => (
  <For each={props.news}>
    {({ text, tone }) => (
      <p class={tone}>
        {SIGNS[tone]} {text}
      </p>
    )}
  </For>
)

export const OrderNewsRegion = (props: NewsProps) => (
  <div class="order-news" role="status" aria-live="polite" aria-atomic="false">
    <NewsList news={props.news} />
  </div>
)

/** The toasts, on the trading page, where they cover no controls. */
export const NewsToasts = (props: NewsProps & Readonly<{ said: string }>) => (
  <div class="toasts" aria-hidden="true">
    <NewsList news={props.news} />
    <Show when={props.said}>
      <p>{props.said}</p>
    </Show>
  </div>
)
