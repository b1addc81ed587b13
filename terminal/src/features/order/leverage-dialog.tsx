// Sets the leverage of a market, after showing what it changes and what the wallet sends.
import { createEffect, createSignal, For, onCleanup, Show } from 'solid-js'
import { ModalDialog } from '../../page/modal-dialog.tsx'
import type { Venue } from '../../page/venue.ts'
import { createWorking } from '../../page/working.ts'
import { OrderRules } from './order-field.tsx'
import type { LeverageView } from './order-protocol.ts'

const TYPING_MS = 200
const OFFERED = ['1', '2', '5', '10', '20', '50', '100'] as const

type Props = Readonly<{
  venue: Venue
  market: string
  known: LeverageView
  onClose: () => void
}>

export function LeverageDialog(props: Props) {
  const [typed, setTyped] = createSignal(props.known.now)
  const view = createChecking(props.venue, () => ({ market: props.market, leverage: typed() }))
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  let form: HTMLFormElement | undefined
  const set = async () => {
    if (isBusy() || (view()?.words ?? '') === '') return
    const asked = { market: props.market, leverage: typed() }
    if ((await work('setLeverage', asked)) === null) form?.closest('dialog')?.close()
  }
  return (
    <ModalDialog label={`Leverage in ${props.market}`} onClose={props.onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void set()
        }}
      >
        <label class="order-box">
          <span>Leverage, max. {props.known.max}×</span>
          <input
            type="text"
            inputmode="numeric"
            autocomplete="off"
            autofocus
            value={typed()}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <Offers max={props.known.max} typed={typed()} choose={setTyped} />
        <OrderRules problems={view()?.problems ?? []} use={setTyped} />
        <Effects facts={view()?.facts ?? []} />
        <Show when={view()?.words}>{(words) => <p class="order-words">{words()}</p>}</Show>
        <Show when={problem()?.message}>{(text) => <p class="order-rule">▲ {text()}</p>}</Show>
        <div class="modal-actions">
          <button type="button" onClick={() => form?.closest('dialog')?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy() || (view()?.words ?? '') === ''}>
            {isBusy() ? 'Confirm in the wallet …' : `Set ${typed()}×`}
          </button>
        </div>
      </form>
    </ModalDialog>
  )
}

function createChecking(venue: Venue, asked: () => Readonly<{ market: string; leverage: string }>) {
  const [view, setView] = createSignal<LeverageView>()
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(() => {
    const question = asked()
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

type OffersProps = Readonly<{ max: string; typed: string; choose: (text: string) => void }>

const Offers = (props: OffersProps) => {
  const legal = () => OFFERED.filter((one) => Number(one) < Number(props.max))
  return (
    <fieldset class="order-choice">
      <legend class="hidden">Leverages</legend>
      <For each={[...legal(), props.max]}>
        {(one) => (
          <button
            type="button"
            aria-pressed={props.typed === one}
            onClick={() => props.choose(one)}
          >
            {one}×
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
