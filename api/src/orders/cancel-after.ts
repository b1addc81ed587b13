// Arms the timer that cancels an account's orders unless it is armed again in time: by the venue as
// canceller, or by what the account has signed beforehand. Interface 4.6.
import type { Market } from '@openvenue/core/records'
import type { Safeguards } from '@openvenue/store/safeguards'
import {
  CANCEL_ALL_SLACK_SECONDS,
  CANCEL_ALLS_MAX,
  type CancelAfterAnswer,
} from '@openvenue/wire/safeguards'
import { lookAtOwner, type Owner, type OwnerDeps } from '../account/owner.ts'
import { type FieldError, msToNs, orUnavailable } from '../http/refusals.ts'
import type { Clock } from '../model/clock.ts'
import {
  type CancelAllParts,
  cancelAllDigest,
  cancelAllTypedData,
  readCancelAlls,
} from './cancel-alls.ts'
import type { IntentBook } from './intent-book.ts'
import { parseCancelAfter } from './safeguard-bodies.ts'
import { type CancellerParts, cancellerMissing, isVenueAllowed } from './venue-canceller.ts'

export type SafeguardParts = CancellerParts &
  OwnerDeps &
  CancelAllParts &
  Readonly<{ safeguards: Safeguards; intentBook: IntentBook; clock: Pick<Clock, 'nowMs'> }>

/** Arms the timer of a wallet's account as `body` says, or disarms it. */
export async function cancelAfter(
  parts: SafeguardParts,
  wallet: string,
  body: unknown,
): Promise<CancelAfterAnswer> {
  const { safeguards, clock } = parts
  const { timeoutMs, includesTriggers, cancelAlls: given } = parseCancelAfter(body)
  const owner = await lookAtOwner(parts, wallet, (found) => found)
  const { account } = owner
  if (timeoutMs === 0) {
    if (account !== undefined) await orUnavailable(safeguards.disarmTimer(account))
    return { success: true, trigger_time: null }
  }
  const terms = { owner, untilSeconds: Math.ceil((clock.nowMs() + timeoutMs) / 1000) }
  if (account === undefined) throw await cancellerMissing(parts, wallet)
  const signed = await readCancelAlls(parts, given, terms)
  const isAllowed = await isVenueAllowed(parts, wallet, terms.untilSeconds)
  if (!isAllowed) await requireSigned(parts, terms, new Set(signed.map(({ market }) => market)))
  // The venue's own cancels reach every market.
  const cancelAlls = isAllowed ? [] : signed
  const timer = { account, wallet, timeoutMs, includesTriggers, cancelAlls }
  const { triggerMs } = await orUnavailable(safeguards.armTimer(timer))
  return { success: true, trigger_time: msToNs(triggerMs) }
}

type Terms = Readonly<{ owner: Owner; untilSeconds: number }>

/** Refuses now what nobody could cancel then: with what is to be signed. */
async function requireSigned(
  parts: SafeguardParts,
  terms: Terms,
  signed: ReadonlySet<string>,
): Promise<void> {
  const open = await lookAtOwner(parts, terms.owner.wallet, (owner) => openMarkets(parts, owner))
  const bare = open.filter(({ id }) => !signed.has(id))
  if (bare.length === 0 && signed.size > 0) return
  const details = bare.slice(0, CANCEL_ALLS_MAX).map((market) => toSign(parts, terms, market))
  throw await cancellerMissing(parts, terms.owner.wallet, details)
}

/** Returns the markets in which an account has orders that rest, are on their way or are held. */
function openMarkets({ model, intentBook }: SafeguardParts, { account }: Owner): readonly Market[] {
  if (account === undefined) return []
  const live = [...model.accountOrders.of(account), ...intentBook.liveOrders(account)]
  const markets = new Set(live.map(({ market }) => market))
  return [...markets].flatMap((id) => model.state.records.market.get(id) ?? [])
}

function toSign(
  { settings, clock }: SafeguardParts,
  { owner, untilSeconds }: Terms,
  market: Market,
): FieldError {
  const code = 'CANCEL_SIGNATURE_REQUIRED'
  const message = `cancel_alls has one of ${market.name}, where the account has orders`
  const deadline = BigInt(untilSeconds + 2 * CANCEL_ALL_SLACK_SECONDS)
  // Any that is not spent would do: one of now is.
  const salt = BigInt(Math.trunc(clock.nowMs())) * SALTS_PER_MS + BigInt(market.number)
  const cancelAll = { account: owner.wallet, market, salt, deadline }
  const digest = cancelAllDigest(settings, cancelAll)
  const typed_data = cancelAllTypedData(settings, cancelAll)
  return { field: 'cancel_alls', code, message, value: market.name, digest, typed_data }
}

/** More than an engine has markets. */
const SALTS_PER_MS = 2n ** 32n
