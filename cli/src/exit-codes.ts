// Maps errors to exit codes, which show who can fix the problem.
import {
  AuthError,
  ConnectionError,
  InputError,
  MismatchError,
  OpenvenueError,
  RateLimitedError,
  RefusedError,
  StepError,
  UnavailableError,
  UnexpectedAnswerError,
} from 'openvenue'
import { ChainError as NodeError } from 'openvenue/verify'

/** Scripts depend on these numbers: their meaning never changes. README.md lists them. */
export const EXIT = {
  ok: 0,
  /** The venue or the chain refused the request, or the order was rejected. */
  refused: 1,
  /** Invalid command line, such as a wrong option or a number that needs rounding. */
  usage: 2,
  /** No answer from the API or the chain node. */
  connection: 3,
  /** A key is missing, wrong, expired or lacks the scope, or its file is readable by others. */
  auth: 4,
  /** Rate limit, or the venue is unavailable: a retry may succeed. */
  later: 5,
  /** A mismatch: another network, another contract or a failed check. */
  mismatch: 6,
  /** An internal error of this program. */
  internal: 70,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const

/** A command line that cannot be executed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A missing credential, or one that others can read. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
}

/** A failed transaction. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
}

/** Ends the command with a code after everything has been printed. */
export class Ending extends Error {
  override readonly name = 'Ending'
  readonly code: number

  constructor(code: number) {
    super(`ended with ${code}`)
    this.code = code
  }
}

type ErrorClass = abstract new (...args: never[]) => Error

/** The first matching class decides. */
const CODES: readonly (readonly [ErrorClass, number])[] = [
  [UsageError, EXIT.usage],
  [StepError, EXIT.usage],
  [InputError, EXIT.usage],
  [CredentialError, EXIT.auth],
  [AuthError, EXIT.auth],
  [RateLimitedError, EXIT.later],
  [UnavailableError, EXIT.later],
  [RefusedError, EXIT.refused],
  [ChainError, EXIT.refused],
  [ConnectionError, EXIT.connection],
  [UnexpectedAnswerError, EXIT.connection],
  [NodeError, EXIT.connection],
  [MismatchError, EXIT.mismatch],
  [OpenvenueError, EXIT.refused],
]

/** Returns the exit code of an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Ending) return error.code
  return CODES.find(([kind]) => error instanceof kind)?.[1] ?? EXIT.internal
}

/** Returns whether the error is meant for the user rather than a bug. */
export const hasErrorCode = (error: unknown): boolean => exitCodeOf(error) !== EXIT.internal
