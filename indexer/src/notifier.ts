// Collects the notifications of applied blocks, to be committed with them.
import type { BlockChanges } from '@openvenue/core/changes'
import { deriveNotifications, type Notification } from '@openvenue/core/notifications'
import type { VenueState } from '@openvenue/core/state'
import { MarginWatch, type WarningChange } from '@openvenue/core/warnings'
import type { Audience, BlockNotification, NotificationBatch } from '@openvenue/store/store'

/** Notifications of the blocks in one batch. */
export type GatheredNotifications = NotificationBatch &
  Readonly<{ notifications: BlockNotification[]; turns: WarningChange[] }>

/** Derives notifications from the blocks after a state. Lives as long as that state. */
export class Notifier {
  readonly #state: VenueState
  #audience: Audience
  /** Created with the first block that anyone is notified of. */
  #watch: MarginWatch | undefined

  constructor(state: VenueState, audience: Audience) {
    this.#state = state
    this.#audience = audience
  }

  /** True while no account is registered; checked again before the next block. */
  get isAlone(): boolean {
    return this.#audience.sinceSeconds === undefined
  }

  /** Updates the audience from `readAudience`, except for warnings, which are tracked here. */
  updateAudience(audience: Audience): void {
    this.#audience = { ...audience, warned: this.#audience.warned }
  }

  /** Adds the notifications of `block`, which the state now includes. */
  notify(block: BlockChanges, { notifications, turns }: GatheredNotifications): void {
    const { header } = block
    const { notifiedTo, sinceSeconds, warned } = this.#audience
    if (sinceSeconds === undefined || header.seconds < sinceSeconds) return
    if (header.number <= notifiedTo) return
    const add = (notification: Notification) => notifications.push({ ...notification, header })
    deriveNotifications(this.#state, block).forEach(add)
    // Created after the block is applied, so that it knows the block's new holders.
    this.#watch ??= new MarginWatch(this.#state, warned)
    const margins = this.#watch.after(block)
    margins.notifications.forEach(add)
    turns.push(...margins.turns)
  }
}
