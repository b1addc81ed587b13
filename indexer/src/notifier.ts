// Gathers the notifications of blocks as they are applied, to be committed with them.
import type { BlockChanges } from '@openvenue/core/changes'
import { deriveNotifications, type Notification } from '@openvenue/core/notifications'
import type { VenueState } from '@openvenue/core/state'
import { type MarginTurn, MarginWatch } from '@openvenue/core/warnings'
import type { Audience, BlockNotification, NotificationBatch } from '@openvenue/store/store'

/** Gathers for the blocks of one batch. */
export type Gathered = NotificationBatch &
  Readonly<{ notifications: BlockNotification[]; turns: MarginTurn[] }>

/** Says what the blocks after a state mean to accounts. Ends with the state that it began with. */
export class Notifier {
  readonly #state: VenueState
  #audience: Audience
  /** Begins with the first block that somebody is notified of. */
  #watch: MarginWatch | undefined

  constructor(state: VenueState, audience: Audience) {
    this.#state = state
    this.#audience = audience
  }

  /** Nobody has registered so far: to be asked again before the next block. */
  get isAlone(): boolean {
    return this.#audience.sinceSeconds === undefined
  }

  /** Takes what `readAudience` says now; of warnings this one knows more. */
  learn(audience: Audience): void {
    this.#audience = { ...audience, warned: this.#audience.warned }
  }

  /** Adds what `block`, which the state now holds, says. */
  notify(block: BlockChanges, { notifications, turns }: Gathered): void {
    const { header } = block
    const { notifiedTo, sinceSeconds, warned } = this.#audience
    if (sinceSeconds === undefined || header.seconds < sinceSeconds) return
    if (header.number <= notifiedTo) return
    const add = (notification: Notification) => notifications.push({ ...notification, header })
    deriveNotifications(this.#state, block).forEach(add)
    // Begun after the block is applied, it knows the holders that the block made.
    this.#watch ??= new MarginWatch(this.#state, warned)
    const margins = this.#watch.after(block)
    margins.notifications.forEach(add)
    turns.push(...margins.turns)
  }
}
