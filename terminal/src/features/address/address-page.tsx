// Shows any account without a key. Nothing here signs.
import { createEffect, createSignal, on, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import { FactTiles, type PageProps } from '../../page/secondary-page.tsx'
import { createWorking } from '../../page/working.ts'
import type { Ask } from '../../protocol/asking.ts'
import { CellsTable } from '../tables/cells-table.tsx'
import type { TableRow } from '../tables/table-protocol.ts'
import type { AddressOverview } from './address-protocol.ts'
import '../../page/pages.css'
import '../../page/second.css'
import * as text from './text.ts'

export function LookPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [seen, setSeen] = createSignal<AddressOverview>()
  const requested = () => props.navigation.account()
  const look = async () => {
    const address = requested()
    if (address !== seen()?.address) setSeen(undefined)
    if (address === '') return
    const view = await work('lookAt', { address })
    if (view !== undefined && address === requested()) setSeen(view)
  }
  createEffect(on(requested, () => void look()))
  return (
    <main class="sheet">
      <div class="sheet-head">
        <h2>{text.title}</h2>
        <p class="view-only">{text.viewOnly}</p>
      </div>
      <form
        class="line-form"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = `${new FormData(event.currentTarget).get('address')}`.trim()
          if (typed === requested()) void look()
          else props.navigation.go({ page: 'look', account: typed })
        }}
      >
        <label>
          {text.address}
          <input
            name="address"
            value={requested()}
            autocomplete="off"
            spellcheck={false}
            placeholder={text.addressHint}
          />
        </label>
        <button type="submit" class="main-button" disabled={isBusy()}>
          {text.view}
        </button>
      </form>
      <Show when={problem()}>
        <p class="problem" role="alert">
          {problem()?.message}
        </p>
      </Show>
      <Show when={isBusy() && seen() === undefined}>
        <p class="empty">{text.loading}</p>
      </Show>
      <Show when={seen()}>{(view) => <AddressView view={view()} ask={props.venue.ask} />}</Show>
    </main>
  )
}

const AddressView = (props: Readonly<{ view: AddressOverview; ask: Ask }>) => (
  <Show
    when={props.view.isKnown}
    fallback={<p class="empty">{text.noAccount(props.view.block)}</p>}
  >
    <p class="quiet">{text.source(props.view.kind, props.view.block)}</p>
    <FactTiles facts={props.view.facts} />
    <AddressTable
      ask={props.ask}
      name={text.positions}
      count={props.view.positions.length}
      columns={text.positionColumns}
      rows={props.view.positions}
      none={text.noPositions}
    />
    <AddressTable
      ask={props.ask}
      name={text.orders}
      count={props.view.orders.length}
      columns={text.orderColumns}
      rows={props.view.orders}
      none={text.noOrders}
    />
    <AddressTable
      ask={props.ask}
      name={text.tokens}
      columns={text.tokenColumns}
      rows={props.view.balances.map(
        ({ id, symbol, free }): TableRow => ({
          ...{ id, market: '', action: '' },
          cells: [
            { text: symbol, side: '' },
            { text: free, side: '' },
          ],
        }),
      )}
      none={text.noTokens}
    />
    <ul class="limits quiet">
      {props.view.limits.map((limit) => (
        <li>{limit}</li>
      ))}
    </ul>
  </Show>
)

type AddressTableProps = Readonly<{
  ask: Ask
  name: string
  count?: number
  columns: readonly string[]
  rows: readonly TableRow[]
  none: string
}>

const AddressTable = (props: AddressTableProps) => (
  <>
    <div class="part-head">
      <h3 class="part">
        {props.count === undefined ? props.name : text.count(props.name, props.count)}
      </h3>
      <ExportButton
        {...{ ask: props.ask, name: props.name, columns: props.columns }}
        rows={() => props.rows.map(({ cells }) => cells.map((cell) => cell.text))}
      />
    </div>
    <CellsTable
      {...{ caption: props.name, columns: props.columns, rows: props.rows, none: props.none }}
    />
  </>
)
