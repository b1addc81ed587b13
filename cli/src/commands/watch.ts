// Command `watch`: live data over a socket that comes back when the connection is lost.
import { type ChannelMessage, followBook, type OrderBook, type VenueSocket } from 'openvenue'
import { words } from '../columns.ts'
import { argument, type CommandSpec, option, type Typed } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { wholeNumber } from '../parse.ts'
import type { Session } from '../session.ts'
import { StreamTable } from '../stream-table.ts'
import { BOOK_LINES, type BookLine, type SideLevel, sideBySide } from './book.ts'
import { STREAMS, type Stream } from './streams.ts'

const COUNT_MAX = 1_000_000_000
const DEPTH_MAX = 500
/** Lines of a screen that are no levels: title, heads, and the cursor's. */
const LINES_BESIDE = 4
const BOOK_EVERY_MS = 100
/** To the top left, and away with what was there. */
const CLEAR = '\x1b[H\x1b[J'

export const watch: CommandSpec = {
  name: 'watch',
  summary: 'follow live data until Ctrl-C: a line for each change, JSON lines with --json',
  args: [
    argument('<what>', 'what to follow', ['book', ...Object.keys(STREAMS)]),
    argument('[market]', 'its name, such as ETH-PERP, where it is of a market'),
  ],
  options: [
    option('--count <messages>', 'end after so many', { parse: wholeNumber(1, COUNT_MAX) }),
    option('--depth <levels>', 'of a book, each side', { parse: wholeNumber(1, DEPTH_MAX) }),
    option('--resolution <period>', 'of candles; 1 by default'),
  ],
  examples: [
    'openvenue watch book ETH-PERP',
    'openvenue watch trades ETH-PERP --json | jq .data.price',
    'openvenue watch orders',
  ],
  run: async (session, typed) => {
    const [what = '', market] = typed.args
    const stream = STREAMS[what]
    const isPrivate = stream?.isPrivate === true
    if (!isPrivate && market === undefined)
      throw new UsageError(`${what} is of a market: name one, such as ETH-PERP`)
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

/** Blocks that were taken back took these with them. */
const undoText = ({ block_number, data }: ChannelMessage<string>): string =>
  `taken back at block ${block_number}: ${JSON.stringify(data)}`

type BookWatch = Readonly<{ typed: Typed; count: number }>
/** A line of a book that is followed without a screen. */
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

/** As much as the screen has room for; elsewhere the best level of each side. */
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
