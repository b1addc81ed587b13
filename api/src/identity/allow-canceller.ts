// Accepts allowances of the venue's canceller signed by accounts, for the keeper to send.
import {
  KEPT_FINISHED_MS,
  type KeyRelay,
  type KeyRelays,
  REGISTER_GAS_MAX,
  WALLET_DAILY_MAX,
  WALLET_UNFINISHED_MAX,
} from '@openvenue/store/identity/key-relays'
import type { CancellerRelay } from '@openvenue/wire/cancellers'
import { type FieldError, msToNs, Refusal } from '../http/refusals.ts'
import { type Hex, parseEcdsa } from '../http/signature-hex.ts'
import { fieldRefusal, invalid } from '../http/validation.ts'
import type { Clock } from '../model/clock.ts'
import { CallReverted, type EthCall } from './eth-call.ts'
import { keysUnavailable } from './register.ts'
import { gasText } from './wallet-calls.ts'

/** The stored expiry of a revoked canceller; the contract accepts only later ones, thus none. */
const EXPIRY_OF_REVOKED = 2 ** 40 - 1

/** `Accounts.allowCancellerSigned`, and its possible errors. */
export const ALLOW_ABI = [
  'function allowCancellerSigned(address wallet, address canceller, uint256 expiry, bytes signature)',
  'error SignatureInvalid(address signer)',
  'error CancellerExpirySpent(uint256 expiry, uint256 allowedExpiry)',
  'error CancellerExpiryOutOfRange(uint256 expiry, uint256 earliest, uint256 latest)',
] as const

/** Retry-After while no node answers. */
const RETRY_MS = 1000
/** Retry-After while too many wait for the chain. */
const QUEUE_RETRY_MS = 60_000

/** An allowance with the contract that will receive it. */
export type SignedAllowance = Readonly<{
  contract: string
  wallet: string
  canceller: string
  expiry: bigint
  signature: Hex
  /** Returned when the signature is refused. */
  typedData: Readonly<Record<string, unknown>>
}>
type Relays = Pick<KeyRelays, 'newestAllowance' | 'enqueueAllowance' | 'of'>
type Deps = Readonly<{ keyRelays: Relays; clock: Clock }>

/** Returns the last requested allowance of an account; null once it is dropped. */
export async function relayOf(
  { keyRelays, clock }: Deps,
  account: string,
): Promise<CancellerRelay | null> {
  const relay = await keyRelays.newestAllowance(account).catch((cause: unknown) => {
    throw keysUnavailable(cause)
  })
  if (relay === undefined) return null
  const isEnded = relay.status === 'done' || relay.status === 'failed'
  return isEnded && relay.updatedMs <= clock.nowMs() - KEPT_FINISHED_MS ? null : encode(relay)
}

/** Queues allowances that the contract accepts now; refuses all others, at no cost to the venue. */
export async function allowCanceller(
  deps: Deps & Readonly<{ call: EthCall }>,
  allowance: SignedAllowance,
): Promise<CancellerRelay> {
  const taken = await asTaken(deps, allowance)
  const outcome = await deps.keyRelays
    .enqueueAllowance(taken, deps.clock.nowMs())
    .catch((cause: unknown) => {
      throw keysUnavailable(cause)
    })
  if ('relay' in outcome) return encode(outcome.relay)
  const retryAfterMs = QUEUE_RETRY_MS
  if (outcome.refused === 'full') throw new Refusal('CHAIN_UNAVAILABLE', { retryAfterMs })
  const message =
    `Too many pending registrations and allowances: an account may have ${WALLET_UNFINISHED_MAX} ` +
    `pending, and ${WALLET_DAILY_MAX} per day`
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, retryAfterMs })
}

/**
 * Returns the allowance with its signature in the contract's form, or refuses. A signature that
 * ends in 00 or 01 is tried as an ECDSA one, then unchanged: a contract wallet's may end so too.
 */
async function asTaken(
  deps: Deps & Readonly<{ call: EthCall }>,
  given: SignedAllowance,
): Promise<SignedAllowance> {
  const signature = parseEcdsa(given.signature)?.signature ?? given.signature
  let firstRefusal: Refusal | undefined
  for (const form of new Set([signature, given.signature])) {
    const allowance = { ...given, signature: form }
    const refused = await tryAllow(deps, allowance)
    if (refused === undefined || (await isByComingKey(deps, allowance, refused))) return allowance
    firstRefusal ??= refused
  }
  throw firstRefusal ?? refuseSignature('hex bytes', given.typedData)
}

/**
 * Returns whether the signer is a pending key, which the contract accepts only once registered. The
 * keeper sends the allowance after it, and drops the allowance if it is still refused.
 */
async function isByComingKey(
  { keyRelays }: Deps,
  { wallet, signature, typedData }: SignedAllowance,
  { code }: Refusal,
): Promise<boolean> {
  if (code !== 'INVALID_SIGNATURE') return false
  const viem = await import('viem')
  const hash = viem.hashTypedData(typedData as never)
  const signer = await viem.recoverAddress({ hash, signature }).catch(() => undefined)
  if (signer === undefined) return false
  const relays = await keyRelays.of(wallet, signer.toLowerCase()).catch((cause: unknown) => {
    throw keysUnavailable(cause)
  })
  return relays.some(({ kind, status }) => kind === 'key' && /^(pending|sent)$/.test(status))
}

async function tryAllow(
  { call }: Readonly<{ call: EthCall }>,
  allowance: SignedAllowance,
): Promise<Refusal | undefined> {
  const viem = await import('viem')
  const abi = viem.parseAbi(ALLOW_ABI)
  const { contract: to, wallet, canceller, expiry, signature } = allowance
  const args = [wallet as Hex, canceller as Hex, expiry, signature] as const
  const data = viem.encodeFunctionData({ abi, functionName: 'allowCancellerSigned', args })
  try {
    await call({ to, data, gas: gasText(REGISTER_GAS_MAX) })
    return undefined
  } catch (cause) {
    if (!(cause instanceof CallReverted))
      throw new Refusal('CHAIN_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })
    return refusedBy(() => viem.decodeErrorResult({ abi, data: cause.data as Hex }), allowance)
  }
}

type ContractError = Readonly<{ errorName: string; args: readonly unknown[] }>

function refusedBy(decode: () => ContractError, { expiry, typedData }: SignedAllowance): Refusal {
  const { errorName, args } = decoded(decode)
  switch (errorName) {
    case 'SignatureInvalid':
      return refuseSignature(
        'AllowCanceller signed by the wallet, the owner of a sub-account, or a live signing key',
        typedData,
      )
    case 'CancellerExpirySpent':
      return refuseSpent(expiry, Number(args[1]))
    case 'CancellerExpiryOutOfRange': {
      const [given, earliest, latest] = args.map(Number) as [number, number, number]
      return refuseExpiry(
        `Unix seconds from ${earliest} to ${latest}`,
        given,
        given > latest ? latest : earliest,
      )
    }
    default:
      return new Refusal('ON_CHAIN_REFUSED', {
        message: 'The accounts contract rejected the allowance',
      })
  }
}

/** After a revocation the contract accepts no message of the account for this canceller. */
function refuseSpent(expiry: bigint, allowedExpiry: number): Refusal {
  if (allowedExpiry !== EXPIRY_OF_REVOKED)
    return refuseExpiry(
      `after ${allowedExpiry}, the latest one allowed before`,
      expiry,
      allowedExpiry + 1,
    )
  return new Refusal('ON_CHAIN_REFUSED', {
    message:
      'Canceller is revoked: signed messages no longer allow it. Send the call of ' +
      'GET /account/cancellers to allow it again',
  })
}

/** An error of a wallet's own code has no name here. */
function decoded(decode: () => ContractError): ContractError {
  try {
    return decode()
  } catch {
    return { errorName: '', args: [] }
  }
}

/** Returns the refusal of a signature, with the data to sign. */
export function refuseSignature(
  expected: string,
  typedData: Readonly<Record<string, unknown>>,
): Refusal {
  const code = 'INVALID_SIGNATURE'
  const message = `signature is invalid: expected ${expected}`
  const detail: FieldError = { field: 'signature', code, message, typed_data: typedData }
  return new Refusal(code, { message, details: [detail] })
}

const refuseExpiry = (expected: string, given: unknown, nearest: number): Refusal =>
  fieldRefusal([invalid('expiry', expected, { given, fault: 'is out of range', nearest })])

const encode = (relay: KeyRelay): CancellerRelay => ({
  canceller: relay.signingKey,
  expiry: relay.expiry.toString(),
  status: relay.status,
  transaction_hash: relay.txHash ?? null,
  reason: relay.reason ?? null,
  created_timestamp: msToNs(relay.createdMs),
  timestamp: msToNs(relay.updatedMs),
})
