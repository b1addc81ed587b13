// Handles requests about orders and positions through the chain while the API is down. The
// account's own wallet sends what the venue would have relayed.
import type { Handlers } from '../../../protocol/worker/requests.ts'
import type { AccountControl } from '../../account/worker/account-control.ts'
import type { ActionResult, TableRequests } from '../../tables/table-protocol.ts'
import { columns } from '../../tables/text.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'
import type { ChainFallback } from './chain-fallback.ts'
import type { ChainMode } from './chain-mode.ts'

type ChainRequestDeps = Readonly<{
  fallback: Pick<ChainFallback, 'mode'>
  control: Pick<AccountControl, 'sendPlanned'>
}>

/** Returns handlers that use the chain while it is shown. */
export function chainTableHandlers(
  tables: Handlers<TableRequests>,
  { fallback, control }: ChainRequestDeps,
): Handlers<TableRequests> {
  const cancel = (mode: ChainMode, isMeant: (id: string, market: string) => boolean) =>
    send(mode, control, mode.planCancels(isMeant))
  return {
    ...tables,
    cancelOrder: (request) => {
      const { mode } = fallback
      return mode ? cancel(mode, (id) => id === request.id) : tables.cancelOrder(request)
    },
    cancelOrders: (request) => {
      const { mode } = fallback
      const isMeant = (_: string, name: string) => request.market === '' || request.market === name
      return mode ? cancel(mode, isMeant) : tables.cancelOrders(request)
    },
    closePositions: async (request) => {
      const { mode } = fallback
      return mode
        ? send(mode, control, mode.planCloses(request.market))
        : tables.closePositions(request)
    },
    exportTable: async (request) => {
      const { mode } = fallback
      const { tab } = request
      if (!mode || (tab !== 'orders' && tab !== 'positions')) return tables.exportTable(request)
      const isMeant = request.market === '' ? () => true : isOf(request.market)
      const { csvText } = await import('../../tables/worker/csv.ts')
      return { text: csvText(columns[tab], mode.rows(tab).filter(isMeant)), limit: '' }
    },
  }
}

const isOf =
  (name: string) =>
  ({ market }: Readonly<{ market: string }>): boolean =>
    market === name

/**
 * Sends all calls and re-reads the chain, so that completed calls are shown even if a later one
 * fails.
 */
async function send(
  mode: ChainMode,
  control: ChainRequestDeps['control'],
  calls: readonly PlannedCall[],
): Promise<ActionResult> {
  if (calls.length === 0) return { done: 0, refused: [text.notOnChain] }
  try {
    await control.sendPlanned(calls)
    return { done: calls.length, refused: [] }
  } finally {
    mode.look()
  }
}
