// Shows any account without a key. Nothing here signs.
import { createEffect, createSignal, on, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import { FactTiles, type PageProps } from '../../page/secondary-page.tsx'
import { createWorking } from '../../page/working.ts'
import type { Ask } from '../../protocol/asking.ts'
import { CellsTable } from '../tables/cells-table.tsx'
import type { TableRow } from '../tables/table-protocol.ts'
import { LOOK_ORDER_COLUMNS, LOOK_POSITION_COLUMNS, type LookedAt } from './address-protocol.ts'
import '../../page/pages.css'
import '../../page/second.css'

export function LookPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [seen, setSeen] = createSignal<LookedAt>()
  const asked = () => props.navigation.account()
  const look = async () => {
    const address = asked()
    if (address !== seen()?.address) setSeen(undefined)
    if (address === '') return
    const found = await work('lookAt', { address })
    if (found !== undefined && address === asked()) setSeen(found)
  }
  createEffect(on(asked, () => void look()))
  return (
    <main class="sheet">
      <div class="sheet-head">
        <h2>View an address</h2>
        <p class="view-only">View only: no signing</p>
      </div>
      <form
        class="line-form"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = `${new FormData(event.currentTarget).get('address')}`.trim()
          if (typed === asked()) void look()
          else props.navigation.go({ page: 'look', account: typed })
        }}
      >
        <label>
          Address (wallet or sub-account)
          <input
            name="address"
            value={asked()}
            autocomplete="off"
            spellcheck={false}
            placeholder="0x…"
          />
        </label>
        <button type="submit" class="main-button" disabled={isBusy()}>
          Look
        </button>
      </form>
      <Show when={problem()}>
        <p class="problem" role="alert">
          {problem()?.message}
        </p>
      </Show>
      <Show when={isBusy() && seen() === undefined}>
        <p class="empty">Loading from the chain …</p>
      </Show>
      <Show when={seen()}>{(found) => <Found found={found()} ask={props.venue.ask} />}</Show>
    </main>
  )
}

const Found = (props: Readonly<{ found: LookedAt; ask: Ask }>) => (
  <Show
    when={props.found.isKnown}
    fallback={
      <p class="empty">
        At block {props.found.block} the venue's contracts know no account of this address.
      </p>
    }
  >
    <p class="quiet">
      {props.found.kind}, at block {props.found.block} of the chain, read from the contracts
    </p>
    <FactTiles facts={props.found.facts} />
    <FoundTable
      ask={props.ask}
      name="Positions"
      count={props.found.positions.length}
      columns={LOOK_POSITION_COLUMNS}
      rows={props.found.positions}
      none="No open positions."
    />
    <FoundTable
      ask={props.ask}
      name="Open orders"
      count={props.found.orders.length}
      columns={LOOK_ORDER_COLUMNS}
      rows={props.found.orders}
      none="No open orders."
    />
    <FoundTable
      ask={props.ask}
      name="Available spot tokens"
      columns={['Token', 'Free']}
      rows={props.found.balances.map(
        ({ id, symbol, free }): TableRow => ({
          ...{ id, market: '', action: '' },
          cells: [
            { text: symbol, side: '' },
            { text: free, side: '' },
          ],
        }),
      )}
      none="No available tokens; tokens in orders are excluded."
    />
    <ul class="limits quiet">
      {props.found.limits.map((text) => (
        <li>{text}</li>
      ))}
    </ul>
  </Show>
)

type FoundTableProps = Readonly<{
  ask: Ask
  name: string
  count?: number
  columns: readonly string[]
  rows: readonly TableRow[]
  none: string
}>

const FoundTable = (props: FoundTableProps) => (
  <>
    <div class="part-head">
      <h3 class="part">
        {props.name}
        {props.count === undefined ? '' : ` (${props.count})`}
      </h3>
      <ExportButton
        {...{ ask: props.ask, name: props.name, columns: props.columns }}
        rows={() => props.rows.map(({ cells }) => cells.map(({ text }) => text))}
      />
    </div>
    <CellsTable
      {...{ caption: props.name, columns: props.columns, rows: props.rows, none: props.none }}
    />
  </>
)
