// orders: the open orders of an account first, then each one as often as it changes.
import { orderId } from '@openvenue/core/ids'
import { blockTime } from '@openvenue/wire/channels'
import { encodeOrderItem } from '../../account/account-orders.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { AffectedAccount } from '../streams/affected.ts'
import type { Frame, PrivateChannel } from '../streams/channel.ts'

export const ordersChannel = (model: VenueModel): PrivateChannel => ({
  subject: 'account',
  snapshot: ({ wallet, account }) => {
    const orders = account === undefined ? [] : model.accountOrders.of(account)
    const items = orders.toReversed().map((order) => encodeOrderItem(model, wallet, order))
    return JSON.stringify({ timestamp: blockTime(model.head), orders: items })
  },
  onEntry: ({ accounts }, { wallet, account }) => {
    const own = account === undefined ? undefined : accounts.get(account)
    if (account === undefined || own === undefined) return []
    const changed = changedOrders(own)
    const orders = [...changed.orders, ...repricedOrders(model, account, own)]
    return updates(model, {
      orders: orders.map((order) => encodeOrderItem(model, wallet, order)),
      removed: changed.removed,
    })
  },
})

/** Returns orders that changed as they are now, and ids of those that an undo took away. */
function changedOrders(own: AffectedAccount) {
  const removed = own.orders.flatMap(({ before, after }) =>
    after === undefined && before !== undefined ? orderId(before) : [],
  )
  return { orders: own.orders.flatMap(({ after }) => after ?? []), removed }
}

/** An order shows the margin that the account's leverage asks for: with that it changes, too. */
function repricedOrders(
  model: VenueModel,
  account: number,
  { orders, leverages }: AffectedAccount,
) {
  if (leverages.size === 0) return []
  const changed = new Set(orders.map(({ key }) => key))
  return model.accountOrders
    .of(account)
    .filter(({ market, number }) => leverages.has(market) && !changed.has(`${market}|${number}`))
}

function updates(
  model: VenueModel,
  { orders, removed }: Readonly<{ orders: readonly object[]; removed: readonly string[] }>,
): readonly Frame[] {
  if (orders.length === 0 && removed.length === 0) return []
  const members = { orders, ...(removed.length === 0 ? {} : { removed }) }
  return [
    { type: 'update', data: JSON.stringify({ timestamp: blockTime(model.head), ...members }) },
  ]
}
