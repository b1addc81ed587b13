// Declares what a record may hold: the kinds of fields, their units, and what they are stored as.

declare const unit: unique symbol

/**
 * A value of one unit. Lots do not fit where quote is asked for, nor a price where a tick is. What
 * has no unit, as a literal or the result of an operator, fits everywhere: who computes says by the
 * type of the variable, the field or the result what it is. Nothing of this exists at run time.
 */
type Of<T, U extends string> = T & { readonly [unit]?: U }

/** A price of a book: price = tick * priceStep. */
export type Tick = Of<number, 'tick'>
/** Unix seconds, or a number of seconds. */
export type Seconds = Of<number, 'seconds'>
/** Number of an account. */
export type AccountNumber = Of<number, 'account'>
/** Number of an order in its market. */
export type OrderNumber = Of<number, 'orderNumber'>
/** Millionths. */
export type Ppm = Of<number, 'ppm'>
/** An amount of a book: amount = lots * amountStep. */
export type Lots = Of<bigint, 'lots'>
/** Ticks times lots, or a sum of them: quote = units * quotePerLotTick. */
export type TickLots = Of<bigint, 'tickLots'>
/** Raw units of what a market is quoted in. */
export type Quote = Of<bigint, 'quote'>
/** Raw units of what a market trades. */
export type Base = Of<bigint, 'base'>
/** Raw units of some token, which may be what a market trades or is quoted in. */
export type Raw = Of<bigint, 'raw' | 'base' | 'quote'>
/** Raw units of quote for a whole base. */
export type Price = Of<bigint, 'price'>
/** Raw units of quote for a lot. */
export type PerLot = Of<bigint, 'perLot'>
/** A rate with 18 decimals. */
export type Rate = Of<bigint, 'rate'>
/** `0x` and 20 bytes, lower case. */
export type Address = Of<string, 'address'>
/** Id of a market: `0x`, its engine (20 bytes), its number (4 bytes). */
export type MarketId = Of<string, 'market'>
/** `0x` and 32 bytes, lower case. */
export type Hash = Of<string, 'hash'>

/** Kinds of fields and what they hold. An integer that may exceed 2^53, as money, is a bigint. */
type Values = {
  int: number
  tick: Tick
  seconds: Seconds
  account: AccountNumber
  orderNumber: OrderNumber
  ppm: Ppm
  big: bigint
  lots: Lots
  tickLots: TickLots
  quote: Quote
  base: Base
  raw: Raw
  price: Price
  perLot: PerLot
  rate: Rate
  text: string
  address: Address
  market: MarketId
  hash: Hash
  bool: boolean
}

type Simple = keyof Values

/** A text that is one of a few words, or null. */
export type OneOf<W extends string = string> = Readonly<{
  oneOf: readonly W[]
  isNullable: boolean
}>

/** The kind of value that a field holds. A trailing `?` allows null. */
export type FieldKind = Simple | `${Simple}?` | OneOf

/** Declares a field that holds one of `words`. */
export const oneOf = <const W extends string>(...words: readonly W[]) =>
  ({ oneOf: words, isNullable: false }) as const

/** Declares a field that holds one of `words` or null. */
export const oneOfOrNull = <const W extends string>(...words: readonly W[]) =>
  ({ oneOf: words, isNullable: true }) as const

type Nullable = { [S in Simple as `${S}?`]: Values[S] | null }
type ByKind = Values & Nullable

/** The TypeScript type of a field. */
export type ValueOf<K extends FieldKind> = K extends keyof ByKind
  ? ByKind[K]
  : K extends OneOf
    ? K['oneOf'][number] | (K['isNullable'] extends true ? null : never)
    : never

/** How a field is written down, in the feed and in SQL. */
export type Stored = Readonly<{
  as: 'int' | 'big' | 'text' | 'bool'
  isNullable: boolean
  /** The words that it may hold; undefined: any. */
  words: readonly string[] | undefined
}>

const STORED: Readonly<Record<Simple, Stored['as']>> = {
  int: 'int',
  tick: 'int',
  seconds: 'int',
  account: 'int',
  orderNumber: 'int',
  ppm: 'int',
  big: 'big',
  lots: 'big',
  tickLots: 'big',
  quote: 'big',
  base: 'big',
  raw: 'big',
  price: 'big',
  perLot: 'big',
  rate: 'big',
  text: 'text',
  address: 'text',
  market: 'text',
  hash: 'text',
  bool: 'bool',
}

/** Returns how a field of `kind` is written down. */
export function stored(kind: FieldKind): Stored {
  if (typeof kind !== 'string')
    return { as: 'text', isNullable: kind.isNullable, words: kind.oneOf }
  const isNullable = kind.endsWith('?')
  const simple = (isNullable ? kind.slice(0, -1) : kind) as Simple
  return { as: STORED[simple], isNullable, words: undefined }
}

/** A record: where it is kept and what it holds. */
export type RecordSchema = Readonly<{
  /** Name of the SQL table. */
  table: string
  /** Fields of the primary key of the row. */
  key: readonly string[]
  /**
   * Fields that name the slot in the state, where the state holds only the newest row of a series
   * (a candle, a minute's price). Absent: the slot is the row.
   */
  slot?: readonly string[]
  /** `insert`: a row never changes once written. The state does not keep it. */
  life?: 'insert'
  fields: Readonly<Record<string, FieldKind>>
}>

/** The log that a record comes from. */
export const LOG_FIELDS = { blockNumber: 'int', logIndex: 'int', txHash: 'hash' } as const

/** A record whose big integers may still be their digits, as a database writes them. */
export type Written<R> = {
  readonly [F in keyof R]: R[F] extends bigint
    ? bigint | string
    : R[F] extends bigint | null
      ? bigint | string | null
      : R[F]
}
