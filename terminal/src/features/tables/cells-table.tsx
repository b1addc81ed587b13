// A table of preformatted rows. It scrolls horizontally within itself.
import { For, type JSX, Show } from 'solid-js'
import type { TableRow } from './table-protocol.ts'
import * as text from './text.ts'

type Props = Readonly<{
  caption: string
  columns: readonly string[]
  rows: readonly TableRow[]
  /** Text of an empty table. */
  none: string
  class?: string
  /** Action of a row, in the last column. */
  action?: (row: TableRow) => JSX.Element
}>

export const CellsTable = (props: Props) => (
  // Focusable, so that the keyboard can scroll it, too.
  <section class={props.class ?? 'list cells'} tabindex={0} aria-label={props.caption}>
    <table>
      <caption class="hidden">{props.caption}</caption>
      <thead>
        <tr>
          <For each={props.columns}>{(title) => <th scope="col">{title}</th>}</For>
          <Show when={props.action}>
            <th scope="col">
              <span class="hidden">{text.rowAction}</span>
            </th>
          </Show>
        </tr>
      </thead>
      <tbody>
        <For each={props.rows}>
          {(row) => (
            <tr>
              <For each={row.cells}>
                {(cell, at) => (
                  <td
                    data-title={props.columns[at()]}
                    classList={{ buy: cell.side === 'buy', sell: cell.side === 'sell' }}
                  >
                    {cell.text}
                    <Show when={cell.badge}>
                      {(badge) => <strong class="near-badge">▲ {badge()}</strong>}
                    </Show>
                  </td>
                )}
              </For>
              <Show when={props.action}>{(action) => <td>{action()(row)}</td>}</Show>
            </tr>
          )}
        </For>
      </tbody>
    </table>
    <Show when={props.rows.length === 0}>
      <p class="quiet">{props.none}</p>
    </Show>
  </section>
)
