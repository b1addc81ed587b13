// Parses the body of POST /register. Signatures are checked elsewhere: wrong ones are 401, not 400.
import { CODE_LENGTH_MAX, EXPIRY_MAX } from '@openvenue/wire/registration'
import { isAddress } from '../http/address.ts'
import { type FieldError, Refusal } from '../http/refusals.ts'
import { fieldRefusal, invalid, malformedAddress, missing } from '../http/validation.ts'

/** A registration as requested. Addresses are lower case. */
export type RegistrationRequest = Readonly<{
  account: string
  signingKey: string
  expiry: bigint
  /** Unchanged; undefined when absent. */
  accountSignature: string | undefined
  signingKeySignature: string | undefined
  /** Over the contract's own messages; used when `isOnChain`. */
  chainAccountSignature: string | undefined
  chainSigningKeySignature: string | undefined
  referralCode: string | undefined
  inviteCode: string | undefined
  isKeyKept: boolean
  isOnChain: boolean
  /** True when the API key will sign requests. */
  isSigning: boolean
}>

export type Members = Readonly<Record<string, unknown>>

/** Returns the members of a body, or refuses what is not a JSON object. */
export function requireMembers(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Members
  throw fieldRefusal([invalid('body', 'a JSON object', { given: body })])
}

/** Returns the registration in a body, or throws a refusal that names every wrong member. */
export function parseRegistration(body: unknown): RegistrationRequest {
  const members = requireMembers(body)
  const errors: FieldError[] = []
  const take = <T>(name: string, parse: (value: unknown) => T | FieldError): T => {
    const parsed = parse(members[name] ?? undefined)
    if (isError(parsed)) errors.push(parsed)
    return parsed as T
  }
  const request = {
    account: take('account', (value) => parseAddress('account', value)),
    signingKey: take('signing_key', (value) => parseAddress('signing_key', value)),
    expiry: take('expiry', parseExpiry),
    accountSignature: textOrNothing(members.account_signature),
    signingKeySignature: textOrNothing(members.signing_key_signature),
    chainAccountSignature: textOrNothing(members.chain_account_signature),
    chainSigningKeySignature: textOrNothing(members.chain_signing_key_signature),
    referralCode: take('referral_code', (value) => parseCode('referral_code', value)),
    inviteCode: take('invite_code', (value) => parseCode('invite_code', value)),
    isKeyKept: take('no_api_key', (value) => parseFlag('no_api_key', value)),
    isOnChain: take('on_chain', (value) => parseFlag('on_chain', value)),
    isSigning: take('hmac', (value) => parseFlag('hmac', value)),
  }
  if (errors.length > 0) throw fieldRefusal(errors)
  return request
}

export const isError = (parsed: unknown): parsed is FieldError =>
  typeof parsed === 'object' && parsed !== null

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined)

function parseAddress(field: string, value: unknown): string | FieldError {
  if (value === undefined || value === '') return missing(field, `body member ${field}`)
  if (typeof value === 'string' && isAddress(value)) return value.toLowerCase()
  return malformedAddress(field, value)
}

const EXPIRY_RULE = 'Unix seconds, an integer from 0 to 2^256 - 1 as a number or text'

/** Numbers beyond what a double holds arrive as bigint: see `parseExactJson`. */
export function parseExpiry(value: unknown): bigint | FieldError {
  if (value === undefined || value === '') return missing('expiry', 'body member expiry')
  const expiry = parseInteger(value)
  if (expiry === undefined) return invalid('expiry', EXPIRY_RULE, { given: value })
  if (expiry >= 0n && expiry <= EXPIRY_MAX) return expiry
  const nearest = (expiry < 0n ? 0n : EXPIRY_MAX).toString()
  return invalid('expiry', EXPIRY_RULE, { given: value, nearest })
}

function parseInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return typeof value === 'string' && /^\d{1,100}$/.test(value) ? BigInt(value) : undefined
}

/** An operator's text; the database stores no control characters. */
function parseCode(field: string, value: unknown): string | undefined | FieldError {
  if (value === undefined || value === '') return undefined
  const isCode =
    typeof value === 'string' && value.length <= CODE_LENGTH_MAX && /^[^\p{C}]*$/u.test(value)
  if (isCode) return value
  return invalid(field, `text of at most ${CODE_LENGTH_MAX} characters without control characters`)
}

export function parseFlag(field: string, value: unknown): boolean | FieldError {
  if (value === undefined) return false
  return typeof value === 'boolean' ? value : invalid(field, 'true or false', { given: value })
}

/** Returns an optional boolean member; refuses any other value. */
export function flagIn(members: Members, field: string): boolean {
  const flag = parseFlag(field, members[field] ?? undefined)
  if (isError(flag)) throw fieldRefusal([flag])
  return flag
}

/**
 * Returns the value of a JSON text, undefined for an empty one. Integers that a double would round
 * become bigint, so that signed numbers keep every digit.
 */
export function parseExactJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text, exactInteger)
  } catch (cause) {
    throw new Refusal('MALFORMED_JSON', { cause })
  }
}

/** More digits exceed every valid number, and parsing them takes long. */
const DIGITS_MAX = 100

function exactInteger(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value)
  return isRounded && source.length <= DIGITS_MAX && /^-?\d+$/.test(source) ? BigInt(source) : value
}
