// The wallet transaction that sets a leverage, with its description.
import { type SigningVenue, setLeverageCall } from 'openvenue/signing'
import { callWords } from '../../wallet/worker/signing-words.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'

/** Returns the call that sets the maximum leverage of the wallet's own account in a market. */
export function planLeverage(venue: SigningVenue, market: string, leverage: number): PlannedCall {
  const { engine, number } = venue.market(market)
  const words = callWords(
    'setLeverage',
    [
      ['market', `${number}`],
      ['leverage', `${leverage}`],
      ['contract', engine],
    ],
    [
      ['Market', market],
      ['Funds moved', 'none'],
    ],
  )
  const call = setLeverageCall({ engine, number }, leverage)
  return { text: `Set leverage in ${market} to ${leverage}×`, call, words }
}
