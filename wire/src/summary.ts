// Summary of every asset, with its spot market and its perpetual (interface 2.6).

import { amountText, priceText, quoteText } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { decimal, named, nullable } from './field.ts'
import { fundingText, indexText, type MarketFacts, markText } from './markets.ts'

const market = {
  instrument_id: Type.String(),
  instrument_name: Type.String(),
  mark_price: nullable(decimal('Null when unavailable.')),
  last_price: nullable(decimal('Price of the last trade; null before the first.')),
  volume_24h: decimal('Quote amount traded in 24 hours, as in the market object.'),
}

export const MarketsSummary = named(
  'MarketsSummary',
  {
    summaries: Type.Array(
      named('AssetSummary', {
        asset: Type.String({ description: 'The underlying.' }),
        index_price: nullable(decimal('Null when unavailable.')),
        spot_info: Type.Optional(
          named('SpotSummary', market, 'Absent when the asset has no spot market.'),
        ),
        perpetual_info: Type.Optional(
          named(
            'PerpetualSummary',
            {
              ...market,
              funding_rate: nullable(decimal('Per hour, as a fraction.')),
              open_interest: decimal('In the base asset.'),
              max_leverage: Type.Optional(decimal('Omitted when unknown.')),
            },
            'Absent when the asset has no perpetual.',
          ),
        ),
      }),
    ),
  },
  'Every asset traded in a market.',
)
export type MarketsSummary = Static<typeof MarketsSummary>
type Summary = MarketsSummary['summaries'][number]

/** Returns the summary of an asset from the facts of its markets. */
export function encodeSummary(
  asset: string,
  spot: MarketFacts | undefined,
  perpetual: MarketFacts | undefined,
): Summary {
  return {
    asset,
    index_price: indexText((perpetual ?? spot)?.index),
    ...(spot === undefined ? {} : { spot_info: marketInfo(spot) }),
    ...(perpetual === undefined ? {} : { perpetual_info: perpetualInfo(perpetual) }),
  }
}

function marketInfo(facts: MarketFacts): NonNullable<Summary['spot_info']> {
  const { market, ticker } = facts
  const lastTick = ticker?.lastTick ?? null
  return {
    instrument_id: market.id,
    instrument_name: market.name,
    mark_price: markText(market, facts.mark),
    last_price: lastTick === null ? null : priceText(market, lastTick),
    volume_24h: quoteText(market, facts.units24h),
  }
}

function perpetualInfo(facts: MarketFacts): NonNullable<Summary['perpetual_info']> {
  const { market, ticker } = facts
  return {
    ...marketInfo(facts),
    funding_rate: fundingText(facts.funding),
    open_interest: amountText(market, ticker?.openInterest ?? 0n),
    ...(market.maxLeverage === null ? {} : { max_leverage: String(market.maxLeverage) }),
  }
}
