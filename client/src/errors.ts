// Error classes, one for each kind of remedy.
import type { RefusalCode } from '../generated/codes.ts'
import type { FieldProblem, Problem } from '../generated/shapes.ts'

/** A code of the current venue, or one that a newer venue introduced. */
export type ErrorCode = RefusalCode | (string & Record<never, never>)

/** Facts of a refusal beside its message. */
export type RefusalFacts = Readonly<{
  code: ErrorCode
  /** HTTP status; 0 over a socket. */
  status: number
  /** Invalid members, each with rule, value and nearest legal value. */
  details: readonly FieldProblem[]
  /** Id of the request, for questions to the operator. */
  requestId: string | undefined
  /** Wait that the venue asks for, milliseconds. */
  retryAfterMs: number | undefined
}>

/** Base class of the errors that this library throws, except {@link StepError} and aborts. */
export class OpenvenueError extends Error {
  override readonly name: string = 'OpenvenueError'
}

/** The venue answered with a refusal. The class of the error shows what can be done about it. */
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

/** The request or order breaks a rule: `details` has the rule and the nearest legal value. */
export class InvalidRequestError extends RefusedError {
  override readonly name = 'InvalidRequestError'
}
/** The key is missing, wrong or expired, or lacks the permission. */
export class AuthError extends RefusedError {
  override readonly name = 'AuthError'
}
/** The market, order, key or channel does not exist. */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError'
}
/** The request conflicts with existing state. */
export class ConflictError extends RefusedError {
  override readonly name = 'ConflictError'
}
/** Rate limit exceeded: `retryAfterMs` is the time until requests are accepted again. */
export class RateLimitedError extends RefusedError {
  override readonly name = 'RateLimitedError'
}
/** The venue cannot serve the request now; nothing is wrong with the request. */
export class UnavailableError extends RefusedError {
  override readonly name = 'UnavailableError'
}

/** No answer arrived: the outcome is unknown. The same order may be sent again. */
export class ConnectionError extends OpenvenueError {
  override readonly name = 'ConnectionError'
}

/** The answer did not come from the venue. */
export class UnexpectedAnswerError extends OpenvenueError {
  override readonly name = 'UnexpectedAnswerError'
}

/** A member with the value of the venue and the value of the chain or of your pins. */
export type Difference = Readonly<{ path: string; venue: string; expected: string }>

/** The API contradicts the chain or your pins. */
export class MismatchError extends OpenvenueError {
  override readonly name = 'MismatchError'
  /** Every difference by path. */
  readonly differences: readonly Difference[]

  constructor(message: string, differences: readonly Difference[]) {
    super(message)
    this.differences = differences
  }
}

const NS_PER_MS = 1_000_000

/**
 * Returns the error for the body of a refusal, as REST and batches have it. Pass `kind` if there is
 * no HTTP status, as over a socket.
 */
export function refusalOf(
  problem: Partial<Problem>,
  status: number,
  kind = kindOf(status),
): RefusedError {
  const { error = `HTTP_${status}`, message = 'refused', details = [], retry_after } = problem
  const retryAfterMs = retry_after === undefined ? undefined : Number(retry_after) / NS_PER_MS
  const facts = { code: error, status, details, requestId: problem.request_id, retryAfterMs }
  return new CLASSES[kind](message, facts)
}

const CLASSES = {
  invalid: InvalidRequestError,
  auth: AuthError,
  absent: NotFoundError,
  conflict: ConflictError,
  rate: RateLimitedError,
  unavailable: UnavailableError,
} as const satisfies Readonly<Record<string, typeof RefusedError>>

const KIND_OF_STATUS: Readonly<Record<number, keyof typeof CLASSES>> = {
  401: 'auth',
  403: 'auth',
  404: 'absent',
  409: 'conflict',
  429: 'rate',
}

/** Returns the kind of a refusal with this HTTP status. */
const kindOf = (status: number): keyof typeof CLASSES =>
  status >= 500 ? 'unavailable' : (KIND_OF_STATUS[status] ?? 'invalid')
