// Exports a displayed table as CSV. Every table whose rows the page has uses this button.
import { Show } from 'solid-js'
import type { Ask } from '../protocol/asking.ts'
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

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
