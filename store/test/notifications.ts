// Makes blocks with their notifications, and reads the notifications of accounts.
import type { BlockChanges } from '@openvenue/core/changes'
import type { VenueBlock } from '@openvenue/core/events'
import { deriveNotifications } from '@openvenue/core/notifications'
import { emptyState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { MarginWatch } from '@openvenue/core/warnings'
import type { NotificationFilter, StoredNotification } from '../src/history/notifications.ts'
import type { BlockNotification, NotificationBatch, Store } from '../src/store.ts'

export type BlockWithNotifications = Readonly<{
  block: BlockChanges
  notificationBatch: NotificationBatch
}>

/** Applies `blocks` to an empty venue. */
export function blocksWithNotifications(blocks: readonly VenueBlock[]): BlockWithNotifications[] {
  const state = emptyState()
  const watch = new MarginWatch(state)
  return blocks.map((made) => {
    const block = applyBlock(state, made)
    const { turns, notifications } = watch.after(block)
    const { header } = block
    const withHeader = [...deriveNotifications(state, block), ...notifications].map(
      (notification): BlockNotification => ({ ...notification, header }),
    )
    return { block, notificationBatch: { turns, notifications: withHeader } }
  })
}

/** Commits blocks in one batch. */
export const commitWithNotifications = (
  { writer }: Store,
  applied: readonly BlockWithNotifications[],
  finalizedNumber: number,
): Promise<void> =>
  writer.commit(
    applied.map(({ block }) => block),
    finalizedNumber,
    {
      notifications: applied.flatMap(({ notificationBatch }) => notificationBatch.notifications),
      turns: applied.flatMap(({ notificationBatch }) => notificationBatch.turns),
    },
  )

/** Each key needs its own pair of signatures, with another expiry. */
let registered = 0

/** Registers a wallet with a key that lives an hour. */
export const registerAt = (
  { identity }: Store,
  wallet: string,
  nowMs: number,
  key = `${nowMs}${wallet.slice(-8)}`,
) =>
  identity.register({
    account: wallet,
    signingKey: `0x${'51'.repeat(20)}`,
    expiry: BigInt(++registered),
    referralCode: undefined,
    inviteHash: undefined,
    isInviteOnly: false,
    apiKey: { key, secretHash: 'ab', expiresMs: nowMs + 3_600_000 },
    isKeyKept: false,
    keysMax: 5,
    relayed: undefined,
    nowMs,
  })

/** Selects all notifications of a wallet. */
export const walletFilter = (wallet: string): NotificationFilter => ({
  wallet,
  status: 'all',
  type: undefined,
  fromSeconds: 0,
  toSeconds: 1e12,
})

/** Returns a wallet's notifications from the chain, oldest first. */
export async function chainNotifications(
  { notifications }: Store,
  wallet: string,
): Promise<readonly StoredNotification[]> {
  const query = { ...walletFilter(wallet), after: undefined, isAscending: true, limit: 100_000 }
  const all = await notifications.page(query)
  return all.filter(({ blockNumber }) => blockNumber !== undefined)
}
