// GET /balance-history: the equity of an account over time. Interface 4.4 and 8.
import {
  BALANCE_RESOLUTION_DEFAULT,
  BalanceHistory,
  BalanceHistoryQuery,
  encodeBalanceHistory,
} from '@openvenue/wire/balance-history'
import { timeRangeOr400 } from '../account/account-filter.ts'
import { coarsened } from '../account/balance-buckets.ts'
import { msToNs, orUnavailable } from '../http/refusals.ts'
import { accountGet } from './account-route.ts'
import type { Routes } from './route.ts'

export const balanceHistoryRoutes: Routes<'clock' | 'equity' | 'settings' | 'authenticate'> = (
  host,
  deps,
) => {
  const { clock, equity, settings } = deps
  accountGet(
    host,
    deps,
    {
      path: '/balance-history',
      below: '/balance-history',
      isOffChain: true,
      summary: 'Equity over time: the last snapshot of each period, oldest first',
      query: BalanceHistoryQuery,
      body: BalanceHistory,
    },
    async ({ caller, query }) => {
      const { start_time, end_time = msToNs(clock.nowMs()) } = query
      const { resolution = BALANCE_RESOLUTION_DEFAULT } = query
      const range = timeRangeOr400({ start_time, end_time })
      const resolutionSeconds = coarsened(resolution, range, {
        pointsMax: settings.balancePointsMax,
        nowSeconds: Math.floor(clock.nowMs() / 1000),
      })
      const points = equity.range({ wallet: caller.account, ...range, resolutionSeconds })
      return encodeBalanceHistory(await orUnavailable(points))
    },
  )
}
