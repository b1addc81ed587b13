// Declares what goes wrong, as classes that say who can do something about it.
import type { RefusalCode } from '../generated/codes.ts'
import type { FieldProblem, Problem } from '../generated/shapes.ts'

/** A code of today's venue, or one that a newer venue has. */
export type ErrorCode = RefusalCode | (string & Record<never, never>)

/** What a refusal says beside its message. */
export type RefusalFacts = Readonly<{
  code: ErrorCode
  /** Of HTTP; 0 over a socket. */
  status: number
  /** What was wrong, member by member: rule, value and nearest legal value. */
  details: readonly FieldProblem[]
  /** For whoever asks the operator about it. */
  requestId: string | undefined
  /** How long the venue asks to wait, milliseconds. */
  retryAfterMs: number | undefined
}>

/** Everything that this library throws on purpose, but for a {@link StepError} and aborts. */
export class OpenvenueError extends Error {
  override readonly name: string = 'OpenvenueError'
}

/** The venue answered, and refused. Which class it is says what may help. */
export class RefusedError extends OpenvenueError implements RefusalFacts {
  override readonly name: string = 'RefusedError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly FieldProblem[]
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, facts: RefusalFacts) {
    super(`${facts.code}: ${message}`)
    this.code = facts.code
    this.status = facts.status
    this.details = facts.details
    this.requestId = facts.requestId
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** The request or the order breaks a rule: `details` says which, and what would do. */
export class InvalidRequestError extends RefusedError {
  override readonly name = 'InvalidRequestError'
}
/** The key is missing, wrong, expired, or not for this. */
export class AuthError extends RefusedError {
  override readonly name = 'AuthError'
}
/** There is no such market, order, key or channel. */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError'
}
/** It contradicts something that is there already. */
export class ConflictError extends RefusedError {
  override readonly name = 'ConflictError'
}
/** Too much at once: `retryAfterMs` says when there is room. */
export class RateLimitedError extends RefusedError {
  override readonly name = 'RateLimitedError'
}
/** The venue cannot now; nothing is wrong with the request. */
export class UnavailableError extends RefusedError {
  override readonly name = 'UnavailableError'
}

/** No answer came: whether the venue got the request is not known. An order may be sent again. */
export class ConnectionError extends OpenvenueError {
  override readonly name = 'ConnectionError'
}

/** An answer came that is none of the venue's. */
export class UnexpectedAnswerError extends OpenvenueError {
  override readonly name = 'UnexpectedAnswerError'
}

/** What the venue says of one member, and what the chain says, or you have pinned. */
export type Difference = Readonly<{ path: string; venue: string; expected: string }>

/** The API said something that the chain does not, or that you know to be otherwise. */
export class MismatchError extends OpenvenueError {
  override readonly name = 'MismatchError'
  /** Each, by its path. */
  readonly differences: readonly Difference[]

  constructor(message: string, differences: readonly Difference[]) {
    super(message)
    this.differences = differences
  }
}

const NS_PER_MS = 1_000_000

/** Returns the error that a refusal is, from its body as REST and batches have it. */
export function refusalOf(problem: Partial<Problem>, status: number): RefusedError {
  const { error = `HTTP_${status}`, message = 'refused', details = [], retry_after } = problem
  const retryAfterMs = retry_after === undefined ? undefined : Number(retry_after) / NS_PER_MS
  const facts = { code: error, status, details, requestId: problem.request_id, retryAfterMs }
  return new (refusalClass(error, status))(message, facts)
}

const CLASSES: Readonly<Record<number, typeof RefusedError>> = {
  401: AuthError,
  403: AuthError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitedError,
}

/** Over a socket there is no status: the code says it. */
function refusalClass(code: string, status: number): typeof RefusedError {
  if (status >= 500) return UnavailableError
  if (status > 0) return CLASSES[status] ?? InvalidRequestError
  if (/RATE_LIMIT|TOO_MANY/.test(code)) return RateLimitedError
  if (/UNAVAILABLE|INTERNAL|STOPPING|SLOW_CONSUMER|UNFUNDED/.test(code)) return UnavailableError
  if (/^AUTH_|SCOPE_|IP_NOT/.test(code)) return AuthError
  return /NOT_FOUND|DOES_NOT_EXIST/.test(code) ? NotFoundError : InvalidRequestError
}
