// The order form: what to trade, what that would do, and what is signed, in words.
import { createMemo, For, Show } from 'solid-js'
import type { Venue } from '../venue.ts'
import './order.css'
import { LeverageButton } from './leverage-button.tsx'
import { FieldRules, OrderField, OrderRules } from './order-field.tsx'
import { OrderOptions, SideChoice, TypeChoice } from './order-options.tsx'
import { OrderPreview } from './order-preview.tsx'
import { PlaceButton } from './place-button.tsx'
import { PlacedList } from './placed-list.tsx'
import { shownRow, type Ticket } from './ticket.ts'

const PERCENTS = [25, 50, 75, 100] as const

type PanelProps = Readonly<{ venue: Venue; ticket: Ticket }>

export function OrderPanel(props: PanelProps) {
  const shown = () => props.venue.shown
  const row = createMemo(() => shownRow(props.venue))
  const isPerpetual = createMemo(() => row()?.kind === 'PERPETUAL')
  let amount: HTMLInputElement | undefined
  props.ticket.onBegin(() => amount?.focus())
  return (
    <section class="panel order" aria-label="Order">
      <div class="panel-head">
        <h2>Order</h2>
        <Show when={isPerpetual()}>
          <LeverageButton venue={props.venue} />
        </Show>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void props.ticket.place()
        }}
      >
        <SideChoice ticket={props.ticket} />
        <FieldRules ticket={props.ticket} field="side" />
        <TypeChoice ticket={props.ticket} />
        <PriceFields ticket={props.ticket} unit={row()?.quote ?? ''} />
        <OrderField
          ticket={props.ticket}
          field="amount"
          label="Amount"
          unit=""
          onInput={(input) => {
            amount = input
          }}
        >
          <UnitButton
            ticket={props.ticket}
            units={{ base: row()?.base ?? '', quote: row()?.quote ?? '' }}
          />
        </OrderField>
        <Percents ticket={props.ticket} isTrading={shown().isTrading} />
        <OrderOptions ticket={props.ticket} isPerpetual={isPerpetual()} />
        <OrderPreview check={props.ticket.check()} isChecking={props.ticket.isChecking()} />
        <FieldRules ticket={props.ticket} field="type" />
        <OrderRules problems={props.ticket.problemsOf(undefined)} />
        <PlaceButton venue={props.venue} ticket={props.ticket} />
        <PlacedList placed={shown().placed} />
      </form>
    </section>
  )
}

function PriceFields(props: Readonly<{ ticket: Ticket; unit: string }>) {
  const type = () => props.ticket.draft.type
  return (
    <>
      <Show when={type() === 'limit'}>
        <OrderField ticket={props.ticket} field="price" label="Price" unit={props.unit} />
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

type UnitProps = Readonly<{
  ticket: Ticket
  units: Readonly<Record<'base' | 'quote', string>>
}>

/** What the amount counts. What was typed stays as it was typed. */
const UnitButton = (props: UnitProps) => {
  const unit = () => props.ticket.draft.amountUnit
  const other = () => (unit() === 'base' ? 'quote' : 'base')
  return (
    <button
      type="button"
      class="unit"
      title={`Count it in ${props.units[other()]}`}
      aria-label={`in ${props.units[unit()]}, count it in ${props.units[other()]}`}
      onClick={() => props.ticket.set({ amountUnit: other() })}
    >
      {props.units[unit()]} ⇄
    </button>
  )
}

const Percents = (props: Readonly<{ ticket: Ticket; isTrading: boolean }>) => (
  <fieldset class="order-choice percents" disabled={!props.isTrading}>
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
