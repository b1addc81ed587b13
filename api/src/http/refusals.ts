// Refusals with a code of the catalogue in wire, and with one form of body.
import { REST_CODES } from '@openvenue/wire/codes/catalogue'
import type { Problem, ProblemFacts } from '@openvenue/wire/field'

/** Every code of REST. */
export const REFUSALS = REST_CODES

export type RefusalCode = keyof typeof REFUSALS

/** A field of the request, and the rule that it breaks. */
export type FieldError = Readonly<{
  field: string
  code: RefusalCode
  /** The rule that should hold. */
  message: string
  /** The legal value nearest to the one given, where there is one. */
  nearest?: string | number
  /** The value that breaks the rule, if it is not that of the field. */
  value?: string
  /** The limits that the value was compared with, by name; see `ProblemFacts`. */
  facts?: ProblemFacts
  /** The length of the queue for the chain, when it is full. */
  queue?: Readonly<{ gas: number; blocks: number }>
  /** Every legal value, if they are few. */
  allowed?: readonly string[]
  /** For a signature: the recovered signer, the hashed data, and the hash. */
  recovered?: string
  typed_data?: Readonly<Record<string, unknown>>
  digest?: string
  /** The transaction that only the wallet can send. */
  call?: UnsignedTransaction
}>

/** A transaction to send. `value` is in the chain's native coin. */
export type UnsignedTransaction = Readonly<{
  to: string
  data: string
  value: '0'
  chain_id: number
}>

type RefusalOptions = Readonly<{
  message?: string
  details?: readonly FieldError[]
  /** Time for the client to wait. */
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

/** Retry-After of data that could not be read from the database. */
const RETRY_MS = 1000

/** Returns the refusal of data that misleads when it is old, while this node is behind. */
export const dataStale = (): Refusal => new Refusal('DATA_STALE', { retryAfterMs: RETRY_MS })

/** Returns the refusal of data that only the database has, while it does not answer. */
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
