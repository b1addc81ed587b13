// The choices of the order form that are no numbers of their own: side, type, how long it stands.
import { For, Show } from 'solid-js'
import { ORDER_TYPES, type OrderDraft, TIMES_IN_FORCE } from '../worker/order/order-protocol.ts'
import { FieldRules, OrderField } from './order-field.tsx'
import type { Ticket } from './ticket.ts'

const TYPE_NAMES: Readonly<Record<OrderDraft['type'], string>> = {
  ...{ limit: 'Limit', market: 'Market', stop: 'Stop', 'take-profit': 'Take profit' },
}
const FORCE_NAMES: Readonly<Record<OrderDraft['timeInForce'], string>> = {
  GTC: 'GTC: until cancelled',
  IOC: 'IOC: at once, rest cancelled',
  FOK: 'FOK: whole at once, or not',
  GTD: 'GTD: until a date and time',
}
/** How long one waits for its trigger. */
const HELD_NAMES = { GTC: 'A week, or while the key lives', GTD: 'Until a date and time' } as const

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
          <span aria-hidden="true">{side === 'buy' ? '▲' : '▼'}</span>{' '}
          {side === 'buy' ? 'Buy' : 'Sell'}
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
      <Show when={draft().type !== 'market'}>
        <ForceChoice ticket={props.ticket} isHeld={!isLimit()} />
      </Show>
      <div class="order-flags">
        <Show when={isLimit()}>
          <Flag ticket={props.ticket} field="isPostOnly" label="Post-only" />
        </Show>
        <Show when={props.isPerpetual}>
          <Flag ticket={props.ticket} field="isReduceOnly" label="Reduce-only" />
        </Show>
      </div>
      <FieldRules ticket={props.ticket} field="isPostOnly" />
      <FieldRules ticket={props.ticket} field="isReduceOnly" />
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

function ForceChoice(props: TicketProps & Readonly<{ isHeld: boolean }>) {
  const forces = () => TIMES_IN_FORCE.filter((force) => !props.isHeld || force in HELD_NAMES)
  const nameOf = (force: OrderDraft['timeInForce']) =>
    props.isHeld ? HELD_NAMES[force as 'GTC' | 'GTD'] : FORCE_NAMES[force]
  // A stop has no IOC of its own: what was chosen for a limit order stays chosen for that.
  const chosen = () => {
    const { timeInForce } = props.ticket.draft
    return props.isHeld && timeInForce !== 'GTD' ? 'GTC' : timeInForce
  }
  return (
    <>
      <label class="order-box">
        <span>{props.isHeld ? 'Waits' : 'In force'}</span>
        <select
          onInput={({ currentTarget }) =>
            props.ticket.set({ timeInForce: forces()[currentTarget.selectedIndex] ?? 'GTC' })
          }
        >
          <For each={forces()}>
            {(force) => (
              <option value={force} selected={force === chosen()}>
                {nameOf(force)}
              </option>
            )}
          </For>
        </select>
      </label>
      <Show when={chosen() === 'GTD'}>
        <OrderField ticket={props.ticket} field="goodTil" label="Until" unit="" isMoment />
      </Show>
    </>
  )
}

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
