// The list of single-key shortcuts under "?", and the switch that turns them off.
import { For, onMount } from 'solid-js'
import type { Command } from './commands.ts'
import * as text from './text.ts'

/** Keys that depend on the focus or need a modifier. */
const OTHER_KEYS: readonly (readonly [key: string, effect: string])[] = [
  ['Ctrl K', text.allCommands],
  ['Enter', text.bookKeys],
  ['← →', text.candleKeys],
  ['+ −', text.zoomKeys],
  ['End', text.latestCandle],
]

type HelpProps = Readonly<{
  commands: readonly Command[]
  isOn: boolean
  turn: (isOn: boolean) => void
  onClose: () => void
}>

export function KeyHelp(props: HelpProps) {
  let dialog: HTMLDialogElement | undefined
  onMount(() => dialog?.showModal())
  return (
    <dialog ref={dialog} class="keys" aria-label={text.keys} onClose={() => props.onClose()}>
      <h2>{text.keys}</h2>
      <dl>
        <For each={[...props.commands.map(({ key = '', name }) => [key, name]), ...OTHER_KEYS]}>
          {([key, name]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{name}</dd>
            </div>
          )}
        </For>
      </dl>
      <label>
        <input
          type="checkbox"
          checked={props.isOn}
          onInput={(event) => props.turn(event.currentTarget.checked)}
        />
        {text.singleKeys}
      </label>
      <form method="dialog">
        <button type="submit">{text.close}</button>
      </form>
    </dialog>
  )
}
