// One table: its columns, its rows, and the button of each.
import { For, Show } from 'solid-js'
import { COLUMNS, type Tab, type TableRow } from '../worker/tables/table-protocol.ts'

type Props = Readonly<{
  tab: Tab
  rows: readonly TableRow[]
  isBusy: boolean
  /** Whether the venue is there to replace an order. */
  canEdit: boolean
  onAct: (row: TableRow) => void
  onEdit: (row: TableRow) => void
}>

export const RowsTable = (props: Props) => (
  // The keyboard scrolls it, too.
  <section class="rows" tabindex={0} aria-label={props.tab}>
    <table>
      <caption class="hidden">{props.tab}</caption>
      <thead>
        <tr>
          <For each={COLUMNS[props.tab]}>{(title) => <th scope="col">{title}</th>}</For>
          <th scope="col">
            <span class="hidden">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <For each={props.rows}>
          {(row) => (
            <tr>
              <For each={row.cells}>
                {(cell) => (
                  <td classList={{ buy: cell.side === 'buy', sell: cell.side === 'sell' }}>
                    {cell.text}
                    <Show when={cell.badge}>
                      {(badge) => <strong class="near-badge">▲ {badge()}</strong>}
                    </Show>
                  </td>
                )}
              </For>
              <td>
                <Show when={row.action === 'cancel' && props.canEdit}>
                  <button
                    type="button"
                    aria-label={`edit ${wordsOf(row)}`}
                    onClick={() => props.onEdit(row)}
                  >
                    edit
                  </button>{' '}
                </Show>
                <Show when={row.action}>
                  <button
                    type="button"
                    disabled={props.isBusy}
                    aria-label={`${row.action} ${wordsOf(row)}`}
                    onClick={() => props.onAct(row)}
                  >
                    {row.action}
                  </button>
                </Show>
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
    <Show when={props.rows.length === 0}>
      <p class="quiet">No {props.tab}.</p>
    </Show>
  </section>
)

/** What its row is about: its first cells. */
const wordsOf = ({ cells }: TableRow): string =>
  cells
    .map(({ text }) => text)
    .slice(0, 4)
    .join(' ')
