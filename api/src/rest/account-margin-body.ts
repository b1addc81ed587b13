// Parses the bodies of /account/leverage, /account/margin-type and /account/update-margin.
import type { Market } from '@openvenue/core/records'
import { fieldRefusal, invalid, missing, type Near, unknownName } from '../http/validation.ts'
import { type Members, requireMembers } from '../identity/registration-body.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { marketOr404 } from './route.ts'

/** The market and the margin mode of a request, with the member that names the mode. */
export type MarginBody = Readonly<{ market: Market; isIsolated: boolean; field: string }>

const MARGIN_TYPES = ['CROSS', 'ISOLATED'] as const

/** Returns the perpetual and the leverage of a body; refuses a body without both. */
export function parseLeverage(
  model: VenueModel,
  body: unknown,
): Readonly<{ market: Market; leverage: number }> {
  const members = readMembers(body, ['instrument', 'leverage'])
  const market = perpetual(model, members.instrument)
  const text = required(members, 'leverage')
  const max = market.maxLeverage ?? 1
  const leverage = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (leverage >= 1 && leverage <= max) return { market, leverage }
  const rounded = Math.round(Number(text))
  const nearest = Math.min(Math.max(rounded, 1), max)
  const near = Number.isNaN(rounded) ? {} : { nearest }
  throw refuse('leverage', `a whole number from 1 to ${max}`, { given: text, ...near })
}

/** Returns the perpetual of a body, and whether it requests isolated margin. */
export function parseMarginType(model: VenueModel, body: unknown): MarginBody {
  const members = readMembers(body, ['instrument', 'margin_type'])
  const market = perpetual(model, members.instrument)
  required(members, 'margin_type')
  return { market, isIsolated: isIsolatedType(members), field: 'margin_type' }
}

/** Like `parseMarginType`, with margin given as an amount. */
export function parseMargin(model: VenueModel, body: unknown): MarginBody {
  const members = readMembers(body, ['instrument', 'isolated_margin', 'margin_type'])
  const market = perpetual(model, members.instrument)
  if (isIsolatedType(members)) return { market, isIsolated: true, field: 'margin_type' }
  const text = String(members.isolated_margin ?? '0')
  if (!/^\d{1,78}(\.\d{1,18})?$/.test(text))
    throw refuse('isolated_margin', 'an amount of at least 0', { given: text, nearest: '0' })
  return { market, isIsolated: /[1-9]/.test(text), field: 'isolated_margin' }
}

/** Returns the members of a body; refuses any that is not among `known`. */
function readMembers(body: unknown, known: readonly string[]): Members {
  const members = requireMembers(body)
  const unknown = Object.keys(members).filter((name) => !known.includes(name))
  if (unknown.length === 0) return members
  throw fieldRefusal(
    unknown.map((name) => unknownName(name, 'member of this body', { allowed: known })),
  )
}

/** Returns the perpetual that a member names. */
function perpetual(model: VenueModel, value: unknown): Market {
  const named = required({ instrument: value }, 'instrument')
  const { market } = marketOr404(model, 'instrument', named)
  if (market.type === 'PERPETUAL') return market
  throw refuse('instrument', 'a perpetual, since spot has no leverage or margin', { given: named })
}

/** Returns a member as text; numbers beyond a double arrive as bigint. */
function required(members: Members, field: string): string {
  const value = members[field]
  if (value === undefined || value === null || value === '')
    throw fieldRefusal([missing(field, `body member ${field}`)])
  if (['string', 'number', 'bigint'].includes(typeof value)) return String(value)
  throw refuse(field, 'text or a number', { given: value })
}

function isIsolatedType({ margin_type = 'CROSS' }: Members): boolean {
  const type = String(margin_type).toUpperCase()
  if (MARGIN_TYPES.some((name) => name === type)) return type === 'ISOLATED'
  throw refuse('margin_type', `one of ${MARGIN_TYPES.join(', ')}`, {
    given: margin_type,
    allowed: MARGIN_TYPES,
  })
}

const refuse = (field: string, expected: string, near?: Near) =>
  fieldRefusal([invalid(field, expected, near)])
