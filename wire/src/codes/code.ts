// Properties of an error code, whatever its source.
import type { ProblemFacts } from '../field.ts'

/** Members that a rule of `details` may have beside its field, code and message. */
type DetailMember =
  | 'nearest'
  | 'allowed'
  | 'value'
  | 'queue'
  | 'recovered'
  | 'typed_data'
  | 'digest'
  | 'call'
  | `facts.${keyof ProblemFacts}`

/**
 * How to retry. `wait`: the same request, when the answer states; `backoff`: the same request,
 * after pauses of the client's own; `act`: the same request, after `action`; `change`: a new one.
 */
type Retry = 'wait' | 'backoff' | 'act' | 'change'

/** How a client handles a rejection, and the exceptions of the libraries. */
export type Advice = Readonly<{
  retry: Retry
  action: string
  /** The exception of ccxt; two are classes of the adapter. */
  ccxt:
    | 'AccountSuspended'
    | 'ArgumentsRequired'
    | 'AuthenticationError'
    | 'BadRequest'
    | 'BadSymbol'
    | 'CancelPending'
    | 'CancelSignatureRequired'
    | 'DuplicateOrderId'
    | 'ExchangeNotAvailable'
    | 'InsufficientFunds'
    | 'InvalidAddress'
    | 'InvalidNonce'
    | 'InvalidOrder'
    | 'LeverageByWallet'
    | 'MarketClosed'
    | 'NotSupported'
    | 'OnMaintenance'
    | 'OperationRejected'
    | 'OrderImmediatelyFillable'
    | 'OrderNotFillable'
    | 'OrderNotFound'
    | 'PermissionDenied'
    | 'RateLimitExceeded'
  /** Absent if the rejection never names a field. */
  details?: readonly DetailMember[]
}>

/** `section` of the interface. */
type CodeFacts = Advice & Readonly<{ status: number; message: string; section: string }>

export type Codes = Readonly<Record<string, CodeFacts>>
