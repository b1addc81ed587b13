// Asks before something is done that can't be undone: what it is, in words, and a way back.
import { createEffect } from 'solid-js'

/** What is asked; `run` does it. */
export type Question = Readonly<{ title: string; text: string; yes: string; run: () => void }>

type Props = Readonly<{ question: Question | undefined; close: () => void }>

export function AskFirst(props: Props) {
  let dialog: HTMLDialogElement | undefined
  createEffect(() => {
    if (props.question === undefined) dialog?.close()
    else dialog?.showModal()
  })
  return (
    <dialog
      ref={dialog}
      class="agree"
      aria-labelledby="ask-title"
      aria-describedby="ask-text"
      onClose={() => props.close()}
    >
      <h2 id="ask-title">{props.question?.title}</h2>
      <p id="ask-text">{props.question?.text}</p>
      <p class="choices">
        <button
          type="button"
          class="primary"
          onClick={() => {
            const { question } = props
            props.close()
            question?.run()
          }}
        >
          {props.question?.yes}
        </button>
        <button type="button" onClick={() => props.close()}>
          No
        </button>
      </p>
    </dialog>
  )
}
