// Says by the exit code of the process who can do something about what went wrong.
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

/** Scripts depend on these numbers: they never change their meaning. README.md lists them. */
export const EXIT = {
  ok: 0,
  /** The venue, or the chain, refuses what was asked; an order was rejected. */
  refused: 1,
  /** The command is not understood: a wrong option, a number that would have to be rounded. */
  usage: 2,
  /** No answer: of the API or of a node of the chain. */
  connection: 3,
  /** A key is missing, wrong, expired or not for this; its file can be read by others. */
  auth: 4,
  /** Not now: too many requests, or the venue is not able to. The same again later may do. */
  later: 5,
  /** What was said does not agree: another network, another contract, a failed check. */
  mismatch: 6,
  /** A fault of this program. */
  internal: 70,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const

/** A command that cannot be carried out as it was given. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A credential is missing, or is kept where others can read it. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
}

/** The chain did not do what was sent to it. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
}

/** Ends the command with a code, after everything has been said. */
export class Ending extends Error {
  override readonly name = 'Ending'
  readonly code: number

  constructor(code: number) {
    super(`ended with ${code}`)
    this.code = code
  }
}

type ErrorClass = abstract new (...args: never[]) => Error

/** The first that fits counts. */
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
  [MismatchError, EXIT.mismatch],
  [OpenvenueError, EXIT.refused],
]

/** Returns the exit code of what was thrown. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Ending) return error.code
  return CODES.find(([kind]) => error instanceof kind)?.[1] ?? EXIT.internal
}

/** Whether it is an error that says something to whoever typed the command. */
export const hasErrorCode = (error: unknown): boolean => exitCodeOf(error) !== EXIT.internal
