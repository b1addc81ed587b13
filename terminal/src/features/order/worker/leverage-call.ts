// The wallet transaction that sets a leverage, with its description.
import { type SigningVenue, setLeverageCall } from 'openvenue/signing'
import { callWords } from '../../wallet/worker/signing-words.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'

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
      [text.leverageMarket, market],
      [text.fundsMoved, text.noFunds],
    ],
  )
  const call = setLeverageCall({ engine, number }, leverage)
  return { text: text.settingLeverage(market, leverage), call, words }
}
