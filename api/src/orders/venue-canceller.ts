// Knows who cancels for accounts that allow the venue to, and what allows it.
import type { Cancellers } from '@openvenue/wire/cancellers'
import { liveCancellers } from '../account/cancellers.ts'
import { lookAtOwner, type OwnerDeps } from '../account/owner.ts'
import { type FieldError, Refusal } from '../http/refusals.ts'
import { fieldRefusal } from '../http/validation.ts'
import { unsignedCall } from '../identity/account-calls.ts'
import type { IdentitySettings } from '../identity/settings.ts'
import { hashMessage } from '../identity/signatures.ts'
import { allowCancellerData } from '../identity/typed-data.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { RelayParts } from './relay-status.ts'

/** `Accounts` takes no later expiry, counted from the block of the call. */
const EXPIRY_SECONDS_MAX = 30 * 24 * 3600
/** Less of it by default: the block of the call may be an earlier one after a reorganisation. */
const MARGIN_SECONDS = 3600

export type CancellerSettings = Pick<
  IdentitySettings,
  'chainId' | 'domainName' | 'accountsContract' | 'cancellerAddress'
>

export type CancellerParts = Readonly<{
  model: VenueModel
  settings: CancellerSettings
  relay: Pick<RelayParts, 'readStatus'>
}>

/** Returns how a wallet allows the venue; null where this node knows of no contract, or no one. */
export const describeAllowance = async (
  deps: CancellerParts,
  account: string,
): Promise<Cancellers['allow']> => {
  const terms = { account, canceller: await venueCanceller(deps), expiry: undefined }
  return allowance(deps, terms, deps.model.head?.seconds ?? 0)
}

/** The operator names it, else the relayer says it of itself; unknown while neither can. */
export const venueCanceller = async ({
  settings,
  relay,
}: Pick<CancellerParts, 'settings' | 'relay'>): Promise<string | undefined> =>
  settings.cancellerAddress ??
  (await relay.readStatus().catch(() => undefined))?.status.canceller.toLowerCase()

type Terms = Readonly<{
  account: string
  canceller: string | undefined
  expiry: number | undefined
}>

export async function allowance(
  { settings }: Pick<CancellerParts, 'settings'>,
  { account, canceller, expiry: asked }: Terms,
  headSeconds: number,
): Promise<Cancellers['allow']> {
  const { accountsContract: contract, chainId, domainName: name } = settings
  const latest = headSeconds + EXPIRY_SECONDS_MAX
  const seconds = asked ?? latest - MARGIN_SECONDS
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

function expiryRefused(headSeconds: number, asked: number) {
  const latest = headSeconds + EXPIRY_SECONDS_MAX
  const message = `expiry is Unix seconds after the newest block (${headSeconds}), at most 30 days`
  const nearest = asked > latest ? latest : headSeconds + 1
  const error: FieldError = { field: 'expiry', code: 'INVALID_PARAMETER', message, nearest }
  return fieldRefusal([error])
}

/**
 * Returns the account of a wallet that has allowed the venue to cancel. It is refused now, and not
 * when there is nobody to sign.
 */
export async function requireCanceller(
  parts: CancellerParts & OwnerDeps,
  wallet: string,
): Promise<number> {
  const { account } = await lookAtOwner(parts, wallet, (owner) => owner)
  if (account !== undefined && (await isVenueAllowed(parts, wallet))) return account
  throw await cancellerMissing(parts, wallet)
}

/** Returns whether the venue may cancel for a wallet, now and at that second. */
export async function isVenueAllowed(
  parts: CancellerParts & OwnerDeps,
  wallet: string,
  atSeconds = 0,
): Promise<boolean> {
  const venue = await venueCanceller(parts)
  const isIt = ({
    canceller,
    expirySeconds,
  }: Readonly<{ canceller: string; expirySeconds: number }>) =>
    canceller === venue && expirySeconds > atSeconds
  return lookAtOwner(parts, wallet, (owner) => liveCancellers(parts.model, owner).some(isIt))
}

/** Returns the refusal of what needs somebody who cancels; `others` may be signed instead. */
export async function cancellerMissing(
  parts: CancellerParts,
  wallet: string,
  others: readonly FieldError[] = [],
): Promise<Refusal> {
  const code = 'CANCEL_SIGNATURE_REQUIRED'
  const message =
    'the account allows the venue to cancel for it: sign this AllowCanceller, or send its call ' +
    '(GET /account/cancellers)'
  const allow = await describeAllowance(parts, wallet)
  const how = allow === null ? {} : { typed_data: allow.typed_data, digest: allow.digest }
  const details = [{ field: 'account', code, message, ...how } as const, ...others]
  return new Refusal(code, { message, details })
}
