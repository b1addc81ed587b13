// The command palette: every command by name.
import { createSignal, For, onMount } from 'solid-js'
import { type Command, findCommands } from './commands.ts'
import './keyboard.css'
import * as text from './text.ts'

const MATCHES_MAX = 40

export function Palette(props: Readonly<{ commands: readonly Command[]; onClose: () => void }>) {
  const [typed, setTyped] = createSignal('')
  // Longer lists are narrowed by typing.
  const matches = () => findCommands(props.commands, typed()).slice(0, MATCHES_MAX)
  let dialog: HTMLDialogElement | undefined
  onMount(() => dialog?.showModal())
  const run = (command: Command | undefined) => {
    dialog?.close()
    command?.run()
  }
  return (
    <dialog ref={dialog} class="keys" aria-label={text.palette} onClose={() => props.onClose()}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run(matches()[0])
        }}
      >
        <input
          type="text"
          aria-label={text.command}
          placeholder={text.paletteHint}
          autocomplete="off"
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <ul>
        <For each={matches()}>
          {(command) => (
            <li>
              <button type="button" onClick={() => run(command)}>
                {command.name} <kbd>{command.key}</kbd>
              </button>
            </li>
          )}
        </For>
      </ul>
    </dialog>
  )
}
