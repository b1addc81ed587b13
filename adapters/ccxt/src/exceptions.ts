// Maps each refusal of the venue to a ccxt exception.
import {
  AccountSuspended,
  ArgumentsRequired,
  AuthenticationError,
  BadRequest,
  BadSymbol,
  type BaseError,
  CancelPending,
  DuplicateOrderId,
  ExchangeError,
  ExchangeNotAvailable,
  InsufficientFunds,
  InvalidAddress,
  InvalidNonce,
  InvalidOrder,
  MarketClosed,
  NotSupported,
  OnMaintenance,
  OperationRejected,
  OrderImmediatelyFillable,
  OrderNotFillable,
  OrderNotFound,
  PermissionDenied,
  RateLimitExceeded,
} from 'ccxt'
import { EXCEPTIONS } from './exception-names.ts'

type Exception = typeof BaseError

/** The chain holds the leverage: only a transaction can set it. */
export class LeverageByWallet extends PermissionDenied {}

/** The account has not allowed the venue to cancel: each cancel needs a signature. */
export class CancelSignatureRequired extends AuthenticationError {}

/** Classes by their names in the catalogue. ccxt retries subclasses of `OperationFailed`. */
const CLASSES = {
  AccountSuspended,
  ArgumentsRequired,
  AuthenticationError,
  BadRequest,
  BadSymbol,
  CancelPending,
  DuplicateOrderId,
  ExchangeNotAvailable,
  InsufficientFunds,
  InvalidAddress,
  InvalidNonce,
  InvalidOrder,
  MarketClosed,
  NotSupported,
  OnMaintenance,
  OperationRejected,
  OrderImmediatelyFillable,
  OrderNotFillable,
  OrderNotFound,
  PermissionDenied,
  RateLimitExceeded,
  LeverageByWallet,
  CancelSignatureRequired,
} satisfies Readonly<Record<string, Exception>>

const exceptionsOf = (names: Readonly<Record<string, keyof typeof CLASSES>>) =>
  Object.fromEntries(Object.entries(names).map(([code, name]) => [code, CLASSES[name]]))

/** Exceptions by code, in the form of ccxt's `exceptions.exact`. */
export const EXACT: Readonly<Record<string, Exception>> = exceptionsOf(EXCEPTIONS)

/** Returns the exception of a code; an unknown code of a newer venue is an `ExchangeError`. */
export const exceptionOf = (code: string): Exception => EXACT[code] ?? ExchangeError
