// Follows the account's orders and fills: their lines and marks on the displayed chart, and news.
import { fromRaw, OpenvenueError, type shapes, toRaw } from 'openvenue'
import { openOf } from '../../../text/candle-periods.ts'
import { decimalsOf, showDecimal } from '../../../text/decimal-text.ts'
import type { Session } from '../../session/worker/session.ts'
import type { ChartLine, ChartMark, OrderNews, OwnMarks } from '../order-protocol.ts'
import * as text from '../text.ts'
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
  marks(market: shapes.Market, resolution: string): OwnMarks {
    const digits = decimalsOf(market.price_step)
    const name = market.instrument_name
    const isHere = (entry: Readonly<{ instrument_name: string }>) => entry.instrument_name === name
    const orders = [...this.#orders.values()].filter(isHere)
    const positions = this.#positions.filter(isHere)
    const fills = this.#fills.filter(isHere)
    return {
      lines: [
        ...orders.slice(-LINES_MAX).map((order) => orderLine(order, digits)),
        ...positions.flatMap((position) => positionLines(position, digits)),
      ],
      marks: fillMarks(fills, digits, resolution),
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
    if (news !== undefined) this.#parts.news.add(news.text, news.tone, order.order_id)
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
  const { side, amount, instrument_name: market } = order
  const size = { side, amount: showDecimal(amount), market }
  const average = showDecimal(order.avg_price, AVERAGE_DIGITS)
  switch (status) {
    case 'filled':
      return { text: text.newsFilled(size, average), tone: 'good' }
    case 'partial':
      return { text: text.newsPartlyFilled(size, showDecimal(filled), average), tone: 'good' }
    case 'opened':
      return { text: text.newsOpen(size, showDecimal(order.price)), tone: 'plain' }
    case 'cancelled':
      return { text: cancelledText(order, size, average), tone: 'plain' }
    case 'expired':
      return { text: text.newsExpired(size), tone: 'plain' }
    case 'rejected':
      return { text: text.newsRejected(size, reasonOf(order.reject_reason)), tone: 'bad' }
    default:
      return undefined
  }
}

function cancelledText(
  order: shapes.Order,
  size: Parameters<typeof text.newsCancelled>[0],
  average: string,
): string {
  if (order.filled === '0') return text.newsCancelled(size, reasonOf(order.cancel_reason))
  return text.newsRestCancelled(size, showDecimal(order.filled), average)
}

/** Returns a reason of the venue in lower case; empty if it is unknown. */
const reasonOf = (code: string | null | undefined): string =>
  (code ?? '').toLowerCase().replaceAll('_', ' ')

function orderLine(order: shapes.Order, digits: number): ChartLine {
  const at = order.trigger ?? order.price
  const size = { side: order.side, amount: showDecimal(order.remaining) }
  return {
    ...{ key: order.order_id, orderId: order.order_id, tone: order.side },
    ...{ price: Number(at), at: showDecimal(at, digits) },
    text: text.chartOrder(size, order.stop ?? '', order.order_status === 'pending'),
  }
}

/** Returns the lines of a position: its entry and its liquidation price. */
export function positionLines(
  position: shapes.PerpetualPosition,
  digits: number,
): readonly ChartLine[] {
  const { instrument_id: id, avg_entry_price: entry, liquidation_price: end, side } = position
  const line = (key: string, at: string | null, label: string, tone: ChartLine['tone']) =>
    at === null
      ? []
      : [
          {
            key: `${id}-${key}`,
            price: Number(at),
            at: showDecimal(at, digits),
            text: label,
            tone,
            orderId: '',
          },
        ]
  return [
    ...line('entry', entry, text.chartEntry(side, showDecimal(position.amount)), 'quiet'),
    ...line('end', end, text.chartLiquidation, 'sell'),
  ]
}

/** Returns one mark per order and candle: the traded amount and its average price. */
export function fillMarks(
  fills: readonly shapes.Fill[],
  digits: number,
  resolution: string,
): readonly ChartMark[] {
  const together = Map.groupBy(fills, (fill) =>
    fill.order_id === null
      ? fill.trade_id
      : `${openOf(resolution, secondsOf(fill))} ${fill.order_id}`,
  )
  return [...together].map(([key, group]) => fillMark(key, group, digits)).sort(byTime)
}

const secondsOf = (fill: shapes.Fill | undefined): number =>
  Number(BigInt(fill?.created_timestamp ?? 0) / NS_PER_SECOND)

const byTime = (a: ChartMark, b: ChartMark): number => a.time - b.time

function fillMark(key: string, fills: readonly shapes.Fill[], digits: number): ChartMark {
  const sum = (values: readonly string[]) =>
    values.reduce((all, value) => all + toRaw(value, DECIMALS), 0n)
  const amount = sum(fills.map((fill) => fill.amount))
  const quote = sum(fills.map((fill) => fill.quote_amount))
  const price = fromRaw(amount === 0n ? 0n : (quote * ONE) / amount, DECIMALS)
  const [first] = fills
  return {
    key,
    time: secondsOf(first),
    isBuy: first?.side === 'buy',
    text: text.chartFill(showDecimal(fromRaw(amount, DECIMALS)), showDecimal(price, digits)),
  }
}
