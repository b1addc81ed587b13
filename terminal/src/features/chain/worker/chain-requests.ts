// Handles requests about orders and positions through the chain while the API is down. The
// account's own wallet sends what the venue would have relayed.
import type { Handlers } from '../../../protocol/worker/requests.ts'
import type { AccountControl } from '../../account/worker/account-control.ts'
import { type ActionResult, COLUMNS, type TableRequests } from '../../tables/table-protocol.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
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
    cancelOrder: (asked) => {
      const { mode } = fallback
      return mode ? cancel(mode, (id) => id === asked.id) : tables.cancelOrder(asked)
    },
    cancelOrders: (asked) => {
      const { mode } = fallback
      const isMeant = (_: string, name: string) => asked.market === '' || asked.market === name
      return mode ? cancel(mode, isMeant) : tables.cancelOrders(asked)
    },
    closePositions: async (asked) => {
      const { mode } = fallback
      return mode
        ? send(mode, control, mode.planCloses(asked.market))
        : tables.closePositions(asked)
    },
    exportTable: async (asked) => {
      const { mode } = fallback
      const { tab } = asked
      if (!mode || (tab !== 'orders' && tab !== 'positions')) return tables.exportTable(asked)
      const isMeant = asked.market === '' ? () => true : isOf(asked.market)
      const { csvText } = await import('../../tables/worker/csv.ts')
      return { text: csvText(COLUMNS[tab], mode.rows(tab).filter(isMeant)), limit: '' }
    },
  }
}

const isOf =
  (wanted: string) =>
  ({ market }: Readonly<{ market: string }>): boolean =>
    market === wanted

/**
 * Sends all calls and re-reads the chain, so that completed calls are shown even if a later one
 * fails.
 */
async function send(
  mode: ChainMode,
  control: ChainRequestDeps['control'],
  calls: readonly PlannedCall[],
): Promise<ActionResult> {
  if (calls.length === 0) return { done: 0, refused: ['not available from the chain'] }
  try {
    await control.sendPlanned(calls)
    return { done: calls.length, refused: [] }
  } finally {
    mode.look()
  }
}
