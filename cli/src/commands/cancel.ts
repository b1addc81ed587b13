// Commands that cancel orders. Each cancel is signed unless the account has allowed the venue to
// cancel.
import { RefusedError, type Rest, type shapes } from 'openvenue'
import { cancelData, signCancel } from 'openvenue/signing'
import { words } from '../columns.ts'
import { argument, type CommandSpec, option } from '../command.ts'
import { Ending, EXIT } from '../exit-codes.ts'
import { isOrderId } from '../parse.ts'
import type { Session } from '../session.ts'
import { type DryRunRequest, showPlan } from './order-plan.ts'

const NEEDS_SIGNATURE = 'CANCEL_SIGNATURE_REQUIRED'
/** Maximum page size of open orders. */
const OPEN_MAX = 1000

/** Result of the cancel of one order. */
type CancelRow = Readonly<{ order_id: string; status: string; error: string }>
const OUTCOMES = [
  words('order_id', (row: CancelRow) => row.order_id),
  words('status', (row: CancelRow) => row.status),
  words('error', (row: CancelRow) => row.error),
]

export const cancel: CommandSpec = {
  name: 'cancel',
  summary: 'cancel orders by id or client order id',
  args: [argument('<order-id...>', 'order ids, as `orders` lists them, or client order ids')],
  options: [option('--client-id', 'treat all ids as client order ids; usually detected')],
  examples: ['openvenue cancel 0x5b1c…', 'openvenue cancel my-quote my-stop'],
  changes: true,
  run: async (session, { args, options }) => {
    const ids = args.filter((id) => id !== undefined)
    const rest = await session.rest()
    const idOf = (id: string) =>
      options.clientId !== true && isOrderId(id) ? id : idByName(rest, id)
    if (session.isDryRun) {
      const orderIds = await Promise.all(ids.map(idOf))
      return showPlan(session, await plan(session, orderIds))
    }
    const answers: unknown[] = []
    const outcomes: CancelRow[] = []
    for (const id of ids) {
      const answer = await cancelNamed(session, () => idOf(id)).catch(asRefused)
      answers.push(answer instanceof RefusedError ? problemOf(id, answer) : answer)
      outcomes.push(outcomeOf(id, answer))
    }
    const [only] = answers
    show(session, outcomes, answers.length === 1 ? only : answers)
  },
}

export const cancelAll: CommandSpec = {
  name: 'cancel-all',
  summary: 'cancel all open orders, or those of a market, an asset or a side',
  options: [
    option('--market <name>', 'only this market'),
    option('--asset <symbol>', 'only this underlying'),
    option('--side <side>', 'only this side', { choices: ['buy', 'sell'] }),
  ],
  examples: ['openvenue cancel-all --market ETH-PERP --side buy'],
  changes: true,
  run: async (session, { options }) => {
    const { market, asset, side } = options as OrderFilter
    const filter = {
      ...(market && { instrument_name: market }),
      ...(asset && { asset }),
      ...(side && { side }),
    }
    const body = Object.keys(filter).length === 0 ? { confirm: 'all' as const } : filter
    if (session.isDryRun) return showPlan(session, await planAll(session, { body, options }))
    const rest = await session.rest()
    const answer = await rest.call('DELETE /orders', { body }).catch((error: unknown) => {
      if (error instanceof RefusedError && error.code === NEEDS_SIGNATURE) return undefined
      throw error
    })
    if (answer === undefined)
      return cancelSigned(session, await openIds(rest, options as OrderFilter))
    const unsigned = Object.entries(answer.failed).filter(([, code]) => code === NEEDS_SIGNATURE)
    if (unsigned.length === 0) return show(session, outcomesOf(answer), answer)
    const done = answer.order_ids.map((order_id) => ({ order_id, status: 'cancelled', error: '' }))
    await cancelSigned(
      session,
      unsigned.map(([id]) => id),
      done,
    )
  },
}

type OrderFilter = Readonly<{ market?: string; asset?: string; side?: 'buy' | 'sell' }>

/** Cancels each order with its own signature. */
async function cancelSigned(
  session: Session,
  ids: readonly string[],
  done: readonly CancelRow[] = [],
): Promise<void> {
  const outcomes: CancelRow[] = [...done]
  for (const id of ids) outcomes.push(outcomeOf(id, await cancelOne(session, id).catch(asRefused)))
  const failed = outcomes.filter(({ error }) => error !== '')
  const answer = {
    success: failed.length === 0,
    order_ids: outcomes.filter(({ error }) => error === '').map(({ order_id }) => order_id),
    failed: Object.fromEntries(failed.map(({ order_id, error }) => [order_id, error])),
  }
  show(session, outcomes, answer)
}

/** Resolves the name inside the promise, so that an unknown name does not fail the others. */
const cancelNamed = async (session: Session, idOf: () => string | Promise<string>) =>
  cancelOne(session, await idOf())

/** Cancels an order with the API key only, and with a signature if the venue requires one. */
async function cancelOne(session: Session, order_id: string): Promise<shapes.CancelledOrder> {
  const rest = await session.rest()
  const path = { order_id }
  try {
    return await rest.call('DELETE /orders/{order_id}', { path })
  } catch (error) {
    if (!(error instanceof RefusedError && error.code === NEEDS_SIGNATURE)) throw error
  }
  const order = await rest.call('GET /orders/{order_id}', { path })
  const { instrument_name: market, chain_order_id } = order
  const [venue, signer, account] = await Promise.all([
    session.venue(),
    session.signer(),
    session.account(),
  ])
  const orders = [chain_order_id ?? order_id]
  const body = await signCancel(venue, signer as never, { market, orders, account })
  return rest.call('DELETE /orders/{order_id}', { path, body })
}

/** A refused order does not fail the others; any other error ends the command. */
function asRefused(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error
  throw error
}

const problemOf = (order_id: string, { code, message, details }: RefusedError) => ({
  order_id,
  error: code,
  message,
  details,
})

const outcomeOf = (order_id: string, answer: shapes.CancelledOrder | RefusedError): CancelRow =>
  answer instanceof RefusedError
    ? { order_id, status: 'refused', error: answer.code }
    : {
        order_id,
        status: answer.order.order_status === 'cancelled' ? 'cancelled' : 'cancelling',
        error: '',
      }

const outcomesOf = ({ order_ids, failed }: shapes.CancelledOrders): CancelRow[] => [
  ...order_ids.map((order_id) => ({ order_id, status: 'cancelling', error: '' })),
  ...Object.entries(failed).map(([order_id, error]) => ({ order_id, status: 'refused', error })),
]

function show({ output }: Session, outcomes: readonly CancelRow[], answer: unknown): void {
  output.show({ answer, rows: outcomes, columns: OUTCOMES, none: 'no open orders' })
  if (outcomes.some(({ error }) => error !== '')) throw new Ending(EXIT.refused)
}

async function idByName(rest: Rest, client_order_id: string): Promise<string> {
  const path = { client_order_id }
  return (await rest.call('GET /orders/by-client-id/{client_order_id}', { path })).order_id
}

async function openIds(rest: Rest, { market, asset, side }: OrderFilter): Promise<string[]> {
  const query = {
    limit: OPEN_MAX,
    ...(market && { instrument_name: market }),
    ...(asset && { asset }),
  }
  const { orders } = await rest.call('GET /open-orders', {
    query: { ...query, include: 'pending' },
  })
  return orders.filter((order) => side === undefined || order.side === side).map((o) => o.order_id)
}

/** Returns the requests that would cancel these orders. */
async function plan(session: Session, ids: readonly string[]): Promise<DryRunRequest[]> {
  const rest = await session.rest()
  const { cancellers } = await rest.call('GET /account/cancellers')
  const isAllowed = cancellers.some(({ is_venue }) => is_venue)
  const planned = ids.map(async (order_id) => ({
    what: 'request',
    to: `DELETE /orders/${order_id}`,
    body: isAllowed ? {} : await toSign(session, order_id),
  }))
  return Promise.all(planned)
}

/** An order that is not on the chain yet is withdrawn without a signature. */
async function toSign(session: Session, order_id: string): Promise<object> {
  const rest = await session.rest()
  const order = await rest.call('GET /orders/{order_id}', { path: { order_id } })
  const { instrument_name: market, chain_order_id } = order
  const account = await session.account()
  if (chain_order_id === null) return {}
  const cancel = { market, orders: [chain_order_id] }
  return { typed_data: cancelData(await session.venue(), account, cancel) }
}

async function planAll(
  session: Session,
  { body, options }: Readonly<{ body: object; options: object }>,
): Promise<DryRunRequest[]> {
  const ids = await openIds(await session.rest(), options as OrderFilter)
  return [{ what: 'request', to: 'DELETE /orders', body }, ...(await plan(session, ids))]
}
