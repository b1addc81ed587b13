// orders and positions of an account, from the model's memory.
import { orderId } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import { blockTime, encodeFlatPosition } from '@openvenue/wire/channels'
import { orderItemOf } from '../../account/account-orders.ts'
import { heldBy, heldIn, positionItemOf } from '../../account/account-positions.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { AffectedAccount } from './affected.ts'
import type { Owner, PrivateSource, Told } from './private-stream.ts'

/** orders: the open ones first, then each one as often as it changes. */
export const ordersSource = (model: VenueModel): PrivateSource => ({
  snapshot: ({ wallet, account }) => {
    const orders = account === undefined ? [] : model.accountOrders.of(account)
    return dataOf(model, {
      orders: orders.toReversed().map((order) => orderItemOf(model, wallet, order)),
    })
  },
  take: (owner, affected) => {
    const { orders, removed } = changedOrders(model, owner, affected)
    if (orders.length === 0 && removed.length === 0) return []
    return [toldOf(model, { orders, ...(removed.length === 0 ? {} : { removed }) })]
  },
})

/** Orders that changed as they are now, and ids of those that were never placed after an undo. */
function changedOrders(
  model: VenueModel,
  { wallet, account }: Owner & { account: number },
  affected: AffectedAccount,
) {
  const removed: string[] = []
  const orders: object[] = []
  const told = new Set<string>()
  for (const { key, before, after } of affected.orders) {
    told.add(key)
    if (after !== undefined) orders.push(orderItemOf(model, wallet, after))
    else if (before !== undefined) removed.push(orderId(before))
  }
  // An order is told with the margin that the account's leverage asks for.
  if (affected.leverages.size > 0)
    for (const order of model.accountOrders.of(account))
      if (affected.leverages.has(order.market) && !told.has(`${order.market}|${order.number}`))
        orders.push(orderItemOf(model, wallet, order))
  return { orders, removed }
}

/** positions: those that are open first, then each one as often as it changes. */
export const positionsSource = (model: VenueModel): PrivateSource => {
  /** Markets in which the last message had something. */
  let held = new Set<string>()
  return {
    snapshot: (owner) => {
      const positions = heldBy(model, owner)
      held = new Set(positions.map(({ facts }) => facts.market.id))
      return dataOf(model, { positions: positions.map(positionItemOf) })
    },
    take: ({ account }, affected) => {
      const positions: object[] = []
      for (const live of [...model.markets]) {
        const { market } = live
        if (!isAffected(market, affected)) continue
        const found = heldIn(model, live, account)
        if (found !== undefined) {
          held.add(market.id)
          positions.push(positionItemOf(found))
        } else if (held.delete(market.id)) positions.push(encodeFlatPosition(market))
      }
      return positions.length === 0 ? [] : [toldOf(model, { positions })]
    },
  }
}

const isAffected = ({ id, baseToken }: Market, { positions, tokens }: AffectedAccount) =>
  positions.has(id) || (baseToken !== null && tokens.has(baseToken))

const toldOf = (model: VenueModel, members: object): Told => ({
  type: 'update',
  datas: [dataOf(model, members)],
})

const dataOf = ({ head }: VenueModel, members: object) =>
  JSON.stringify({ timestamp: blockTime(head), ...members })
