// Relays signed allowances to the chain (POST /account/cancellers), and returns the call that
// revokes one (DELETE).
import { CancellerRelay, CancellerRequest, RevokedCanceller } from '@openvenue/wire/cancellers'
import { MarginAnswer } from '@openvenue/wire/margin'
import { liveCancellers } from '../account/cancellers.ts'
import { loadOwner } from '../account/owner.ts'
import { isAddress } from '../http/address.ts'
import { answers } from '../http/answer.ts'
import { type FieldError, Refusal, type RefusalCode } from '../http/refusals.ts'
import { fieldRefusal, malformedAddress, missing } from '../http/validation.ts'
import { unsignedCall } from '../identity/account-calls.ts'
import {
  allowCanceller,
  refuseSignature,
  type SignedAllowance,
} from '../identity/allow-canceller.ts'
import { requireCaller } from '../identity/caller.ts'
import { isError, parseExpiry, requireMembers } from '../identity/registration-body.ts'
import { signatureBytes } from '../identity/signatures.ts'
import { boundedCalls } from '../identity/wallet-calls.ts'
import { allowance, venueCanceller } from '../orders/cancel/cancel-authority.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type OwnerParts, type Parts, type Routes, TAGS } from './route.ts'

const ALLOWING: readonly RefusalCode[] = [
  'MISSING_PARAMETER',
  'MALFORMED_ADDRESS',
  'INVALID_SIGNATURE',
  'ON_CHAIN_NOT_OFFERED',
  'ON_CHAIN_REFUSED',
  'CHAIN_UNAVAILABLE',
  'AUTH_UNAVAILABLE',
]
const REVOKING: readonly RefusalCode[] = [
  'MISSING_PARAMETER',
  'MALFORMED_ADDRESS',
  'CANCELLER_BY_WALLET',
  'ON_CHAIN_NOT_OFFERED',
  'HISTORY_UNAVAILABLE',
]

export const cancellerChangeRoutes: Routes<
  OwnerParts | 'authenticate' | 'settings' | 'relay' | 'keyRelays' | 'clock' | 'call'
> = (host, deps) => {
  const { authenticate: onRequest } = deps
  const limited = { ...deps, call: boundedCalls(deps.call) }
  const tags = TAGS.account
  const allow = {
    tags,
    summary:
      "Allow the venue to cancel the account's orders: it relays the signed allowance to the chain",
    body: CancellerRequest,
    response: answers(CancellerRelay),
  }
  const revoke = {
    tags,
    summary: 'Revoke a canceller: returns the call for the wallet',
    querystring: RevokedCanceller,
    response: answers(MarginAnswer),
  }
  const configOf = (refuses: readonly RefusalCode[], scope: 'trade' | 'cancel') =>
    ({ isOffChain: true, refuses, scope }) as const
  withExactBodies(host, (routes) => {
    const hooks = { onRequest, validatorCompiler: describedOnly }
    const posting = { ...hooks, schema: allow, config: configOf(ALLOWING, 'trade') }
    routes.post('/account/cancellers', posting, async (request) => {
      const { account } = requireCaller(request)
      return allowCanceller(limited, await readAllowance(limited, account, request.body))
    })
    const removing = { ...hooks, schema: revoke, config: configOf(REVOKING, 'trade') }
    routes.delete('/account/cancellers', removing, async (request) => {
      const { canceller } = request.query as Readonly<{ canceller?: unknown }>
      return revokeCanceller(deps, requireCaller(request).account, canceller)
    })
  })
}

/** Returns the allowance of a body; its canceller and expiry must be ones that the venue relays. */
async function readAllowance(
  deps: Parts<'model' | 'settings' | 'relay'>,
  account: string,
  body: unknown,
): Promise<SignedAllowance> {
  const members = requireMembers(body)
  const expiry = parseExpiry(members.expiry ?? undefined)
  if (isError(expiry)) throw fieldRefusal([expiry])
  if (members.signature === undefined || members.signature === null)
    throw fieldRefusal([missing('signature', 'body member signature')])
  const contract = deps.settings.accountsContract
  const canceller = await venueCanceller(deps)
  if (contract === undefined || canceller === undefined) throw notOffered()
  requireVenue(members.canceller ?? undefined, canceller)
  // A larger expiry is capped, which is out of range as well.
  const capped = Number(expiry)
  const terms = { account, canceller, expiry: capped }
  const described = await allowance(deps, terms, deps.model.head?.seconds ?? 0)
  const typedData = described?.typed_data ?? {}
  const text = members.signature
  const signature = typeof text === 'string' ? signatureBytes(text) : undefined
  if (signature === undefined) throw refuseSignature('hex bytes', typedData)
  return { contract, wallet: account, canceller, expiry, signature, typedData }
}

/** The venue pays only for its own canceller: a wallet allows others with its own transaction. */
function requireVenue(canceller: unknown, venue: string): void {
  if (canceller === undefined || canceller === '') return
  if (typeof canceller !== 'string' || !isAddress(canceller)) throw malformed(canceller)
  if (canceller.toLowerCase() === venue) return
  const error = { field: 'canceller', nearest: venue }
  const message = `canceller is not the venue's: expected ${venue}`
  throw fieldRefusal([{ ...error, code: 'INVALID_PARAMETER', message }])
}

async function revokeCanceller(
  deps: Parts<OwnerParts | 'settings'>,
  account: string,
  address: unknown,
): Promise<Readonly<{ success: true }>> {
  if (address === undefined) throw fieldRefusal([missing('canceller', 'parameter canceller')])
  if (typeof address !== 'string' || !isAddress(address)) throw malformed(address)
  const canceller = address.toLowerCase()
  const { model, settings } = deps
  const live = await loadOwner(deps, account, (owner) => liveCancellers(model, owner))
  if (!live.some((allowed) => allowed.canceller === canceller)) return { success: true }
  if (settings.accountsContract === undefined) throw notOffered()
  const code = 'CANCELLER_BY_WALLET'
  const message =
    'Canceller can be revoked only by the wallet, the owner of a sub-account, or a live signing key: ' +
    'send the call in details'
  const words = [account, canceller] as const
  const call = unsignedCall(
    settings.accountsContract,
    ['revokeCanceller(address,address)', words],
    settings.chainId,
  )
  throw new Refusal(code, { message, details: [{ field: 'canceller', code, message, call }] })
}

const malformed = (value: unknown): Refusal => fieldRefusal([malformedAddress('canceller', value)])

function notOffered(): Refusal {
  const code = 'ON_CHAIN_NOT_OFFERED'
  const message = 'Cancellers are not supported: the venue has no canceller or accounts contract'
  const detail: FieldError = { field: 'canceller', code, message }
  return new Refusal(code, { message, details: [detail] })
}
