// Signing keys on the chain: predicts the contract's decision on a registration, and encodes the
// call that revokes a key. The contract decides; this only lets a client be answered at once.
import { REGISTER_GAS_MAX } from '@openvenue/store/identity/key-relays'
import {
  type FieldError,
  Refusal,
  type RefusalCode,
  type UnsignedTransaction,
} from '../http/refusals.ts'
import type { Hex } from '../http/signature-hex.ts'
import type { EthCall } from './eth-call.ts'
import { CallReverted } from './eth-call.ts'
import type { RegistrationRequest } from './registration-body.ts'
import type { IdentitySettings } from './settings.ts'
import { gasText } from './wallet-calls.ts'

type WithSettings = Readonly<{ settings: IdentitySettings }>

/** First four bytes of the hash of `revoke(address)`. */
export const REVOKE_SELECTOR = '0x74a8f103'
/** Suffix of a signature that includes its wallet's deployment (EIP-6492). */
const DEPLOYING = /(6492){16}$/i
const WORD_DIGITS = 64

/** `Accounts.register`, and its possible errors. */
export const REGISTER_ABI = [
  'function register(address wallet, address key, uint256 expiry, bytes walletSignature, bytes keySignature) returns (uint40 account)',
  'error SignatureInvalid(address signer)',
  'error KeyExpiryPassed(uint256 expiry, uint256 time)',
  'error KeyTaken(address key, uint40 account)',
  'error KeyDead(address key)',
  'error WalletZero()',
] as const

/** Returns the contract of accounts; refuses when the operator names none. */
export function requireContract({ settings }: WithSettings): string {
  const { accountsContract } = settings
  if (accountsContract !== undefined) return accountsContract
  throw refuseField(
    'ON_CHAIN_NOT_OFFERED',
    'on_chain',
    'is not supported: expected false, since no accounts contract is configured',
  )
}

/**
 * Refuses what the contract always would: an expiry that is not in the future, and the signature of
 * a wallet that is not deployed yet.
 */
export function requireFit(
  deps: WithSettings,
  { expiry, chainAccountSignature }: RegistrationRequest,
  nowMs: number,
): void {
  requireContract(deps)
  const nowSeconds = Math.floor(nowMs / 1000)
  if (expiry <= BigInt(nowSeconds)) throw expiryPassed(nowSeconds)
  if (DEPLOYING.test(chainAccountSignature ?? ''))
    throw refuseField(
      'SIGNATURE_NOT_ON_CHAIN',
      'chain_account_signature',
      'is of an undeployed wallet (EIP-6492): expected ECDSA, or EIP-1271 of a deployed wallet',
    )
}

/** Both signatures in the form of the contract of accounts: bytes in hex, v as 27 or 28. */
export type ContractForm = Readonly<{ walletSignature: Hex; signingKeySignature: Hex }>

/**
 * Simulates the registration on the node with the keeper's gas limit. Returns the refusal if the
 * contract refuses, `taken` if it accepts, `unanswered` if no node answers.
 */
export async function tryRegister(
  deps: WithSettings & Readonly<{ call: EthCall }>,
  { account, signingKey, expiry }: RegistrationRequest,
  { walletSignature, signingKeySignature }: ContractForm,
): Promise<Refusal | 'taken' | 'unanswered'> {
  const viem = await import('viem')
  const abi = viem.parseAbi(REGISTER_ABI)
  const args = [
    account as Hex,
    signingKey as Hex,
    expiry,
    walletSignature,
    signingKeySignature,
  ] as const
  const data = viem.encodeFunctionData({ abi, functionName: 'register', args })
  try {
    await deps.call({ to: requireContract(deps), data, gas: gasText(REGISTER_GAS_MAX) })
    return 'taken'
  } catch (error) {
    if (!(error instanceof CallReverted)) return 'unanswered'
    return refusedBy(decodeError(viem, abi, error), { signingKey, expiry })
  }
}

type Viem = typeof import('viem')
type Abi = Parameters<Viem['decodeErrorResult']>[0]['abi']
type ContractError = Readonly<{ name: string; args: readonly unknown[] }>

/** Returns the contract's error, without a name when it is unknown. */
function decodeError(viem: Viem, abi: Abi, { data }: CallReverted): ContractError {
  try {
    const { errorName, args } = viem.decodeErrorResult({ abi, data: (data ?? '0x') as Hex })
    return { name: errorName, args: args ?? [] }
  } catch {
    return { name: '', args: [] }
  }
}

/** Returns the refusal for an error of the contract. */
function refusedBy(
  { name, args }: ContractError,
  { signingKey, expiry }: Pick<RegistrationRequest, 'signingKey' | 'expiry'>,
): Refusal {
  const isAboutKey = String(args[0]).toLowerCase() === signingKey
  switch (name) {
    case 'KeyExpiryPassed':
      return args[0] === expiry ? expiryPassed(Number(args[1])) : expirySpent()
    case 'KeyDead':
      return keyRevoked()
    case 'KeyTaken':
      return isAboutKey
        ? refuseField(
            'KEY_TAKEN',
            'signing_key',
            'is already in use: expected a key that is neither a wallet nor a key of another account',
          )
        : refuseField(
            'KEY_TAKEN',
            'account',
            'is a signing key of another account: expected a wallet',
          )
    case 'SignatureInvalid':
      return refuseField(
        'SIGNATURE_NOT_ON_CHAIN',
        isAboutKey ? 'chain_signing_key_signature' : 'chain_account_signature',
        'is invalid: expected a signature that the accounts contract accepts',
      )
    default:
      return refuseField('ON_CHAIN_REFUSED', 'on_chain', 'was rejected by the accounts contract')
  }
}

/** Returns the refusal of a key that the wallet has revoked on the chain. */
export const keyRevoked = () =>
  refuseField(
    'KEY_REVOKED',
    'signing_key',
    'was revoked on chain: expected a key that was never revoked',
  )

/** The chain's clock is in whole seconds. */
const expiryPassed = (nowSeconds: number) =>
  refuseField(
    'KEY_EXPIRY_PASSED',
    'expiry',
    `has passed: expected at least ${nowSeconds + 1}, as on_chain is true`,
    (nowSeconds + 1).toString(),
  )

const expirySpent = () =>
  refuseField(
    'KEY_EXPIRY_PASSED',
    'expiry',
    'is too early: expected a time later than each expiry that the wallet signed for the key before, ' +
      'since the key has ended on chain',
  )

function refuseField(code: RefusalCode, field: string, rule: string, nearest?: string): Refusal {
  const message = `${field} ${rule}`
  const detail: FieldError = {
    field,
    code,
    message,
    ...(nearest === undefined ? {} : { nearest }),
  }
  return new Refusal(code, { message, details: [detail] })
}

/**
 * Returns the call that revokes a signing key permanently; its wallet, or the sub-account's owner,
 * sends it.
 */
const revokeTransaction = (deps: WithSettings, signingKey: string): UnsignedTransaction => ({
  to: requireContract(deps),
  data: REVOKE_SELECTOR + signingKey.slice(2).padStart(WORD_DIGITS, '0'),
  value: '0',
  chain_id: deps.settings.chainId,
})

/**
 * Returns the refusal of an on-chain revocation, with a call for each signing key: nothing was
 * revoked, on the chain or here.
 */
export function revokedByWallet(deps: WithSettings, signingKeys: readonly string[]): Refusal {
  const code = 'ON_CHAIN_REVOKE_BY_WALLET' as const
  const message =
    'Signing key can be revoked on chain only by the wallet, or the owner of a sub-account: send the ' +
    'call in details. No API key was revoked'
  const details = [...new Set(signingKeys)].map((key) => ({
    field: 'on_chain',
    code,
    message: `Send this call from the wallet to revoke ${key}`,
    call: revokeTransaction(deps, key),
  }))
  return new Refusal(code, { message, details })
}
