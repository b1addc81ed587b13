// Ends orders and positions: asks first where the person wants to be asked.
import { createSignal } from 'solid-js'
import type { SettingsStore } from '../settings/settings.ts'
import type { Venue } from '../venue.ts'
import type { Outcome, TableRow } from '../worker/tables/table-protocol.ts'

/** What is asked before it is done, with what it is about, line by line. */
export type Asked = Readonly<{ title: string; lines: readonly string[]; yes: string }>

export type Ending = Readonly<{
  /** What waits for an answer. */
  asked: () => Asked | undefined
  answer: (isAgreed: boolean) => void
  /** Of a market, or of all where it is empty. Undefined: the person said no. */
  cancelOrders: (market: string) => Promise<Outcome | undefined>
  closePositions: (market: string) => Promise<Outcome | undefined>
  /** The market whose position is being closed in a dialog; empty: none. */
  closing: () => string
  close: (market: string) => void
}>

export function createEnding(venue: Venue, settings: SettingsStore): Ending {
  const [asked, setAsked] = createSignal<Asked>()
  const [closing, close] = createSignal('')
  let resolve: (isAgreed: boolean) => void = () => {}
  const answer = (isAgreed: boolean) => {
    setAsked(undefined)
    resolve(isAgreed)
    resolve = () => {}
  }
  const agree = (question: Asked): Promise<boolean> => {
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
    question: Asked,
  ): Promise<Outcome | undefined> =>
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
        'Each by an order that takes what is there, at worst 3 % from the mark, and only reduces.',
      ]
      return ended('closePositions', market, { title: `${yes}?`, lines, yes })
    },
  }
}

/** A dialog lists no more; its title says how many there are. */
const LINES_MAX = 8

const failed = (error: unknown): Outcome => ({
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
