// The two signatures of a registration. Interface 5.2: each is made only over its own type.

import type { AccountHistory } from '@openvenue/store/history/account-history'
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

type SignedField = Readonly<{
  field: string
  signature: string | undefined
  by: string
  data: TypedData
}>
/** A checked signature: its signer, if known, and whether it is valid. */
export type CheckedSignature = Readonly<{
  signed: SignedField
  digest: Hex
  recovered: string | undefined
  isValid: boolean
}>

/** Retry-After of a signature that the chain could not check. */
const RETRY_MS = 1000

/**
 * Refuses with 401 unless the wallet, or the owner of the sub-account, and the signing key signed.
 * The signature of a contract wallet, deployed or not, is checked on the chain; 503 when that
 * fails, or when the owner cannot be read from the database. The first call loads the cryptography.
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

/** Checks the signature of the wallet, or else of the sub-account's owner. */
async function lookForAccount(
  viem: Viem,
  { history }: SignatureDeps,
  { domain, request }: Readonly<{ domain: Domain; request: RegistrationRequest }>,
): Promise<CheckedSignature> {
  const { account, signingKey: key, expiry, accountSignature: signature } = request
  const field = 'account_signature'
  const data = registerData(domain, key, expiry)
  const walletCheck = await look(viem, { field, signature, by: account, data })
  if (walletCheck.isValid) return walletCheck
  const owner = await ownerOf(history, account)
  if (owner === undefined) return walletCheck
  const forSub = registerForData(domain, { account, key, expiry })
  return look(viem, { field, signature, by: owner, data: forSub })
}

/** Returns the owner of a sub-account; undefined for any other account. */
export const ownerOf = (
  history: SignatureDeps['history'],
  account: string,
): Promise<string | undefined> =>
  // A replica may lack a sub-account that was just created.
  history.ownerOf(account, 'primary').then(
    ({ rows }) => rows,
    (cause: unknown) => {
      throw new Refusal('AUTH_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })
    },
  )

/** Returns the EIP-712 hash of a message. The first call loads the cryptography. */
export const hashMessage = async (data: TypedData): Promise<string> =>
  (await import('viem')).hashTypedData(data as never)

/** Checks a signature without the chain. */
export async function look(viem: Viem, signed: SignedField): Promise<CheckedSignature> {
  const digest = viem.hashTypedData(signed.data as never)
  const ecdsa = parseEcdsa(signed.signature)
  const recovered = await recoverSigner(viem, digest, ecdsa?.signature)
  return { signed, digest, recovered, isValid: recovered === signed.by && ecdsa?.isHighS === false }
}

/** Returns signature bytes as lower-case hex; undefined when they are missing or too long. */
export const signatureBytes = (text: string | undefined): Hex | undefined =>
  parseHex(text, SIGNATURE_BYTES_MAX)

const isTooLong = (text: string | undefined) => (text ?? '').length > 2 + 2 * SIGNATURE_BYTES_MAX

/** Returns the signer of an ECDSA signature, lower case; undefined when it is invalid. */
async function recoverSigner(viem: Viem, hash: Hex, signature: Hex | undefined) {
  if (signature === undefined) return undefined
  try {
    return (await viem.recoverAddress({ hash, signature })).toLowerCase()
  } catch {
    // The numbers are not on the curve, so there is no signer.
    return undefined
  }
}

/**
 * Returns whether the contract at the wallet's address accepts the signature (EIP-1271), or the
 * contract whose deployment the signature includes (EIP-6492).
 */
async function isContractsOwn(
  viem: Viem,
  { call }: SignatureDeps,
  seen: CheckedSignature,
): Promise<boolean> {
  const { signed, digest, recovered } = seen
  const signature = signatureBytes(signed.signature)
  // The wallet's own ECDSA signature, in a form that is refused.
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

/** Returns the refusal of invalid signatures. */
export function invalidSignatures(wrong: readonly CheckedSignature[]): Refusal {
  const details = wrong.map(toDetail)
  return new Refusal('INVALID_SIGNATURE', { message: details[0]?.message ?? '', details })
}

function signatureFault({ signature, by }: SignedField, recovered: string | undefined): string {
  if (isTooLong(signature)) return `is longer than ${SIGNATURE_BYTES_MAX} bytes:`
  if (signature === undefined || signature === '') return 'is missing:'
  if (recovered === undefined) return 'is malformed:'
  return `is invalid: got ${recovered === by ? 'one with a high s' : `one by ${recovered}`},`
}

function toDetail({ signed, digest, recovered }: CheckedSignature): FieldError {
  const { field, by, data } = signed
  const fault = signatureFault(signed, recovered)
  const expected = `the EIP-712 signature of ${data.primaryType} by ${by}`
  return {
    field,
    code: 'INVALID_SIGNATURE',
    message: `${field} ${fault} expected ${expected}`,
    ...(recovered === undefined ? {} : { recovered }),
    typed_data: data,
    digest,
  }
}
