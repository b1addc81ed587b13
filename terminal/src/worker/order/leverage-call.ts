// What the wallet sends to set a leverage, with its words.
import { type SigningVenue, setLeverageCall } from 'openvenue/signing'
import { callWords } from '../wallet/signing-words.ts'
import type { PlannedCall } from '../wallet/wallet.ts'

/** Returns what sets the greatest leverage of the wallet's own account in a market. */
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
      ['Money', 'none is moved'],
    ],
  )
  const call = setLeverageCall({ engine, number }, leverage)
  return { text: `Set the leverage in ${market} to ${leverage}×`, call, words }
}
