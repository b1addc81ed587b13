// A number field, with the rule that it breaks and legal alternatives.
import { For, type JSX, Show } from 'solid-js'
import type { OrderProblem } from './order-protocol.ts'
import * as text from './text.ts'
import type { Ticket, TicketFields } from './ticket.ts'

type TypedField =
  | 'price'
  | 'trigger'
  | 'amount'
  | 'slippage'
  | 'goodTil'
  | 'takeProfit'
  | 'stopLoss'

type FieldProps = Readonly<{
  ticket: Ticket
  field: TypedField
  label: string
  unit: string
  /** A date and time instead of a number. */
  isMoment?: boolean
  onInput?: (input: HTMLInputElement) => void
  /** Shown beside the input instead of its unit. */
  children?: JSX.Element
}>

export function OrderField(props: FieldProps) {
  const problems = () => props.ticket.problemsOf(props.field)
  const hint = () => {
    if (problems().length > 0) return ''
    return props.ticket.check().hints[props.field] ?? ''
  }
  const rulesId = () => `order-${props.field}-rules`
  return (
    <div class="order-field">
      <div class="order-box" classList={{ wrong: problems().length > 0 }}>
        <label for={`order-${props.field}`}>{props.label}</label>
        <input
          id={`order-${props.field}`}
          ref={(input) => props.onInput?.(input)}
          type={props.isMoment === true ? 'datetime-local' : 'text'}
          inputmode="decimal"
          autocomplete="off"
          spellcheck={false}
          title={props.field === 'price' ? text.enterPrice : undefined}
          value={props.ticket.draft[props.field]}
          onInput={(event) => props.ticket.set({ [props.field]: event.currentTarget.value })}
          aria-invalid={problems().length > 0}
          aria-describedby={rulesId()}
        />
        {props.children ?? (
          <Show when={props.unit}>
            <small>{props.unit}</small>
          </Show>
        )}
      </div>
      <div id={rulesId()}>
        <Show when={hint()}>
          <p class="order-hint">{hint()}</p>
        </Show>
        <FieldRules ticket={props.ticket} field={props.field} />
      </div>
    </div>
  )
}

/** The rules that a field breaks; a click fills in a legal value. */
export const FieldRules = (props: Readonly<{ ticket: Ticket; field: keyof TicketFields }>) => (
  <OrderRules
    problems={props.ticket.problemsOf(props.field)}
    offerText={OFFER_TEXTS[props.field]}
    use={(value, { amountUnit }) =>
      props.ticket.set({
        [props.field]: props.field.startsWith('is') ? value !== 'off' : value,
        ...(amountUnit && { amountUnit }),
      })
    }
  />
)

/** Label of an offered value, where it is more than a number. */
const OFFER_TEXTS: Readonly<Partial<Record<keyof TicketFields, (value: string) => string>>> = {
  goodTil: (value) => value.replace('T', ' '),
  isReduceOnly: () => text.turnOff,
  isPostOnly: () => text.turnOff,
  side: text.useSide,
}

type RulesProps = Readonly<{
  problems: readonly OrderProblem[]
  offerText?: ((value: string) => string) | undefined
  use?: (value: string, problem: OrderProblem) => void
}>

/** Each broken rule, with a button that fills in a legal value. */
export const OrderRules = (props: RulesProps) => (
  <For each={props.problems}>
    {(problem) => (
      <p class="order-rule">
        <span aria-hidden="true">▲</span> {problem.text}
        <For each={problem.nearest}>
          {(value) => (
            <button type="button" class="offer" onClick={() => props.use?.(value, problem)}>
              {props.offerText?.(value) ?? text.useValue(value)}
            </button>
          )}
        </For>
      </p>
    )}
  </For>
)
