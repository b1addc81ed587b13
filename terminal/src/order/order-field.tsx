// A number that is typed, with the rule that it breaks and what would do.
import { For, type JSX, Show } from 'solid-js'
import type { OrderProblem } from '../worker/order/order-protocol.ts'
import type { Fields, Ticket } from './ticket.ts'

type TypedField =
  | 'price'
  | 'trigger'
  | 'amount'
  | 'slippage'
  | 'goodTil'
  | 'takeProfit'
  | 'stopLoss'

const FROM_BOOK = 'Type a price, or take that of a row of the book.'

type FieldProps = Readonly<{
  ticket: Ticket
  field: TypedField
  label: string
  unit: string
  /** A date with a time rather than a number. */
  isMoment?: boolean
  onInput?: (input: HTMLInputElement) => void
  /** Beside the input, in place of its unit. */
  children?: JSX.Element
}>

export function OrderField(props: FieldProps) {
  const problems = () => props.ticket.problemsOf(props.field)
  const hint = () => {
    if (problems().length > 0) return ''
    if (props.field === 'price' && props.ticket.draft.price === '') return FROM_BOOK
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

type FieldRulesProps = Readonly<{ ticket: Ticket; field: keyof Fields }>

/** The rules that a field breaks; a click puts in what would do. */
export const FieldRules = (props: FieldRulesProps) => (
  <OrderRules
    problems={props.ticket.problemsOf(props.field)}
    words={WORDS[props.field]}
    use={(value, { amountUnit }) =>
      props.ticket.set({
        [props.field]: props.field.startsWith('is') ? value !== 'off' : value,
        ...(amountUnit && { amountUnit }),
      })
    }
  />
)

/** What the button of an offer says, where it is more than a number. */
const WORDS: Readonly<Partial<Record<keyof Fields, (value: string) => string>>> = {
  goodTil: (value) => value.replace('T', ' '),
  isReduceOnly: () => 'turn it off',
  isPostOnly: () => 'turn it off',
  side: (value) => `${value} instead`,
}

type RulesProps = Readonly<{
  problems: readonly OrderProblem[]
  words?: ((value: string) => string) | undefined
  use?: (value: string, problem: OrderProblem) => void
}>

/** Each rule that is broken, and what would do, one click away. */
export const OrderRules = (props: RulesProps) => (
  <For each={props.problems}>
    {(problem) => (
      <p class="order-rule">
        <span aria-hidden="true">▲</span> {problem.text}
        <For each={problem.nearest}>
          {(value) => (
            <button type="button" class="offer" onClick={() => props.use?.(value, problem)}>
              {props.words?.(value) ?? `use ${value}`}
            </button>
          )}
        </For>
      </p>
    )}
  </For>
)
