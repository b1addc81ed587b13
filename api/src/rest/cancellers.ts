// GET /account/cancellers: the cancellers of an account, and how to change them.
import { Cancellers, CancellersQuery } from '@openvenue/wire/cancellers'
import type { Static } from '@openvenue/wire/field'
import { encodeCanceller, liveCancellers } from '../account/cancellers.ts'
import { loadOwner } from '../account/owner.ts'
import { isAddress } from '../http/address.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { fieldRefusal, malformedAddress } from '../http/validation.ts'
import { unsignedCall } from '../identity/account-calls.ts'
import { relayOf } from '../identity/allow-canceller.ts'
import { allowance, venueCanceller } from '../orders/cancel/cancel-authority.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

export const cancellerRoutes: Routes<
  OwnerParts | 'authenticate' | 'settings' | 'relay' | 'keyRelays' | 'clock'
> = (host, deps) => {
  accountGet(
    host,
    deps,
    {
      path: '/account/cancellers',
      below: '/cancellers',
      isLive: true,
      refuses: ['MALFORMED_ADDRESS', 'AUTH_UNAVAILABLE'],
      summary: 'Cancellers of the account, and how to allow or revoke one',
      query: CancellersQuery,
      body: Cancellers,
    },
    async ({ caller: { account }, query, reply }) => {
      const { model, settings } = deps
      const { accountsContract: contract, chainId } = settings
      const venue = await venueCanceller(deps)
      const canceller = parseCanceller(query)
      const [head, cancellers] = await loadOwner(deps, account, (owner) => [
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
        cancellers: cancellers.map((canceller) =>
          encodeCanceller(canceller, { venue, revoke: revoke(canceller.canceller) }),
        ),
        venue_canceller: venue ?? null,
        on_chain: await relayOf(deps, account),
        allow: await allowance(deps, terms, head?.seconds ?? 0),
      }
      return answerOnce(reply, jsonBytes(body), head)
    },
  )
}

function parseCanceller({ canceller }: Static<typeof CancellersQuery>): string | undefined {
  if (canceller === undefined || canceller === '') return undefined
  if (isAddress(canceller)) return canceller.toLowerCase()
  throw fieldRefusal([malformedAddress('canceller', canceller)])
}
