// Lists who may cancel for an account, with the calls and the message that change the list.
import { CANCELLERS_MAX, type Cancellers } from '@openvenue/wire/cancellers'
import { nsText } from '@openvenue/wire/decimal'
import type { VenueModel } from '../model/venue-model.ts'
import type { Owner } from './owner.ts'

type AllowedCanceller = Readonly<{ canceller: string; expirySeconds: number }>

/** Returns the addresses that may cancel for `owner`, whose records the model must hold. */
export function liveCancellers(model: VenueModel, { account }: Owner): readonly AllowedCanceller[] {
  if (account === undefined) return []
  const seconds = model.head?.seconds ?? 0
  const records = model.state.records.canceller
  return model.owned
    .keys(account, 'canceller')
    .flatMap((key) => records.get(key) ?? [])
    .filter(({ expirySeconds }) => expirySeconds > seconds)
    .sort((a, b) => b.expirySeconds - a.expirySeconds)
    .slice(0, CANCELLERS_MAX)
}

type CancellerItem = Cancellers['cancellers'][number]

/** Returns a canceller as JSON. */
export const encodeCanceller = (
  { canceller, expirySeconds }: AllowedCanceller,
  { venue, revoke }: Readonly<{ venue: string | undefined; revoke: CancellerItem['revoke'] }>,
): CancellerItem => ({
  canceller,
  expiry: String(expirySeconds),
  expires_timestamp: nsText(expirySeconds),
  is_venue: canceller === venue,
  revoke,
})
