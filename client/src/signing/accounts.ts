// Signs the grants of an account: signing keys and cancellers.
import { ACCOUNT_MESSAGES, API_MESSAGES } from '@openvenue/wire/signed-messages'
import type { RegisterRequest } from '../../generated/shapes.ts'
import { checkInput, isFlag, isText, isUnixSeconds, type MemberChecks } from '../input.ts'
import { checkParties, isHexAddress, isSigner } from './checks.ts'
import { type Address, type Hex, type Signer, signWith, typedData } from './typed-data.ts'
import type { SigningVenue } from './venue.ts'

const WEEK_SECONDS = 7 * 24 * 60 * 60

/** A registration; by default of the wallet's own account, for a week, on the contract too. */
export type NewRegistration = Readonly<{
  /** Signs for the account: its wallet, or the owner of the sub-account. */
  wallet: Signer
  /** Key that will sign orders. Create a new one per account: a key belongs to one permanently. */
  key: Signer
  /** Address of the sub-account; the wallet by default. */
  account?: Address
  /** Unix seconds; at most 30 days from now. */
  expirySeconds?: number
  /** False: only an API key, without the right to sign orders. */
  onChain?: boolean
  /** True: the API key can also sign requests, so that its secret is not sent. */
  hmac?: boolean
  /** Needed where accounts register by invitation. */
  inviteCode?: string
}>

const REGISTRATION: MemberChecks<NewRegistration> = {
  wallet: isSigner,
  key: isSigner,
  account: [isHexAddress],
  expirySeconds: [isUnixSeconds],
  onChain: [isFlag],
  hmac: [isFlag],
  inviteCode: [isText],
}
const REGISTRATION_NAMES = { signing_key: 'key', expiry: 'expirySeconds' }

/**
 * Signs the body of POST /register: two signatures for an API key, which is returned once, and two
 * for the contract, which the venue relays. No signature can be used in place of another.
 */
export async function signRegistration(
  venue: SigningVenue,
  registration: NewRegistration,
): Promise<RegisterRequest> {
  checkParties(venue, {})
  checkInput(registration, REGISTRATION, REGISTRATION_NAMES)
  const { wallet, key, onChain = true, hmac, inviteCode, ...given } = registration
  const account = given.account ?? wallet.address
  const isSub = account.toLowerCase() !== wallet.address.toLowerCase()
  const expiry = BigInt(given.expirySeconds ?? Math.floor(Date.now() / 1000) + WEEK_SECONDS)
  const { apiDomain } = venue
  const message = { account, key: key.address, expiry }
  const { account: _, ...ownMessage } = message
  const register = isSub
    ? typedData(apiDomain, ['RegisterFor', API_MESSAGES.RegisterFor], message)
    : typedData(apiDomain, ['Register', API_MESSAGES.Register], ownMessage)
  const signKey = typedData(apiDomain, ['SignKey', API_MESSAGES.SignKey], { account })
  return {
    account,
    signing_key: key.address,
    expiry: expiry.toString(),
    account_signature: await signWith(wallet, register),
    signing_key_signature: await signWith(key, signKey),
    ...(onChain && (await signForChain(venue, { wallet, key }, message))),
    ...(hmac && { hmac }),
    ...(inviteCode && { invite_code: inviteCode }),
  }
}

async function signForChain(
  venue: SigningVenue,
  { wallet, key }: Readonly<{ wallet: Signer; key: Signer }>,
  message: Readonly<{ account: Address; key: Address; expiry: bigint }>,
) {
  const domain = venue.domainOf(venue.accounts)
  const grant = typedData(domain, ['RegisterKey', ACCOUNT_MESSAGES.RegisterKey], message)
  const accept = typedData(domain, ['AcceptKey', ACCOUNT_MESSAGES.AcceptKey], message)
  return {
    on_chain: true,
    chain_account_signature: await signWith(wallet, grant),
    chain_signing_key_signature: await signWith(key, accept),
  }
}

/** A canceller to allow for an account. */
export type NewCanceller = Readonly<{
  /** `venue_canceller` of GET /account/cancellers, or an address of your own. */
  canceller: string
  /** Unix seconds; at most 30 days from now, and later than any earlier grant. */
  expirySeconds: number
  /** Wallet or sub-account, if the signer is its key or owner. */
  account?: Address
}>

const CANCELLER: MemberChecks<NewCanceller> = {
  canceller: isHexAddress,
  expirySeconds: isUnixSeconds,
  account: [isHexAddress],
}

/** Signs the body of POST /account/cancellers. A canceller can only cancel. */
export async function signCanceller(
  venue: SigningVenue,
  signer: Signer,
  grant: NewCanceller,
): Promise<Readonly<{ canceller: string; expiry: string; signature: Hex }>> {
  checkParties(venue, { signer })
  checkInput(grant, CANCELLER, { venue_canceller: 'canceller' })
  const { canceller, expirySeconds, account = signer.address } = grant
  const message = { account, canceller, expiry: BigInt(expirySeconds) }
  const domain = venue.domainOf(venue.accounts)
  const data = typedData(domain, ['AllowCanceller', ACCOUNT_MESSAGES.AllowCanceller], message)
  return { canceller, expiry: `${expirySeconds}`, signature: await signWith(signer, data) }
}
