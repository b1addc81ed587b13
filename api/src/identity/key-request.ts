// Parses the bodies of POST /api-keys and PATCH /api-keys/{prefix}, and checks the requested rights
// against those of a key: none may be wider.
import { SCOPES, type Scope } from '@openvenue/core/scopes'
import type { ApiKey } from '@openvenue/store/identity/identity'
import { KEY_ADDRESSES_MAX, KEY_NAME_LENGTH_MAX } from '@openvenue/wire/api-keys'
import { canonicalNetwork, isWithin } from '../http/networks.ts'
import type { FieldError, Refusal } from '../http/refusals.ts'
import { fieldRefusal, invalid, unknownName } from '../http/validation.ts'
import {
  isError,
  type Members,
  parseExpiry,
  parseFlag,
  requireMembers,
} from './registration-body.ts'

/** Requested members; undefined ones were not given. */
export type RightsRequest = Readonly<{
  name: string | undefined
  scopes: readonly Scope[] | undefined
  ipAddresses: readonly string[] | undefined
  expiry: bigint | undefined
  isSigning: boolean
}>

/** Returns the rights that a body requests, or refuses it with every invalid member. */
export function parseRights(body: unknown, allowed: readonly string[]): RightsRequest {
  const members = requireMembers(body ?? {})
  const errors = unknownMembers(members, allowed)
  const take = <T>(name: string, parse: (value: unknown) => T | FieldError): T | undefined => {
    const value = members[name] ?? undefined
    const parsed = value === undefined ? undefined : parse(value)
    if (isError(parsed) && 'code' in parsed) errors.push(parsed)
    return parsed as T | undefined
  }
  const rights = {
    name: take('name', parseName),
    scopes: take('scopes', parseScopes),
    ipAddresses: take('ip_addresses', parseAddresses),
    expiry: take('expiry', parseExpiry),
    isSigning: take('hmac', (value) => parseFlag('hmac', value)) ?? false,
  }
  if (errors.length > 0) throw fieldRefusal(errors)
  return rights
}

const unknownMembers = (members: Members, allowed: readonly string[]): FieldError[] =>
  Object.keys(members)
    .filter((name) => !allowed.includes(name))
    .map((name) => unknownName(name.slice(0, KEY_NAME_LENGTH_MAX), 'member', { allowed }))

function parseName(value: unknown): string | FieldError {
  const isName = typeof value === 'string' && /^[^\p{C}]+$/u.test(value) && value.trim() !== ''
  if (isName && value.length <= KEY_NAME_LENGTH_MAX) return value
  const rule = `text of 1 to ${KEY_NAME_LENGTH_MAX} characters without control characters`
  return invalid('name', rule, { given: value })
}

function parseScopes(value: unknown): readonly Scope[] | FieldError {
  const isList = Array.isArray(value) && value.length > 0 && value.every(isScope)
  if (isList) return SCOPES.filter((scope) => value.includes(scope))
  return invalid('scopes', `a list of ${SCOPES.join(', ')}`, { given: value, allowed: SCOPES })
}

const isScope = (value: unknown): value is Scope => (SCOPES as readonly unknown[]).includes(value)

function parseAddresses(value: unknown): readonly string[] | FieldError {
  if (!Array.isArray(value) || value.length > KEY_ADDRESSES_MAX)
    return invalid('ip_addresses', `a list of at most ${KEY_ADDRESSES_MAX} addresses`, {
      given: value,
    })
  const networks: string[] = []
  for (const [at, one] of value.entries()) {
    const parsed = typeof one === 'string' ? canonicalNetwork(one) : {}
    if (!('network' in parsed)) return notNetwork(`ip_addresses[${at}]`, one, parsed.nearest)
    networks.push(parsed.network)
  }
  return [...new Set(networks)]
}

const notNetwork = (field: string, given: unknown, nearest: string | undefined): FieldError =>
  invalid(field, 'an IPv4 or IPv6 address, or a network whose host bits are 0', {
    given,
    ...(nearest === undefined ? {} : { nearest }),
  })

/** Rights of a key that can be passed on or narrowed. */
export type Rights = Pick<ApiKey, 'scopes' | 'ipAddresses' | 'expiresMs'>

/**
 * Returns the requested rights, with those of `source` as defaults. Refuses wider ones, with the
 * nearest allowed value.
 */
export function rightsWithin(requested: RightsRequest, source: Rights, nowMs: number): Rights {
  const { scopes = source.scopes, ipAddresses = source.ipAddresses } = requested
  const wider = scopes.find((scope) => !source.scopes.includes(scope))
  const errors = [
    ...(wider === undefined ? [] : [lacks(wider, source)]),
    ...addressErrors(ipAddresses, source),
    ...expiryErrors(requested.expiry, source, nowMs),
  ]
  if (errors.length > 0) throw fieldRefusal(errors)
  const expiresMs =
    requested.expiry === undefined ? source.expiresMs : Number(requested.expiry) * 1000
  return { scopes, ipAddresses, expiresMs }
}

const lacks = (scope: Scope, { scopes }: Rights): FieldError => ({
  field: 'scopes',
  code: 'SCOPE_MISSING',
  message: `scopes exceed those of the key: got ${scope}, expected ${scopes.join(', ')}`,
  nearest: scope,
  allowed: scopes,
})

function addressErrors(
  requested: readonly string[],
  { ipAddresses }: Rights,
): readonly FieldError[] {
  const isNarrow =
    ipAddresses.length === 0 || (requested.length > 0 && isWithin(requested, ipAddresses))
  if (isNarrow) return []
  const fault = 'exceed those of the key'
  const expected = `addresses within ${ipAddresses.join(', ')}`
  return [invalid('ip_addresses', expected, { fault, allowed: ipAddresses })]
}

function expiryErrors(
  expiry: bigint | undefined,
  { expiresMs }: Rights,
  nowMs: number,
): readonly FieldError[] {
  if (expiry === undefined) return []
  const latest = BigInt(Math.floor(expiresMs / 1000))
  if (expiry > latest)
    return [
      invalid('expiry', `at most ${latest}`, {
        given: expiry,
        fault: 'exceeds that of the key',
        nearest: latest.toString(),
      }),
    ]
  if (expiry * 1000n > BigInt(Math.trunc(nowMs))) return []
  const message = `expiry has passed: got ${expiry}, expected a time from now to ${latest}`
  return [{ field: 'expiry', code: 'KEY_EXPIRY_PASSED', message, nearest: latest.toString() }]
}

/** Returns the refusal of a missing name. */
export const nameMissing = (): Refusal =>
  fieldRefusal([
    { field: 'name', code: 'MISSING_PARAMETER', message: 'body member name is required' },
  ])
