// The choices of the order form that are no numbers of their own: side, type, how long it stands.
import { For, Show } from 'solid-js'
import { ORDER_TYPES, type OrderDraft, TIMES_IN_FORCE } from '../worker/order/order-protocol.ts'
import { OrderField, OrderRules } from './order-field.tsx'
import type { Ticket } from './ticket.ts'

const TYPE_NAMES: Readonly<Record<OrderDraft['type'], string>> = {
  ...{ limit: 'Limit', market: 'Market', stop: 'Stop', 'take-profit': 'Take profit' },
}
const FORCE_NAMES: Readonly<Record<OrderDraft['timeInForce'], string>> = {
  GTC: 'Until cancelled',
  IOC: 'At once, rest cancelled',
  FOK: 'Whole at once, or nothing',
  GTD: 'For some hours',
}

type TicketProps = Readonly<{ ticket: Ticket }>

export const SideChoice = (props: TicketProps) => (
  <fieldset class="order-choice sides">
    <legend class="hidden">Side</legend>
    <For each={['buy', 'sell'] as const}>
      {(side) => (
        <button
          type="button"
          class={side}
          aria-pressed={props.ticket.draft.side === side}
          onClick={() => props.ticket.set({ side })}
        >
          {side === 'buy' ? '▲ Buy' : '▼ Sell'}
        </button>
      )}
    </For>
  </fieldset>
)

export const TypeChoice = (props: TicketProps) => (
  <fieldset class="order-choice">
    <legend class="hidden">Type of order</legend>
    <For each={ORDER_TYPES}>
      {(type) => (
        <button
          type="button"
          aria-pressed={props.ticket.draft.type === type}
          onClick={() => props.ticket.set({ type })}
        >
          {TYPE_NAMES[type]}
        </button>
      )}
    </For>
  </fieldset>
)

/** What a limit order, and one at a perpetual market, can have besides its numbers. */
export function OrderOptions(props: TicketProps & Readonly<{ isPerpetual: boolean }>) {
  const draft = () => props.ticket.draft
  const isLimit = () => draft().type === 'limit'
  return (
    <>
      <Show when={isLimit()}>
        <ForceChoice ticket={props.ticket} />
      </Show>
      <div class="order-flags">
        <Show when={isLimit()}>
          <Flag ticket={props.ticket} field="isPostOnly" label="Post-only" />
        </Show>
        <Show when={props.isPerpetual}>
          <Flag ticket={props.ticket} field="isReduceOnly" label="Reduce-only" />
        </Show>
      </div>
      <OrderRules problems={props.ticket.problemsOf('isPostOnly')} />
      <OrderRules problems={props.ticket.problemsOf('isReduceOnly')} />
      <Show when={props.isPerpetual && !draft().isReduceOnly}>
        <Exits ticket={props.ticket} />
      </Show>
    </>
  )
}

function Exits(props: TicketProps) {
  const hasExits = () => {
    const { takeProfit, stopLoss } = props.ticket.draft
    return `${takeProfit}${stopLoss}`.trim() !== ''
  }
  const isLimit = () => props.ticket.draft.type === 'limit'
  return (
    <details class="order-exits">
      <summary>Take profit, stop loss</summary>
      <OrderField ticket={props.ticket} field="takeProfit" label="Take profit" unit="mark" />
      <OrderField ticket={props.ticket} field="stopLoss" label="Stop loss" unit="mark" />
      <Show when={isLimit() && hasExits()}>
        <OrderField ticket={props.ticket} field="slippage" label="Slippage" unit="%" />
      </Show>
    </details>
  )
}

const ForceChoice = (props: TicketProps) => (
  <>
    <label class="order-force">
      <span>In force</span>
      <select
        value={props.ticket.draft.timeInForce}
        onInput={({ currentTarget }) => {
          const timeInForce = TIMES_IN_FORCE[currentTarget.selectedIndex] ?? 'GTC'
          props.ticket.set({ timeInForce })
        }}
      >
        <For each={TIMES_IN_FORCE}>
          {(force) => <option value={force}>{FORCE_NAMES[force]}</option>}
        </For>
      </select>
    </label>
    <Show when={props.ticket.draft.timeInForce === 'GTD'}>
      <OrderField ticket={props.ticket} field="hours" label="Rests for" unit="hours" />
    </Show>
  </>
)

type FlagProps = TicketProps & Readonly<{ field: 'isPostOnly' | 'isReduceOnly'; label: string }>

const Flag = (props: FlagProps) => (
  <label>
    <input
      type="checkbox"
      checked={props.ticket.draft[props.field]}
      onInput={(event) => props.ticket.set({ [props.field]: event.currentTarget.checked })}
    />
    {props.label}
  </label>
)
