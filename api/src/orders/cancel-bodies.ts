// Parses what says which orders to cancel: bodies, or the same members as parameters of a query.
import { CANCELLED_IDS_MAX } from '@openvenue/wire/order-answers'
import type { RefusalCode } from '../http/refusals.ts'
import { ECDSA_RULE, parseEcdsa } from '../http/signature-hex.ts'
import { fieldRefusal } from '../http/validation.ts'
import type { CancelFilter } from './cancel-many.ts'
import type { CancelSignature } from './cancel-orders.ts'
import { BodyReader } from './order-member.ts'

type Members = Readonly<Record<string, unknown>>

const NAME_LENGTH_MAX = 64
const TEXT_LENGTH_MAX = 256

/** Ids, or a filter. */
export type CancelSelection =
  | Readonly<{ ids: readonly string[] }>
  | Readonly<{ filter: CancelFilter }>

/** Returns the members of a body and of a query together. */
export function cancelMembers(query: unknown, body: unknown): Members {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw wrong('body', 'is a JSON object')
  return { ...(query as object | undefined), ...(body as object | null | undefined) }
}

/** Returns the signature that came with a cancel, if one did. */
export function parseCancelSignature(members: Members): CancelSignature | undefined {
  refuseUnknown(members, ['signature', 'deadline'])
  const { signature, deadline } = members
  if (signature === undefined && deadline === undefined) return undefined
  const parsed = parseEcdsa(signature)
  if (parsed === undefined) throw wrong('signature', `is ${ECDSA_RULE}${wayOfContracts(signature)}`)
  if (parsed.isHighS) throw wrong('signature', 'is the one of the two with a low s')
  const reader = new BodyReader(members)
  const until = reader.requiredSeconds('deadline')
  if (reader.errors.length > 0) throw fieldRefusal(reader.errors)
  return { signature: parsed.signature, deadline: until }
}

/** Engines recover the signer themselves, and ask no contract (EIP-1271). */
const wayOfContracts = (signature: unknown): string =>
  /^0x([0-9a-f]{2})+$/i.test(String(signature))
    ? ', by a private key: a wallet that is a contract allows the venue to cancel for it with a ' +
      'signature of its own (POST /account/cancellers), or cancels by a signing key'
    : ''

/** Returns what DELETE /orders means: ids, a filter, or all where that is confirmed. */
export function parseCancelOrders(members: Members): CancelSelection {
  const { order_ids, confirm, ...filter } = members
  if (order_ids !== undefined) {
    refuseUnknown(filter, [])
    return { ids: parseIds(order_ids) }
  }
  if (confirm !== undefined && confirm !== 'all') throw wrong('confirm', 'is all', ['all'])
  const parsed = parseFilter(filter, ['instrument_name', 'asset', 'instrument_type', 'side'])
  if (Object.keys(parsed).length === 0 && confirm !== 'all')
    throw wrong('confirm', 'is all where nothing says which orders', ['all'], 'MISSING_PARAMETER')
  return { filter: parsed }
}

/** Returns which orders DELETE /orders-all means. */
export const parseCancelAll = (members: Members): CancelFilter =>
  parseFilter(members, ['asset', 'instrument_type'])

/** A list, or text with commas between. */
function parseIds(given: unknown): readonly string[] {
  const ids = typeof given === 'string' ? given.split(',') : given
  const isList =
    Array.isArray(ids) &&
    ids.length > 0 &&
    ids.length <= CANCELLED_IDS_MAX &&
    ids.every((id) => typeof id === 'string' && id.length <= TEXT_LENGTH_MAX)
  if (!isList) throw wrong('order_ids', `is a list of 1 to ${CANCELLED_IDS_MAX} ids`)
  return ids
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  instrument_type: ['SPOT', 'PERPETUAL'],
  side: ['buy', 'sell'],
}

function parseFilter(members: Members, known: readonly string[]): CancelFilter {
  refuseUnknown(members, known)
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(given.map(([field, value]) => [field, parseWord(field, value)]))
}

function parseWord(field: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX)
    throw wrong(field, `is text of at most ${TEXT_LENGTH_MAX} characters`)
  const choices = CHOICES[field]
  const word = choices?.find((choice) => choice.toLowerCase() === value.toLowerCase())
  if (choices !== undefined && word === undefined)
    throw wrong(field, `is one of ${choices.join(', ')}`, choices)
  return word ?? value
}

function refuseUnknown(members: Members, known: readonly string[]): void {
  const unknown = Object.keys(members).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw wrong(unknown.slice(0, NAME_LENGTH_MAX), 'is no member of such a cancel', known)
}

function wrong(
  field: string,
  rule: string,
  allowed: readonly string[] = [],
  code: RefusalCode = 'INVALID_PARAMETER',
) {
  const choices = allowed.length === 0 ? {} : { allowed }
  return fieldRefusal([{ field, code, message: `${field} ${rule}`, ...choices }])
}
