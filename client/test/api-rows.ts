// Writes what an honest API says of a scenario, by the server's own encoders, as a `Rest` hears it.
import type { BlockChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import type { Fill, Order } from '@openvenue/core/records'
import type { Replayed } from '@openvenue/core/test/scenario/replay'
import { encodeFill, type FillItem } from '@openvenue/wire/fills'
import { encodeOrder, type OrderItem } from '@openvenue/wire/orders'
import { Rest } from '../src/rest/rest.ts'

/** Bodies by path. */
export type Bodies = ReadonlyMap<string, unknown>

/** Returns a client that hears `bodies`, each of the newest of `blocks`, or of none. */
export function restOf(blocks: readonly VenueBlock[], bodies: Bodies): Rest {
  const header = blocks.at(-1)?.header
  const headers = new Map([['content-type', 'application/json']])
  if (header !== undefined)
    headers.set('x-block-number', String(header.number)).set('x-block-hash', header.hash)
  return new Rest({
    url: 'http://venue',
    fetch: async (url) => {
      const body = bodies.get(new URL(url).pathname)
      const status = body === undefined ? 404 : 200
      const get = (name: string) => headers.get(name) ?? null
      return { status, headers: { get }, text: async () => JSON.stringify(body ?? {}) }
    },
  })
}

/** Returns the fills of an account, newest first. */
export const fillRows = ({ state, all }: Replayed, account: number, wallet: string): FillItem[] =>
  last(all, 'fill')
    .filter((fill) => fill.account === account)
    .map((fill) => encodeFill(marketOf({ state }, fill), fill, wallet))
    .sort((a, b) => (a.trade_id < b.trade_id ? 1 : -1))

/** Returns every order as it is at last. */
export const orderRows = (
  { state, all }: Replayed,
  walletOf: (account: number) => string,
): OrderItem[] =>
  last(all, 'order').map((order) =>
    encodeOrder(marketOf({ state }, order), order, {
      account: walletOf(order.account),
      leverage: 0,
    }),
  )

function marketOf({ state }: Pick<Replayed, 'state'>, { market }: Fill | Order) {
  const found = state.records.market.get(market)
  if (found === undefined) throw new Error(`the scenario lists ${market}`)
  return found
}

/** The last version of each record that the blocks left behind. */
function last<K extends 'fill' | 'order'>(all: readonly BlockChanges[], kind: K) {
  const records = new Map<string, K extends 'fill' ? Fill : Order>()
  for (const { changes } of all)
    for (const { what, key, after } of changes)
      if (what === kind && after !== undefined) records.set(key, after as never)
  return [...records.values()]
}
