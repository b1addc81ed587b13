// Quotes both sides of a perpetual around the mark, skewed against its position. Edits keep the
// quotes at the mark; they end with the connection, or a minute after the last sign of life. At the
// end its ledger is compared with the venue's: exit code 1 if they differ.
//
//   source .env.bot             # from register.ts; an account of its own, without positions
//   OPENVENUE_SECONDS=60 npx node examples/market-maker.ts      # without: until Ctrl-C
import { setTimeout as sleep } from 'node:timers/promises'
import { fromRaw, type OrderSide, Rest, type shapes, toRaw, VenueSocket } from 'openvenue'
import { type Address, loadVenue, type NewOrder, signOrder } from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'

const { env } = process
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000', OPENVENUE_MARKET: market = 'ETH-PERP' } = env
const raw = (decimal: string) => toRaw(decimal, 18)
const text = (number: bigint) => fromRaw(number, 18)
const [SIZE, POSITION_MAX] = ['0.1', raw('0.5')]
/** Basis points of the mark: distance of a quote, and its tolerance. */
const [HALF_SPREAD, TOLERANCE, BPS] = [4n, 1n, 10_000n]
const key = privateKeyToAccount(env.OPENVENUE_SIGNING_KEY as Address)
const account = (env.OPENVENUE_ACCOUNT ?? key.address) as Address
const apiKey = { key: env.OPENVENUE_API_KEY ?? '', secret: env.OPENVENUE_API_SECRET ?? '' }
const rest = new Rest({ url, apiKey, patience: { retries: 5, waitMsMax: 10_000 } })
const socket = new VenueSocket({ url, apiKey })
const venue = await loadVenue(rest)
const stop = new AbortController()
const print = (line: unknown) => process.stdout.write(`${line}\n`)
let mark = 0n
const NAMES = ['position', 'balance', 'fees', 'funding'] as const
type Sums = Record<(typeof NAMES)[number], bigint>
/** Fills and funding payments by id, without any sums of the venue. */
const ledger = new Map<string, Sums>()
const sum = (of: keyof Sums) => [...ledger.values()].reduce((all, entry) => all + entry[of], 0n)
async function followFills(): Promise<void> {
  for await (const { type, data } of socket.subscribe('fills')) {
    if (type === 'undo') for (const id of data.ids) ledger.delete(id)
    if (type !== 'update') continue
    const { trade_id, side, amount, price, quote_amount } = data.fill
    const [fees, sign] = [raw(data.fill.fees), side === 'buy' ? 1n : -1n]
    const balance = -sign * raw(quote_amount) - fees
    ledger.set(trade_id, { position: sign * raw(amount), balance, fees, funding: 0n })
    print(`${side} ${amount} at ${price}, position ${text(sum('position'))}`)
  }
}
async function followFunding(): Promise<void> {
  for await (const { type, data } of socket.subscribe('fundings')) {
    if (type === 'undo') for (const id of data.ids) ledger.delete(id)
    if (type !== 'update') continue
    const funding = raw(data.funding_payment)
    ledger.set(data.trade_id, { position: 0n, balance: funding, fees: 0n, funding })
  }
}
async function readVenue(): Promise<Sums> {
  const { balance, positions } = await rest.call('GET /account')
  const { fees, funding } = (await rest.call('GET /account/stats')).account_statistics.all_time
  const open = positions.find(({ instrument_type }) => instrument_type === 'PERPETUAL')
  const position = raw(open?.amount ?? '0') * (open?.side === 'sell' ? -1n : 1n)
  return { position, balance: raw(balance), fees: raw(fees), funding: raw(funding) }
}
const sign = (order: Pick<NewOrder, 'side' | 'amount' | 'price'> & Partial<NewOrder>) =>
  signOrder(venue, key, { market, account, ...order })
/** Moves the quote of a side closer to its target; the next tick continues. */
async function quote(side: OrderSide, live: readonly shapes.Order[]): Promise<void> {
  const [order, ...others] = live.filter((item) => item.side === side)
  if (order?.order_status === 'pending') return
  const [sense, position] = [side === 'buy' ? 1n : -1n, sum('position')]
  const isFull = sense * position >= POSITION_MAX
  for (const { order_id } of order && isFull ? [order, ...others] : others)
    await socket.ask('cancel_order', { order_id })
  const half = (mark * HALF_SPREAD) / BPS
  const price = mark - sense * half - (half * position) / POSITION_MAX
  const off = order ? raw(order.price) - price : mark
  if (isFull || (off < 0n ? -off : off) * BPS < mark * TOLERANCE) return
  const id = order?.chain_order_id
  const edit = order && id ? { replaces: id, replacesAmount: order.remaining } : {}
  const body = await sign({ side, amount: SIZE, price: text(price), postOnly: true, ...edit })
  const [op, which] = order ? ['edit_order', { order_id: order.order_id }] : ['create_order', {}]
  await socket.ask(op, { ...which, ...body })
}
async function makeMarket(): Promise<void> {
  for await (const { data } of socket.subscribe(`ticker-500ms:${market}`, stop)) {
    mark = raw(data.tickers[0]?.mark.price ?? text(mark))
    // Refused if the mark or the order has moved meanwhile; the next tick retries.
    await rest
      .call('GET /open-orders', { query: { instrument_name: market, include: 'pending' } })
      .then(({ orders }) => Promise.all([quote('buy', orders), quote('sell', orders)]))
      .catch(print)
  }
}
/** Closes the position, at most one percent from the mark. */
async function close(position: bigint): Promise<void> {
  const [side, part] = position > 0n ? (['sell', 99n] as const) : (['buy', 101n] as const)
  const amount = text(position > 0n ? position : -position)
  const order = { side, amount, price: text((mark * part) / 100n) }
  await socket.ask('create_order', await sign({ ...order, timeInForce: 'IOC', reduceOnly: true }))
}
process.once('SIGINT', () => stop.abort('interrupted'))
if (env.OPENVENUE_SECONDS)
  setTimeout(() => stop.abort('time is up'), Number(env.OPENVENUE_SECONDS) * 1_000)
const before = await readVenue()
if (before.position !== 0n) throw new Error('close the position of the account first')
for (const follow of [followFills, followFunding]) follow().catch((error) => stop.abort(error))
await rest.call('POST /account/cancel-on-disconnect', { body: { enabled: true } })
const sayAlive = () => socket.ask('cancel_after', { timeout_ms: 60_000 }).catch(print)
const timer = setInterval(sayAlive, 15_000)
await makeMarket().catch(print)
clearInterval(timer)
await rest.call('DELETE /orders', { body: { instrument_name: market } })
await rest.call('POST /account/cancel-after', { body: { timeout_ms: 0 } })
for (let second = 0, isDone = false; second < 30 && !isDone; second++) {
  await sleep(1_000)
  const after = await readVenue()
  if (after.position !== 0n) await close(after.position).catch(print)
  const venueSum = (name: keyof Sums) => after[name] - before[name]
  isDone = after.position === 0n && NAMES.every((name) => sum(name) === venueSum(name))
  process.exitCode = isDone ? 0 : 1
  for (const name of isDone || second === 29 ? NAMES : [])
    print(`${name}: own ${text(sum(name))}, venue ${text(venueSum(name))}`)
}
socket.close()
