// Previews a leverage and has the wallet set it. Margin of a market's position and resting orders
// is computed exactly as in the contract.
import {
  fromRaw,
  OpenvenueError,
  type OrderSide,
  StepError,
  type shapes,
  toRaw,
  toSteps,
} from 'openvenue'
import { showDecimal } from '../../../text/decimal-text.ts'
import { readTyped } from '../../../text/typed-number.ts'
import type { AccountFeed } from '../../account/worker/account-feed.ts'
import type { SessionHolder } from '../../session/worker/session.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
import type { LeverageRequest, LeverageView, OrderProblem } from '../order-protocol.ts'
import * as text from '../text.ts'
import { readLeverageOf, UNKNOWN_LEVERAGE } from './leverage-known.ts'
import type { OrderContext } from './order-plan.ts'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const MONEY_DIGITS = 2
const POLL_MS = 250
const POLLS_MAX = 40
const IN_THE_BOOK: ReadonlySet<shapes.OrderStatus> = new Set(['opened', 'partial'])

/** Sends a call from the wallet after describing it. */
export type SendCall = (call: PlannedCall) => Promise<void>

type LeverageDeps = Readonly<{
  sessions: SessionHolder
  feed: () => AccountFeed
  send: SendCall
  context: (market: string) => OrderContext | undefined
}>

export class LeverageControl {
  readonly #parts: LeverageDeps

  constructor(parts: LeverageDeps) {
    this.#parts = parts
  }

  /** Returns the current leverage, and what the typed one would change. */
  async check({ market: name, leverage: typed }: LeverageRequest): Promise<LeverageView> {
    const market = this.#parts.context(name)?.market
    const { view, account } = await readLeverageOf(market, this.#parts.sessions.current)
    if (market === undefined || account === undefined || typed.trim() === '') return view
    const next = readLeverage(typed, view.max)
    if (typeof next !== 'bigint') return { ...view, problems: [next] }
    return { ...view, ...this.#effect(market, account, [view.now, next]) }
  }

  #effect(
    market: shapes.Market,
    account: shapes.Account,
    [now, to]: readonly [string, bigint],
  ): Partial<LeverageView> {
    const { positions, orders } = this.#parts.feed()
    const resting = orders.filter(({ order_status: status }) => IN_THE_BOOK.has(status))
    const question = { market, account, positions, orders: resting }
    const effect = leverageEffect(question, { from: BigInt(now), to })
    const words = BigInt(now) === to ? '' : text.leverageEffect(market.instrument_name, to)
    if (effect === undefined) return { words }
    const plain = (value: string) => showDecimal(value, MONEY_DIGITS)
    const money = (value: string) => `${plain(value)} ${market.quote_asset}`
    const { before, after } = effect
    const facts = [
      { name: text.marginInMarket, before: plain(before.margin), after: money(after.margin) },
      { name: text.freeMargin, before: plain(before.free), after: money(after.free) },
    ]
    if (after.missing === '0') return { facts, words }
    const short = text.shortOfMargin(money(after.missing))
    return { facts, words: '', problems: [{ field: undefined, text: short, nearest: [] }] }
  }

  /** Sends the wallet transaction. Throws if the leverage is not legal. */
  async set(change: LeverageRequest): Promise<null> {
    const max = this.#parts.context(change.market)?.market.max_leverage
    const leverage = readLeverage(change.leverage, max ?? '1')
    if (typeof leverage !== 'bigint') throw new OpenvenueError(leverage.text)
    const { planLeverage } = await import('./leverage-call.ts')
    const { venue } = this.#parts.sessions.require()
    await this.#parts.send(planLeverage(venue, change.market, Number(leverage)))
    await this.#untilCurrent(change.market, leverage)
    return null
  }

  /** Waits until the venue has read the block, so that later requests use the new leverage. */
  async #untilCurrent(market: string, leverage: bigint): Promise<void> {
    for (let polls = 0; polls < POLLS_MAX; polls++) {
      const view = await this.check({ market, leverage: '' }).catch(() => UNKNOWN_LEVERAGE)
      if (view.now === String(leverage)) return
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}

function readLeverage(typed: string, max: string): bigint | OrderProblem {
  const refuse = (nearest: readonly string[]): OrderProblem => ({
    ...{ field: undefined, text: text.wholeNumberTo(max), nearest },
  })
  try {
    const leverage = toSteps(readTyped(typed.replace(/[x×]\s*$/i, '')), '1')
    if (leverage >= 1n && leverage <= BigInt(max)) return leverage
    return refuse([leverage < 1n ? '1' : max])
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    const legal = error.nearest.filter((near) => near !== '0' && BigInt(near) <= BigInt(max))
    return refuse(legal)
  }
}

type PositionSize = Readonly<{ instrument_name: string; side: OrderSide; amount: string }>
type RestingSize = Readonly<{ instrument_name: string; side: OrderSide; remaining: string }>

export type LeverageQuestion = Readonly<{
  market: Pick<shapes.Market, 'instrument_name' | 'amount_step' | 'mark_price'>
  account: Pick<shapes.Account, 'equity' | 'initial_margin'>
  positions: readonly PositionSize[]
  /** Orders in the book. */
  orders: readonly RestingSize[]
}>

/** Decimal text. */
type LeverageEffect = Readonly<{ margin: string; free: string; missing: string }>

/** Returns an account's margin at a leverage; undefined while a mark is unknown. */
export function leverageEffect(
  question: LeverageQuestion,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
): Readonly<{ before: LeverageEffect; after: LeverageEffect }> | undefined {
  const { market, account } = question
  const { equity, initial_margin: initial } = account
  if (market.mark_price === null || equity === null || initial === null) return undefined
  const worth = exposureLots(question) * markPerLotDown(market.mark_price, market.amount_step)
  const others = raw(initial) - ceilDiv(worth, from)
  const at = (leverage: bigint): LeverageEffect => {
    const margin = ceilDiv(worth, leverage)
    const free = raw(equity) - others - margin
    return {
      margin: fromRaw(margin, DECIMALS),
      free: fromRaw(free > 0n ? free : 0n, DECIMALS),
      missing: fromRaw(free < 0n ? -free : 0n, DECIMALS),
    }
  }
  return { before: at(from), after: at(to) }
}

/** Returns the lots that need margin: as if the larger side of the orders had filled. */
function exposureLots({ market, positions, orders }: LeverageQuestion): bigint {
  const name = market.instrument_name
  const lots = (amount: string) => toSteps(amount, market.amount_step, 'down')
  const position = positions.find(({ instrument_name }) => instrument_name === name)
  const size = position === undefined ? 0n : lots(position.amount)
  const signed = position?.side === 'sell' ? -size : size
  const resting = (side: OrderSide) =>
    orders
      .filter((order) => order.instrument_name === name && order.side === side)
      .reduce((all, { remaining }) => all + lots(remaining), 0n)
  return larger(abs(signed + resting('buy')), abs(signed - resting('sell')))
}

const raw = (decimal: string): bigint => toRaw(decimal, DECIMALS)
const abs = (value: bigint): bigint => (value < 0n ? -value : value)
/** `Math.max` does not accept bigint. */
const larger = (a: bigint, b: bigint): bigint => [a, b].reduce((x, y) => (x > y ? x : y))
const ceilDiv = (value: bigint, by: bigint): bigint => (value + by - 1n) / by
const markPerLotDown = (mark: string, step: string): bigint => (raw(mark) * raw(step)) / ONE
