// A table below the chart, with the buttons of each row.
import { Show } from 'solid-js'
import { COLUMNS, type Tab, type TableRow } from '../worker/tables/table-protocol.ts'
import { CellsTable } from './cells-table.tsx'

type Props = Readonly<{
  tab: Tab
  rows: readonly TableRow[]
  /** What stands there instead of no rows. */
  none: string
  isBusy: boolean
  /** Whether the venue is there to replace an order. */
  canEdit: boolean
  onAct: (row: TableRow) => void
  onEdit: (row: TableRow) => void
}>

export const RowsTable = (props: Props) => (
  <CellsTable
    class="rows"
    caption={props.tab}
    columns={COLUMNS[props.tab]}
    rows={props.rows}
    none={props.none}
    action={(row) => <RowButtons {...props} row={row} />}
  />
)

const RowButtons = (props: Props & Readonly<{ row: TableRow }>) => (
  <>
    <Show when={props.row.action === 'cancel' && props.canEdit}>
      <button
        type="button"
        aria-label={`edit ${wordsOf(props.row)}`}
        onClick={() => props.onEdit(props.row)}
      >
        edit
      </button>{' '}
    </Show>
    <Show when={props.row.action}>
      <button
        type="button"
        disabled={props.isBusy}
        aria-label={`${props.row.action} ${wordsOf(props.row)}`}
        onClick={() => props.onAct(props.row)}
      >
        {props.row.action}
      </button>
    </Show>
  </>
)

/** What its row is about: its first cells. */
const wordsOf = ({ cells }: TableRow): string =>
  cells
    .map(({ text }) => text)
    .slice(0, 4)
    .join(' ')
