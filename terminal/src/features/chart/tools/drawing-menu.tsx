// The menu of drawing tools.
import { createSignal, For } from 'solid-js'
import { ModalDialog } from '../../../page/modal-dialog.tsx'
import { NOTES, TOOLS, type ToolName } from '../kline/kline-drawings.ts'
import * as text from './text.ts'

type MenuProps = Readonly<{
  close: () => void
  /** Begins a drawing; notes have a text. */
  begin: (tool: ToolName, note: string) => void
  removeAll: () => void
}>

export function DrawingMenu(props: MenuProps) {
  const [note, setNote] = createSignal('')
  const begin = (tool: ToolName) => {
    props.close()
    props.begin(tool, NOTES.includes(tool) ? note().trim() || text.note : '')
  }
  const removeAll = () => {
    props.removeAll()
    props.close()
  }
  return (
    <ModalDialog label={text.drawings} onClose={props.close}>
      <div class="tool-list">
        <For each={TOOLS}>
          {(tool) => (
            <button type="button" onClick={() => begin(tool)}>
              {text.drawingTools[tool]}
            </button>
          )}
        </For>
      </div>
      <form method="dialog">
        <label>
          {text.noteText}
          <input value={note()} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
        </label>
        <div class="modal-actions">
          <button type="button" onClick={removeAll}>
            {text.removeDrawings}
          </button>
          <button type="submit">{text.closeMenu}</button>
        </div>
      </form>
    </ModalDialog>
  )
}
