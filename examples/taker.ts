// Buys or sells immediately within a price bound: reads the book and verifies its checksum,
// computes the worst price that fills the amount, previews the order, and sends it as IOC. Exit
// code 1 if nothing was filled.
//
//   source .env.bot                        # from register.ts
//   npx node examples/taker.ts buy 0.5 --slippage 0.1        # percent of the best price
//   npx node examples/taker.ts sell 0.5 --market BTC-PERP --dry-run
import { parseArgs } from 'node:util'
import {
  ENDED,
  followBook,
  fromRaw,
  Rest,
  type shapes,
  toRaw,
  trackOrder,
  VenueSocket,
} from 'openvenue'
import { type Address, loadVenue, signOrder } from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'

const { env } = process
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    market: { type: 'string', default: 'ETH-PERP' },
    slippage: { type: 'string', default: '0.1' },
    'dry-run': { type: 'boolean', default: false },
  },
})
const { market, slippage } = values
const [side, amount = ''] = positionals
if ((side !== 'buy' && side !== 'sell') || amount === '')
  throw new Error(
    'usage: taker.ts buy|sell AMOUNT [--market NAME] [--slippage PERCENT] [--dry-run]',
  )

const DECIMALS = 18
const raw = (decimal: string) => toRaw(decimal, DECIMALS)
const text = (number: bigint) => fromRaw(number, DECIMALS)
const print = (line: string) => process.stdout.write(`${line}\n`)
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000' } = env
const apiKey = { key: env.OPENVENUE_API_KEY ?? '', secret: env.OPENVENUE_API_SECRET ?? '' }
const key = privateKeyToAccount(env.OPENVENUE_SIGNING_KEY as Address)
const account = (env.OPENVENUE_ACCOUNT ?? key.address) as Address
const stop = new AbortController()
const { signal } = stop
process.once('SIGINT', () => stop.abort('interrupted'))
const rest = new Rest({ url, apiKey, signal, patience: { retries: 3, waitMsMax: 5_000 } })
const socket = new VenueSocket({ url, apiKey, signal })

/** Returns the price of the last level that the amount reaches, and the cumulative amount. */
function reach(levels: readonly (readonly [string, string, string])[]) {
  let filled = 0n
  for (const [price, size] of levels) {
    filled += raw(size)
    if (filled >= raw(amount)) return { price: raw(price), isEnough: true }
  }
  return { price: raw(levels.at(-1)?.[0] ?? '0'), isEnough: false }
}

async function findPrice(): Promise<bigint> {
  for await (const book of followBook(socket, market, { signal })) {
    const levels = side === 'buy' ? book.asks : book.bids
    const best = raw(levels[0]?.[0] ?? '0')
    if (best === 0n) throw new Error(`no orders at ${market}`)
    const { price, isEnough } = reach(levels)
    const room = (best * raw(slippage)) / (100n * raw('1'))
    const bound = side === 'buy' ? best + room : best - room
    const isWithin = side === 'buy' ? price <= bound : price >= bound
    print(`best ${text(best)}, ${amount} reaches ${text(price)}, bound ${text(bound)}`)
    if (!isEnough || !isWithin) print('insufficient liquidity within the bound')
    return bound
  }
  throw new Error('the book has ended')
}

const venue = await loadVenue(rest)
const price = text(await findPrice())
const body = await signOrder(venue, key, {
  market,
  account,
  side,
  amount,
  price,
  timeInForce: 'IOC',
})
const preview = await rest.call('POST /orders/preview', { body })
for (const { message } of preview.refusals) print(`refused: ${message}`)
print(`would fill ${preview.filled} at ${preview.avg_price}, fees ${preview.fees}`)
print(`position ${preview.position}, liquidated at ${preview.liquidation_price ?? 'no price'}`)

const find = (order_id: string) =>
  rest.call('GET /orders/{order_id}', { path: { order_id }, query: { include: 'closed' } })
let last: shapes.Order | undefined
if (preview.is_accepted && !values['dry-run'])
  for await (const order of trackOrder(socket, {
    place: () => rest.call('POST /orders', { body }),
    find,
    signal,
  }))
    last = order
if (last !== undefined)
  print(
    `${last.order_status}: ${last.filled} of ${last.amount} at ${last.avg_price}, fees ${last.fees}`,
  )
if (last !== undefined && ENDED.has(last.order_status) && last.filled === '0') process.exitCode = 1
if (!preview.is_accepted) process.exitCode = 1
socket.close()
