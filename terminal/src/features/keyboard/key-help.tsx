// The list of single-key shortcuts under "?", and the switch that turns them off.
import { For, onMount } from 'solid-js'
import type { Command } from './commands.ts'

/** Keys that depend on the focus or need a modifier. */
const ELSEWHERE: readonly (readonly [key: string, name: string])[] = [
  ['Ctrl K', 'All commands by name'],
  ['Enter', 'On a book row: use its price. Arrows move between rows'],
  ['← →', 'On the chart: previous or next candle, in words'],
  ['+ −', 'On the chart: zoom in or out'],
  ['End', 'On the chart: latest candle'],
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
    <dialog ref={dialog} class="keys" aria-label="Keys" onClose={() => props.onClose()}>
      <h2>Keys</h2>
      <dl>
        <For each={[...props.commands.map(({ key = '', name }) => [key, name]), ...ELSEWHERE]}>
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
        Single-key shortcuts
      </label>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
