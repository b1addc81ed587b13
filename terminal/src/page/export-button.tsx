// Exports a displayed table as CSV. Every table whose rows the page has uses this button.
import { Show } from 'solid-js'
import type { Ask } from '../protocol/asking.ts'
import * as text from './text.ts'
import { createWorking } from './working.ts'

type Props = Readonly<{
  ask: Ask
  /** Name of the table and of its file. */
  name: string
  columns: readonly string[]
  rows: () => readonly (readonly string[])[]
}>

export function ExportButton(props: Props) {
  const { work, problem, isBusy } = createWorking(props.ask)
  const save = async () => {
    const { name, columns } = props
    const file = await work('writeTable', { columns, rows: props.rows() })
    if (file !== undefined) saveFile(`${name.toLowerCase().replaceAll(/\W+/g, '-')}.csv`, file)
  }
  return (
    <>
      <button
        type="button"
        class="framed export"
        aria-label={text.exportTable(props.name)}
        disabled={isBusy() || props.rows().length === 0}
        onClick={() => void save()}
      >
        {text.exportRows}
      </button>
      <Show when={problem()}>
        {(failure) => (
          <span class="problem" role="alert">
            {failure().message}
          </span>
        )}
      </Show>
    </>
  )
}

export function saveFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
