// Saves a table as it is shown: the button of every table whose rows the page has.
import { Show } from 'solid-js'
import { createWorking } from '../account/working.ts'
import type { Ask } from '../asking.ts'
import { saveFile } from './save-file.ts'

type Props = Readonly<{
  ask: Ask
  /** Of the table; the file's too. */
  name: string
  columns: readonly string[]
  rows: () => readonly (readonly string[])[]
}>

export function ExportButton(props: Props) {
  const { work, problem, isBusy } = createWorking(props.ask)
  const save = async () => {
    const { name, columns } = props
    const text = await work('writeTable', { columns, rows: props.rows() })
    if (text !== undefined) saveFile(`${name.toLowerCase().replaceAll(/\W+/g, '-')}.csv`, text)
  }
  return (
    <>
      <button
        type="button"
        class="framed export"
        aria-label={`Export ${props.name}`}
        disabled={isBusy() || props.rows().length === 0}
        onClick={() => void save()}
      >
        Export
      </button>
      <Show when={problem()}>
        {(found) => (
          <span class="problem" role="alert">
            {found().message}
          </span>
        )}
      </Show>
    </>
  )
}
