// Cancels orders and closes positions, after confirmation unless the settings disable it.
import { createSignal, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import { ModalDialog } from '../../page/modal-dialog.tsx'
import type { Venue } from '../../page/venue.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { ActionResult, TableRow } from '../tables/table-protocol.ts'

/** A confirmation, with the affected items line by line. */
type Confirmation = Readonly<{ title: string; lines: readonly string[]; yes: string }>

export type OrderEnding = Readonly<{
  /** The confirmation that is open. */
  asked: () => Confirmation | undefined
  answer: (isAgreed: boolean) => void
  /** Orders of a market, or of all markets if empty. Returns undefined if the user declined. */
  cancelOrders: (market: string) => Promise<ActionResult | undefined>
  closePositions: (market: string) => Promise<ActionResult | undefined>
  /** The market whose position is being closed in a dialog; empty: none. */
  closing: () => string
  close: (market: string) => void
}>

export function createEnding(venue: Venue, settings: SettingsStore): OrderEnding {
  const [asked, setAsked] = createSignal<Confirmation>()
  const [closing, close] = createSignal('')
  let resolve: (isAgreed: boolean) => void = () => {}
  const answer = (isAgreed: boolean) => {
    setAsked(undefined)
    resolve(isAgreed)
    resolve = () => {}
  }
  const agree = (question: Confirmation): Promise<boolean> => {
    if (!settings.chosen.asksFirst) return Promise.resolve(true)
    answer(false)
    setAsked(question)
    return new Promise((settle) => {
      resolve = settle
    })
  }
  const ended = async (
    name: 'cancelOrders' | 'closePositions',
    market: string,
    question: Confirmation,
  ): Promise<ActionResult | undefined> =>
    (await agree(question)) ? venue.ask(name, { market }).catch(failed) : undefined
  const of = (rows: readonly TableRow[], market: string) =>
    rows.filter((row) => market === '' || row.market === market)
  return {
    ...{ asked, answer, closing, close },
    cancelOrders: async (market) => {
      const orders = of(venue.shown.orders, market)
      if (orders.length === 0) return { done: 0, refused: [] }
      const where = market === '' ? 'of all markets' : `of ${market}`
      const yes = `Cancel ${counted(orders.length, 'order')}`
      const title = `${yes} ${where}?`
      return ended('cancelOrders', market, { title, lines: byMarket(orders), yes })
    },
    closePositions: async (market) => {
      const positions = of(venue.shown.positions, market)
      if (positions.length === 0) return { done: 0, refused: [] }
      const yes = `Close ${counted(positions.length, 'position')}`
      const lines = [
        ...positions.slice(0, LINES_MAX).map(({ cells }) => textOf(cells.slice(0, 2))),
        'Each by a reduce-only market order, max. slippage 3 % from the mark.',
      ]
      return ended('closePositions', market, { title: `${yes}?`, lines, yes })
    },
  }
}

/** Maximum number of lines in a dialog; its title has the total. */
const LINES_MAX = 8

const failed = (error: unknown): ActionResult => ({
  done: 0,
  refused: [error instanceof Error ? error.message : String(error)],
})

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const textOf = (cells: TableRow['cells']): string => cells.map(({ text }) => text).join(' ')

function byMarket(rows: readonly TableRow[]): readonly string[] {
  const markets = Map.groupBy(rows, ({ market }) => market)
  return [...markets]
    .slice(0, LINES_MAX)
    .map(([market, some]) => `${market}: ${counted(some.length, 'order')}`)
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
    <Show when={props.ending.asked()} keyed>
      {(asked) => <AskDialog asked={asked} ending={props.ending} settings={props.settings} />}
    </Show>
    <Show when={props.ending.closing()} keyed>
      {(market) => (
        <CloseDialog venue={props.venue} market={market} onClose={() => props.ending.close('')} />
      )}
    </Show>
  </>
)

const AskDialog = (
  props: Readonly<{ asked: Confirmation; ending: OrderEnding; settings: SettingsStore }>,
) => (
  <ModalDialog label={props.asked.title} onClose={(value) => props.ending.answer(value === 'yes')}>
    <ul>
      {props.asked.lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
    <form method="dialog">
      <label class="check">
        <input
          type="checkbox"
          checked={props.settings.chosen.asksFirst}
          onInput={(event) => props.settings.choose({ asksFirst: event.currentTarget.checked })}
        />
        Ask again next time
      </label>
      <div class="modal-actions">
        <button type="submit" value="no">
          No
        </button>
        <button type="submit" value="yes" class="primary" autofocus>
          {props.asked.yes}
        </button>
      </div>
    </form>
  </ModalDialog>
)
