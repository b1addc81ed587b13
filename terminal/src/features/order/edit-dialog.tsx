// Edits an order: its numbers, a preview of the new order, and a description of what is signed.
import {
  createEffect,
  createSignal,
  createUniqueId,
  For,
  on,
  onCleanup,
  onMount,
  Show,
} from 'solid-js'
import { createStore } from 'solid-js/store'
import type { Venue } from '../../page/venue.ts'
import { AskError } from '../../protocol/asking.ts'
import type { EditDraft, EditView, OrderCheck, OrderProblem } from './order-protocol.ts'
import './order.css'
import type { DraggedOrder } from './order-editing.ts'
import { OrderRules } from './order-field.tsx'
import { OrderPreview } from './order-preview.tsx'
import * as text from './text.ts'

const TYPING_MS = 200

type EditFields = Pick<EditView, 'price' | 'trigger' | 'amount'>
export function EditDialog(
  props: Readonly<{ venue: Venue; edited: DraggedOrder; leave: () => void }>,
) {
  const [view, setView] = createSignal<EditView>()
  const [fields, setFields] = createStore<EditFields>({ price: '', trigger: '', amount: '' })
  const [problems, setProblems] = createSignal<readonly OrderProblem[]>([])
  const [isPlacing, setPlacing] = createSignal(false)
  let dialog: HTMLDialogElement | undefined
  const draft = () => ({ id: view()?.id ?? '', ...fields })
  const check = createCheck(props.venue, () => (view() === undefined ? undefined : draft()))
  const change = (change: Partial<EditFields>) => {
    setProblems([])
    setFields(change)
  }
  onMount(async () => {
    dialog?.showModal()
    const answer = await ask(props.venue.ask('readEdit', { ...props.edited }))
    if ('problems' in answer) {
      setProblems(answer.problems)
      return
    }
    setFields({ price: answer.price, trigger: answer.trigger, amount: answer.amount })
    setView(answer)
  })
  const place = async () => {
    if (isPlacing() || view() === undefined) return
    setPlacing(true)
    const placed = await ask(props.venue.ask('placeEdit', draft()))
    setPlacing(false)
    setProblems(placed.problems)
    if ('isPlaced' in placed && placed.isPlaced) dialog?.close()
  }
  const rules = (field: OrderProblem['field']) => {
    const ofField = [...problems(), ...check().problems].filter((rule) => rule.field === field)
    return [...new Map(ofField.map((rule) => [rule.text, rule])).values()]
  }
  return (
    <dialog
      ref={dialog}
      class="agree edit-order"
      aria-labelledby="edit-title"
      onClose={props.leave}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void place()
        }}
      >
        <h2 id="edit-title">{titleOf(view())}</h2>
        <p class="order-words">{text.editedNow(view()?.words ?? '')}</p>
        <For each={fieldsOf(view())}>
          {({ field, label }) => (
            <EditField
              label={label}
              value={fields[field]}
              problems={rules(field)}
              change={(value) => change({ [field]: value })}
            />
          )}
        </For>
        <OrderRules problems={rules(undefined)} />
        <For each={check().warnings}>{(warning) => <p class="order-rule">▲ {warning}</p>}</For>
        <OrderPreview check={check()} isChecking={false} />
        <Show when={check().words}>
          <p class="order-words">{text.oneSignature}</p>
        </Show>
        <p class="choices">
          <button type="submit" class="primary" disabled={isPlacing() || check().words === ''}>
            {isPlacing() ? text.placing : text.modifyOrder}
          </button>
          <button type="button" onClick={() => dialog?.close()}>
            {text.cancel}
          </button>
        </p>
      </form>
    </dialog>
  )
}

const titleOf = (view: EditView | undefined): string =>
  view === undefined ? text.editOrder : text.editOrderIn(view.market)

function fieldsOf(view: EditView | undefined) {
  if (view === undefined) return []
  const amount = { field: 'amount', label: text.size } as const
  if (view.trigger === '') return [{ field: 'price', label: text.price } as const, amount]
  const trigger = { field: 'trigger', label: text.editTrigger } as const
  return [trigger, { field: 'price', label: text.editWorstPrice } as const, amount]
}

type FieldProps = Readonly<{
  label: string
  value: string
  problems: readonly OrderProblem[]
  change: (value: string) => void
}>

const EditField = (props: FieldProps) => {
  const id = createUniqueId()
  return (
    <div class="order-field">
      <div class="order-box" classList={{ wrong: props.problems.length > 0 }}>
        <label for={id}>{props.label}</label>
        <input
          id={id}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck={false}
          value={props.value}
          onInput={(event) => props.change(event.currentTarget.value)}
          aria-invalid={props.problems.length > 0}
          aria-describedby={`${id}-rules`}
        />
      </div>
      <div id={`${id}-rules`}>
        <OrderRules problems={props.problems} use={props.change} />
      </div>
    </div>
  )
}

/** Returns an answer, or the problem that prevented it. */
async function ask<T>(answer: Promise<T>): Promise<T | { problems: readonly OrderProblem[] }> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    return { problems: [{ field: undefined, text: error.problem.message, nearest: [] }] }
  }
}

const NOTHING: OrderCheck = {
  ...{ problems: [], words: '', warnings: [], hints: {}, preview: undefined },
  retryAfterMs: undefined,
}

/** Checks after each pause in typing; only the newest answer counts. */
function createCheck(venue: Venue, draft: () => EditDraft | undefined) {
  const [shown, setShown] = createSignal(NOTHING)
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(
    on(draft, (changed) => {
      clearTimeout(timer)
      const at = ++newest
      setShown(NOTHING)
      if (changed === undefined) return
      timer = setTimeout(async () => {
        const answer = await venue.ask('checkEdit', changed).catch(() => NOTHING)
        if (at === newest) setShown(answer)
      }, TYPING_MS)
    }),
  )
  onCleanup(() => clearTimeout(timer))
  return shown
}
