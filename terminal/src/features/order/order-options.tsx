// Choices of the order form besides numbers: side, type, time in force.
import { createSignal, For, Show } from 'solid-js'
import { FieldRules, OrderField } from './order-field.tsx'
import { ORDER_TYPES, type OrderDraft, TIMES_IN_FORCE } from './order-protocol.ts'
import * as text from './text.ts'
import type { Ticket } from './ticket.ts'

const TYPE_NAMES: Readonly<Record<OrderDraft['type'], string>> = {
  limit: text.typeLimit,
  market: text.typeMarket,
  stop: text.typeStop,
  'take-profit': text.typeTakeProfit,
}
const FORCE_NAMES: Readonly<Record<OrderDraft['timeInForce'], string>> = {
  GTC: text.goodTilCancelled,
  IOC: text.immediateOrCancel,
  FOK: text.fillOrKill,
  GTD: text.goodTilDate,
}
/** Lifetime of a trigger order. */
const EXPIRY_NAMES = { GTC: text.expiresInWeek, GTD: text.expiresAtTime } as const

type TicketProps = Readonly<{ ticket: Ticket }>

export const SideChoice = (props: TicketProps) => (
  <fieldset class="order-choice sides">
    <legend class="hidden">{text.sideChoice}</legend>
    <For each={['buy', 'sell'] as const}>
      {(side) => (
        <button
          type="button"
          class={side}
          aria-pressed={props.ticket.draft.side === side}
          onClick={() => props.ticket.set({ side })}
        >
          <span aria-hidden="true">{side === 'buy' ? '▲' : '▼'}</span>{' '}
          {side === 'buy' ? text.buy : text.sell}
        </button>
      )}
    </For>
  </fieldset>
)

export const TypeChoice = (props: TicketProps) => (
  <fieldset class="order-choice types">
    <legend class="hidden">{text.orderType}</legend>
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

/** Options of limit and perpetual orders besides their numbers. */
export function OrderOptions(props: TicketProps & Readonly<{ isPerpetual: boolean }>) {
  const draft = () => props.ticket.draft
  const isLimit = () => draft().type === 'limit'
  return (
    <>
      <Show when={draft().type !== 'market'}>
        <ForceChoice ticket={props.ticket} isTrigger={!isLimit()} />
      </Show>
      <div class="order-flags">
        <Show when={isLimit()}>
          <Flag ticket={props.ticket} field="isPostOnly" label={text.postOnly} />
        </Show>
        <Show when={props.isPerpetual}>
          <Flag ticket={props.ticket} field="isReduceOnly" label={text.reduceOnly} />
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
  const [isOn, turn] = createSignal(hasExits())
  const isLimit = () => props.ticket.draft.type === 'limit'
  return (
    <>
      <div class="order-flags">
        <label>
          <input
            type="checkbox"
            checked={isOn()}
            onInput={(event) => {
              turn(event.currentTarget.checked)
              props.ticket.set({ takeProfit: '', stopLoss: '' })
            }}
          />
          {text.exits}
        </label>
      </div>
      <Show when={isOn()}>
        <div class="order-exits">
          <OrderField
            ticket={props.ticket}
            field="takeProfit"
            label={text.takeProfit}
            unit={text.atMark}
          />
          <OrderField
            ticket={props.ticket}
            field="stopLoss"
            label={text.stopLoss}
            unit={text.atMark}
          />
          <Show when={isLimit() && hasExits()}>
            <OrderField ticket={props.ticket} field="slippage" label={text.slippage} unit="%" />
          </Show>
        </div>
      </Show>
    </>
  )
}

function ForceChoice(props: TicketProps & Readonly<{ isTrigger: boolean }>) {
  const forces = () => TIMES_IN_FORCE.filter((force) => !props.isTrigger || force in EXPIRY_NAMES)
  const nameOf = (force: OrderDraft['timeInForce']) =>
    props.isTrigger ? EXPIRY_NAMES[force as 'GTC' | 'GTD'] : FORCE_NAMES[force]
  // A stop order has no time in force of its own, so the choice for limit orders is kept.
  const chosen = () => {
    const { timeInForce } = props.ticket.draft
    return props.isTrigger && timeInForce !== 'GTD' ? 'GTC' : timeInForce
  }
  return (
    <>
      <label class="order-box">
        <span>{props.isTrigger ? text.expires : text.timeInForce}</span>
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
        <OrderField ticket={props.ticket} field="goodTil" label={text.until} unit="" isMoment />
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
