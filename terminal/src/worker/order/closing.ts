// Makes the order that closes a part of a position, as the form would have it typed.
import { fromRaw, fromSteps, OpenvenueError, type shapes, toRaw, toSteps } from 'openvenue'
import type { OrderContext } from './order-plan.ts'
import type { CloseAsked, OrderDraft } from './order-protocol.ts'

const DECIMALS = 18
const HUNDRED = 100n
/** How far from the best price a close trades at worst. Percent. */
export const CLOSE_SLIPPAGE = '3'

type Held = Pick<shapes.PerpetualPosition, 'instrument_name' | 'side' | 'amount'>

/** Returns the draft: of the other side, reduce-only. Throws where the position has ended. */
export function closingDraft(
  { market, percent, price }: CloseAsked,
  positions: readonly Held[],
  context: OrderContext | undefined,
): OrderDraft {
  const position = positions.find(({ instrument_name: name }) => name === market)
  if (position === undefined || context === undefined)
    throw new OpenvenueError(`there is no position in ${market} any more`)
  return {
    market,
    side: position.side === 'buy' ? 'sell' : 'buy',
    type: price.trim() === '' ? 'market' : 'limit',
    price,
    amount: partOf(position.amount, percent, context.market.amount_step),
    ...{ amountUnit: 'base', trigger: '', slippage: CLOSE_SLIPPAGE, timeInForce: 'GTC' },
    ...{ goodTil: '', isPostOnly: false, isReduceOnly: true, takeProfit: '', stopLoss: '' },
  }
}

/** Returns so many percent, on a step: the whole is closed exactly, a part is never more. */
function partOf(amount: string, percent: number, step: string): string {
  if (percent >= Number(HUNDRED)) return amount
  const part = fromRaw((toRaw(amount, DECIMALS) * BigInt(percent)) / HUNDRED, DECIMALS)
  return fromSteps(toSteps(part, step, 'down'), step)
}
