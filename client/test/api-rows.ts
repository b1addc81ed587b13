// Encodes a scenario with the server's own encoders, as the answers of an honest API.
import type { BlockChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import type { Fill, Order } from '@openvenue/core/records'
import type { ReplayResult } from '@openvenue/core/test/scenario/replay'
import { encodeFill, type FillItem } from '@openvenue/wire/fills'
import { encodeOrder, type OrderItem } from '@openvenue/wire/orders'
import { Rest } from '../src/rest/rest.ts'

/** Bodies by path. */
type Bodies = ReadonlyMap<string, unknown>

/** Returns a client that receives `bodies` at the newest of `blocks`, or without a block. */
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
export const fillRows = (
  { state, all }: ReplayResult,
  account: number,
  wallet: string,
): FillItem[] =>
  last(all, 'fill')
    .filter((fill) => fill.account === account)
    .map((fill) => encodeFill(marketOf({ state }, fill), fill, wallet))
    .sort((a, b) => (a.trade_id < b.trade_id ? 1 : -1))

/** Returns every order in its final state. */
export const orderRows = (
  { state, all }: ReplayResult,
  walletOf: (account: number) => string,
): OrderItem[] =>
  last(all, 'order').map((order) =>
    encodeOrder(marketOf({ state }, order), order, {
      account: walletOf(order.account),
      leverage: 0,
    }),
  )

function marketOf({ state }: Pick<ReplayResult, 'state'>, { market }: Fill | Order) {
  const record = state.records.market.get(market)
  if (record === undefined) throw new Error(`the scenario lists ${market}`)
  return record
}

/** Returns the last version of each record after the blocks. */
function last<K extends 'fill' | 'order'>(all: readonly BlockChanges[], kind: K) {
  const records = new Map<string, K extends 'fill' ? Fill : Order>()
  for (const { changes } of all)
    for (const { what, key, after } of changes)
      if (what === kind && after !== undefined) records.set(key, after as never)
  return [...records.values()]
}
