// On a phone the order form is a sheet above the page: two buttons at the bottom open it.
import { For, type JSX, onMount, Show } from 'solid-js'
import type { Ticket } from '../order/ticket.ts'

/** Dragged down by so much, the sheet is closed. */
const CLOSE_PX = 80
/** Less than that is a click. */
const CLICK_PX = 6

const SIDES = [
  ['buy', 'Buy'],
  ['sell', 'Sell'],
] as const

type SheetProps = Readonly<{
  ticket: Ticket
  isTrading: boolean
  /** Shows where somebody gets to trade. */
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
    // After the form, which would take the keyboard while it is not to be seen.
    props.ticket.onBegin(open)
    // What becomes of the order is said on the page below: the sheet makes room for it. News of an
    // earlier order takes nothing from under somebody's fingers.
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
      <dialog class="order-sheet" ref={(element) => (dialog = element)} aria-label="Order">
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
            Go to your account to begin
          </button>
        </Show>
        {props.children}
      </dialog>
    </>
  )
}

type HandleProps = Readonly<{ move: (px: number) => void; close: () => void }>

/** A click closes the sheet as well as dragging it down does. */
function SheetHandle(props: HandleProps) {
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
      <span class="hidden">Close the order form</span>
    </button>
  )
}
