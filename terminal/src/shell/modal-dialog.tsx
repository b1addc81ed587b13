// A dialog over the page: the focus goes in, Escape leaves, and the focus returns.
import { type JSX, onMount } from 'solid-js'
import { Portal } from 'solid-js/web'
import './modal-dialog.css'

type DialogProps = Readonly<{
  label: string
  /** With the value of the button of a `form` of method "dialog"; empty after Escape. */
  onClose: (value: string) => void
  children: JSX.Element
}>

/** It is open while it is there: beside the page, so that nothing which closes there hides it. */
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
