// GET /account/cancellers: who may cancel for the account of a key, and how to change it.
import { Cancellers, CancellersQuery } from '@openvenue/wire/cancellers'
import type { Static } from '@openvenue/wire/field'
import { encodeCanceller, liveCancellers } from '../account/cancellers.ts'
import { lookAtOwner } from '../account/owner.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { FieldError } from '../http/refusals.ts'
import { fieldRefusal } from '../http/validation.ts'
import { unsignedCall } from '../identity/account-calls.ts'
import { relayOf } from '../identity/allow-canceller.ts'
import { hashMessage } from '../identity/signatures.ts'
import { allowCancellerData } from '../identity/typed-data.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Parts, Routes } from './route.ts'

/** `Accounts` takes no later expiry, counted from the block of the call. */
const EXPIRY_SECONDS_MAX = 30 * 24 * 3600
/** Less of it by default: the block of the call may be an earlier one after a reorganisation. */
const MARGIN_SECONDS = 3600

type CancellerParts = OwnerParts | 'authenticate' | 'settings' | 'relay' | 'keyRelays' | 'clock'
type Query = Static<typeof CancellersQuery>

export const cancellerRoutes: Routes<CancellerParts> = (host, deps) => {
  accountGet(
    host,
    deps,
    {
      path: '/account/cancellers',
      below: '/cancellers',
      isLive: true,
      refuses: ['MALFORMED_ADDRESS', 'AUTH_UNAVAILABLE'],
      summary: 'Who may cancel orders of the account, and how to allow or revoke it',
      query: CancellersQuery,
      body: Cancellers,
    },
    async ({ caller: { account }, query, reply }) => {
      const { model, settings } = deps
      const { accountsContract: contract, chainId } = settings
      const venue = await venueCanceller(deps)
      const canceller = parseCanceller(query)
      const [head, cancellers] = await lookAtOwner(deps, account, (owner) => [
        model.head,
        liveCancellers(model, owner),
      ])
      const revoke = (of: string) =>
        contract === undefined
          ? null
          : unsignedCall(contract, ['revokeCanceller(address,address)', [account, of]], chainId)
      const terms = { account, canceller: canceller ?? venue, expiry: query.expiry }
      const body: Cancellers = {
        account,
        cancellers: cancellers.map((one) =>
          encodeCanceller(one, { venue, revoke: revoke(one.canceller) }),
        ),
        venue_canceller: venue ?? null,
        on_chain: await relayOf(deps, account),
        allow: await allowance(deps, terms, head?.seconds ?? 0),
      }
      return answerOnce(reply, jsonBytes(body), head)
    },
  )
}

/** Returns how a wallet allows the venue; null where this node knows of no contract, or no one. */
export const describeAllowance = async (
  deps: Parts<'model' | 'settings' | 'relay'>,
  account: string,
): Promise<Cancellers['allow']> => {
  const terms = { account, canceller: await venueCanceller(deps), expiry: undefined }
  return allowance(deps, terms, deps.model.head?.seconds ?? 0)
}

/** The operator names it, else the relayer says it of itself; unknown while neither can. */
export const venueCanceller = async ({
  settings,
  relay,
}: Parts<'settings' | 'relay'>): Promise<string | undefined> =>
  settings.cancellerAddress ??
  (await relay.readStatus().catch(() => undefined))?.status.canceller.toLowerCase()

type Terms = Readonly<{
  account: string
  canceller: string | undefined
  expiry: number | undefined
}>

export async function allowance(
  { settings }: Parts<'settings'>,
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

function parseCanceller({ canceller }: Query): string | undefined {
  if (canceller === undefined || canceller === '') return undefined
  if (/^0x[0-9a-fA-F]{40}$/.test(canceller)) return canceller.toLowerCase()
  const message = 'canceller is an address: 0x and 40 hex digits'
  throw fieldRefusal([{ field: 'canceller', code: 'MALFORMED_ADDRESS', message }])
}

function expiryRefused(headSeconds: number, asked: number) {
  const latest = headSeconds + EXPIRY_SECONDS_MAX
  const message = `expiry is Unix seconds after the newest block (${headSeconds}), at most 30 days`
  const nearest = asked > latest ? latest : headSeconds + 1
  const error: FieldError = { field: 'expiry', code: 'INVALID_PARAMETER', message, nearest }
  return fieldRefusal([error])
}
