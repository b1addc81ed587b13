// Command `watch`: live data over a socket that reconnects.
import { type ChannelMessage, followBook, type OrderBook, type VenueSocket } from 'openvenue'
import { type Column, words } from '../columns.ts'
import { argument, type CommandInput, type CommandSpec, option } from '../command.ts'
import { csvLine } from '../csv.ts'
import { UsageError } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { wholeNumber } from '../parse.ts'
import type { Session } from '../session.ts'
import { type Cell, paint, rowLine, titleOf, type Widths, widthsOf } from '../table.ts'
import { BOOK_LINES, type BookLine, type SideLevel, sideBySide } from './book.ts'
import { STREAMS, type Stream } from './streams.ts'

/** Writes rows as they arrive, below a single header; columns widen with their content. */
class StreamTable<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  #widths: Widths[] | undefined

  constructor(output: Output, columns: readonly Column<Row>[]) {
    this.#output = output
    this.#columns =
      output.format === 'csv' ? columns : columns.filter(({ isCsvOnly }) => isCsvOnly !== true)
    if (output.format === 'csv') output.line(csvLine(columns.map(({ name }) => name)))
  }

  /** Writes rows that arrived together, aligned with each other. */
  add(rows: readonly Row[]): void {
    if (this.#output.format === 'csv')
      for (const row of rows) this.#output.csvRow(row, this.#columns)
    else if (rows.length > 0) this.#lines(rows)
  }

  #lines(rows: readonly Row[]): void {
    const cells = rows.map((row) => this.#columns.map(({ cell }) => cell(row)))
    const isFirst = this.#widths === undefined
    const widths = this.#grown(cells)
    this.#widths = widths
    if (isFirst) this.#head(widths)
    const { hasColour } = this.#output
    for (const row of cells) this.#output.line(rowLine(this.#columns, widths, { row, hasColour }))
  }

  #head(widths: readonly Widths[]): void {
    const titles = this.#columns.map((column, at) => titleOf(column, widths[at] as Widths))
    const head = titles.join('  ').trimEnd()
    this.#output.line(this.#output.hasColour ? paint(head, 'dim') : head)
  }

  #grown(rows: readonly (readonly Cell[])[]): Widths[] {
    return this.#columns.map((column, at) => {
      const texts = rows.map((cells) => cells[at]?.text ?? '')
      const now = widthsOf(column, texts)
      const before = this.#widths?.[at] ?? now
      return {
        left: Math.max(now.left, before.left),
        right: Math.max(now.right, before.right),
      }
    })
  }
}

const COUNT_MAX = 1_000_000_000
const DEPTH_MAX = 500
/** Screen lines without levels: title, header and cursor. */
const LINES_BESIDE = 4
const BOOK_EVERY_MS = 100
/** Moves the cursor to the top left and clears the screen. */
const CLEAR = '\x1b[H\x1b[J'

export const watch: CommandSpec = {
  name: 'watch',
  summary: 'follow live data until Ctrl-C, one line per change; JSON lines with --json',
  args: [
    argument('<what>', 'stream to follow', ['book', ...Object.keys(STREAMS)]),
    argument('[market]', 'market name, such as ETH-PERP, for market streams'),
  ],
  options: [
    option('--count <messages>', 'number of messages', { parse: wholeNumber(1, COUNT_MAX) }),
    option('--depth <levels>', 'book levels per side', { parse: wholeNumber(1, DEPTH_MAX) }),
    option('--resolution <period>', 'candle period; 1 by default'),
  ],
  examples: [
    'openvenue watch book ETH-PERP',
    'openvenue watch trades ETH-PERP --json | jq .data.price',
    'openvenue watch orders',
  ],
  run: async (session, typed) => {
    const [kind = '', market] = typed.args
    const stream = STREAMS[kind]
    const isPrivate = stream?.isPrivate === true
    if (!isPrivate && market === undefined)
      throw new UsageError(`market is missing: ${kind} needs one, such as ETH-PERP`)
    const socket = await session.socket({ isPrivate })
    const { count = Number.POSITIVE_INFINITY } = typed.options as { count?: number }
    try {
      if (stream === undefined) await watchBook(session, socket, { typed, count })
      else {
        const channel = stream.channel(market ?? '', typed.options)
        await watchStream(session, socket.subscribe(channel), { stream, count })
      }
    } finally {
      socket.close()
    }
  },
}

async function watchStream(
  { output }: Session,
  messages: AsyncIterable<ChannelMessage<string>>,
  { stream, count }: Readonly<{ stream: Stream; count: number }>,
): Promise<void> {
  const table = new StreamTable(output, stream.columns)
  let seen = 0
  for await (const message of messages) {
    if (output.format === 'json') output.line(JSON.stringify(message))
    else if (message.type === 'undo') output.note(undoText(message), 'yellow')
    else table.add(stream.rows(message))
    if (++seen >= count) return
  }
}

/** Describes the undo of messages after a reorganisation. */
const undoText = ({ block_number, data }: ChannelMessage<string>): string =>
  `undone at block ${block_number}: ${JSON.stringify(data)}`

type BookWatch = Readonly<{ typed: CommandInput; count: number }>
/** A line of a followed book without a screen. */
type BookRow = BookLine & Readonly<{ blockNumber: number }>

async function watchBook(session: Session, socket: VenueSocket, of: BookWatch): Promise<void> {
  const { output } = session
  const [, market = ''] = of.typed.args
  const depth = (of.typed.options.depth ?? depthOf(session)) as number
  const options = output.isScreen ? ({ everyMs: BOOK_EVERY_MS } as const) : {}
  const table = output.isScreen ? undefined : bookTable(session)
  let seen = 0
  for await (const book of followBook(socket, market, options)) {
    const lines = sideBySide(levelsOf(book, depth))
    const { blockNumber } = book
    if (output.format === 'json') output.line(JSON.stringify(jsonOf(market, book, depth)))
    else if (table === undefined) drawBook(session, `${market}  block ${blockNumber}`, lines)
    else table.add(lines.map((line) => ({ ...line, blockNumber })))
    if (++seen >= of.count) return
  }
}

const bookTable = ({ output }: Session): StreamTable<BookRow> => {
  const block = words('block_number', (row: BookRow) => row.blockNumber, { title: 'block' })
  return new StreamTable<BookRow>(output, [block, ...BOOK_LINES])
}

/** Returns the depth that fits the screen; 1 without a screen. */
const depthOf = ({ output }: Session): number =>
  output.isScreen ? Math.max(1, output.screenRows - LINES_BESIDE) : 1

function levelsOf({ bids, asks }: OrderBook, depth: number): SideLevel[] {
  const side = (side: SideLevel['side'], levels: OrderBook['bids']) =>
    levels.slice(0, depth).map(([price, amount, orders]) => ({ side, price, amount, orders }))
  return [...side('buy', bids), ...side('sell', asks)]
}

const jsonOf = (market: string, { bids, asks, seq, blockNumber }: OrderBook, depth: number) => ({
  instrument_name: market,
  seq,
  block_number: blockNumber,
  bids: bids.slice(0, depth),
  asks: asks.slice(0, depth),
})

const drawBook = ({ output }: Session, title: string, lines: readonly BookLine[]): void =>
  output.line([`${CLEAR}${title}`, ...output.table(lines, BOOK_LINES)].join('\n'))
