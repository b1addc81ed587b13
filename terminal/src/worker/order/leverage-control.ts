// Answers what a leverage changes, and has the wallet set it.
import { OpenvenueError, StepError, type shapes, toSteps } from 'openvenue'
import type { AccountFeed } from '../account/account-feed.ts'
import type { SessionHolder } from '../account/session.ts'
import { showDecimal } from '../text/decimal-text.ts'
import { readTyped } from '../text/typed-number.ts'
import type { PlannedCall } from '../wallet/wallet.ts'
import { leverageEffect } from './leverage.ts'
import { readLeverageOf, UNKNOWN_LEVERAGE } from './leverage-known.ts'
import type { OrderContext } from './order-plan.ts'
import type { LeverageAsked, LeverageView, OrderProblem } from './order-protocol.ts'

const MONEY_DIGITS = 2
const KNOWN_EVERY_MS = 250
const KNOWN_ASKS_MAX = 40
const IN_THE_BOOK: ReadonlySet<shapes.OrderStatus> = new Set(['opened', 'partial'])

/** Has the wallet send a call, after saying it in words. */
export type SendCall = (call: PlannedCall) => Promise<void>

type Parts = Readonly<{
  sessions: SessionHolder
  feed: () => AccountFeed
  send: SendCall
  context: (market: string) => OrderContext | undefined
}>

export class LeverageControl {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Says what the leverage is, and what the typed one would change. */
  async check({ market: name, leverage: typed }: LeverageAsked): Promise<LeverageView> {
    const market = this.#parts.context(name)?.market
    const { view, account } = await readLeverageOf(market, this.#parts.sessions.current)
    if (market === undefined || account === undefined || typed.trim() === '') return view
    const read = readLeverage(typed, view.max)
    if (typeof read !== 'bigint') return { ...view, problems: [read] }
    return { ...view, ...this.#effect(market, account, [view.now, read]) }
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
    const words = BigInt(now) === to ? '' : wordsOf(market.instrument_name, to)
    if (effect === undefined) return { words }
    const plain = (text: string) => showDecimal(text, MONEY_DIGITS)
    const money = (text: string) => `${plain(text)} ${market.quote_asset}`
    const { before, after } = effect
    const facts = [
      { name: 'Margin here', before: plain(before.margin), after: money(after.margin) },
      { name: 'Free margin', before: plain(before.free), after: money(after.free) },
    ]
    if (after.missing === '0') return { facts, words }
    const text = `${money(after.missing)} of margin is missing: the chain would refuse it.`
    return { facts, words: '', problems: [{ field: undefined, text, nearest: [] }] }
  }

  /** Has the wallet set it. Throws where it is not legal. */
  async set(asked: LeverageAsked): Promise<null> {
    const max = this.#parts.context(asked.market)?.market.max_leverage
    const leverage = readLeverage(asked.leverage, max ?? '1')
    if (typeof leverage !== 'bigint') throw new OpenvenueError(leverage.text)
    const { planLeverage } = await import('./leverage-call.ts')
    const { venue } = this.#parts.sessions.require()
    await this.#parts.send(planLeverage(venue, asked.market, Number(leverage)))
    await this.#untilKnown(asked.market, leverage)
    return null
  }

  /** The venue reads the block a moment after the chain has it; what is asked then is right. */
  async #untilKnown(market: string, leverage: bigint): Promise<void> {
    for (let asked = 0; asked < KNOWN_ASKS_MAX; asked++) {
      const view = await this.check({ market, leverage: '' }).catch(() => UNKNOWN_LEVERAGE)
      if (view.now === String(leverage)) return
      await new Promise((resolve) => setTimeout(resolve, KNOWN_EVERY_MS))
    }
  }
}

function readLeverage(typed: string, max: string): bigint | OrderProblem {
  const refuse = (text: string, nearest: readonly string[]): OrderProblem => ({
    ...{ field: undefined, text, nearest },
  })
  try {
    const leverage = toSteps(readTyped(typed.replace(/[x×]\s*$/i, '')), '1')
    if (leverage >= 1n && leverage <= BigInt(max)) return leverage
    return refuse(`A whole number from 1 to ${max}`, [leverage < 1n ? '1' : max])
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    const legal = error.nearest.filter((one) => one !== '0' && BigInt(one) <= BigInt(max))
    return refuse(`A whole number from 1 to ${max}`, legal)
  }
}

const wordsOf = (market: string, leverage: bigint): string =>
  `The wallet sends one transaction, setLeverage(${market}, ${leverage}): it costs gas and moves ` +
  'no money. Margin of the position, its orders and new ones in this market is then their value ' +
  `divided by ${leverage}. The liquidation price stays: it depends on the market's own maximum.`
