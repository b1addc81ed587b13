// The order book on the sockets: levels as [price, amount, orders] in human units, unlike the raw
// integers of /orderbook, with a real checksum.
import type { LevelTotal } from '@openvenue/core/book'
import type { Market } from '@openvenue/core/records'
import Type from 'typebox'
import { choice, decimal, InstrumentType, ns, nullable, strict } from './field.ts'
import { marketScales } from './scale.ts'

/** Maximum number of levels per side covered by the checksum. */
export const CHECKSUM_LEVELS_MAX = 100

const level = Type.Tuple([
  decimal('Price in human units.'),
  decimal('Amount in human units; "0" removes the level.'),
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description: 'Number of orders.' }),
])

/** Data of `orderbook` channels. */
export const BookData = strict({
  type: choice(['snapshot', 'update']),
  instrument_id: Type.String(),
  instrument_name: Type.String(),
  instrument_type: InstrumentType,
  bids: Type.Array(level, { description: 'Best first. An update contains only changed levels.' }),
  asks: Type.Array(level, { description: 'Best first. An update contains only changed levels.' }),
  last_updated: ns(
    'Block time plus the seq, so that it increases with every message of a channel.',
  ),
  checksum: Type.String({
    pattern: '^[0-9]+$',
    description: `CRC32 of the resulting book in base 10, over its best ${CHECKSUM_LEVELS_MAX} levels: bid price:amount, then ask price:amount, level by level, joined by ":".`,
  }),
  seq: Type.Integer(),
  prev_seq: nullable(Type.Integer()),
  block_number: Type.Integer(),
})

/** Returns a level as JSON; a level without lots has the amount "0". */
export function levelJson(market: Market, { tick, lots, count }: LevelTotal): string {
  const { price, amount } = marketScales(market)
  return `["${price(tick)}","${amount(lots)}","${count}"]`
}

/** Returns a level in the form used by the checksum. */
export function levelPair(market: Market, { tick, lots }: Omit<LevelTotal, 'count'>): string {
  const { price, amount } = marketScales(market)
  return `${price(tick)}:${amount(lots)}`
}

/** Returns the text that the checksum covers. Levels are best first, in the form of `levelPair`. */
export function checksumText(bids: readonly string[], asks: readonly string[]): string {
  const pairs: string[] = []
  const count = Math.min(CHECKSUM_LEVELS_MAX, Math.max(bids.length, asks.length))
  for (let i = 0; i < count; i++) {
    const [bid, ask] = [bids[i], asks[i]]
    if (bid !== undefined) pairs.push(bid)
    if (ask !== undefined) pairs.push(ask)
  }
  return pairs.join(':')
}

type BookPosition = Readonly<{
  seq: number
  prevSeq: number | null
  blockNumber: number
  lastUpdated: string
}>

export type BookContent = Readonly<{
  type: 'snapshot' | 'update'
  /** Levels as JSON, best first. */
  bids: readonly string[]
  asks: readonly string[]
  checksum: number
}>

/** Returns the data of a message as JSON. */
export const bookData = (market: Market, parts: BookContent, place: BookPosition): string =>
  `{"type":"${parts.type}","instrument_id":"${market.id}"` +
  `,"instrument_name":${JSON.stringify(market.name)},"instrument_type":"${market.type}"` +
  `,"bids":[${parts.bids.join(',')}],"asks":[${parts.asks.join(',')}]` +
  `,"last_updated":"${place.lastUpdated}","checksum":"${parts.checksum}"` +
  `,"seq":${place.seq},"prev_seq":${place.prevSeq},"block_number":${place.blockNumber}}`
