// Declares the messages of the channels of the sockets: the frame that all share, and the payloads
// that no other endpoint has. Interface 6 leaves them open; names are those of the family.
import { estimatedRate } from '@openvenue/core/funding'
import type { Market } from '@openvenue/core/records'
import { amountText, fixedText, priceText, quoteText } from '@openvenue/core/units'
import Type, { type Static, type TSchema } from 'typebox'
import { CandleItem } from './candles.ts'
import { nsText } from './decimal.ts'
import { choice, decimal, milliseconds, ns, nullable, strict } from './field.ts'
import { encodeInstrument, instrumentMembers } from './instrument.ts'
import { indexText, type MarketFacts, markText } from './markets.ts'

/** `undo`: blocks were taken back, and with them what the data names. */
export const FRAME_TYPES = ['snapshot', 'update', 'undo'] as const
export type FrameType = (typeof FRAME_TYPES)[number]

/** Returns the schema of the messages of a channel that carries `data`. */
export const channelFrame = <T extends TSchema>(data: T, description?: string) =>
  strict(
    {
      channel: Type.String({ description: 'Exactly the name that was subscribed to.' }),
      type: choice(FRAME_TYPES),
      seq: Type.Integer({
        description:
          'Number of the newest entry of the feed that the message carries; the same on every node.',
      }),
      prev_seq: nullable(
        Type.Integer({
          description:
            'No entry between it and `seq` is missing. Apply a message when `prev_seq` is at most the `seq` last seen and below its own; where both are equal it continues the message before. Null in a snapshot.',
        }),
      ),
      block_number: Type.Integer({ description: 'The block that is the head at `seq`.' }),
      ts: milliseconds('When the message was made.'),
      part: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Where several messages carry one entry: which.' }),
      ),
      parts: Type.Optional(Type.Integer({ minimum: 2, description: 'How many they are.' })),
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
  next_funding_rate: nullable(decimal('Of the next hour, as sampled so far.')),
  mark: strict({ price: nullable(decimal('Null when unavailable.')) }),
  index: strict({ price: nullable(decimal('Null when unavailable.')) }),
  bid: level,
  ask: level,
  last_price: nullable(decimal('Of the last trade.')),
  open_interest: nullable(decimal('In the base asset; null for a spot market.')),
  volume_24h: decimal('Quote amount traded in the 24 clock hours up to now.'),
})
export type TickerItem = Static<typeof TickerItem>

export const BookTickerItem = strict({ ...instrumentMembers, bid: level, ask: level })
export type BookTickerItem = Static<typeof BookTickerItem>

/** Data of `ticker` channels: a snapshot has all markets of the name, an update what changed. */
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
  timestamp: nullable(ns('When the oracle accepted the price.')),
})

/** Data of `candles` channels: the newest candle. */
export const CandleData = nullable(
  strict({
    ...CandleItem.properties,
    closed: Type.Boolean({
      description: 'Whether a block beyond the period is there: no later block changes the candle.',
    }),
  }),
)

/** Data of an `undo` message of trades, fills and other rows: the ids that are no longer. */
export const UndoneData = strict({ ids: Type.Array(Type.String()) })

type Level = Readonly<{ tick: number; lots: bigint }>

/** The parts of a ticker. */
export type TickerFacts = Omit<MarketFacts, 'units24h'> &
  Readonly<{ units24h: bigint; bid: Level | undefined; ask: Level | undefined }>

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
  bid: Level | undefined,
  ask: Level | undefined,
): BookTickerItem => ({
  ...encodeInstrument(market),
  bid: encodeLevel(market, bid),
  ask: encodeLevel(market, ask),
})

const encodeLevel = (market: Market, level: Level | undefined) =>
  level === undefined
    ? null
    : { price: priceText(market, level.tick), amount: amountText(market, level.lots) }

/** Returns the time of a block as items give it. */
export const blockTime = (header: Readonly<{ seconds: number }> | undefined) =>
  nsText(header?.seconds ?? 0)

/** Returns what says once that nothing is held in a market any more. */
export const encodeFlatPosition = (market: Market) => ({
  ...encodeInstrument(market),
  amount: '0' as const,
  side: 'buy' as const,
})
