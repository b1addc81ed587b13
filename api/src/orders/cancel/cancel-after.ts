// Arms the timer that cancels an account's orders unless it is armed again in time: by the venue as
// canceller, or by `CancelAll`s that the account has signed beforehand, one for each market. They
// are checked now, by the rules of the engine. Interface 4.6.
import { marketEngine } from '@openvenue/core/ids'
import { nearestName } from '@openvenue/core/nearest-name'
import type { Market } from '@openvenue/core/records'
import type { SigningKey } from '@openvenue/store/history/account-history'
import type { PreSignedCancelAll } from '@openvenue/store/intents/safeguards'
import {
  CANCEL_ALL_SLACK_SECONDS,
  CANCEL_ALLS_MAX,
  type CancelAfterAnswer,
} from '@openvenue/wire/safeguards'
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import { loadOwner, type Owner } from '../../account/owner.ts'
import { type FieldError, msToNs, orUnavailable, type RefusalCode } from '../../http/refusals.ts'
import { fieldRefusal, invalid, MARKET_RULE, mismatchText, missing } from '../../http/validation.ts'
import type { Members } from '../../identity/registration-body.ts'
import { messageTypes, type TypedData } from '../../identity/typed-data.ts'
import { marketNames } from '../../model/market-list.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { OrderParts } from '../order-parts.ts'
import { parseCancelAfter } from '../relay/safeguards.ts'
import { BodyReader } from '../rules/body-reader.ts'
import {
  bytes,
  type DomainSettings,
  engineDigest,
  engineDomain,
  typeHash,
  word,
} from '../rules/signed-order.ts'
import { parseSignature, recoverSigner } from '../rules/signing-keys.ts'
import { cancellerMissing, isVenueAllowed } from './cancel-authority.ts'

/* THE TIMER */

/** More than the markets of an engine. */
const SALTS_PER_MS = 2n ** 32n

/** Arms the timer of a wallet's account for the time in `body`, or disarms it where that is 0. */
export async function cancelAfter(
  parts: OrderParts,
  wallet: string,
  body: unknown,
): Promise<CancelAfterAnswer> {
  const { safeguards, clock } = parts
  const { timeoutMs, includesTriggers, cancelAlls: given } = parseCancelAfter(body)
  const owner = await loadOwner(parts, wallet, (owner) => owner)
  const { account } = owner
  if (timeoutMs === 0) {
    if (account !== undefined) await orUnavailable(safeguards.disarmTimer(account))
    return { success: true, trigger_time: null }
  }
  const terms = { owner, untilSeconds: Math.ceil((clock.nowMs() + timeoutMs) / 1000) }
  if (account === undefined) throw await cancellerMissing(parts, wallet)
  const signed = await readCancelAlls(parts, given, terms)
  const isAllowed = await isVenueAllowed(parts, wallet, terms.untilSeconds)
  if (!isAllowed) await requireSigned(parts, terms, new Set(signed.map(({ market }) => market)))
  // The venue's own cancels reach every market.
  const cancelAlls = isAllowed ? [] : signed
  const timer = { account, wallet, timeoutMs, includesTriggers, cancelAlls }
  const { triggerMs } = await orUnavailable(safeguards.armTimer(timer))
  return { success: true, trigger_time: msToNs(triggerMs) }
}

type CancelTimer = Readonly<{
  owner: Owner
  /** End of the timer, Unix seconds. */
  untilSeconds: number
}>

/** Refuses a timer that could cancel nothing, with the messages to sign. */
async function requireSigned(
  parts: OrderParts,
  terms: CancelTimer,
  signed: ReadonlySet<string>,
): Promise<void> {
  const open = await loadOwner(parts, terms.owner.wallet, (owner) => openMarkets(parts, owner))
  const bare = open.filter(({ id }) => !signed.has(id))
  if (bare.length === 0 && signed.size > 0) return
  const details = bare.slice(0, CANCEL_ALLS_MAX).map((market) => toSign(parts, terms, market))
  throw await cancellerMissing(parts, terms.owner.wallet, details)
}

/** Returns the markets in which an account has orders that rest, are on their way or are held. */
function openMarkets({ model, intentBook }: OrderParts, { account }: Owner): readonly Market[] {
  if (account === undefined) return []
  const live = [...model.accountOrders.of(account), ...intentBook.liveOrders(account)]
  const markets = new Set(live.map(({ market }) => market))
  return [...markets].flatMap((id) => model.state.records.market.get(id) ?? [])
}

function toSign(
  { settings, clock }: OrderParts,
  { owner, untilSeconds }: CancelTimer,
  market: Market,
): FieldError {
  const code = 'CANCEL_SIGNATURE_REQUIRED'
  const message = `cancel_alls lacks ${market.name}, a market with live orders of the account`
  const deadline = BigInt(untilSeconds + 2 * CANCEL_ALL_SLACK_SECONDS)
  // Any unspent salt serves; one made of the time is unspent.
  const salt = BigInt(Math.trunc(clock.nowMs())) * SALTS_PER_MS + BigInt(market.number)
  const cancelAll = { account: owner.wallet, market, salt, deadline }
  const digest = cancelAllDigest(settings, cancelAll)
  const typed_data = cancelAllTypedData(settings, cancelAll)
  return { field: 'cancel_alls', code, message, value: market.name, digest, typed_data }
}

/* SIGNED BEFOREHAND */

const CANCEL_ALL_TYPE = typeHash('CancelAll')
const FIELD = 'cancel_alls'
const MEMBERS = ['instrument', 'salt', 'deadline', 'signature']

/** The signed members, for one market. */
type CancelAll = Readonly<{
  account: string
  market: Market
  salt: bigint
  deadline: bigint
}>

/** Returns the digest by the engine of the market. */
const cancelAllDigest = (
  settings: DomainSettings,
  { account, market, salt, deadline }: CancelAll,
): string =>
  engineDigest(
    settings,
    marketEngine(market.id),
    CANCEL_ALL_TYPE + bytes(account) + word(market.number) + word(salt) + word(deadline),
  )

/** Returns the message for eth_signTypedData_v4. Integers are decimal text. */
function cancelAllTypedData(
  settings: DomainSettings,
  { account, market, salt, deadline }: CancelAll,
): TypedData {
  const domain = engineDomain(settings, market.id)
  const message = { account, market: `${market.number}`, salt: `${salt}`, deadline: `${deadline}` }
  const types = messageTypes(domain, 'CancelAll', ENGINE_MESSAGES.CancelAll)
  return { domain, types, primaryType: 'CancelAll', message }
}

type ParsedCancelAll = CancelAll & Readonly<{ digest: string; signature: string }>

/** Returns the messages in `cancel_alls`, all of them valid until the timer has ended. */
async function readCancelAlls(
  parts: OrderParts,
  given: unknown,
  terms: CancelTimer,
): Promise<readonly PreSignedCancelAll[]> {
  if (given === undefined || given === null) return []
  const isList = Array.isArray(given) && given.length <= CANCEL_ALLS_MAX
  if (!isList) {
    const expected = `a list of at most ${CANCEL_ALLS_MAX}, one per market`
    throw fieldRefusal([invalid(FIELD, expected, { given, nearest: CANCEL_ALLS_MAX })])
  }
  const all = given.map((item, at) => parseSignedCancelAll(parts, { item, at }, terms))
  refuseAny(repeats(all))
  refuseAny(await signerErrors(parts, all, terms))
  refuseAny(await spentErrors(parts, all, terms))
  return all.map(({ digest, market, salt, deadline, signature }) => ({
    digest,
    market: market.id,
    signature,
    salt: `${salt}`,
    deadline: `${deadline}`,
  }))
}

function refuseAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw fieldRefusal(errors)
}

const at = (index: number, member: string) => `${FIELD}[${index}].${member}`

function parseSignedCancelAll(
  { model, settings }: OrderParts,
  { item, at: index }: Readonly<{ item: unknown; at: number }>,
  { owner, untilSeconds }: CancelTimer,
): ParsedCancelAll {
  const members = typeof item === 'object' && item !== null ? (item as Members) : {}
  const reader = new BodyReader(members)
  const unknown = Object.keys(members).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined)
    reader.errors.push(
      wrong([unknown.slice(0, 64), 'is not a member of cancel_alls'], { allowed: MEMBERS }),
    )
  const market = readMarket(reader, model)
  const salt = reader.requiredInteger('salt')
  const deadline = reader.requiredSeconds('deadline')
  const earliest = BigInt(untilSeconds + CANCEL_ALL_SLACK_SECONDS)
  if (reader.errors.length === 0 && deadline < earliest) {
    const rule =
      `is too early: got ${deadline}, expected at least ${earliest}, ` +
      `${CANCEL_ALL_SLACK_SECONDS} seconds after the timer ends`
    reader.errors.push(wrong(['deadline', rule], { nearest: `${earliest}` }))
  }
  const read = parseSignature(reader.value('signature'))
  const message = { account: owner.wallet, market: market as Market, salt, deadline }
  const isWhole = market !== undefined && reader.errors.length === 0
  if (isWhole && !('signature' in read)) {
    const digest = cancelAllDigest(settings, message)
    const near = { digest, typed_data: cancelAllTypedData(settings, message) }
    const rule = `${read.fault}: expected an EIP-712 signature of CancelAll`
    reader.errors.push(wrong(['signature', rule], near, 'ORDER_BAD_SIGNATURE'))
  }
  refuseAny(reader.errors.map((error) => ({ ...error, field: at(index, error.field) })))
  const { signature } = read as Readonly<{ signature: string }>
  return { ...message, signature, digest: cancelAllDigest(settings, message) }
}

const wrong = (
  [field, rule]: readonly [field: string, rule: string],
  near: Omit<FieldError, 'field' | 'code' | 'message'> = {},
  code: RefusalCode = 'INVALID_PARAMETER',
): FieldError => ({ field, code, message: `${field} ${rule}`, ...near })

function readMarket(reader: BodyReader, model: VenueModel): Market | undefined {
  const name = reader.value('instrument')
  if (name === undefined) {
    reader.errors.push(missing('instrument', 'member instrument'))
    return undefined
  }
  const market = model.market(String(name))?.market
  if (market === undefined) {
    const rule = `is unknown: ${mismatchText(MARKET_RULE, name)}`
    const near = nearestName(marketNames(model), String(name))
    const nearest = near === undefined ? {} : { nearest: near }
    reader.errors.push(wrong(['instrument', rule], nearest, 'INSTRUMENT_NOT_FOUND'))
  }
  return market
}

/** There is one for each market; those of one engine have different salts. */
function repeats(all: readonly ParsedCancelAll[]): readonly FieldError[] {
  const seen = new Set<string>()
  return all.flatMap(({ market, salt }, index) => {
    const [byMarket, bySalt] = [market.id, `${marketEngine(market.id)} ${salt}`]
    const field = seen.has(byMarket) ? 'instrument' : seen.has(bySalt) ? 'salt' : undefined
    seen.add(byMarket).add(bySalt)
    if (field === undefined) return []
    return [
      {
        ...wrong([field, 'is repeated: expected another one in each message']),
        field: at(index, field),
      },
    ]
  })
}

/** Reports the first one only: each unknown key costs a read of the database. */
async function signerErrors(
  { signers, settings }: OrderParts,
  all: readonly ParsedCancelAll[],
  { owner, untilSeconds }: CancelTimer,
): Promise<readonly FieldError[]> {
  for (const [index, cancelAll] of all.entries()) {
    const recovered = recoverSigner(cancelAll.digest, cancelAll.signature)
    const key = recovered === undefined ? undefined : await signers.find(recovered)
    const isFit = (signingKey: SigningKey) =>
      signingKey.account === owner.account &&
      !signingKey.isRevoked &&
      signingKey.expirySeconds > untilSeconds
    if (recovered === owner.wallet || (key !== undefined && isFit(key))) continue
    const rule =
      `is invalid: got one by ${recovered ?? 'no key'}, expected the wallet, or a signing key ` +
      'of it that is live when the timer ends'
    const facts = { digest: cancelAll.digest, typed_data: cancelAllTypedData(settings, cancelAll) }
    const near = recovered === undefined ? facts : { recovered, ...facts }
    const error = wrong(['signature', rule], near, 'ORDER_BAD_SIGNING_KEY')
    return [{ ...error, field: at(index, 'signature') }]
  }
  return []
}

/** A salt is spent by the first use, which decides the orders that it covers, or by burning it. */
async function spentErrors(
  { findSpentSalts, intents }: OrderParts,
  all: readonly ParsedCancelAll[],
  { owner: { account = 0 } }: CancelTimer,
): Promise<readonly FieldError[]> {
  if (all.length === 0) return []
  const engines = new Set(all.map(({ market }) => marketEngine(market.id)))
  const reads = [...engines].map(async (engine) => {
    const ofEngine = all.filter(({ market }) => marketEngine(market.id) === engine)
    const spent = await findSpentSalts(
      engine,
      account,
      ofEngine.map(({ salt }) => salt),
    )
    return ofEngine.filter(({ salt }) => spent.has(salt))
  })
  const spent = new Set((await Promise.all(reads)).flat())
  const used = await orUnavailable(intents.find(all.map(({ digest }) => digest)))
  const usedDigests = new Set(used.map((intent) => (intent as Readonly<{ id: string }>).id))
  return all.flatMap((cancelAll, index) => {
    if (!spent.has(cancelAll) && !usedDigests.has(cancelAll.digest)) return []
    const error = wrong(
      ['salt', `is already used: got ${cancelAll.salt}, expected an unused one`],
      {},
      'ORDER_INVALID_SALT',
    )
    return [{ ...error, field: at(index, 'salt') }]
  })
}
