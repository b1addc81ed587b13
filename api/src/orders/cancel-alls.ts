// Takes `CancelAll`s that were signed beforehand, for the case that their account falls silent: one
// for each market, checked now as the engine will check them then. Interface 4.6.

import { marketEngine } from '@openvenue/core/ids'
import type { Market } from '@openvenue/core/records'
import type { SigningKey } from '@openvenue/store/account-history'
import type { PreSignedCancelAll } from '@openvenue/store/safeguards'
import { CANCEL_ALL_SLACK_SECONDS, CANCEL_ALLS_MAX } from '@openvenue/wire/safeguards'
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import type { Owner } from '../account/owner.ts'
import { type FieldError, orUnavailable, type RefusalCode } from '../http/refusals.ts'
import { fieldRefusal, missing } from '../http/validation.ts'
import { messageTypes, type TypedData } from '../identity/typed-data.ts'
import { marketNames, nearestName } from '../model/nearest-name.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { BodyReader, type Members } from './order-member.ts'
import type { FindSpentSalts } from './salt-reads.ts'
import {
  bytes,
  type DomainSettings,
  engineDigest,
  engineDomain,
  typeHash,
  word,
} from './signed-order.ts'
import { parseSignature, recoverSigner } from './signer.ts'
import type { Signers } from './signers.ts'

const CANCEL_ALL_TYPE = typeHash('CancelAll')
const FIELD = 'cancel_alls'
const MEMBERS = ['instrument', 'salt', 'deadline', 'signature']

/** What is signed, for one market. */
export type CancelAll = Readonly<{
  account: string
  market: Market
  salt: bigint
  deadline: bigint
}>

export type CancelAllParts = Readonly<{
  model: VenueModel
  settings: DomainSettings
  signers: Pick<Signers, 'find'>
  findSpentSalts: FindSpentSalts
  intents: Readonly<{ find: (ids: readonly string[]) => Promise<readonly unknown[]> }>
}>

/** Returns the digest that the engine of the market makes of it. */
export const cancelAllDigest = (
  settings: DomainSettings,
  { account, market, salt, deadline }: CancelAll,
): string =>
  engineDigest(
    settings,
    marketEngine(market.id),
    CANCEL_ALL_TYPE + bytes(account) + word(market.number) + word(salt) + word(deadline),
  )

/** Returns it as eth_signTypedData_v4 takes it. Integers are decimal text. */
export function cancelAllTypedData(
  settings: DomainSettings,
  { account, market, salt, deadline }: CancelAll,
): TypedData {
  const domain = engineDomain(settings, market.id)
  const message = { account, market: `${market.number}`, salt: `${salt}`, deadline: `${deadline}` }
  const types = messageTypes(domain, 'CancelAll', ENGINE_MESSAGES.CancelAll)
  return { domain, types, primaryType: 'CancelAll', message }
}

type Parsed = CancelAll & Readonly<{ digest: string; signature: string }>

export type CancelAllTerms = Readonly<{
  owner: Owner
  /** When the timer ends, Unix seconds. */
  untilSeconds: number
}>

/** Returns what the member `cancel_alls` holds, all of it good until the timer has ended. */
export async function readCancelAlls(
  parts: CancelAllParts,
  given: unknown,
  terms: CancelAllTerms,
): Promise<readonly PreSignedCancelAll[]> {
  if (given === undefined || given === null) return []
  const isList = Array.isArray(given) && given.length <= CANCEL_ALLS_MAX
  if (!isList) {
    const message = `${FIELD} is a list of at most ${CANCEL_ALLS_MAX}, one for each market`
    const code = 'INVALID_PARAMETER'
    throw fieldRefusal([{ field: FIELD, code, message, nearest: CANCEL_ALLS_MAX }])
  }
  const all = given.map((one, at) => parseOne(parts, { one, at }, terms))
  refuseAny(repeats(all))
  refuseAny(await signerErrors(parts, all, terms))
  refuseAny(await spentErrors(parts, all, terms))
  return all.map(({ digest, market, salt, deadline, signature }) => ({
    ...{ digest, market: market.id, signature },
    ...{ salt: `${salt}`, deadline: `${deadline}` },
  }))
}

function refuseAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw fieldRefusal(errors)
}

const at = (index: number, member: string) => `${FIELD}[${index}].${member}`

function parseOne(
  { model, settings }: CancelAllParts,
  { one, at: index }: Readonly<{ one: unknown; at: number }>,
  { owner, untilSeconds }: CancelAllTerms,
): Parsed {
  const members = typeof one === 'object' && one !== null ? (one as Members) : {}
  const reader = new BodyReader(members)
  const unknown = Object.keys(members).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined)
    reader.errors.push(wrong([unknown.slice(0, 64), 'is no member of it'], { allowed: MEMBERS }))
  const market = readMarket(reader, model)
  const salt = reader.requiredInteger('salt')
  const deadline = reader.requiredSeconds('deadline')
  const earliest = BigInt(untilSeconds + CANCEL_ALL_SLACK_SECONDS)
  if (reader.errors.length === 0 && deadline < earliest) {
    const rule = `is ${CANCEL_ALL_SLACK_SECONDS} seconds or more after the timer ends`
    reader.errors.push(wrong(['deadline', rule], { nearest: `${earliest}` }))
  }
  const read = parseSignature(reader.value('signature'))
  const message = { account: owner.wallet, market: market as Market, salt, deadline }
  const isWhole = market !== undefined && reader.errors.length === 0
  if (isWhole && !('signature' in read)) {
    const digest = cancelAllDigest(settings, message)
    const near = { digest, typed_data: cancelAllTypedData(settings, message) }
    const rule = `is an EIP-712 signature of the CancelAll (${read.found})`
    reader.errors.push(wrong(['signature', rule], near, 'ORDER_BAD_SIGNATURE'))
  }
  refuseAny(reader.errors.map((error) => ({ ...error, field: at(index, error.field) })))
  const { signature } = read as Readonly<{ signature: string }>
  return { ...message, signature, digest: cancelAllDigest(settings, message) }
}

type Near = Omit<FieldError, 'field' | 'code' | 'message'>

const wrong = (
  [field, rule]: readonly [field: string, rule: string],
  near: Near = {},
  code: RefusalCode = 'INVALID_PARAMETER',
): FieldError => ({ field, code, message: `${field} ${rule}`, ...near })

function readMarket(reader: BodyReader, model: VenueModel): Market | undefined {
  const name = reader.value('instrument')
  if (name === undefined) {
    reader.errors.push(missing('instrument', 'member instrument'))
    return undefined
  }
  const found = model.market(String(name))?.market
  if (found === undefined) {
    const rule = 'is the name or the id of a market: see /markets'
    const near = nearestName(marketNames(model), String(name))
    const nearest = near === undefined ? {} : { nearest: near }
    reader.errors.push(wrong(['instrument', rule], nearest, 'INSTRUMENT_NOT_FOUND'))
  }
  return found
}

/** One for each market; of one engine each has a salt of its own. */
function repeats(all: readonly Parsed[]): readonly FieldError[] {
  const seen = new Set<string>()
  return all.flatMap(({ market, salt }, index) => {
    const [byMarket, bySalt] = [market.id, `${marketEngine(market.id)} ${salt}`]
    const field = seen.has(byMarket) ? 'instrument' : seen.has(bySalt) ? 'salt' : undefined
    seen.add(byMarket).add(bySalt)
    if (field === undefined) return []
    return [{ ...wrong([field, 'is that of no other of them']), field: at(index, field) }]
  })
}

/** Of the first alone: each that nobody knows costs a look at the database. */
async function signerErrors(
  { signers, settings }: CancelAllParts,
  all: readonly Parsed[],
  { owner, untilSeconds }: CancelAllTerms,
): Promise<readonly FieldError[]> {
  for (const [index, one] of all.entries()) {
    const recovered = recoverSigner(one.digest, one.signature)
    const key = recovered === undefined ? undefined : await signers.find(recovered)
    const isFit = (found: SigningKey) =>
      found.account === owner.account && !found.isRevoked && found.expirySeconds > untilSeconds
    if (recovered === owner.wallet || (key !== undefined && isFit(key))) continue
    const rule = 'is by the wallet, or by a signing key of it that lives when the timer ends'
    const facts = { digest: one.digest, typed_data: cancelAllTypedData(settings, one) }
    const near = recovered === undefined ? facts : { recovered, ...facts }
    const error = wrong(['signature', rule], near, 'ORDER_BAD_SIGNING_KEY')
    return [{ ...error, field: at(index, 'signature') }]
  }
  return []
}

/** A salt is spent by the first use, which decides which orders it is about; or it was burnt. */
async function spentErrors(
  { findSpentSalts, intents }: CancelAllParts,
  all: readonly Parsed[],
  { owner: { account = 0 } }: CancelAllTerms,
): Promise<readonly FieldError[]> {
  if (all.length === 0) return []
  const engines = new Set(all.map(({ market }) => marketEngine(market.id)))
  const reads = [...engines].map(async (engine) => {
    const own = all.filter(({ market }) => marketEngine(market.id) === engine)
    const spent = await findSpentSalts(
      engine,
      account,
      own.map(({ salt }) => salt),
    )
    return own.filter(({ salt }) => spent.has(salt))
  })
  const spent = new Set((await Promise.all(reads)).flat())
  const used = await orUnavailable(intents.find(all.map(({ digest }) => digest)))
  const known = new Set(used.map((intent) => (intent as Readonly<{ id: string }>).id))
  return all.flatMap((one, index) => {
    if (!spent.has(one) && !known.has(one.digest)) return []
    const error = wrong(['salt', 'is not spent at the engine'], {}, 'ORDER_INVALID_SALT')
    return [{ ...error, field: at(index, 'salt') }]
  })
}
