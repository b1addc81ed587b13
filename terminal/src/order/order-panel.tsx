// The order form: what to trade, what that would do, and what is signed, in words.
import { createMemo, For, Show } from 'solid-js'
import type { Venue } from '../venue.ts'
import './order.css'
import { OrderField, OrderRules } from './order-field.tsx'
import { OrderOptions, SideChoice, TypeChoice } from './order-options.tsx'
import { OrderPreview } from './order-preview.tsx'
import type { Ticket } from './ticket.ts'

const PERCENTS = [25, 50, 75, 100] as const

type PanelProps = Readonly<{ venue: Venue; ticket: Ticket }>

export function OrderPanel(props: PanelProps) {
  const shown = () => props.venue.shown
  const kind = createMemo(() => shown().markets.find(({ name }) => name === shown().market)?.kind)
  let amount: HTMLInputElement | undefined
  props.ticket.onBegin(() => amount?.focus())
  return (
    <section class="panel order" aria-label="Order">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void props.ticket.place()
        }}
      >
        <SideChoice ticket={props.ticket} />
        <TypeChoice ticket={props.ticket} />
        <PriceFields ticket={props.ticket} />
        <OrderField
          ticket={props.ticket}
          field="amount"
          label="Amount"
          unit={shown().market.split('-')[0] ?? ''}
          onInput={(input) => {
            amount = input
          }}
        />
        <Percents ticket={props.ticket} isTrading={shown().isTrading} />
        <OrderOptions ticket={props.ticket} isPerpetual={kind() === 'PERPETUAL'} />
        <OrderPreview check={props.ticket.check()} />
        <OrderRules problems={props.ticket.problemsOf('type')} />
        <OrderRules problems={props.ticket.problemsOf(undefined)} />
        <Warnings venue={props.venue} ticket={props.ticket} />
        <PlaceButton venue={props.venue} ticket={props.ticket} />
      </form>
    </section>
  )
}

function PriceFields(props: Readonly<{ ticket: Ticket }>) {
  const type = () => props.ticket.draft.type
  return (
    <>
      <Show when={type() === 'limit'}>
        <OrderField ticket={props.ticket} field="price" label="Price" unit="" />
      </Show>
      <Show when={type() === 'stop' || type() === 'take-profit'}>
        <OrderField ticket={props.ticket} field="trigger" label="Trigger" unit="mark" />
      </Show>
      <Show when={type() !== 'limit'}>
        <OrderField ticket={props.ticket} field="slippage" label="Slippage" unit="%" />
      </Show>
    </>
  )
}

const Percents = (props: Readonly<{ ticket: Ticket; isTrading: boolean }>) => (
  <fieldset class="order-choice" disabled={!props.isTrading}>
    <legend class="hidden">Part of the buying power</legend>
    <For each={PERCENTS}>
      {(percent) => (
        <button type="button" onClick={() => void props.ticket.size(percent)}>
          {percent} %
        </button>
      )}
    </For>
  </fieldset>
)

function Warnings(props: PanelProps) {
  const row = () => {
    const { market, markets } = props.venue.shown
    return markets.find(({ name }) => name === market)
  }
  const warnings = () => {
    const { connection, network } = props.venue.shown
    const isOld = connection !== 'open' && connection !== 'connecting'
    const old = isOld ? ['What is shown is old: prices may be others by now'] : []
    const isHalted = row()?.isActive === false
    const halted = isHalted ? ['The market is halted: it takes no new orders now'] : []
    const isLive = network.trading === '' || network.trading === 'live'
    const away = isLive ? [] : ['The venue takes no orders now']
    return [...old, ...halted, ...away, ...props.ticket.check().warnings]
  }
  return <For each={warnings()}>{(text) => <p class="order-rule">▲ {text}</p>}</For>
}

function PlaceButton(props: PanelProps) {
  const side = () => props.ticket.draft.side
  const isReady = () => props.venue.shown.isTrading && props.ticket.waitSeconds() === 0
  const label = () => {
    const wait = props.ticket.waitSeconds()
    if (wait > 0) return `Again in ${wait} s`
    if (props.ticket.isPlacing()) return 'Signing and sending …'
    return `${side() === 'buy' ? 'Buy' : 'Sell'} ${props.venue.shown.market}`
  }
  return (
    <>
      <Show when={!props.venue.shown.isTrading}>
        <p class="order-words">
          To trade, connect a wallet and enable trading; on a devnet, get test money.
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
