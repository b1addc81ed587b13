// Closed perpetual positions of an account, one row per cycle. Interface 2.10 and 4.4.
import {
  encodeClosedCycle,
  PositionHistory,
  PositionHistoryQuery,
} from '@openvenue/wire/position-history'
import { accountGet } from './account-route.ts'
import { type HistoryParts, historyPages } from './history-page.ts'
import type { Routes } from './route.ts'

export const positionHistoryRoutes: Routes<HistoryParts | 'authenticate'> = (host, deps) => {
  const pages = historyPages(deps, {
    kind: 'closedCycle',
    member: 'position_history',
    encode: encodeClosedCycle,
  })
  accountGet(
    host,
    deps,
    {
      path: '/position-history',
      below: '/position-history',
      summary: 'Closed perpetual positions',
      query: PositionHistoryQuery,
      body: PositionHistory,
    },
    async ({ caller: { account }, query, reply }) =>
      pages({ account, query: { ...query, instrument_type: 'PERPETUAL' }, reply }),
  )
}
