// Declares the field kinds of records, their units, and how they are stored.

declare const unit: unique symbol

/**
 * A value with a unit. The compiler rejects lots where quote is expected, or a price where a tick
 * is. Values without a unit, such as literals and results of operators, are accepted everywhere:
 * the type of the variable, field or result states the unit. None of this exists at run time.
 */
type WithUnit<T, U extends string> = T & { readonly [unit]?: U }

/** A price of a book: price = tick * priceStep. */
export type Tick = WithUnit<number, 'tick'>
/** Unix seconds, or a number of seconds. */
export type Seconds = WithUnit<number, 'seconds'>
/** Number of an account. */
export type AccountNumber = WithUnit<number, 'account'>
/** Number of an order in its market. */
export type OrderNumber = WithUnit<number, 'orderNumber'>
/** Millionths. */
export type Ppm = WithUnit<number, 'ppm'>
/** An amount of a book: amount = lots * amountStep. */
export type Lots = WithUnit<bigint, 'lots'>
/** Ticks times lots, or a sum of them: quote = units * quotePerLotTick. */
export type TickLots = WithUnit<bigint, 'tickLots'>
/** Raw units of a market's quote. */
export type Quote = WithUnit<bigint, 'quote'>
/** Raw units of a market's base. */
export type Base = WithUnit<bigint, 'base'>
/** Raw units of any token, including a market's base or quote. */
export type Raw = WithUnit<bigint, 'raw' | 'base' | 'quote'>
/** Raw units of quote for a whole base. */
export type Price = WithUnit<bigint, 'price'>
/** Raw units of quote for a lot. */
export type PerLot = WithUnit<bigint, 'perLot'>
/** A rate with 18 decimals. */
export type Rate = WithUnit<bigint, 'rate'>
/** `0x` and 20 bytes, lower case. */
export type Address = WithUnit<string, 'address'>
/** Id of a market: `0x`, its engine (20 bytes), its number (4 bytes). */
export type MarketId = WithUnit<string, 'market'>
/** `0x` and 32 bytes, lower case. */
export type Hash = WithUnit<string, 'hash'>

/** Field kinds and their TypeScript types. Integers that may exceed 2^53 (money) are bigints. */
type FieldTypes = {
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

type Simple = keyof FieldTypes

/** Text that is one of a set of words, or null. */
type OneOf<W extends string = string> = Readonly<{
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

type Nullable = { [S in Simple as `${S}?`]: FieldTypes[S] | null }
type ByKind = FieldTypes & Nullable

/** The TypeScript type of a field. */
export type ValueOf<K extends FieldKind> = K extends keyof ByKind
  ? ByKind[K]
  : K extends OneOf
    ? K['oneOf'][number] | (K['isNullable'] extends true ? null : never)
    : never

/** How a field is encoded in the feed and in SQL. */
export type StorageType = Readonly<{
  as: 'int' | 'big' | 'text' | 'bool'
  isNullable: boolean
  /** Allowed words; undefined for any. */
  words: readonly string[] | undefined
}>

const STORED: Readonly<Record<Simple, StorageType['as']>> = {
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

/** Returns how a field of `kind` is encoded. */
export function stored(kind: FieldKind): StorageType {
  if (typeof kind !== 'string')
    return { as: 'text', isNullable: kind.isNullable, words: kind.oneOf }
  const isNullable = kind.endsWith('?')
  const simple = (isNullable ? kind.slice(0, -1) : kind) as Simple
  return { as: STORED[simple], isNullable, words: undefined }
}

/** A record: where it is stored and its fields. */
export type RecordSchema = Readonly<{
  /** Name of the SQL table. */
  table: string
  /** Fields of the primary key of the row. */
  key: readonly string[]
  /**
   * Fields that identify the slot in the state, if the state holds only the newest row of a series
   * (a candle, a minute's price). If absent, each row is a slot.
   */
  slot?: readonly string[]
  /** `insert`: a row never changes once written. The state does not keep it. */
  life?: 'insert'
  fields: Readonly<Record<string, FieldKind>>
}>

/** Position of the log that created a record. */
export const LOG_FIELDS = { blockNumber: 'int', logIndex: 'int', txHash: 'hash' } as const

/** A record whose big integers may still be text, as a database driver returns them. */
export type WrittenRecord<R> = {
  readonly [F in keyof R]: R[F] extends bigint
    ? bigint | string
    : R[F] extends bigint | null
      ? bigint | string | null
      : R[F]
}
