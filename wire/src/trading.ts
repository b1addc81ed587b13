// Trading state of the venue, shown in every status answer.
import type { Static } from 'typebox'
import { choice } from './field.ts'

export const TradingField = choice(['live', 'coming_soon', 'cancel_only'], {
  description:
    'Trading state. live: new orders are accepted. coming_soon: rejected with TRADING_NOT_LIVE; ' +
    'cancel_only: orders and edits with MAINTENANCE_MODE_ENABLED; everything else works.',
})
export type Trading = Static<typeof TradingField>
