// Reads the leverage of an account in a market.
import type { shapes } from 'openvenue'
import type { Session } from '../../session/worker/session.ts'
import type { LeverageView } from '../order-protocol.ts'

export const UNKNOWN_LEVERAGE: LeverageView = {
  ...{ now: '', max: '', facts: [], words: '', problems: [] },
}

/** Returns the current account with its leverage; without a session, only what is known. */
export async function readLeverageOf(
  market: shapes.Market | undefined,
  session: Session | undefined,
): Promise<Readonly<{ view: LeverageView; account: shapes.Account | undefined }>> {
  const max = market?.max_leverage
  if (market === undefined || max === undefined)
    return { view: UNKNOWN_LEVERAGE, account: undefined }
  const account = await session?.rest.call('GET /account')
  const { leverage = max } =
    account?.leverages.find((entry) => entry.instrument_name === market.instrument_name) ?? {}
  return { view: { ...UNKNOWN_LEVERAGE, now: leverage, max }, account }
}
