// positions: the open positions of an account first, then each one when it changes.
import type { Market } from '@openvenue/core/records'
import { blockTime, encodeFlatPosition } from '@openvenue/wire/channels'
import { encodePositionItem, heldBy, heldIn } from '../../account/account-positions.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { AffectedAccount } from '../streams/affected.ts'
import type { PrivateChannel } from '../streams/channel.ts'

export function positionsChannel(model: VenueModel): PrivateChannel {
  /** Markets with a holding in the last message. */
  let openMarkets = new Set<string>()
  const data = (positions: readonly object[]) =>
    JSON.stringify({ timestamp: blockTime(model.head), positions })
  const changed = (account: number, affected: AffectedAccount): object[] => {
    const positions: object[] = []
    for (const live of [...model.markets]) {
      const { market } = live
      if (!isAffected(market, affected)) continue
      const position = heldIn(model, live, account)
      if (position !== undefined) {
        openMarkets.add(market.id)
        positions.push(encodePositionItem(position))
      } else if (openMarkets.delete(market.id)) positions.push(encodeFlatPosition(market))
    }
    return positions
  }
  return {
    subject: 'account',
    snapshot: (owner) => {
      const positions = heldBy(model, owner)
      openMarkets = new Set(positions.map(({ facts }) => facts.market.id))
      return data(positions.map(encodePositionItem))
    },
    onEntry: ({ accounts }, { account }) => {
      const affected = account === undefined ? undefined : accounts.get(account)
      if (account === undefined || affected === undefined) return []
      const positions = changed(account, affected)
      return positions.length === 0 ? [] : [{ type: 'update', data: data(positions) }]
    },
  }
}

const isAffected = ({ id, baseToken }: Market, { positions, tokens }: AffectedAccount) =>
  positions.has(id) || (baseToken !== null && tokens.has(baseToken))
