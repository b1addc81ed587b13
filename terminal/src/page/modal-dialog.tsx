// A modal dialog: takes the focus, closes on Escape, and returns the focus.
import { type JSX, onMount } from 'solid-js'
import { Portal } from 'solid-js/web'
import './modal-dialog.css'

type DialogProps = Readonly<{
  label: string
  /**
   * Receives the value of the pressed button of a `form` of method "dialog"; empty after Escape.
   */
  onClose: (value: string) => void
  children: JSX.Element
}>

/** Open while it is mounted, outside the page, so that closing panels does not hide it. */
export function ModalDialog(props: DialogProps) {
  let dialog: HTMLDialogElement | undefined
  onMount(() => dialog?.showModal())
  return (
    <Portal>
      <dialog
        ref={dialog}
        class="modal"
        aria-label={props.label}
        onCancel={(event) => {
          event.currentTarget.returnValue = ''
        }}
        onClose={(event) => props.onClose(event.currentTarget.returnValue)}
      >
        <h2>{props.label}</h2>
        {props.children}
      </dialog>
    </Portal>
  )
}
