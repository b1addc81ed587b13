// Answers about orders and positions by the chain while the API is away: the account's own wallet
// sends what the venue would have relayed.
import type { AccountControl } from '../account/account-control.ts'
import type { Handlers } from '../requests.ts'
import { COLUMNS, type Outcome, type TableRequests } from '../tables/table-protocol.ts'
import type { PlannedCall } from '../wallet/wallet.ts'
import type { ChainFallback } from './chain-fallback.ts'
import type { ChainMode } from './chain-mode.ts'

type Parts = Readonly<{
  fallback: Pick<ChainFallback, 'mode'>
  control: Pick<AccountControl, 'sendPlanned'>
}>

/** Returns handlers that do the same by the chain while it is shown. */
export function chainTableHandlers(
  tables: Handlers<TableRequests>,
  { fallback, control }: Parts,
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
      const { csvText } = await import('../tables/csv.ts')
      return { text: csvText(COLUMNS[tab], mode.rows(tab).filter(isMeant)), limit: '' }
    },
  }
}

const isOf =
  (wanted: string) =>
  ({ market }: Readonly<{ market: string }>): boolean =>
    market === wanted

/** Sends all and looks at the chain again: what was done is shown, whatever failed after it. */
async function send(
  mode: ChainMode,
  control: Parts['control'],
  calls: readonly PlannedCall[],
): Promise<Outcome> {
  if (calls.length === 0) return { done: 0, refused: ['the chain has nothing of it'] }
  try {
    await control.sendPlanned(calls)
    return { done: calls.length, refused: [] }
  } finally {
    mode.look()
  }
}
