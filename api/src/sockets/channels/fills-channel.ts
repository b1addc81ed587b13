// fills of an account: the newest from the database, then each as the feed brings it.
import { blockId } from '@openvenue/core/ids'
import type { Fill } from '@openvenue/core/records'
import type { AccountHistory } from '@openvenue/store/account-history'
import { blockTime } from '@openvenue/wire/channels'
import { encodeFill } from '@openvenue/wire/fills'
import type { VenueModel } from '../../model/venue-model.ts'
import type { PrivateSource, Told } from './private-stream.ts'

/** Fills of a snapshot. */
export const SNAPSHOT_FILLS = 50

/** fills: one message for each. */
export const fillsSource = (model: VenueModel, history: AccountHistory): PrivateSource => ({
  snapshot: async ({ wallet, account }) => {
    const { head } = model
    const rows = account === undefined ? [] : await newestFills(model, history, account)
    const fills = rows.flatMap((fill) => itemOf(model, wallet, fill) ?? [])
    return JSON.stringify({ timestamp: blockTime(head), fills })
  },
  take: ({ wallet }, { fills }) => {
    const told: Told[] = []
    const ids = fills.flatMap(({ before, after }) =>
      after === undefined && before !== undefined ? [before.id] : [],
    )
    if (ids.length > 0) told.push({ type: 'undo', datas: [JSON.stringify({ ids })] })
    const timestamp = blockTime(model.head)
    const datas = fills.flatMap(({ after }) => {
      const fill = after && itemOf(model, wallet, after)
      return fill === undefined ? [] : [JSON.stringify({ timestamp, fill })]
    })
    if (datas.length > 0) told.push({ type: 'update', datas })
    return told
  },
})

/** The newest rows up to the model's head: what the database has beyond it the feed will bring. */
async function newestFills(
  model: VenueModel,
  history: AccountHistory,
  account: number,
): Promise<readonly Fill[]> {
  const { head } = model
  if (head === undefined) return []
  const markets = [...model.markets].map(({ market }) => market.id)
  return history.rows('fill', {
    account,
    markets,
    fromSeconds: 0,
    toSeconds: head.seconds,
    after: { seconds: head.seconds, id: blockId(head.number + 1) },
    isAscending: false,
    limit: SNAPSHOT_FILLS,
  })
}

/** The family calls the amount of a fill `filled` on sockets; here both words say it. */
function itemOf(model: VenueModel, wallet: string, fill: Fill) {
  const live = model.market(fill.market)
  if (live === undefined) return undefined
  const item = encodeFill(live.market, fill, wallet)
  return { ...item, filled: item.amount }
}
