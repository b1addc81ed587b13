// Command `place`: signs an order and submits it to the venue.
import {
  ConnectionError,
  ENDED,
  type Rest,
  StepError,
  type shapes,
  toSteps,
  trackOrder,
} from 'openvenue'
import { digestOf, type NewOrder, orderToSign, type SignedOrder } from 'openvenue/signing'
import {
  argument,
  type CommandInput,
  type CommandSpec,
  given,
  MARKET,
  naming,
  option,
} from '../command.ts'
import { Ending, EXIT, UsageError } from '../exit-codes.ts'
import { humanRefusal } from '../order-refusal.ts'
import { parseDecimalText, parseTime } from '../parse.ts'
import type { Session } from '../session.ts'
import { ORDERS } from './account.ts'
import { showOrderPlan } from './order-plan.ts'

const CLIENT_ID_MAX = 36

type PlaceOptions = Readonly<
  Partial<Record<'price' | 'stop' | 'takeProfit' | 'clientId', string>> &
    Partial<Record<'ioc' | 'fok' | 'postOnly' | 'reduceOnly' | 'round' | 'wait', boolean>>
> &
  Readonly<{ goodTil?: number }>

/** Statuses of orders that do not change without an external event. */
const RESTING = new Set(['opened', 'partial', 'stop_order'])

export const place: CommandSpec = {
  name: 'place',
  summary: 'place an order',
  args: [
    MARKET,
    argument('<side>', 'order side', ['buy', 'sell']),
    argument('<amount>', 'amount in the base asset, such as 0.5'),
  ],
  options: [
    option('--price <decimal>', 'worst acceptable price; required', {
      parse: parseDecimalText,
    }),
    option('--ioc', 'fill immediately or cancel the rest').conflicts(['fok', 'postOnly']),
    option('--fok', 'fill the whole order immediately or cancel it').conflicts('postOnly'),
    option('--post-only', 'refuse the order if it would fill immediately'),
    option('--reduce-only', 'never increase a position'),
    option('--stop <price>', 'stop-loss: hold it until the mark reaches this price', {
      parse: parseDecimalText,
    }).conflicts('takeProfit'),
    option('--take-profit <price>', 'take-profit: hold it until the mark reaches this price', {
      parse: parseDecimalText,
    }),
    option('--good-til <time>', 'expiry of the order: Unix seconds or a date', {
      parse: parseTime,
    }),
    option('--client-id <text>', `client order id, up to ${CLIENT_ID_MAX} characters`),
    option('--round', 'round to a step in your favour instead of refusing'),
    option('--wait', 'wait until the order rests or has ended'),
  ],
  examples: [
    'openvenue place ETH-PERP buy 0.5 --price 2900 --post-only',
    'openvenue place ETH-PERP sell 0.5 --price 2700 --stop 2800 --reduce-only',
    'openvenue place ETH-PERP buy 0.5 --price 2950 --ioc --wait',
  ],
  changes: true,
  run: async (session, typed) => {
    await submitOrder(session, newOrder(typed), typed.options)
  },
}

/** `edits`: id of the order to replace. */
type SubmitOptions = Readonly<{ round?: unknown; wait?: unknown; edits?: string }>

/** Signs and submits an order and shows the result; a dry run shows the plan. */
export async function submitOrder(
  session: Session,
  order: NewOrder,
  { round, wait, edits }: SubmitOptions,
): Promise<void> {
  const [venue, account, signer] = await Promise.all([
    session.venue(),
    session.account(),
    session.signer(),
  ])
  const { market } = venue.market(order.market)
  if (round !== true) refuseRounding(order, market)
  const { data, body } = orderToSign(venue, account, order)
  if (session.isDryRun) return showOrderPlan(session, order, { data, body })
  const signed = { ...body, signature: await signer.signTypedData(data as never) }
  const send = sending(await session.rest(), signed, edits)
  const placed = wait === true ? follow(session, send) : send()
  const result = await placed.catch((error: unknown) => {
    if (error instanceof ConnectionError)
      session.output.note(`may have been placed: openvenue orders ${digestOf(data)}`, 'yellow')
    throw humanRefusal(error, market)
  })
  showPlaced(session, result)
}

function newOrder(typed: CommandInput): NewOrder {
  const options = typed.options as PlaceOptions
  if (options.price === undefined)
    throw new UsageError('--price is missing: the worst acceptable price, required for --ioc too')
  const trigger = options.stop ?? options.takeProfit
  const kind = options.stop === undefined ? 'TAKE_PROFIT' : 'STOP_LOSS'
  return {
    market: given(typed, 0),
    side: given(typed, 1) as NewOrder['side'],
    amount: naming('amount', parseDecimalText)(given(typed, 2)),
    price: options.price,
    ...(options.ioc && { timeInForce: 'IOC' as const }),
    ...(options.fok && { timeInForce: 'FOK' as const }),
    ...(options.postOnly && { postOnly: true }),
    ...(options.reduceOnly && { reduceOnly: true }),
    ...(trigger !== undefined && { trigger: { kind, price: trigger } }),
    ...(options.goodTil !== undefined && { goodTilSeconds: options.goodTil }),
    ...(options.clientId !== undefined && { clientOrderId: options.clientId }),
  }
}

/** The signed numbers are exactly the typed ones: refuses values that need rounding. */
function refuseRounding({ price, amount, trigger }: NewOrder, market: shapes.Market): void {
  const { price_step, amount_step } = market
  const numbers = [
    ['amount', amount, amount_step],
    ['price', price, price_step],
    ['trigger', trigger?.price, price_step],
  ] as const
  for (const [name, value, step] of numbers) {
    if (value !== undefined) refuseOffStep(name, String(value), step)
  }
}

function refuseOffStep(name: string, value: string, step: string): void {
  try {
    toSteps(value, step, 'exact')
  } catch (error) {
    if (!(error instanceof StepError) || error.nearest.length === 0) throw error
    const nearest = error.nearest.join(' and ')
    throw new UsageError(
      `${name}: got ${value}, expected a multiple of ${step}; the nearest are ${nearest}; or pass --round`,
    )
  }
}

type SendOrder = () => Promise<shapes.Order>

const sending =
  (rest: Rest, body: SignedOrder, edits: string | undefined): SendOrder =>
  () =>
    edits === undefined
      ? rest.call('POST /orders', { body })
      : rest.call('POST /orders/{order_id}', { path: { order_id: edits }, body })

/** Returns an order once it rests or has ended. */
async function follow(session: Session, send: SendOrder): Promise<shapes.Order> {
  const rest = await session.rest()
  const socket = await session.socket({ isPrivate: true })
  const { signal } = session.host
  const steps = trackOrder(socket, {
    place: send,
    find: (order_id) =>
      rest.call('GET /orders/{order_id}', { path: { order_id }, query: { include: 'closed' } }),
    signal,
  })
  try {
    let last: shapes.Order | undefined
    for await (const order of steps) {
      last = order
      session.output.note(`${order.order_status}, ${order.filled} of ${order.amount} filled`, 'dim')
      if (isAtRest(order)) break
    }
    signal.throwIfAborted()
    return last as shapes.Order
  } finally {
    socket.close()
  }
}

/** An immediate order does not rest, even while partially filled. */
const isAtRest = ({ order_status, time_in_force }: shapes.Order): boolean =>
  ENDED.has(order_status) ||
  (RESTING.has(order_status) && (order_status === 'stop_order' || /^GT/.test(time_in_force)))

function showPlaced({ output }: Session, order: shapes.Order): void {
  output.facts(order, order, ORDERS)
  if (/^(rejected|expired)$/.test(order.order_status)) throw new Ending(EXIT.refused)
}
