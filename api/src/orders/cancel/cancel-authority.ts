// Decides what lets the venue cancel on the chain: the account allows its canceller, or a signature
// comes with the cancel. Promises the cancel. Interface 4.6.
import { marketEngine, orderId } from '@openvenue/core/ids'
import { CANCEL_LANE, gasOf } from '@openvenue/core/relay'
import type {
  Intent,
  IntentPayload,
  IntentState,
  NewIntent,
} from '@openvenue/store/intents/intents'
import type { Cancellers } from '@openvenue/wire/cancellers'
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import { hashTypedData } from 'viem'
import { liveCancellers } from '../../account/cancellers.ts'
import { loadOwner, type Owner, type OwnerDeps } from '../../account/owner.ts'
import { type FieldError, Refusal } from '../../http/refusals.ts'
import { ECDSA_RULE, parseEcdsa } from '../../http/signature-hex.ts'
import { fieldRefusal, invalid, type Near, unknownName } from '../../http/validation.ts'
import { unsignedCall } from '../../identity/account-calls.ts'
import type { Members } from '../../identity/registration-body.ts'
import type { IdentitySettings } from '../../identity/settings.ts'
import { hashMessage } from '../../identity/signatures.ts'
import { allowCancellerData, messageTypes } from '../../identity/typed-data.ts'
import type { OrderParts } from '../order-parts.ts'
import type { OrderLookup } from '../relay/find-order.ts'
import { promisedCancelBlock } from '../relay/promised-block.ts'
import type { ReceiptFacts } from '../relay/receipt.ts'
import { requireRelay } from '../relay/relay-status.ts'
import { BodyReader, UINT256_MAX } from '../rules/body-reader.ts'
import { recoverSigner } from '../rules/signing-keys.ts'

/* THE CANCELLER OF THE VENUE */

/** `Accounts` takes no later expiry, counted from the block of the call. */
const EXPIRY_SECONDS_MAX = 30 * 24 * 3600
/** Subtracted from it by default: after a reorganisation the block of the call may be earlier. */
const MARGIN_SECONDS = 3600

type CancellerSettings = Pick<
  IdentitySettings,
  'chainId' | 'domainName' | 'accountsContract' | 'cancellerAddress'
>
/** The venue as an account allows it to cancel. */
type CancellerContext = Pick<OrderParts, 'model' | 'relay'> &
  Readonly<{ settings: CancellerSettings }>

/** Returns how a wallet allows the venue; null without a contract or a canceller. */
const describeAllowance = async (
  venue: CancellerContext,
  account: string,
): Promise<Cancellers['allow']> => {
  const terms = { account, canceller: await venueCanceller(venue), expiry: undefined }
  return allowance(venue, terms, venue.model.head?.seconds ?? 0)
}

/** Returns the configured canceller, else that of the relayer's status; undefined: unknown. */
export const venueCanceller = async ({
  settings,
  relay,
}: Pick<CancellerContext, 'settings' | 'relay'>): Promise<string | undefined> =>
  settings.cancellerAddress ??
  (await relay.readStatus().catch(() => undefined))?.status.canceller.toLowerCase()

type AllowanceTerms = Readonly<{
  account: string
  canceller: string | undefined
  expiry: number | undefined
}>

/** Returns the message and the call by which a wallet allows a canceller until `expiry`. */
export async function allowance(
  { settings }: Pick<CancellerContext, 'settings'>,
  { account, canceller, expiry: given }: AllowanceTerms,
  headSeconds: number,
): Promise<Cancellers['allow']> {
  const { accountsContract: contract, chainId, domainName: name } = settings
  const latest = headSeconds + EXPIRY_SECONDS_MAX
  const seconds = given ?? latest - MARGIN_SECONDS
  if (seconds <= headSeconds || seconds > latest) throw expiryRefused(headSeconds, seconds)
  if (contract === undefined || canceller === undefined) return null
  const expiry = BigInt(seconds)
  const domain = { name, version: '1', chainId, verifyingContract: contract }
  const data = allowCancellerData(domain, { account, canceller, expiry })
  const words = [account, canceller, expiry] as const
  return {
    canceller,
    expiry: expiry.toString(),
    typed_data: data,
    digest: await hashMessage(data),
    call: unsignedCall(contract, ['allowCanceller(address,address,uint256)', words], chainId),
  }
}

function expiryRefused(headSeconds: number, given: number) {
  const latest = headSeconds + EXPIRY_SECONDS_MAX
  const nearest = given > latest ? latest : headSeconds + 1
  const expected = `Unix seconds from ${headSeconds + 1} to ${latest} (30 days)`
  return fieldRefusal([invalid('expiry', expected, { given, fault: 'is out of range', nearest })])
}

/**
 * Returns the account of a wallet that has allowed the venue to cancel. Refuses now, and not later,
 * when the account may be unable to sign.
 */
export async function requireCanceller(
  venue: CancellerContext & OwnerDeps,
  wallet: string,
): Promise<number> {
  const { account } = await loadOwner(venue, wallet, (owner) => owner)
  if (account !== undefined && (await isVenueAllowed(venue, wallet))) return account
  throw await cancellerMissing(venue, wallet)
}

/** Returns whether the venue may cancel for a wallet, now and at that second. */
export async function isVenueAllowed(
  venue: CancellerContext & OwnerDeps,
  wallet: string,
  atSeconds = 0,
): Promise<boolean> {
  const expected = await venueCanceller(venue)
  const isVenue = ({
    canceller,
    expirySeconds,
  }: Readonly<{ canceller: string; expirySeconds: number }>) =>
    canceller === expected && expirySeconds > atSeconds
  return loadOwner(venue, wallet, (owner) => liveCancellers(venue.model, owner).some(isVenue))
}

/** Returns the refusal of a command that needs a canceller; `others` may be signed instead. */
export async function cancellerMissing(
  venue: CancellerContext,
  wallet: string,
  others: readonly FieldError[] = [],
): Promise<Refusal> {
  const code = 'CANCEL_SIGNATURE_REQUIRED'
  const message =
    'Cancel permission required: sign the AllowCanceller message, or send the call of ' +
    'GET /account/cancellers'
  const allow = await describeAllowance(venue, wallet)
  const how = allow === null ? {} : { typed_data: allow.typed_data, digest: allow.digest }
  const details = [{ field: 'account', code, message, ...how } as const, ...others]
  return new Refusal(code, { message, details })
}

/* THE CANCEL OF AN ORDER */

/** How long a signature that is asked for may be used. */
const SIGNED_SECONDS = 600
const NS_PER_MS = 1_000_000

/** A signature of `Cancel`, where the account has not allowed the venue to cancel. */
export type CancelSignature = Readonly<{ signature: string; deadline: bigint }>

/** Returns the signature that came with a cancel, if one did. */
export function parseCancelSignature(members: Members): CancelSignature | undefined {
  refuseUnknown(members, ['signature', 'deadline'])
  const { signature, deadline } = members
  if (signature === undefined && deadline === undefined) return undefined
  const parsed = parseEcdsa(signature)
  if (parsed === undefined)
    throw wrongMember('signature', `${ECDSA_RULE}${contractAdvice(signature)}`)
  if (parsed.isHighS)
    throw wrongMember('signature', 'the equivalent with a low s', { fault: 'has a high s' })
  const reader = new BodyReader(members)
  const until = reader.requiredSeconds('deadline')
  if (reader.errors.length > 0) throw fieldRefusal(reader.errors)
  return { signature: parsed.signature, deadline: until }
}

/** Engines recover the signer themselves, and ask no contract (EIP-1271). */
const contractAdvice = (signature: unknown): string =>
  /^0x([0-9a-f]{2})+$/i.test(String(signature))
    ? ', by a private key; a contract wallet allows the venue to cancel (POST /account/cancellers), ' +
      'or cancels with a signing key'
    : ''

const NAME_LENGTH_MAX = 64

/** Refuses a cancel with a member that is not among the known ones. */
export function refuseUnknown(members: Members, known: readonly string[]): void {
  const unknown = Object.keys(members).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const near = known.length === 0 ? {} : { allowed: known }
  throw fieldRefusal([
    unknownName(unknown.slice(0, NAME_LENGTH_MAX), 'member of this cancel', near),
  ])
}

export const wrongMember = (field: string, expected: string, near: Near = {}) => {
  const { allowed = [], ...others } = near
  return fieldRefusal([invalid(field, expected, allowed.length === 0 ? others : near)])
}

/** A live order to cancel. */
export type CancelContext = Readonly<{
  parts: OrderParts
  owner: Owner
  found: OrderLookup
  signed?: CancelSignature | undefined
}>

/** Returns the id by which the venue cancels an order: its number on the chain, else its digest. */
export const targetOf = ({ order, intent }: OrderLookup): string =>
  order === undefined ? (intent?.id ?? '') : orderId(order)

export const nowNs = ({ nowMs }: OrderParts['clock']): bigint =>
  BigInt(Math.trunc(nowMs() * NS_PER_MS))

type Authority = Readonly<{ id: string; payload: IntentPayload; deadlineSeconds: bigint }>

/** Returns the payload that cancels the order on the chain; refuses where nothing allows it. */
async function findAuthority(cancelling: CancelContext): Promise<Authority> {
  const { parts, owner, found, signed } = cancelling
  if (signed !== undefined) return signedCancel(cancelling, signed)
  const { canceller } = requireRelay(parts.intentBook)
  const isAllowed = await parts.owned.look(owner, () =>
    liveCancellers(parts.model, owner).some((allowed) => allowed.canceller === canceller),
  )
  if (!isAllowed) throw signatureRequired(cancelling)
  const target = targetOf(found)
  const payload = { kind: 'cancel', target } as const
  return { id: `cancel:${target}`, payload, deadlineSeconds: UINT256_MAX }
}

function cancelData({ parts, owner, found }: CancelContext, deadline: bigint) {
  const { settings } = parts
  const market = marketOf(found)
  const domain = {
    name: settings.domainName,
    version: '1',
    chainId: settings.chainId,
    verifyingContract: marketEngine(market),
  }
  const orders = found.order === undefined ? [] : [orderId({ ...found.order, ref: null })]
  return {
    domain,
    types: messageTypes(domain, 'Cancel', ENGINE_MESSAGES.Cancel),
    primaryType: 'Cancel',
    message: {
      account: owner.wallet,
      market: Number.parseInt(market.slice(-8), 16),
      orders,
      deadline: deadline.toString(),
    },
  }
}

const marketOf = ({ order, intent }: OrderLookup) => order?.market ?? intent?.market ?? ''

function signatureRequired(cancelling: CancelContext): Refusal {
  const { parts } = cancelling
  const code = 'CANCEL_SIGNATURE_REQUIRED'
  const message =
    'Cancel signature required: send signature and deadline, or allow the venue to cancel ' +
    '(GET /account/cancellers)'
  const seconds = Math.floor(parts.clock.nowMs() / 1000)
  const typed_data = cancelData(cancelling, BigInt(seconds + SIGNED_SECONDS))
  // A signature names orders by their numbers on the chain.
  const given = cancelling.found.order === undefined ? {} : { typed_data }
  return new Refusal(code, { message, details: [{ field: 'signature', code, message, ...given }] })
}

async function signedCancel(
  cancelling: CancelContext,
  { signature, deadline }: CancelSignature,
): Promise<Authority> {
  const { parts, owner, found } = cancelling
  if (found.order === undefined) throw signatureRequired(cancelling)
  const typed_data = cancelData(cancelling, deadline)
  const digest = hashTypedData(typed_data as never)
  const signer = recoverSigner(digest, signature)
  if (signer === undefined || !(await maySign(parts, owner, signer))) {
    const code = 'ORDER_BAD_SIGNING_KEY'
    const message = `signature is invalid: got one by ${signer ?? 'no key'}, expected the wallet or a live signing key`
    const recovered = signer === undefined ? {} : { recovered: signer }
    const details = [
      { field: 'signature', code, message, digest, typed_data, ...recovered } as const,
    ]
    throw new Refusal(code, { message, details })
  }
  const { orders } = typed_data.message
  const payload = {
    kind: 'signed_cancel',
    orders,
    deadline: deadline.toString(),
    signature,
  } as const
  return { id: digest, payload, deadlineSeconds: deadline }
}

async function maySign({ signers, model }: OrderParts, owner: Owner, signer: string) {
  if (signer === owner.wallet) return true
  const key = await signers.find(signer)
  const seconds = model.head?.seconds ?? 0
  return key?.account === owner.account && key?.isRevoked === false && key.expirySeconds > seconds
}

/** Promises to cancel an order on the chain; a promise that came to nothing is renewed. */
export async function promiseCancel(cancelling: CancelContext): Promise<ReceiptFacts> {
  const { parts, owner, found } = cancelling
  const { id, payload, deadlineSeconds } = await findAuthority(cancelling)
  const { intentBook, intents, clock } = parts
  const relay = requireRelay(intentBook)
  const market = marketOf(found)
  const gas = gasOf({ kind: payload.kind, isPerpetual: isPerpetual(parts, market) })
  const includeByBlock = promisedCancelBlock(parts, relay)
  const times = { receivedNs: nowNs(clock), includeByBlock, deadlineSeconds }
  const at = { account: owner.account ?? 0, wallet: owner.wallet, market, lane: CANCEL_LANE }
  const intent: NewIntent = { id, ...at, state: 'queued', gas, payload, ...times }
  const [outcome] = await intents.add([intent])
  if (outcome !== undefined && 'added' in outcome) return outcome.added
  const earlier = outcome !== undefined && 'known' in outcome ? outcome.known : undefined
  return promiseAgain(parts, intent, earlier)
}

const ENDED: readonly IntentState[] = ['included', 'refused', 'expired', 'withdrawn']

/**
 * Returns the promise of a repeated cancel: the first one, or a new one where that came to nothing,
 * or where the venue made it for its own purposes.
 */
async function promiseAgain(
  { intents, model }: OrderParts,
  intent: NewIntent,
  earlier: Intent | undefined,
): Promise<ReceiptFacts> {
  const { id, includeByBlock, receivedNs: atNs, lane } = intent
  const before = (await intents.promisesOf([id])).get(id)
  // In a block that this node has not seen.
  const isDone =
    earlier?.state === 'included' && (earlier.blockNumber ?? 0) > (model.head?.number ?? 0)
  const from = before?.includeByBlock === 0 ? [...ENDED, 'queued' as const] : ENDED
  const step = { id, from, to: 'queued', atNs, includeByBlock } as const
  const [isMade] = isDone ? [] : await intents.move([step])
  const promise = (isMade === true ? (await intents.promisesOf([id])).get(id) : before) ?? {
    seq: 0,
    ...step,
  }
  return { id, lane, ...promise, receivedNs: promise.atNs }
}

const isPerpetual = ({ model }: OrderParts, market: string) =>
  model.state.records.market.get(market)?.type === 'PERPETUAL'
