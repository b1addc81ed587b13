// Cancels orders and closes positions, after confirmation unless the settings disable it.
import { createSignal, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import { ModalDialog } from '../../page/modal-dialog.tsx'
import type { Venue } from '../../page/venue.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { ActionResult, TableRow } from '../tables/table-protocol.ts'
import type { CloseTarget } from './order-protocol.ts'
import * as text from './text.ts'

/** A confirmation, with the affected items line by line. */
type Confirmation = Readonly<{ title: string; lines: readonly string[]; yes: string }>

export type OrderEnding = Readonly<{
  /** The confirmation that is open. */
  confirmation: () => Confirmation | undefined
  answer: (isAgreed: boolean) => void
  /** Orders of a market, or of all markets if empty. Returns undefined if the user declined. */
  cancelOrders: (market: string) => Promise<ActionResult | undefined>
  closePositions: (market: string) => Promise<ActionResult | undefined>
  /** The position that is being closed in a dialog. */
  closing: () => CloseTarget | undefined
  close: (target: CloseTarget | undefined) => void
}>

export function createEnding(venue: Venue, settings: SettingsStore): OrderEnding {
  const [confirmation, setConfirmation] = createSignal<Confirmation>()
  const [closing, close] = createSignal<CloseTarget>()
  let resolve: (isAgreed: boolean) => void = () => {}
  const answer = (isAgreed: boolean) => {
    setConfirmation(undefined)
    resolve(isAgreed)
    resolve = () => {}
  }
  const confirm = (question: Confirmation): Promise<boolean> => {
    if (!settings.chosen.asksFirst) return Promise.resolve(true)
    answer(false)
    setConfirmation(question)
    return new Promise((settle) => {
      resolve = settle
    })
  }
  const actIfConfirmed = async (
    name: 'cancelOrders' | 'closePositions',
    market: string,
    question: Confirmation,
  ): Promise<ActionResult | undefined> =>
    (await confirm(question)) ? venue.ask(name, { market }).catch(failed) : undefined
  const inMarket = (rows: readonly TableRow[], market: string) =>
    rows.filter((row) => market === '' || row.market === market)
  return {
    ...{ confirmation, answer, closing, close },
    cancelOrders: async (market) => {
      const orders = inMarket(venue.shown.orders, market)
      if (orders.length === 0) return { done: 0, refused: [] }
      const yes = text.cancelOrders(orders.length)
      const title = `${yes} ${text.ordersOf(market)}?`
      return actIfConfirmed('cancelOrders', market, { title, lines: byMarket(orders), yes })
    },
    closePositions: async (market) => {
      const positions = inMarket(venue.shown.positions, market)
      if (positions.length === 0) return { done: 0, refused: [] }
      const yes = text.closePositions(positions.length)
      const lines = [
        ...positions.slice(0, LINES_MAX).map(({ cells }) => textOf(cells.slice(0, 2))),
        text.closedAtMarket,
      ]
      return actIfConfirmed('closePositions', market, { title: `${yes}?`, lines, yes })
    },
  }
}

/** Maximum number of lines in a dialog; its title has the total. */
const LINES_MAX = 8

const failed = (error: unknown): ActionResult => ({
  done: 0,
  refused: [error instanceof Error ? error.message : String(error)],
})

const textOf = (cells: TableRow['cells']): string => cells.map((cell) => cell.text).join(' ')

function byMarket(rows: readonly TableRow[]): readonly string[] {
  const markets = Map.groupBy(rows, ({ market }) => market)
  return [...markets]
    .slice(0, LINES_MAX)
    .map(([market, orders]) => text.ordersInMarket(market, orders.length))
}

const CloseDialog = later(async () => (await import('./close-dialog.tsx')).CloseDialog)

/**
 * Asks for confirmation before orders are cancelled or positions closed, and for the share of a
 * position to close.
 */
export const EndingDialogs = (
  props: Readonly<{ venue: Venue; ending: OrderEnding; settings: SettingsStore }>,
) => (
  <>
    <Show when={props.ending.confirmation()} keyed>
      {(confirmation) => (
        <ConfirmDialog
          confirmation={confirmation}
          ending={props.ending}
          settings={props.settings}
        />
      )}
    </Show>
    <Show when={props.ending.closing()} keyed>
      {(target) => (
        <CloseDialog
          {...{ venue: props.venue, ...target }}
          onClose={() => props.ending.close(undefined)}
        />
      )}
    </Show>
  </>
)

const ConfirmDialog = (
  props: Readonly<{ confirmation: Confirmation; ending: OrderEnding; settings: SettingsStore }>,
) => (
  <ModalDialog
    label={props.confirmation.title}
    onClose={(value) => props.ending.answer(value === 'yes')}
  >
    <ul>
      {props.confirmation.lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
    <form method="dialog">
      <label class="check">
        <input
          type="checkbox"
          checked={!props.settings.chosen.asksFirst}
          onInput={(event) => props.settings.choose({ asksFirst: !event.currentTarget.checked })}
        />
        {text.dontShowAgain}
      </label>
      <div class="modal-actions">
        <button type="submit" value="no">
          {text.cancel}
        </button>
        <button type="submit" value="yes" class="primary" autofocus>
          {props.confirmation.yes}
        </button>
      </div>
    </form>
  </ModalDialog>
)
