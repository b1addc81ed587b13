// Follows the account's orders and fills: their lines and marks on the displayed chart, and news.
import { fromRaw, OpenvenueError, type shapes, toRaw } from 'openvenue'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { Session } from '../../session/worker/session.ts'
import type { ChartLine, ChartMark, OrderNews, OwnMarks } from '../order-protocol.ts'
import type { OrderNewsList } from './order-news.ts'

const NS_PER_SECOND = 1_000_000_000n
const MARKS_MAX = 500
/** A chart with more lines would show nothing else; the table has all orders. */
const LINES_MAX = 50
const DECIMALS = 36
const ONE = 10n ** BigInt(DECIMALS)
/** Decimals of averages, which have no step. */
const AVERAGE_DIGITS = 4
const ENDED = new Set<string>(['filled', 'cancelled', 'rejected', 'expired'])

type OwnOrdersDeps = Readonly<{
  news: OrderNewsList
  /** Called when a line or a mark has changed. */
  onChange: () => void
  /** Called when the venue has published an order. */
  onOrder?: (order: shapes.Order) => void
}>

export class OwnOrders {
  readonly #parts: OwnOrdersDeps
  readonly #orders = new Map<string, shapes.Order>()
  #positions: readonly shapes.PerpetualPosition[] = []
  #fills: readonly shapes.Fill[] = []
  #following = new AbortController()

  constructor(parts: OwnOrdersDeps) {
    this.#parts = parts
  }

  /** Follows another account, or none. */
  use(session: Session | undefined): void {
    this.#following.abort()
    this.#following = new AbortController()
    this.#orders.clear()
    this.#positions = []
    this.#fills = []
    if (session !== undefined) this.#follow(session, this.#following.signal)
    this.#parts.onChange()
  }

  /** Applies current positions: a liquidation price moves without a message. */
  takePositions(positions: readonly shapes.PerpetualPosition[]): void {
    this.#positions = positions
    this.#parts.onChange()
  }

  find(id: string): shapes.Order | undefined {
    return this.#orders.get(id)
  }

  /** Returns the orders that rest in a market. */
  resting(market: string): readonly shapes.Order[] {
    return [...this.#orders.values()].filter(
      ({ instrument_name: name, order_status: status }) =>
        name === market && (status === 'opened' || status === 'partial'),
    )
  }

  /** Returns the lines and marks of a market's chart. */
  marks(market: shapes.Market): OwnMarks {
    const digits = decimalsOf(market.price_step)
    const name = market.instrument_name
    const orders = [...this.#orders.values()].filter((one) => one.instrument_name === name)
    const positions = this.#positions.filter((one) => one.instrument_name === name)
    const fills = this.#fills.filter((one) => one.instrument_name === name)
    return {
      lines: [
        ...orders.slice(-LINES_MAX).map((one) => orderLine(one, digits)),
        ...positions.flatMap((one) => positionLines(one, digits)),
      ],
      marks: fillMarks(fills, digits),
    }
  }

  #follow(session: Session, signal: AbortSignal): void {
    const run = (work: Promise<void>) => {
      work.catch((error: unknown) => {
        if (signal.aborted) return
        if (!(error instanceof OpenvenueError)) throw error
        this.#parts.news.add(error.message, 'bad')
      })
    }
    run(this.#followOrders(session, signal))
    run(this.#followFills(session, signal))
  }

  async #followOrders({ socket }: Session, signal: AbortSignal): Promise<void> {
    for await (const { type, data } of socket.subscribe('orders', { signal })) {
      if (type === 'snapshot') this.#orders.clear()
      for (const order of data.orders) this.#take(order, type === 'update')
      if (type === 'update') for (const id of data.removed ?? []) this.#orders.delete(id)
      this.#parts.onChange()
    }
  }

  #take(order: shapes.Order, isNews: boolean): void {
    const before = this.#orders.get(order.order_id)
    const news = isNews ? describeStep(before, order) : undefined
    if (news !== undefined) this.#parts.news.add(news.text, news.tone)
    this.#parts.onOrder?.(order)
    if (ENDED.has(order.order_status)) this.#orders.delete(order.order_id)
    else this.#orders.set(order.order_id, order)
  }

  async #followFills({ socket }: Session, signal: AbortSignal): Promise<void> {
    for await (const message of socket.subscribe('fills', { snapshot: true, signal })) {
      if (message.type === 'snapshot') this.#fills = message.data.fills
      if (message.type === 'update')
        this.#fills = [message.data.fill, ...this.#fills].slice(0, MARKS_MAX)
      if (message.type === 'undo')
        this.#fills = this.#fills.filter(({ trade_id: id }) => !message.data.ids.includes(id))
      this.#parts.onChange()
    }
  }
}

/** Returns the news of an order: a new status, or a further fill. */
export function describeStep(
  before: shapes.Order | undefined,
  order: shapes.Order,
): Omit<OrderNews, 'id'> | undefined {
  const { order_status: status, filled } = order
  if (before?.order_status === status && before.filled === filled) return undefined
  const what = `${order.side} ${showDecimal(order.amount)} ${order.instrument_name}`
  const average = showDecimal(order.avg_price, AVERAGE_DIGITS)
  switch (status) {
    case 'filled':
      return { text: `Filled: ${what} at ${average}`, tone: 'good' }
    case 'partial':
      return {
        text: `Partially filled: ${showDecimal(filled)} of ${what} at ${average}`,
        tone: 'good',
      }
    case 'opened':
      return { text: `Open: ${what} at ${showDecimal(order.price)}`, tone: 'plain' }
    case 'cancelled':
      return { text: cancelledText(order, what, average), tone: 'plain' }
    case 'expired':
      return { text: `Expired: ${what}`, tone: 'plain' }
    case 'rejected':
      return { text: `Rejected by the chain: ${what}${reason(order.reject_reason)}`, tone: 'bad' }
    default:
      return undefined
  }
}

function cancelledText(order: shapes.Order, what: string, average: string): string {
  if (order.filled === '0') return `Cancelled: ${what}${reason(order.cancel_reason)}`
  return `Filled ${showDecimal(order.filled)} of ${what} at ${average}; the rest is cancelled`
}

const reason = (text: string | null | undefined): string => {
  if (text === null || text === undefined) return ''
  return ` (${text.toLowerCase().replaceAll('_', ' ')})`
}

function orderLine(order: shapes.Order, digits: number): ChartLine {
  const at = order.trigger ?? order.price
  const kind = { STOP_LOSS: 'stop ', TAKE_PROFIT: 'take profit ', '': '' }[order.stop ?? '']
  const pending = order.order_status === 'pending' ? ', pending' : ''
  return {
    ...{ key: order.order_id, orderId: order.order_id, tone: order.side },
    ...{ price: Number(at), at: showDecimal(at, digits) },
    text: `${kind}${order.side} ${showDecimal(order.remaining)}${pending}`,
  }
}

/** Returns the lines of a position: its entry and its liquidation price. */
export function positionLines(
  position: shapes.PerpetualPosition,
  digits: number,
): readonly ChartLine[] {
  const { instrument_id: id, avg_entry_price: entry, liquidation_price: end, side } = position
  const what = `${side === 'buy' ? 'long' : 'short'} ${showDecimal(position.amount)}`
  const line = (key: string, at: string | null, text: string, tone: ChartLine['tone']) =>
    at === null
      ? []
      : [
          {
            key: `${id}-${key}`,
            price: Number(at),
            at: showDecimal(at, digits),
            text,
            tone,
            orderId: '',
          },
        ]
  return [
    ...line('entry', entry, `${what}, entry`, 'quiet'),
    ...line('end', end, 'liquidation', 'sell'),
  ]
}

/** Returns one mark per order and block: the traded amount and its average price. */
export function fillMarks(fills: readonly shapes.Fill[], digits: number): readonly ChartMark[] {
  const together = Map.groupBy(fills, ({ order_id, trade_id, block_number }) =>
    order_id === null ? trade_id : `${block_number} ${order_id}`,
  )
  return [...together].map(([key, some]) => fillMark(key, some, digits)).sort(byTime)
}

const byTime = (a: ChartMark, b: ChartMark): number => a.time - b.time

function fillMark(key: string, fills: readonly shapes.Fill[], digits: number): ChartMark {
  const sum = (texts: readonly string[]) =>
    texts.reduce((all, text) => all + toRaw(text, DECIMALS), 0n)
  const amount = sum(fills.map((fill) => fill.amount))
  const quote = sum(fills.map((fill) => fill.quote_amount))
  const price = fromRaw(amount === 0n ? 0n : (quote * ONE) / amount, DECIMALS)
  const [first] = fills
  return {
    key,
    time: Number(BigInt(first?.created_timestamp ?? 0) / NS_PER_SECOND),
    isBuy: first?.side === 'buy',
    text: `${showDecimal(fromRaw(amount, DECIMALS))} at ${showDecimal(price, digits)}`,
  }
}
