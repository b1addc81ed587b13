// Checks the two signatures with which the contract of accounts registers a key.
import { Refusal } from '../http/refusals.ts'
import { parseEcdsa } from '../http/signature-hex.ts'
import { type ContractForm, requireContract, tryRegister } from './on-chain.ts'
import type { RegistrationRequest } from './registration-body.ts'
import {
  type CheckedSignature,
  invalidSignatures,
  look,
  ownerOf,
  type SignatureDeps,
  signatureBytes,
  type Viem,
} from './signatures.ts'
import { acceptKeyData, registerKeyData } from './typed-data.ts'

/** Retry-After of a signature that only the chain can check. */
const RETRY_MS = 1000

/**
 * Refuses with 401 unless the wallet, or the owner of the sub-account, and the signing key signed
 * for the contract; refuses what else the contract would. While no node answers, other checks pass,
 * since the keeper repeats them later, but signatures of contract wallets are 503.
 */
export async function checkChainSignatures(
  deps: SignatureDeps,
  request: RegistrationRequest,
): Promise<ContractForm> {
  const viem = await import('viem')
  const { byWallet, byKey } = await lookAtBoth(viem, deps, request)
  const isContracts = mayBeContracts(byWallet)
  if (!byKey.isValid || (!byWallet.isValid && !isContracts))
    throw invalidSignatures([byWallet, byKey].filter(({ isValid }) => !isValid))
  const form = {
    walletSignature: contractSignature(byWallet),
    signingKeySignature: contractSignature(byKey),
  }
  const verdict = await tryRegister(deps, request, form)
  if (verdict === 'unanswered' && isContracts)
    throw new Refusal('CHAIN_UNAVAILABLE', { retryAfterMs: RETRY_MS })
  if (verdict instanceof Refusal)
    throw verdict.code === 'SIGNATURE_NOT_ON_CHAIN' && isContracts
      ? invalidSignatures([byWallet])
      : verdict
  return form
}

async function lookAtBoth(
  viem: Viem,
  deps: SignatureDeps,
  request: RegistrationRequest,
): Promise<Readonly<Record<'byWallet' | 'byKey', CheckedSignature>>> {
  const { chainId, domainName: name } = deps.settings
  const { account, signingKey: key, expiry } = request
  const domain = { name, version: '1', chainId, verifyingContract: requireContract(deps) }
  const grant = { account, key, expiry }
  const byAccount = {
    field: 'chain_account_signature',
    signature: request.chainAccountSignature,
    by: account,
    data: registerKeyData(domain, grant),
  }
  const walletCheck = await look(viem, byAccount)
  const owner = walletCheck.isValid ? undefined : await ownerOf(deps.history, account)
  const byKey = await look(viem, {
    field: 'chain_signing_key_signature',
    signature: request.chainSigningKeySignature,
    by: key,
    data: acceptKeyData(domain, grant),
  })
  const byWallet = owner === undefined ? walletCheck : await look(viem, { ...byAccount, by: owner })
  return { byWallet, byKey }
}

/** True for bytes that the code at the wallet's address may accept (EIP-1271). */
const mayBeContracts = ({ signed, recovered, isValid }: CheckedSignature) =>
  !isValid && recovered !== signed.by && signatureBytes(signed.signature) !== undefined

/** A contract's signature is left unchanged: only those we recovered are normalised. */
function contractSignature({ signed, isValid }: CheckedSignature): ContractForm['walletSignature'] {
  const ecdsa = isValid ? parseEcdsa(signed.signature)?.signature : undefined
  return ecdsa ?? signatureBytes(signed.signature) ?? '0x'
}
