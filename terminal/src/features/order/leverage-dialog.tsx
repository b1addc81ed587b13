// Sets the leverage of a market, after showing what it changes and what the wallet sends.
import { createEffect, createSignal, For, onCleanup, Show } from 'solid-js'
import { ModalDialog } from '../../page/modal-dialog.tsx'
import type { Venue } from '../../page/venue.ts'
import { createWorking } from '../../page/working.ts'
import { OrderRules } from './order-field.tsx'
import type { LeverageView } from './order-protocol.ts'
import * as text from './text.ts'

const TYPING_MS = 200
const OFFERED = ['1', '2', '5', '10', '20', '50', '100'] as const

type Props = Readonly<{
  venue: Venue
  market: string
  current: LeverageView
  onClose: () => void
}>

export function LeverageDialog(props: Props) {
  const [typed, setTyped] = createSignal(props.current.now)
  const view = createChecking(props.venue, () => ({ market: props.market, leverage: typed() }))
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  let form: HTMLFormElement | undefined
  const set = async () => {
    if (isBusy() || (view()?.words ?? '') === '') return
    const change = { market: props.market, leverage: typed() }
    if ((await work('setLeverage', change)) === null) form?.closest('dialog')?.close()
  }
  return (
    <ModalDialog label={text.leverageIn(props.market)} onClose={props.onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void set()
        }}
      >
        <label class="order-box">
          <span>{text.leverageMax(props.current.max)}</span>
          <input
            type="text"
            inputmode="numeric"
            autocomplete="off"
            autofocus
            value={typed()}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <Offers max={props.current.max} typed={typed()} choose={setTyped} />
        <OrderRules problems={view()?.problems ?? []} use={setTyped} />
        <Effects facts={view()?.facts ?? []} />
        <Show when={view()?.words}>{(words) => <p class="order-words">{words()}</p>}</Show>
        <Show when={problem()?.message}>
          {(message) => <p class="order-rule">▲ {message()}</p>}
        </Show>
        <div class="modal-actions">
          <button type="button" onClick={() => form?.closest('dialog')?.close()}>
            {text.cancel}
          </button>
          <button type="submit" class="primary" disabled={isBusy() || (view()?.words ?? '') === ''}>
            {isBusy() ? text.confirmInWallet : text.setLeverageTo(typed())}
          </button>
        </div>
      </form>
    </ModalDialog>
  )
}

function createChecking(
  venue: Venue,
  change: () => Readonly<{ market: string; leverage: string }>,
) {
  const [view, setView] = createSignal<LeverageView>()
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(() => {
    const question = change()
    clearTimeout(timer)
    newest++
    const at = newest
    timer = setTimeout(async () => {
      const answer = await venue.ask('checkLeverage', question).catch(() => undefined)
      if (at === newest) setView(answer)
    }, TYPING_MS)
  })
  onCleanup(() => clearTimeout(timer))
  return view
}

type OffersProps = Readonly<{ max: string; typed: string; choose: (leverage: string) => void }>

const Offers = (props: OffersProps) => {
  const legal = () => OFFERED.filter((leverage) => Number(leverage) < Number(props.max))
  return (
    <fieldset class="order-choice">
      <legend class="hidden">{text.leverageLabel}</legend>
      <For each={[...legal(), props.max]}>
        {(leverage) => (
          <button
            type="button"
            aria-pressed={props.typed === leverage}
            onClick={() => props.choose(leverage)}
          >
            {leverage}×
          </button>
        )}
      </For>
    </fieldset>
  )
}

const Effects = (props: Readonly<{ facts: LeverageView['facts'] }>) => (
  <dl class="order-facts">
    <For each={props.facts}>
      {({ name, before, after }) => (
        <div>
          <dt>{name}</dt>
          <dd>
            {before} → {after}
          </dd>
        </div>
      )}
    </For>
  </dl>
)
