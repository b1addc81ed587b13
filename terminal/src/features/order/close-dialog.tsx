// Closes a position or a part of it, at the market or at a limit price.
import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js'
import { ModalDialog } from '../../page/modal-dialog.tsx'
import type { Venue } from '../../page/venue.ts'
import { createWorking } from '../../page/working.ts'
import { OrderRules } from './order-field.tsx'
import { OrderPreview } from './order-preview.tsx'
import type { CloseRequest, CloseTarget, OrderCheck, OrderProblem } from './order-protocol.ts'
import * as text from './text.ts'

const PARTS = [25, 50, 75, 100] as const
const TYPING_MS = 200

type Props = Readonly<CloseTarget & { venue: Venue; onClose: () => void }>

export function CloseDialog(props: Props) {
  const [percent, setPercent] = createSignal(100)
  const isReverse = props.way === 'reverse'
  const [isLimit, setLimit] = createSignal(props.way === 'limit')
  const [price, setPrice] = createSignal('')
  const [refused, setRefused] = createSignal<readonly OrderProblem[]>([])
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  let actions: HTMLFormElement | undefined
  const closing = (): CloseRequest => ({
    market: props.market,
    percent: percent(),
    price: isLimit() ? price() : '',
    isReverse,
  })
  const isWhole = () => !isLimit() || price().trim() !== ''
  const check = createChecking(props.venue, closing, isWhole)
  createEffect(on(closing, () => setRefused([])))
  const place = async () => {
    if (!isWhole() || isBusy()) return
    const placing = await work('placeClose', closing())
    if (placing?.isPlaced) actions?.closest('dialog')?.close()
    else setRefused(placing?.problems ?? [])
  }
  const actionText = () => {
    if (isBusy()) return text.placing
    return isReverse ? text.reverse : text.closePercent(percent())
  }
  const problems = () => [...refused(), ...(check()?.problems ?? [])]
  return (
    <ModalDialog
      label={isReverse ? text.reversePosition(props.market) : text.closePosition(props.market)}
      onClose={props.onClose}
    >
      <form
        class="order-close"
        ref={actions}
        onSubmit={(event) => {
          event.preventDefault()
          void place()
        }}
      >
        <Show when={!isReverse}>
          <PartChoice percent={percent()} choose={setPercent} />
          <PriceChoice
            {...{ isLimit: isLimit(), price: price() }}
            chooseLimit={setLimit}
            type={setPrice}
          />
        </Show>
        <Show when={check()}>
          {(preview) => <OrderPreview check={preview()} isChecking={false} />}
        </Show>
        <OrderRules problems={problems()} use={setPrice} />
        <Show when={problem()?.message}>
          {(message) => <p class="order-rule">▲ {message()}</p>}
        </Show>
        <div class="modal-actions">
          <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {text.cancel}
          </button>
          <button type="submit" class="primary" disabled={isBusy() || !isWhole()}>
            {actionText()}
          </button>
        </div>
      </form>
    </ModalDialog>
  )
}

/** Checks after each pause; only the newest answer counts. */
function createChecking(venue: Venue, closing: () => CloseRequest, isWhole: () => boolean) {
  const [check, setCheck] = createSignal<OrderCheck>()
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async (question: CloseRequest, at: number) => {
    const answer = await venue.ask('checkClose', question).catch(() => undefined)
    if (at === newest) setCheck(answer)
  }
  createEffect(() => {
    const question = closing()
    clearTimeout(timer)
    newest++
    const at = newest
    if (isWhole()) timer = setTimeout(() => void ask(question, at), TYPING_MS)
    else setCheck(undefined)
  })
  onCleanup(() => clearTimeout(timer))
  return check
}

const PartChoice = (props: Readonly<{ percent: number; choose: (percent: number) => void }>) => (
  <fieldset class="order-choice">
    <legend class="hidden">{text.amountToClose}</legend>
    <For each={PARTS}>
      {(part) => (
        <button
          type="button"
          aria-pressed={props.percent === part}
          autofocus={part === 100}
          onClick={() => props.choose(part)}
        >
          {part} %
        </button>
      )}
    </For>
  </fieldset>
)

type PriceProps = Readonly<{
  isLimit: boolean
  price: string
  chooseLimit: (isLimit: boolean) => void
  type: (price: string) => void
}>

const PriceChoice = (props: PriceProps) => (
  <>
    <fieldset class="order-choice">
      <legend class="hidden">{text.closeAt}</legend>
      <For each={[false, true]}>
        {(isLimit) => (
          <button
            type="button"
            aria-pressed={props.isLimit === isLimit}
            onClick={() => props.chooseLimit(isLimit)}
          >
            {isLimit ? text.closeAtLimit : text.closeAtMarket}
          </button>
        )}
      </For>
    </fieldset>
    <Show when={props.isLimit}>
      <label class="order-box">
        <span>{text.price}</span>
        <input
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck={false}
          value={props.price}
          onInput={(event) => props.type(event.currentTarget.value)}
        />
      </label>
    </Show>
  </>
)
