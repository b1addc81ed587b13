// Keeps exactly one stop and one take-profit for each perpetual position, of its size, around its
// average entry. Both have the same salt: when one fires, the other is void. They are replaced when
// the position changes and cancelled when it is closed. The venue holds them: they remain when the
// program ends.
//
//   source .env.bot                        # from register.ts
//   npx node examples/stops.ts --stop 2 --take-profit 4      # percent of the entry; until Ctrl-C
import { parseArgs } from 'node:util'
import { fromRaw, Rest, type shapes, toOrderPrice, toRaw, VenueSocket } from 'openvenue'
import { type Address, loadVenue, nextSalt, signOrder } from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'

const { env } = process
const { values } = parseArgs({
  options: {
    stop: { type: 'string', default: '2' },
    'take-profit': { type: 'string', default: '4' },
    seconds: { type: 'string' },
  },
})
/** Maximum distance of the limit of an exit from its trigger. Percent. */
const ROOM = '5'
const { OPENVENUE_URL: url = 'http://127.0.0.1:3000' } = env
const apiKey = { key: env.OPENVENUE_API_KEY ?? '', secret: env.OPENVENUE_API_SECRET ?? '' }
const key = privateKeyToAccount(env.OPENVENUE_SIGNING_KEY as Address)
const account = (env.OPENVENUE_ACCOUNT ?? key.address) as Address
const rest = new Rest({ url, apiKey, patience: { retries: 5, waitMsMax: 60_000 } })
const venue = await loadVenue(rest)
const socket = new VenueSocket({ url, apiKey })
const print = (line: unknown) => process.stdout.write(`${line}\n`)
process.once('SIGINT', () => socket.close())
if (values.seconds) setTimeout(() => socket.close(), Number(values.seconds) * 1_000)

const raw = (decimal: string) => toRaw(decimal, 18)
const text = (number: bigint) => fromRaw(number, 18)
/** Returns `price` increased by `percent`. */
const plus = (price: bigint, percent: bigint) => price + (price * percent) / raw('100')

/** Returns the stop and take-profit for a position. */
function exitsOf({ instrument_name, side: entry, avg_entry_price }: shapes.PerpetualPosition) {
  const [side, sense] = entry === 'buy' ? (['sell', 1n] as const) : (['buy', -1n] as const)
  const { market } = venue.market(instrument_name)
  return (['STOP_LOSS', 'TAKE_PROFIT'] as const).map((kind) => {
    const percent = kind === 'STOP_LOSS' ? -raw(values.stop) : raw(values['take-profit'])
    const exact = plus(raw(avg_entry_price), sense * percent)
    const trigger = toOrderPrice(market, side, text(exact))
    const price = text(plus(trigger, -sense * raw(ROOM)))
    return { side, price, trigger: { kind, price: text(trigger) } }
  })
}

async function protect(position: shapes.PerpetualPosition, orders: readonly shapes.Order[]) {
  const { instrument_name: market, amount } = position
  const exits = exitsOf(position)
  const expected = exits.map(({ side, trigger }) => [trigger.kind, side, amount, trigger.price])
  const present = orders.map(({ stop, side, amount, trigger }) => [stop, side, amount, trigger])
  if (`${expected.sort()}` === `${present.sort()}`) return
  const both = { market, account, amount, timeInForce: 'IOC', reduceOnly: true } as const
  const salt = nextSalt()
  const signed = exits.map((exit) => signOrder(venue, key, { ...both, ...exit, salt }))
  // Places the new exits first. Both pairs may coexist, since they are reduce-only.
  await rest.call('POST /batch-orders', { body: { orders: await Promise.all(signed) } })
  await cancel(orders)
  const triggers = exits.map(({ trigger }) => `${trigger.kind} ${trigger.price}`)
  print(`${position.side} ${amount} ${market}: ${triggers.join(', ')}`)
}

async function cancel(orders: readonly shapes.Order[]): Promise<void> {
  const order_ids = orders.map(({ order_id }) => order_id)
  if (order_ids.length > 0) await rest.call('DELETE /orders', { body: { order_ids } })
}

/** Reads positions and orders and corrects the differences. */
async function arrange(): Promise<void> {
  const [{ positions }, { orders }] = await Promise.all([
    rest.call('GET /positions', { query: { instrument_type: 'PERPETUAL' } }),
    rest.call('GET /open-orders', { query: { limit: 1_000, include: 'pending' } }),
  ])
  const stops = orders.filter(({ stop, reduce_only }) => stop !== undefined && reduce_only)
  // A fired exit is on its way and will change the position, which calls this again.
  if (stops.some(({ order_status }) => order_status !== 'stop_order')) return
  for (const position of positions)
    if (position.instrument_type === 'PERPETUAL') {
      const of = position.instrument_name
      await protect(
        position,
        stops.filter(({ instrument_name }) => instrument_name === of),
      )
    }
  const names = new Set(positions.map(({ instrument_name }) => instrument_name))
  const orphans = stops.filter(({ instrument_name }) => !names.has(instrument_name))
  await cancel(orphans)
  if (orphans.length > 0) print(`cancelled ${orphans.length} of closed positions`)
}

let isChanged = false
let isLooking = false
/** A message only signals a change; `arrange` reads the state. */
async function look(): Promise<void> {
  isChanged = true
  if (isLooking) return
  isLooking = true
  while (isChanged && socket.state !== 'closed') {
    isChanged = false
    await arrange().catch(print)
  }
  isLooking = false
}
async function follow(channel: 'positions' | 'orders'): Promise<void> {
  for await (const _ of socket.subscribe(channel)) await look()
}
await Promise.all([follow('positions'), follow('orders')]).catch((error) => {
  if (socket.state !== 'closed') throw error
})
