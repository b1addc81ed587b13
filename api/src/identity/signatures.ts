// The two signatures of a registration. Interface 5.2: each is made over its own type only.

import type { AccountHistory } from '@openvenue/store/account-history'
import { SIGNATURE_BYTES_MAX } from '@openvenue/wire/registration'
import { type FieldError, Refusal } from '../http/refusals.ts'
import { type Hex, parseEcdsa, parseHex } from '../http/signature-hex.ts'
import type { EthCall } from './eth-call.ts'
import { CallReverted } from './eth-call.ts'
import type { RegistrationRequest } from './registration-body.ts'
import type { IdentitySettings } from './settings.ts'
import {
  type Domain,
  registerData,
  registerForData,
  signKeyData,
  type TypedData,
} from './typed-data.ts'
import { gasText, WALLET_GAS_MAX } from './wallet-calls.ts'

export type Viem = typeof import('viem')
export type SignatureDeps = Readonly<{
  call: EthCall
  history: AccountHistory
  settings: IdentitySettings
}>

export type Signed = Readonly<{
  field: string
  signature: string | undefined
  by: string
  data: TypedData
}>
/** A signature that was looked at: who made it, where that can be known, and whether it will do. */
export type Seen = Readonly<{
  signed: Signed
  digest: Hex
  recovered: string | undefined
  isValid: boolean
}>

/** When to come back with a signature that the chain could not be asked about. */
const RETRY_MS = 1000

/**
 * Refuses with 401 unless the wallet, or the owner of the sub-account, and the signing key signed.
 * A wallet that is a contract, or will be one, is asked on the chain; 503 when it cannot be, or
 * when the database does not say whose the account is. The first call loads the cryptography.
 */
export async function checkSignatures(
  deps: SignatureDeps,
  request: RegistrationRequest,
): Promise<void> {
  const viem = await import('viem')
  const { chainId, domainName } = deps.settings
  const domain = { name: domainName, version: '1', chainId }
  const { account, signingKey } = request
  const byWallet = await lookForAccount(viem, deps, { domain, request })
  const byKey = await look(viem, {
    field: 'signing_key_signature',
    signature: request.signingKeySignature,
    by: signingKey,
    data: signKeyData(domain, account),
  })
  const isContract =
    !byWallet.isValid && byKey.isValid && (await isContractsOwn(viem, deps, byWallet))
  const wrong = [byWallet, byKey].filter(
    (seen) => !seen.isValid && !(seen === byWallet && isContract),
  )
  if (wrong.length > 0) throw invalidSignatures(wrong)
}

/** Looks at the signature of the wallet; of a sub-account's owner where it is not the wallet's. */
async function lookForAccount(
  viem: Viem,
  { history }: SignatureDeps,
  { domain, request }: Readonly<{ domain: Domain; request: RegistrationRequest }>,
): Promise<Seen> {
  const { account, signingKey: key, expiry, accountSignature: signature } = request
  const field = 'account_signature'
  const data = registerData(domain, key, expiry)
  const own = await look(viem, { field, signature, by: account, data })
  if (own.isValid) return own
  const owner = await ownerOf(history, account)
  if (owner === undefined) return own
  const forSub = registerForData(domain, { account, key, expiry })
  return look(viem, { field, signature, by: owner, data: forSub })
}

/** Returns the owner of a sub-account; undefined for any other account. */
export const ownerOf = (
  history: SignatureDeps['history'],
  account: string,
): Promise<string | undefined> =>
  // A replica may not have a sub-account that was just made.
  history.ownerOf(account, 'primary').then(
    ({ rows }) => rows,
    (cause: unknown) => {
      throw new Refusal('AUTH_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })
    },
  )

/** Returns the EIP-712 hash of a message. The first call loads the cryptography. */
export const hashMessage = async (data: TypedData): Promise<string> =>
  (await import('viem')).hashTypedData(data as never)

/** Looks at a signature, without the chain. */
export async function look(viem: Viem, signed: Signed): Promise<Seen> {
  const digest = viem.hashTypedData(signed.data as never)
  const ecdsa = parseEcdsa(signed.signature)
  const recovered = await recoverSigner(viem, digest, ecdsa?.signature)
  return { signed, digest, recovered, isValid: recovered === signed.by && ecdsa?.isHighS === false }
}

/** Returns signature bytes as lower-case hex; undefined when there are none, or too many. */
export const signatureBytes = (text: string | undefined): Hex | undefined =>
  parseHex(text, SIGNATURE_BYTES_MAX)

const isTooLong = (text: string | undefined) => (text ?? '').length > 2 + 2 * SIGNATURE_BYTES_MAX

/** Returns who made an ECDSA signature, lower case; undefined when it is none. */
export async function recoverSigner(viem: Viem, hash: Hex, signature: Hex | undefined) {
  if (signature === undefined) return undefined
  try {
    return (await viem.recoverAddress({ hash, signature })).toLowerCase()
  } catch {
    // Numbers that are on no curve: nobody signed.
    return undefined
  }
}

/**
 * Says whether the contract at the wallet's address takes the signature (EIP-1271), or the one
 * that the signature says how to deploy there (EIP-6492).
 */
async function isContractsOwn(viem: Viem, { call }: SignatureDeps, seen: Seen): Promise<boolean> {
  const { signed, digest, recovered } = seen
  const signature = signatureBytes(signed.signature)
  // The wallet's own ECDSA signature, in the form that is refused.
  if (signature === undefined || recovered === signed.by) return false
  const data = viem.encodeDeployData({
    abi: viem.erc6492SignatureValidatorAbi,
    bytecode: viem.erc6492SignatureValidatorByteCode,
    args: [signed.by as Hex, digest, signature],
  })
  try {
    return /^0x0*1$/.test(await call({ data, gas: gasText(WALLET_GAS_MAX) }))
  } catch (cause) {
    if (cause instanceof CallReverted) return false
    throw new Refusal('CHAIN_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })
  }
}

/** Returns the refusal of signatures that are not what they should be. */
export function invalidSignatures(wrong: readonly Seen[]): Refusal {
  const details = wrong.map(toDetail)
  return new Refusal('INVALID_SIGNATURE', { message: details[0]?.message ?? '', details })
}

function toDetail({ signed, digest, recovered }: Seen): FieldError {
  const { field, signature, by, data } = signed
  const rule = `${field} is the EIP-712 signature of ${data.primaryType} by ${by}`
  const found = isTooLong(signature)
    ? `it is longer than ${SIGNATURE_BYTES_MAX} bytes`
    : signature === undefined || signature === ''
      ? 'it is missing'
      : `it is ${recovered === undefined ? 'not one' : recovered === by ? 'one with a high s' : `by ${recovered}`}`
  return {
    field,
    code: 'INVALID_SIGNATURE',
    message: `${rule} (${found})`,
    ...(recovered === undefined ? {} : { recovered }),
    typed_data: data,
    digest,
  }
}
