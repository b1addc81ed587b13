// Arms the timer that cancels an account's orders unless it is armed again in time. Interface 4.6.
import type { Safeguards } from '@openvenue/store/safeguards'
import type { CancelAfterAnswer } from '@openvenue/wire/safeguards'
import { lookAtOwner, type OwnerDeps } from '../account/owner.ts'
import { msToNs, orUnavailable } from '../http/refusals.ts'
import { parseCancelAfter } from './safeguard-bodies.ts'
import { type CancellerParts, requireCanceller } from './venue-canceller.ts'

export type SafeguardParts = CancellerParts & OwnerDeps & Readonly<{ safeguards: Safeguards }>

/** Arms the timer of a wallet's account as `body` says, or disarms it. */
export async function cancelAfter(
  parts: SafeguardParts,
  wallet: string,
  body: unknown,
): Promise<CancelAfterAnswer> {
  const { safeguards } = parts
  const { timeoutMs, includesTriggers } = parseCancelAfter(body)
  if (timeoutMs === 0) {
    const { account } = await lookAtOwner(parts, wallet, (owner) => owner)
    if (account !== undefined) await orUnavailable(safeguards.disarmTimer(account))
    return { success: true, trigger_time: null }
  }
  const account = await requireCanceller(parts, wallet)
  const timer = { account, wallet, timeoutMs, includesTriggers, cancelAlls: [] }
  const { triggerMs } = await orUnavailable(safeguards.armTimer(timer))
  return { success: true, trigger_time: msToNs(triggerMs) }
}
