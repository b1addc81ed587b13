// Parses single members of an order's body: integers, flags, words and hex, each with its rule.
import type { FieldError } from '../../http/refusals.ts'
import { invalid, malformedAddress, missing, unknownName } from '../../http/validation.ts'
import type { Members } from '../../identity/registration-body.ts'

/** Largest integer that a message holds. */
export const UINT256_MAX = 2n ** 256n - 1n

/**
 * Reads the members of a body and gathers their errors. A wrong member is read as the nearest legal
 * value, or an empty one: check `errors` before using the values.
 */
export class BodyReader {
  readonly errors: FieldError[] = []
  readonly #members: Members

  constructor(members: Members) {
    this.#members = members
  }

  /** A member; undefined when it is left out, null or empty. */
  value(field: string): unknown {
    const value = this.#members[field]
    return value === null || value === '' ? undefined : value
  }

  /** Returns whether a required member is there. */
  #requires(field: string): boolean {
    if (this.value(field) !== undefined) return true
    this.errors.push(missing(field, `body member ${field}`))
    return false
  }

  /** An unsigned integer; numbers beyond what a double holds arrive as bigint. */
  integer(field: string, max = UINT256_MAX): bigint {
    const value = this.value(field)
    if (value === undefined) return 0n
    const parsed = parseInteger(value)
    if (parsed !== undefined && parsed >= 0n && parsed <= max) return parsed
    const rule = `an integer from 0 to ${max === UINT256_MAX ? '2^256 - 1' : max}`
    const nearest = parsed === undefined ? undefined : (parsed < 0n ? 0n : max).toString()
    const near = nearest === undefined ? {} : { nearest }
    this.errors.push(invalid(field, rule, { given: value, ...near }))
    return 0n
  }

  /** Unix seconds; a time in another unit is refused with the same in seconds. */
  seconds(field: string): bigint {
    const value = this.value(field)
    const parsed = value === undefined ? 0n : parseInteger(value)
    if (parsed !== undefined && parsed >= 0n && parsed <= SECONDS_MAX) return parsed
    const nearest = parsed === undefined ? {} : { nearest: inSeconds(parsed).toString() }
    this.errors.push(
      invalid(field, `Unix seconds, an integer from 0 to ${SECONDS_MAX}`, {
        given: value,
        ...nearest,
      }),
    )
    return 0n
  }

  requiredSeconds(field: string): bigint {
    return this.#requires(field) ? this.seconds(field) : 0n
  }

  requiredInteger(field: string): bigint {
    return this.#requires(field) ? this.integer(field) : 0n
  }

  flag(field: string): boolean {
    const value = this.value(field)
    if (value === undefined || typeof value === 'boolean') return value ?? false
    this.errors.push(invalid(field, 'true or false', { given: value, allowed: ['true', 'false'] }))
    return false
  }

  requiredFlag(field: string): boolean {
    return this.#requires(field) && this.flag(field)
  }

  word<const W extends readonly string[]>(field: string, words: W): W[number] | undefined {
    const value = this.value(field)
    if (value === undefined || words.includes(value as string)) return value as W[number]
    const near = { given: value, allowed: [...words] }
    this.errors.push(invalid(field, `one of ${words.join(', ')}`, near))
    return undefined
  }

  /** Hex of that many bytes with its 0x, in lower case. */
  hex(field: string, bytes: number): string | undefined {
    const value = this.value(field)
    if (value === undefined) return undefined
    if (typeof value === 'string' && isHex(value, bytes)) return value.toLowerCase()
    this.errors.push(invalid(field, `0x and ${2 * bytes} hex digits`, { given: value }))
    return undefined
  }

  requiredAddress(field: string): string {
    if (!this.#requires(field)) return ''
    const value = this.value(field)
    if (typeof value === 'string' && isHex(value, ADDRESS_BYTES)) return value.toLowerCase()
    this.errors.push(malformedAddress(field, value))
    return ''
  }

  /** Refuses a value that is not left out, empty, false or zero. `why` names the alternative. */
  meaningless(field: string, why: string): void {
    const value = this.value(field)
    const isEmpty = value === undefined || value === false || isZero(value)
    if (!isEmpty)
      this.errors.push(
        invalid(field, `none, since ${why}`, { given: value, fault: 'is not supported' }),
      )
  }

  /** Refuses by name every member that is not among the known ones. */
  refuseUnknown(known: ReadonlySet<string>): void {
    for (const field of Object.keys(this.#members).slice(0, MEMBERS_MAX))
      if (!known.has(field))
        this.errors.push(unknownName(field.slice(0, NAME_LENGTH_MAX), 'member of an order'))
  }
}

/** The contracts keep times in 40 bits: the year 36812. Milliseconds and nanoseconds are above. */
const SECONDS_MAX = 2n ** 40n - 1n
const MS_PER_SECOND = 1_000n
const NS_PER_SECOND = 1_000_000_000n
/** Milliseconds have fewer digits than this, nanoseconds as many or more. */
const NS_MIN = 10n ** 16n

/** Returns the Unix seconds of a time in another unit, which its size reveals. */
function inSeconds(time: bigint): bigint {
  if (time < 0n) return 0n
  const seconds = time / (time < NS_MIN ? MS_PER_SECOND : NS_PER_SECOND)
  return seconds < SECONDS_MAX ? seconds : SECONDS_MAX
}

const ADDRESS_BYTES = 20
/** Unknown members that a refusal names, and how much of a name. */
const MEMBERS_MAX = 100
const NAME_LENGTH_MAX = 64

const isHex = (text: string, bytes: number) =>
  text.length === 2 + 2 * bytes && /^0[xX][0-9a-fA-F]+$/.test(text)

/** 2^256 - 1 has 78 digits. */
const DIGITS = /^\d{1,78}$/

function parseInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && DIGITS.test(value) ? BigInt(value) : undefined
}

const isZero = (value: unknown) =>
  value === 0 || value === 0n || (typeof value === 'string' && /^(0x)?0+(\.0+)?$/.test(value))
