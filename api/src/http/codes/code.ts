// What is known of each code of refusal, wherever it comes from.
import type { ProblemFacts } from '@openvenue/wire/field'

/** Members that a rule of `details` may have beside its field, code and message. */
export type DetailMember =
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
 * What may help. `wait`: the same again, when the answer says; `backoff`: the same again, after
 * pauses of the client's own; `act`: the same again, after `action`; `change`: another request.
 */
export type Retry = 'wait' | 'backoff' | 'act' | 'change'

/** What a client does about a refusal. */
export type Advice = Readonly<{
  retry: Retry
  action: string
  /** Absent where the refusal names no field at all. */
  details?: readonly DetailMember[]
}>

/** `section` is that of the interface. */
export type CodeFacts = Advice & Readonly<{ status: number; message: string; section: string }>

export type Codes = Readonly<Record<string, CodeFacts>>
