// On a phone the order form is a sheet above the page, opened by two buttons at the bottom.
import { For, type JSX, onMount, Show } from 'solid-js'
import type { Ticket } from '../features/order/ticket.ts'
import * as text from './text.ts'

/** Distance in pixels by which the sheet must be dragged down to close. */
const CLOSE_PX = 80
/** A shorter distance is a click. */
const CLICK_PX = 6

const SIDES = [
  ['buy', text.buy],
  ['sell', text.sell],
] as const

type SheetProps = Readonly<{
  ticket: Ticket
  isTrading: boolean
  /** Opens the account panel. */
  goToAccount: () => void
  children: JSX.Element
}>

export function OrderSheet(props: SheetProps) {
  let dialog: HTMLDialogElement | undefined
  const open = () => {
    if (dialog?.open === false) dialog.showModal()
  }
  const close = () => dialog?.close()
  onMount(() => {
    // Registered after the form, which would take the focus while it is hidden.
    props.ticket.onBegin(open)
    // The sheet closes for the order's news, which appears on the page below. News of earlier
    // orders does not close it while it is in use.
    props.ticket.onPlaced(close)
  })
  return (
    <>
      <div class="trade-bar">
        <For each={SIDES}>
          {([side, name]) => (
            <button
              type="button"
              class={side}
              aria-haspopup="dialog"
              onClick={() => props.ticket.begin(side)}
            >
              {name}
            </button>
          )}
        </For>
      </div>
      <dialog class="order-sheet" ref={(element) => (dialog = element)} aria-label={text.order}>
        <SheetHandle move={(px) => dialog?.style.setProperty('--down', `${px}px`)} close={close} />
        <Show when={!props.isTrading}>
          <button
            type="button"
            class="to-account"
            onClick={() => {
              close()
              props.goToAccount()
            }}
          >
            {text.goToAccount}
          </button>
        </Show>
        {props.children}
      </dialog>
    </>
  )
}

/** Closes the sheet on a click, or when it is dragged down. */
function SheetHandle(props: Readonly<{ move: (px: number) => void; close: () => void }>) {
  let [beganAt, moved] = [0, 0]
  const end = () => {
    props.move(0)
    if (moved > CLOSE_PX) props.close()
  }
  return (
    <button
      type="button"
      class="sheet-handle"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        beganAt = event.clientY
        moved = 0
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        moved = Math.max(0, event.clientY - beganAt)
        props.move(moved)
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onClick={() => {
        if (moved <= CLICK_PX) props.close()
        moved = 0
      }}
    >
      <span class="hidden">{text.closeForm}</span>
    </button>
  )
}
