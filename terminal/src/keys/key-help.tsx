// The list of single keys under "?", and the switch that turns them off.
import { For, onMount } from 'solid-js'
import type { Command } from './commands.ts'

/** What has its meaning where the focus is, or with another key. */
const ELSEWHERE: readonly (readonly [key: string, name: string])[] = [
  ['Ctrl K', 'Everything by name'],
  ['Enter', 'On a row of the book: take its price. Arrows move between rows'],
  ['← →', 'On the chart: the candle before or after, in words above it'],
  ['+ −', 'On the chart: fewer candles, or more'],
  ['End', 'On the chart: the newest candle'],
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
        Single keys are on
      </label>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
