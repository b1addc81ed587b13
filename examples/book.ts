// Shows the order book of a market in the terminal, with as many levels as fit. Every displayed
// state matches the venue's checksum.
//
//   npx node examples/book.ts ETH-PERP                       # until Ctrl-C
//   npx node examples/book.ts ETH-PERP --once --levels 5     # one state, for a pipe
//
// Colours are used on terminals only, and not if NO_COLOR is set.
import { parseArgs } from 'node:util'
import { followBook, fromRaw, type Level, type OrderBook, toRaw, VenueSocket } from 'openvenue'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { once: { type: 'boolean', default: false }, levels: { type: 'string' } },
})
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000', NO_COLOR } = process.env
const [market = 'ETH-PERP'] = positionals
const out = process.stdout
const isLive = out.isTTY === true && !values.once
const hasColour = out.isTTY === true && !NO_COLOR
const paint = (code: number, text: string) => (hasColour ? `\x1b[${code}m${text}\x1b[0m` : text)
const [RED, GREEN, DIM] = [31, 32, 2]
/** Switches to the alternate screen without a cursor, as editors do, and back at the end. */
const [ENTER, LEAVE, HOME, REST_OF_LINE, REST] = [
  '\x1b[?1049h\x1b[?25l',
  '\x1b[?25h\x1b[?1049l',
  '\x1b[H',
  '\x1b[K',
  '\x1b[J',
]
/** Lines other than levels: title, header and spread. */
const OTHER_LINES = 4
const COLUMN = 14
const BAR_MAX = 40

const raw = (decimal: string) => toRaw(decimal, 18)
const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(COLUMN)).join('')

/** Returns a line for each level, best first, with its cumulative amount as a number and a bar. */
function sideLines(levels: readonly Level[], colour: number): string[] {
  const all = levels.reduce((sum, [, amount]) => sum + raw(amount), 0n)
  const room = BigInt(Math.max(0, Math.min(BAR_MAX, (out.columns ?? 80) - 3 * COLUMN - 2)))
  let sum = 0n
  return levels.map(([price, amount]) => {
    sum += raw(amount)
    const bar = '▪'.repeat(Number(all === 0n ? 0n : (sum * room) / all))
    return `${paint(colour, price.padStart(COLUMN))}${cells([amount, fromRaw(sum, 18)])}  ${paint(DIM, bar)}`
  })
}

function linesOf(book: OrderBook): string[] {
  const fitting = Math.max(1, Math.floor(((isLive ? out.rows : 24) - OTHER_LINES) / 2))
  const count = Math.min(
    Number(values.levels ?? fitting),
    isLive ? fitting : Number.MAX_SAFE_INTEGER,
  )
  const [bids, asks] = [book.bids.slice(0, count), book.asks.slice(0, count)]
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  const spread = bid && ask ? fromRaw(raw(ask) - raw(bid), 18) : '-'
  return [
    `${market}  block ${book.blockNumber}  checksum ${book.checksum()}`,
    cells(['price', 'amount', 'sum']),
    ...sideLines(asks, RED).reverse(),
    paint(DIM, cells(['spread', spread])),
    ...sideLines(bids, GREEN),
  ]
}

/** Draws lines from the top of the screen. Overwriting avoids the flicker of clearing. */
function show(lines: readonly string[]): void {
  if (isLive) out.write(`${HOME}${lines.map((line) => line + REST_OF_LINE).join('\n')}${REST}`)
  else out.write(`${lines.join('\n')}\n`)
}

const onState = (state: string) =>
  state === 'waiting' && process.stderr.write(`connection to ${url} lost, reconnecting\n`)
const socket = new VenueSocket({ url, onState })
process.once('SIGINT', () => socket.close())
let last: OrderBook | undefined
out.on('resize', () => last && show(linesOf(last)))
if (isLive) out.write(ENTER)
try {
  for await (const book of followBook(socket, market, { everyMs: 100 })) {
    last = book
    show(linesOf(book))
    if (values.once) break
  }
} catch (error) {
  if (socket.state !== 'closed') throw error
} finally {
  if (isLive) out.write(LEAVE)
  socket.close()
}
