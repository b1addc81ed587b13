// Declares the messages of the socket channels: the common frame, and the payloads that no other
// endpoint has. Interface 6 leaves them open; names follow the other venues of the family.
import { estimatedRate } from '@openvenue/core/funding'
import type { Market } from '@openvenue/core/records'
import { amountText, fixedText, priceText, quoteText } from '@openvenue/core/units'
import Type, { type Static, type TSchema } from 'typebox'
import { CandleItem } from './candles.ts'
import { nsText } from './decimal.ts'
import { choice, decimal, milliseconds, ns, nullable, strict } from './field.ts'
import { encodeInstrument, instrumentMembers } from './instrument.ts'
import { indexText, type MarketFacts, markText } from './markets.ts'

/** `undo`: blocks were undone, and with them the rows listed in the data. */
const FRAME_TYPES = ['snapshot', 'update', 'undo'] as const
export type FrameType = (typeof FRAME_TYPES)[number]

/** Returns the schema of the messages of a channel with this `data`. */
export const channelFrame = <T extends TSchema>(data: T, description?: string) =>
  strict(
    {
      channel: Type.String({ description: 'Name of the channel, exactly as subscribed.' }),
      type: choice(FRAME_TYPES),
      seq: Type.Integer({
        description: 'Number of the newest feed entry in the message; the same on every node.',
      }),
      prev_seq: nullable(
        Type.Integer({
          description:
            'No entry between it and `seq` is missing. Apply a message when `prev_seq` is at most the last `seq` received and below its own; if both are equal it continues the previous message. Null in a snapshot.',
        }),
      ),
      block_number: Type.Integer({ description: 'Head block at `seq`.' }),
      ts: milliseconds('Time at which the message was created.'),
      part: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Index of the message within its entry.' }),
      ),
      parts: Type.Optional(Type.Integer({ minimum: 2, description: 'Number of those messages.' })),
      data,
    },
    description,
  )

const level = nullable(
  strict({ price: decimal('Human units.'), amount: decimal('Base amount resting there.') }),
)

export const TickerItem = strict({
  ...instrumentMembers,
  funding_rate: nullable(decimal('Per hour, as a fraction; null for a spot market.')),
  next_funding_rate: nullable(decimal('Rate of the next hour, from the samples so far.')),
  mark: strict({ price: nullable(decimal('Null when unavailable.')) }),
  index: strict({ price: nullable(decimal('Null when unavailable.')) }),
  bid: level,
  ask: level,
  last_price: nullable(decimal('Price of the last trade.')),
  open_interest: nullable(decimal('In the base asset; null for a spot market.')),
  volume_24h: decimal('Quote amount traded in the 24 clock hours up to now.'),
})
export type TickerItem = Static<typeof TickerItem>

const BookTickerItem = strict({ ...instrumentMembers, bid: level, ask: level })
type BookTickerItem = Static<typeof BookTickerItem>

/** Data of `ticker` channels: all matching markets in a snapshot, changed ones in an update. */
export const TickersData = strict({
  timestamp: ns('Time of the block.'),
  tickers: Type.Array(TickerItem),
})

/** Data of `book-ticker` channels. */
export const BookTickersData = strict({
  timestamp: ns('Time of the block.'),
  tickers: Type.Array(BookTickerItem),
})

/** Data of `index` channels. */
export const IndexData = strict({
  price: nullable(decimal('Null when unavailable.')),
  timestamp: nullable(ns('Time at which the oracle accepted the price.')),
})

/** Data of `candles` channels: the newest candle. */
export const CandleData = nullable(
  strict({
    ...CandleItem.properties,
    closed: Type.Boolean({ description: 'A block after the period exists: the candle is final.' }),
  }),
)

/** Data of an `undo` message of trades, fills and other rows: ids of the removed rows. */
export const UndoneData = strict({ ids: Type.Array(Type.String()) })

type BookLevel = Readonly<{ tick: number; lots: bigint }>

/** Inputs of a ticker. */
export type TickerFacts = Omit<MarketFacts, 'units24h'> &
  Readonly<{ units24h: bigint; bid: BookLevel | undefined; ask: BookLevel | undefined }>

/** Returns the ticker of a market. */
export function encodeTicker(facts: TickerFacts): TickerItem {
  const { market, ticker, mark, index, funding } = facts
  const isPerpetual = market.type === 'PERPETUAL'
  const lastTick = ticker?.lastTick ?? null
  return {
    ...encodeInstrument(market),
    funding_rate: isPerpetual && funding !== undefined ? fixedText(funding.rate) : null,
    next_funding_rate:
      isPerpetual && funding !== undefined ? fixedText(estimatedRate(funding)) : null,
    mark: { price: markText(market, mark) },
    index: { price: indexText(index) },
    bid: encodeLevel(market, facts.bid),
    ask: encodeLevel(market, facts.ask),
    last_price: lastTick === null ? null : priceText(market, lastTick),
    open_interest: isPerpetual ? amountText(market, ticker?.openInterest ?? 0n) : null,
    volume_24h: quoteText(market, facts.units24h),
  }
}

/** Returns the best levels of a market. */
export const encodeBookTicker = (
  market: Market,
  bid: BookLevel | undefined,
  ask: BookLevel | undefined,
): BookTickerItem => ({
  ...encodeInstrument(market),
  bid: encodeLevel(market, bid),
  ask: encodeLevel(market, ask),
})

const encodeLevel = (market: Market, level: BookLevel | undefined) =>
  level === undefined
    ? null
    : { price: priceText(market, level.tick), amount: amountText(market, level.lots) }

/** Returns a block time in the form used by items. */
export const blockTime = (header: Readonly<{ seconds: number }> | undefined) =>
  nsText(header?.seconds ?? 0)

/** Returns the single message that reports a closed position. */
export const encodeFlatPosition = (market: Market) => ({
  ...encodeInstrument(market),
  amount: '0' as const,
  side: 'buy' as const,
})
