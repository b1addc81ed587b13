// What the declaration of a record says.

/**
 * What a field holds. `int` is a safe integer (`number`: ids, ticks, seconds, counts; never money),
 * `big` an exact integer of any size (`bigint`: lots, raw amounts, rates), `text`, `bool`.
 * A trailing `?` allows null.
 */
export type FieldKind = 'int' | 'int?' | 'big' | 'big?' | 'text' | 'text?' | 'bool'

/** The TypeScript type of a field. */
export type ValueOf<K extends FieldKind> = K extends 'int'
  ? number
  : K extends 'int?'
    ? number | null
    : K extends 'big'
      ? bigint
      : K extends 'big?'
        ? bigint | null
        : K extends 'text'
          ? string
          : K extends 'text?'
            ? string | null
            : boolean

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
export const LOG_FIELDS = { blockNumber: 'int', logIndex: 'int', txHash: 'text' } as const

/** A record whose big integers may still be their digits, as a database writes them. */
export type Written<R> = {
  readonly [F in keyof R]: R[F] extends bigint
    ? bigint | string
    : R[F] extends bigint | null
      ? bigint | string | null
      : R[F]
}
