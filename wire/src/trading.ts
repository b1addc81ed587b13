// Whether a venue takes new orders: said wherever a program or a person looks.
import type { Static } from 'typebox'
import { choice } from './field.ts'

export const TradingField = choice(['live', 'coming_soon', 'cancel_only'], {
  description:
    'Whether new orders are taken. coming_soon: they are refused with TRADING_NOT_LIVE; ' +
    'cancel_only: they and edits with MAINTENANCE_MODE_ENABLED; all else works.',
})
export type Trading = Static<typeof TradingField>
