// Checks and places the order that closes a part of a position.
import { fromRaw, fromSteps, OpenvenueError, type shapes, toRaw, toSteps } from 'openvenue'
import type { AccountFeed } from '../../account/worker/account-feed.ts'
import type { CloseRequest, OrderCheck, OrderDraft, PlaceResult } from '../order-protocol.ts'
import * as text from '../text.ts'
import type { OrderEntry } from './order-entry.ts'
import type { OrderContext } from './order-plan.ts'

const DECIMALS = 18
const HUNDRED = 100n
/** Maximum distance of a close from the best price. Percent. */
const CLOSE_SLIPPAGE = '3'

type PositionClosingDeps = Readonly<{
  feed: () => AccountFeed
  context: (market: string) => OrderContext | undefined
}>

export class PositionClosing {
  readonly #entry: OrderEntry
  readonly #parts: PositionClosingDeps

  constructor(entry: OrderEntry, parts: PositionClosingDeps) {
    this.#entry = entry
    this.#parts = parts
  }

  check(closing: CloseRequest): Promise<OrderCheck> {
    return this.#entry.check(this.#draft(closing))
  }

  place(closing: CloseRequest): Promise<PlaceResult> {
    return this.#entry.place(this.#draft(closing))
  }

  #draft(closing: CloseRequest): OrderDraft {
    const { feed, context } = this.#parts
    return closingDraft(closing, feed().positions, context(closing.market))
  }
}

type PositionSize = Pick<shapes.PerpetualPosition, 'instrument_name' | 'side' | 'amount'>

/**
 * Returns the draft: on the other side, reduce-only unless it reverses the position. Throws if
 * there is no position.
 */
export function closingDraft(
  { market, percent, price, isReverse }: CloseRequest,
  positions: readonly PositionSize[],
  context: OrderContext | undefined,
): OrderDraft {
  const position = positions.find(({ instrument_name: name }) => name === market)
  if (position === undefined || context === undefined)
    throw new OpenvenueError(text.noPosition(market))
  return {
    market,
    side: position.side === 'buy' ? 'sell' : 'buy',
    type: price.trim() === '' ? 'market' : 'limit',
    price,
    amount: isReverse
      ? twice(position.amount)
      : partOf(position.amount, percent, context.market.amount_step),
    ...{ amountUnit: 'base', trigger: '', slippage: CLOSE_SLIPPAGE, timeInForce: 'GTC' },
    ...{ goodTil: '', isPostOnly: false, isReduceOnly: !isReverse, takeProfit: '', stopLoss: '' },
  }
}

const twice = (amount: string): string => fromRaw(2n * toRaw(amount, DECIMALS), DECIMALS)

/** Returns a percentage of an amount, rounded down to a step; 100 % is exact. */
function partOf(amount: string, percent: number, step: string): string {
  if (percent >= Number(HUNDRED)) return amount
  const part = fromRaw((toRaw(amount, DECIMALS) * BigInt(percent)) / HUNDRED, DECIMALS)
  return fromSteps(toSteps(part, step, 'down'), step)
}
