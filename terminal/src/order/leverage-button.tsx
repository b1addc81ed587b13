// The leverage of the market that is shown; a click opens what sets it.
import { createEffect, createSignal, on, Show } from 'solid-js'
import { later } from '../shell/later.ts'
import type { Venue } from '../venue.ts'
import type { LeverageView } from '../worker/order/order-protocol.ts'
import { shownRow } from './ticket.ts'

const LeverageDialog = later(async () => (await import('./leverage-dialog.tsx')).LeverageDialog)

export function LeverageButton(props: Readonly<{ venue: Venue }>) {
  const shown = () => props.venue.shown
  const [known, setKnown] = createSignal<LeverageView>()
  const [isOpen, setOpen] = createSignal(false)
  // Who only looks is shown what the market allows.
  const now = () => known()?.now || shownRow(props.venue)?.maxLeverage
  const read = async () => {
    const market = shown().market
    setKnown(undefined)
    if (market === '' || !shown().isTrading) return
    const asked = props.venue.ask('checkLeverage', { market, leverage: '' })
    const view = await asked.catch(() => undefined)
    if (market === shown().market) setKnown(view)
  }
  createEffect(on([() => shown().market, () => shown().isTrading], () => void read()))
  return (
    <Show when={now()}>
      {(leverage) => (
        <>
          <button
            type="button"
            class="leverage"
            disabled={!shown().isTrading || known() === undefined}
            title={shown().isTrading ? 'Set the leverage' : 'What the market allows'}
            onClick={() => setOpen(true)}
          >
            Leverage {leverage()}×
          </button>
          <Show when={isOpen() && known()} keyed>
            {(view) => (
              <LeverageDialog
                venue={props.venue}
                market={shown().market}
                known={view}
                onClose={() => {
                  setOpen(false)
                  void read()
                }}
              />
            )}
          </Show>
        </>
      )}
    </Show>
  )
}
