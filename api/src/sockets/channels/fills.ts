// fills: one message for each fill of an account. `filled` repeats `amount`, under the name that
// the API family uses.
import type { Fill } from '@openvenue/core/records'
import { blockTime } from '@openvenue/wire/channels'
import { encodeFill } from '@openvenue/wire/fills'
import type { PrivateChannel } from '../streams/channel.ts'
import { END_OF_TIME_S, type RowsDeps, rowsChannel, SNAPSHOT_ROWS } from './account-rows.ts'

export function fillsChannel(deps: RowsDeps): PrivateChannel {
  const { model, history } = deps
  return rowsChannel<Fill>(deps, {
    member: 'fills',
    changes: ({ fills }) => fills,
    read: (account, from) => {
      const markets = [...model.markets].map(({ market }) => market.id)
      const filter = { account, markets, fromSeconds: 0, toSeconds: END_OF_TIME_S }
      return history.rows('fill', { ...filter, isAscending: false, limit: SNAPSHOT_ROWS }, from)
    },
    encode: ({ wallet }, fills) =>
      fills.flatMap((fill) => {
        const live = model.market(fill.market)
        if (live === undefined) return []
        const item = encodeFill(live.market, fill, wallet)
        return [{ ...item, filled: item.amount }]
      }),
    wrap: (fill, head) => ({ timestamp: blockTime(head), fill }),
  })
}
