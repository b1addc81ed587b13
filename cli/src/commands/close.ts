// Command `close`: closes a position with a reduce-only order.
import { fromRaw, fromSteps, type shapes, toRaw, toSteps } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import { type CommandSpec, given, MARKET, option } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { parseDecimalText, wholeNumber } from '../parse.ts'
import type { Session } from '../session.ts'
import { submitOrder } from './place.ts'

/** Default maximum distance from the mark, if no price is given. */
const WORST_PERCENT = 5
const WORST_PERCENT_MAX = 50
const HUNDRED = 100n
/** Decimals of prices in the computation. */
const DECIMALS = 18
const POSITIONS_MAX = 1000

type CloseOptions = Readonly<{ amount?: string; price?: string; worst?: number }> &
  Readonly<{ round?: boolean; wait?: boolean }>

export const close: CommandSpec = {
  name: 'close',
  summary: 'close a position or part of it immediately',
  args: [MARKET],
  options: [
    option('--amount <decimal>', 'in the base asset; the whole position by default', {
      parse: parseDecimalText,
    }),
    option('--price <decimal>', 'worst acceptable price', {
      parse: parseDecimalText,
    }).conflicts('worst'),
    option(
      '--worst <percent>',
      `maximum distance from the mark without --price; ${WORST_PERCENT} by default`,
      {
        parse: wholeNumber(1, WORST_PERCENT_MAX),
      },
    ),
    option('--round', 'round to a step in your favour instead of refusing'),
    option('--wait', 'wait until the order has ended'),
  ],
  examples: ['openvenue close ETH-PERP --wait', 'openvenue close ETH-PERP --amount 0.1 --worst 1'],
  changes: true,
  run: async (session, typed) => {
    const options = typed.options as CloseOptions
    const { market } = (await session.venue()).market(given(typed, 0))
    const order = closingOrder(await findPosition(session, market), options, market)
    if (options.price === undefined) session.output.note(`worst price: ${order.price}`, 'dim')
    await submitOrder(session, order, options)
  },
}

async function findPosition(
  session: Session,
  { instrument_name: market }: shapes.Market,
): Promise<shapes.PerpetualPosition> {
  const query = { instrument_type: 'PERPETUAL', limit: POSITIONS_MAX } as const
  const { positions } = await (await session.rest()).call('GET /positions', { query })
  const position = positions.find(({ instrument_name }) => instrument_name === market)
  if (position?.instrument_type === 'PERPETUAL') return position
  throw new UsageError(`market: no open position in ${market}`)
}

/** Builds a reduce-only IOC order on the opposite side. */
function closingOrder(
  { instrument_name: market, side: held, amount, mark_price }: shapes.PerpetualPosition,
  { amount: part = amount, price, worst = WORST_PERCENT }: CloseOptions,
  { price_step: step }: shapes.Market,
): NewOrder {
  const side = held === 'buy' ? 'sell' : 'buy'
  const order = { market, side, amount: part, timeInForce: 'IOC', reduceOnly: true } as const
  if (price !== undefined) return { ...order, price }
  if (mark_price === null)
    throw new UsageError(`--price is missing: the mark price of ${market} is unknown`)
  const percent = HUNDRED + (side === 'buy' ? BigInt(worst) : -BigInt(worst))
  const raw = (toRaw(mark_price, DECIMALS) * percent) / HUNDRED
  const steps = toSteps(fromRaw(raw, DECIMALS), step, side === 'buy' ? 'down' : 'up')
  return { ...order, price: fromSteps(steps, step) }
}
