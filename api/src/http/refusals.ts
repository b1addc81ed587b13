// Every way in which a request is refused: one table, in the files of `codes`, and one body.
import type { Problem, ProblemFacts } from '@openvenue/wire/field'
import { KEY_CODES } from './codes/key-codes.ts'
import { ORDER_CODES } from './codes/order-codes.ts'
import { REQUEST_CODES } from './codes/request-codes.ts'
import { VENUE_CODES } from './codes/venue-codes.ts'

/** Every code of REST; those of the sockets are in wire. */
export const REFUSALS = {
  ...REQUEST_CODES,
  ...KEY_CODES,
  ...ORDER_CODES,
  ...VENUE_CODES,
} as const

export type RefusalCode = keyof typeof REFUSALS

/** A field of the request, and the rule that it breaks. */
export type FieldError = Readonly<{
  field: string
  code: RefusalCode
  /** The rule that should hold. */
  message: string
  /** The legal value nearest to the one given, where there is one. */
  nearest?: string | number
  /** The value that breaks the rule, where the field itself does not say it. */
  value?: string
  /** What the value is held against, each by its name; see `ProblemFacts`. */
  facts?: ProblemFacts
  /** What waits for the chain, where there is no room for more. */
  queue?: Readonly<{ gas: number; blocks: number }>
  /** Every legal value, where they are few. */
  allowed?: readonly string[]
  /** Of a signature: who made it, what was hashed, and the hash. */
  recovered?: string
  typed_data?: Readonly<Record<string, unknown>>
  digest?: string
  /** The transaction that only the wallet itself can send. */
  call?: UnsignedTransaction
}>

/** A transaction to send. `value` is in the chain's own coin. */
export type UnsignedTransaction = Readonly<{
  to: string
  data: string
  value: '0'
  chain_id: number
}>

type RefusalOptions = Readonly<{
  message?: string
  details?: readonly FieldError[]
  /** How long the client should wait. */
  retryAfterMs?: number
  /** Further members of the body, for charting endpoints. */
  extra?: Pick<Problem, 's' | 'errmsg'>
  cause?: unknown
}>

/** A request refused with one of the codes above. Thrown by handlers, answered in one place. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly options: RefusalOptions

  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.message ?? REFUSALS[code].message, { cause: options.cause })
    this.code = code
    this.options = options
  }

  get status(): number {
    return REFUSALS[this.code].status
  }

  /** Returns the error body. */
  body(requestId: string): Problem {
    const { details, retryAfterMs, extra } = this.options
    return {
      error: this.code,
      message: this.message,
      ...(details === undefined ? {} : { details: details.map(toProblem) }),
      request_id: requestId,
      ...(retryAfterMs === undefined ? {} : { retry_after: msToNs(retryAfterMs) }),
      ...extra,
    }
  }
}

/** When to ask again for what the database could not say. */
const RETRY_MS = 1000

/** Returns the refusal of what misleads when it is old, while this node knows that it is. */
export const dataStale = (): Refusal => new Refusal('DATA_STALE', { retryAfterMs: RETRY_MS })

/** Returns the refusal of what only the database knows, which does not answer. */
export const historyUnavailable = (cause?: unknown): Refusal =>
  new Refusal('HISTORY_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })

/** Refuses with 503 when the database does not answer now. */
export const orUnavailable = <T>(read: Promise<T>): Promise<T> =>
  read.catch((cause: unknown) => {
    throw historyUnavailable(cause)
  })

const toProblem = ({ allowed, ...error }: FieldError) => ({
  ...error,
  ...(allowed === undefined ? {} : { allowed: [...allowed] }),
})

/** Returns milliseconds as the text of nanoseconds. */
export const msToNs = (milliseconds: number) =>
  (BigInt(Math.ceil(milliseconds)) * 1_000_000n).toString()
