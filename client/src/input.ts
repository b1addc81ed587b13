// Checks arguments at run time: JavaScript has no types, and casts hide errors from the compiler.
import { OpenvenueError } from './errors.ts'

/** An argument that is invalid. Nothing was signed or sent. */
export class InputError extends OpenvenueError {
  override readonly name = 'InputError'
  /** The member or argument, such as `trigger.price`. */
  readonly member: string
  /** Nearest legal name or value, if there is one. */
  readonly nearest: string | undefined

  constructor(member: string, problem: string, nearest?: string) {
    super(`${member}${problem}${nearest === undefined ? '' : `; the nearest is ${nearest}`}`)
    this.member = member
    this.nearest = nearest
  }
}

/** The rule that a value breaks, and optionally the nearest legal value. */
type InputFault = string | readonly [rule: string, nearest: string | undefined]
/** Returns the fault of a value, undefined if it is valid; throws for an invalid nested member. */
export type Check = (value: unknown, name: string) => InputFault | undefined

/** Checks of all members of a type; optional members are in brackets. */
export type MemberChecks<T> = {
  readonly [Name in keyof T]-?: object extends Pick<T, Name> ? readonly [Check] : Check
}
type AnyMembers = Readonly<Record<string, Check | readonly [Check]>>
/** Names of members elsewhere: `is_buy` of the API is `side`. */
type OtherNames = Readonly<Record<string, string>>

/** Longest text that an error repeats. A private key has 66 characters and is never shown. */
const SHOWN_MAX = 42

/** Throws an {@link InputError} if `value` breaks the rule of `check`. */
export function checkValue(name: string, value: unknown, check: Check): void {
  const fault = check(value, name)
  if (fault === undefined) return
  const [rule, nearest] = typeof fault === 'string' ? [fault] : fault
  throw inputError([name || 'input', value], rule, nearest)
}

/** Returns the error for a value that breaks a rule. */
export function inputError(
  [name, value]: readonly [string, unknown],
  rule: string,
  nearest?: string,
): InputError {
  const problem = value === undefined ? ' is missing' : `: got ${shown(value)}`
  return new InputError(name, `${problem}, expected ${rule}`, nearest)
}

/** Returns the check of an object that has these members and no others. */
export const objectOf =
  <T>(members: MemberChecks<T>, others: OtherNames = {}): Check =>
  (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an object'
    const prefix = name === '' ? '' : `${name}.`
    for (const key of Object.keys(value))
      if (!Object.hasOwn(members, key)) throw unknownMember(prefix, key, { members, others })
    for (const [key, check] of Object.entries(members as AnyMembers))
      checkMember(value as Readonly<Record<string, unknown>>, key, { prefix, check })
    return undefined
  }

function checkMember(
  value: Readonly<Record<string, unknown>>,
  key: string,
  { prefix, check }: Readonly<{ prefix: string; check: AnyMembers[string] }>,
): void {
  if (typeof check === 'function') checkValue(prefix + key, value[key], check)
  // A present member that is undefined is an error of the caller, not an omission.
  else if (key in value) checkValue(prefix + key, value[key], check[0])
}

/** Checks the argument object of a function. Its errors name members without a prefix. */
export const checkInput = <T>(value: T, members: MemberChecks<T>, others?: OtherNames): void =>
  checkValue('', value, objectOf(members, others))

function unknownMember(
  prefix: string,
  key: string,
  { members, others }: Readonly<{ members: object; others: OtherNames }>,
): InputError {
  const names = Object.keys(members)
  const plain = plainName(key)
  const memberName = others[key] ?? names.find((name) => plainName(name) === plain)
  if (memberName !== undefined)
    return new InputError(prefix + key, ` is called ${memberName} in this library`, memberName)
  const nearest = nearestOf(key, names)
  const choices = nearest === undefined ? `: expected one of ${names.join(', ')}` : ''
  return new InputError(prefix + key, ` is not a member${choices}`, nearest)
}

/** Removes case, separators and unit: `good_til` and `goodTilSeconds` are the same name. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[_-]/g, '')
    .replace(/seconds$/, '')

/** Maximum edit distance of a likely typo. */
const EDITS_MAX = 3

/** Returns the name closest to `text`; undefined if none is close. */
export function nearestOf(text: string, names: readonly string[]): string | undefined {
  const typed = text.toLowerCase()
  const ranked = names
    .map((name) => [editsBetween(typed, name.toLowerCase()), name] as const)
    .sort(([a], [b]) => a - b)
  const [edits = EDITS_MAX, name = ''] = ranked[0] ?? []
  return edits <= EDITS_MAX && edits < name.length ? name : undefined
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}

function shown(value: unknown): string {
  if (typeof value === 'string')
    return value.length > SHOWN_MAX ? `text of ${value.length} characters` : JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** Returns JSON. Refuses values that JSON would lose: NaN, which becomes null, and bigints. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === 'number' || typeof member === 'bigint') checkValue(name, member, isNumber)
    return member
  })
const isNumber: Check = (value) =>
  Number.isFinite(value)
    ? undefined
    : ['a finite number, or text', typeof value === 'bigint' ? `"${value}"` : undefined]

/** Accepts a value of a path or query: text, a finite number, a bigint, true or false. */
export const isPlainValue: Check = (value) =>
  /^(string|boolean|bigint)$/.test(typeof value) || Number.isFinite(value)
    ? undefined
    : 'text, a finite number, true or false'

/** Returns the check that a value is one of `words`. */
export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string)
      ? undefined
      : [words.join(' or '), typeof value === 'string' ? nearestOf(value, words) : undefined]

/** Accepts true or false, but no text or number in their place. */
export const isFlag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

/** Accepts text that is not empty. */
export const isText: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'text'

/** Returns the check of non-empty text of at most `lengthMax` characters. */
export const textTo =
  (lengthMax: number): Check =>
  (value) =>
    isText(value, '') === undefined && (value as string).length <= lengthMax
      ? undefined
      : `text of 1 to ${lengthMax} characters`

/**
 * Accepts a price or amount with at most 40 digits before the point: with 36 decimals it fits in
 * 256 bits. Refuses a number, which has lost digits, and a bigint, which could be in raw units.
 */
export const isDecimal: Check = (value) => {
  if (typeof value === 'string' && /^\d{1,40}(\.\d+)?$/.test(value)) return undefined
  const text = typeof value === 'number' ? String(value) : ''
  return ['decimal text in whole units such as "0.5"', /^\d/.test(text) ? `"${text}"` : undefined]
}

/** Returns the check of an integer within bounds, both inclusive. */
export const wholeFrom =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `a whole number from ${least} to ${most}`

/** Returns the check of an unsigned integer of `count` bits. */
export const bits =
  (count: bigint): Check =>
  (value) =>
    typeof value === 'bigint' && value >= 0n && value >> count === 0n
      ? undefined
      : `a bigint from 0 to 2^${count} - 1`

/** Bounds from 2001 to 5138: values outside are durations or in another unit. */
const SECONDS = [1_000_000_000, 99_999_999_999] as const

/** Accepts a Unix time in seconds. Refuses milliseconds, microseconds and nanoseconds. */
export const isUnixSeconds: Check = (value) => {
  if (wholeFrom(...SECONDS)(value, '') === undefined) return undefined
  const rule = 'a Unix time in seconds, as a number'
  let seconds = Number(value)
  while (seconds > SECONDS[1] && Number.isFinite(seconds)) seconds = Math.floor(seconds / 1000)
  return [rule, seconds >= SECONDS[0] ? `${Math.floor(seconds)}` : undefined]
}

/** Accepts a function. */
export const isFunction: Check = (value) => (typeof value === 'function' ? undefined : 'a function')

/** Accepts anything; the value is checked where it is used. */
export const isAnything: Check = () => undefined

/** Returns the check of a list whose rows all pass `check`. */
export const listOf =
  (check: Check, leastRows = 0): Check =>
  (value, name) => {
    if (!Array.isArray(value) || value.length < leastRows)
      return leastRows > 0 ? `a list of ${leastRows} or more` : 'a list'
    value.forEach((row, at) => {
      checkValue(`${name}[${at}]`, row, check)
    })
    return undefined
  }

/** Returns the check of an object that has these functions, and possibly other members. */
export const withFunctions =
  (rule: string, ...names: readonly string[]): Check =>
  (value) =>
    names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function')
      ? undefined
      : rule
