// Parses the bodies of /account/cancel-after, /account/cancel-on-disconnect, /mmp and /reset-mmp.

import type { MmpSettings } from '@openvenue/store/safeguards'
import { MMP_SECONDS_MAX, TIMEOUT_MS_MAX, TIMEOUT_MS_MIN } from '@openvenue/wire/safeguards'
import type { FieldError } from '../http/refusals.ts'
import { fieldRefusal, missing } from '../http/validation.ts'
import { requireMembers } from '../identity/registration-body.ts'
import { nearestName } from '../model/nearest-name.ts'

type Members = Readonly<Record<string, unknown>>

/** Decimals of the family's amounts. */
const AMOUNT_DECIMALS = 6
const AMOUNT_MAX = 10n ** 30n

const refuse = (field: string, rule: string, near: Pick<FieldError, 'nearest' | 'allowed'> = {}) =>
  fieldRefusal([{ field, code: 'INVALID_PARAMETER', message: `${field} ${rule}`, ...near }])

export function parseCancelAfter(
  body: unknown,
): Readonly<{ timeoutMs: number; includesTriggers: boolean; cancelAlls: unknown }> {
  const members = readMembers(body, ['timeout_ms', 'include_triggers', 'cancel_alls'])
  const { include_triggers: includesTriggers = false, cancel_alls: cancelAlls } = members
  if (typeof includesTriggers !== 'boolean') throw refuse('include_triggers', 'is true or false')
  const given = integer(members, 'timeout_ms')
  if (given === 0n) return { timeoutMs: 0, includesTriggers, cancelAlls }
  const nearest = given < TIMEOUT_MS_MIN ? TIMEOUT_MS_MIN : TIMEOUT_MS_MAX
  if (given < TIMEOUT_MS_MIN || given > TIMEOUT_MS_MAX) {
    const rule = `is 0, or ${TIMEOUT_MS_MIN} to ${TIMEOUT_MS_MAX} milliseconds`
    throw refuse('timeout_ms', rule, { nearest })
  }
  return { timeoutMs: Number(given), includesTriggers, cancelAlls }
}

export function parseDisconnect(body: unknown): boolean {
  const { enabled } = readMembers(body, ['enabled'])
  if (enabled === undefined || enabled === null)
    throw fieldRefusal([missing('enabled', 'body member enabled')])
  if (typeof enabled !== 'boolean') throw refuse('enabled', 'is true or false')
  return enabled
}

/** Returns the rule of a body; `assets` are those that there are markets of. */
export function parseMmp(
  body: unknown,
  assets: readonly string[],
): Omit<MmpSettings, 'account' | 'wallet'> {
  const known = ['asset', 'interval', 'frozen', 'amount_limit', 'delta_limit']
  const members = readMembers(body, known)
  const asset = parseAsset(members, assets)
  const amountLimit = integer(members, 'amount_limit')
  if (amountLimit > AMOUNT_MAX)
    throw refuse('amount_limit', `is at most ${AMOUNT_MAX}`, { nearest: `${AMOUNT_MAX}` })
  return {
    asset,
    intervalSeconds: seconds(members, 'interval'),
    frozenSeconds: seconds(members, 'frozen'),
    amountLimit,
    deltaLimit: parseDelta(members.delta_limit),
  }
}

export function parseMmpReset(body: unknown, assets: readonly string[]): string {
  return parseAsset(readMembers(body, ['asset']), assets)
}

function readMembers(body: unknown, known: readonly string[]): Members {
  const members = requireMembers(body ?? {})
  const unknown = Object.keys(members).find((name) => !known.includes(name))
  if (unknown === undefined) return members
  throw refuse(unknown.slice(0, 64), 'is no member here', { allowed: known })
}

function parseAsset(members: Members, assets: readonly string[]): string {
  const { asset } = members
  if (asset === undefined || asset === null || asset === '')
    throw fieldRefusal([missing('asset', 'body member asset')])
  return knownAsset(String(asset), assets)
}

/** Returns one of `assets`, named in any case. */
export function knownAsset(text: string, assets: readonly string[]): string {
  const known = assets.find((one) => one.toUpperCase() === text.toUpperCase())
  if (known !== undefined) return known
  const near = nearestName(assets, text)
  const nearest = near === undefined ? {} : { nearest: near }
  throw refuse('asset', 'is the symbol of an underlying: see /assets', nearest)
}

function integer(members: Members, field: string): bigint {
  const value = members[field]
  if (value === undefined || value === null || value === '')
    throw fieldRefusal([missing(field, `body member ${field}`)])
  const text = ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : ''
  if (/^\d{1,40}$/.test(text)) return BigInt(text)
  // Zero sets no limit: it is near to nothing that was meant as one.
  const nearest = Math.round(text.trim() === '' ? 0 : Number(text))
  const near = nearest > 0 && Number.isSafeInteger(nearest) ? { nearest } : {}
  throw refuse(field, 'is a whole number, at least 0', near)
}

function seconds(members: Members, field: string): number {
  const given = integer(members, field)
  if (given <= MMP_SECONDS_MAX) return Number(given)
  throw refuse(field, `is at most ${MMP_SECONDS_MAX} seconds`, { nearest: MMP_SECONDS_MAX })
}

/** Returns whole base units in millionths; what is finer is cut. */
function parseDelta(value: unknown): bigint | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const [, units, part = ''] = /^(\d{1,24})(?:\.(\d{1,18}))?$/.exec(String(value)) ?? []
  if (units === undefined) throw refuse('delta_limit', 'is a decimal number, at least 0')
  return BigInt(units + part.padEnd(AMOUNT_DECIMALS, '0').slice(0, AMOUNT_DECIMALS))
}
