// Command `close`: ends a position by an order that only reduces it.
import { fromRaw, fromSteps, type shapes, toRaw, toSteps } from 'openvenue'
import type { NewOrder } from 'openvenue/signing'
import { type CommandSpec, given, MARKET, option } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { parseDecimalText, wholeNumber } from '../parse.ts'
import type { Session } from '../session.ts'
import { submitOrder } from './place.ts'

/** How far from the mark it may trade, unless a price is given. */
const WORST_PERCENT = 5
const WORST_PERCENT_MAX = 50
const HUNDRED = 100n
/** Of the human units that are computed with here. */
const DECIMALS = 18
const POSITIONS_MAX = 1000

type CloseOptions = Readonly<{ amount?: string; price?: string; worst?: number }> &
  Readonly<{ round?: boolean; wait?: boolean }>

export const close: CommandSpec = {
  name: 'close',
  summary: 'close a position, or a part of it, at once',
  args: [MARKET],
  options: [
    option('--amount <decimal>', 'in the base asset; all of it by default', {
      parse: parseDecimalText,
    }),
    option('--price <decimal>', 'the worst price that you accept', {
      parse: parseDecimalText,
    }).conflicts('worst'),
    option(
      '--worst <percent>',
      `from the mark, where no price is given; ${WORST_PERCENT} by default`,
      {
        parse: wholeNumber(1, WORST_PERCENT_MAX),
      },
    ),
    option('--round', 'round what is between two steps, never to be worse for you'),
    option('--wait', 'until it has ended'),
  ],
  examples: ['openvenue close ETH-PERP --wait', 'openvenue close ETH-PERP --amount 0.1 --worst 1'],
  changes: true,
  run: async (session, typed) => {
    const options = typed.options as CloseOptions
    const { market } = (await session.venue()).market(given(typed, 0))
    const order = closingOrder(await findPosition(session, market), options, market)
    if (options.price === undefined) session.output.note(`the worst price is ${order.price}`, 'dim')
    await submitOrder(session, order, options)
  },
}

async function findPosition(
  session: Session,
  { instrument_name: market }: shapes.Market,
): Promise<shapes.PerpetualPosition> {
  const query = { instrument_type: 'PERPETUAL', limit: POSITIONS_MAX } as const
  const { positions } = await (await session.rest()).call('GET /positions', { query })
  const found = positions.find(({ instrument_name }) => instrument_name === market)
  if (found?.instrument_type === 'PERPETUAL') return found
  throw new UsageError(`there is no open position in ${market}`)
}

/** Reduces and never enlarges, and takes what there is at once. */
function closingOrder(
  { instrument_name: market, side: held, amount, mark_price }: shapes.PerpetualPosition,
  { amount: part = amount, price, worst = WORST_PERCENT }: CloseOptions,
  { price_step: step }: shapes.Market,
): NewOrder {
  const side = held === 'buy' ? 'sell' : 'buy'
  const kept = { market, side, amount: part, timeInForce: 'IOC', reduceOnly: true } as const
  if (price !== undefined) return { ...kept, price }
  if (mark_price === null)
    throw new UsageError(`the mark price of ${market} is not known: --price is needed`)
  const percent = HUNDRED + (side === 'buy' ? BigInt(worst) : -BigInt(worst))
  const raw = (toRaw(mark_price, DECIMALS) * percent) / HUNDRED
  const steps = toSteps(fromRaw(raw, DECIMALS), step, side === 'buy' ? 'down' : 'up')
  return { ...kept, price: fromSteps(steps, step) }
}
