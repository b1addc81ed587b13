// A number that is typed, with the rule that it breaks and what would do.
import { For } from 'solid-js'
import type { OrderProblem } from '../worker/order/order-protocol.ts'
import type { Ticket } from './ticket.ts'

type NumberField = 'price' | 'trigger' | 'amount' | 'slippage' | 'hours' | 'takeProfit' | 'stopLoss'

type FieldProps = Readonly<{
  ticket: Ticket
  field: NumberField
  label: string
  unit: string
  onInput?: (input: HTMLInputElement) => void
}>

export function OrderField(props: FieldProps) {
  const problems = () => props.ticket.problemsOf(props.field)
  const rulesId = () => `order-${props.field}-rules`
  return (
    <div class="order-field">
      <label>
        <span>
          {props.label} <small>{props.unit}</small>
        </span>
        <input
          ref={(input) => props.onInput?.(input)}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck={false}
          value={props.ticket.draft[props.field]}
          onInput={(event) => props.ticket.set({ [props.field]: event.currentTarget.value })}
          aria-invalid={problems().length > 0}
          aria-describedby={rulesId()}
        />
      </label>
      <div id={rulesId()}>
        <OrderRules
          problems={problems()}
          use={(value) => props.ticket.set({ [props.field]: value })}
        />
      </div>
    </div>
  )
}

type RulesProps = Readonly<{
  problems: readonly OrderProblem[]
  use?: (value: string) => void
}>

/** Each rule that is broken, and what would do, one click away. */
export const OrderRules = (props: RulesProps) => (
  <For each={props.problems}>
    {({ text, nearest }) => (
      <p class="order-rule">
        ▲ {text}
        <For each={nearest}>
          {(value) => (
            <button type="button" class="offer" onClick={() => props.use?.(value)}>
              use {value}
            </button>
          )}
        </For>
      </p>
    )}
  </For>
)
