// notifications: the newest ones, then each one that a block or an event off the chain causes.
import type {
  AddedNotifications,
  NotificationPosition,
  Notifications,
  StoredNotification,
} from '@openvenue/store/history/notifications'
import { blockTime } from '@openvenue/wire/channels'
import type { VenueModel } from '../../model/venue-model.ts'
import { notificationBody } from '../../orders/relay/find-order.ts'
import type { Affected } from '../streams/affected.ts'
import {
  type Frame,
  framesAt,
  type MissedFrames,
  type PrivateChannel,
  separateFrames,
} from '../streams/channel.ts'
import type { Past } from '../streams/past-entries.ts'

/** Notifications of a snapshot. */
const SNAPSHOT_NOTIFICATIONS = 50
/** Notifications searched for those that a client missed. */
const MISSED_MAX = 1000
/** Ids of notifications that an undo may take back; more than unfinalised blocks cause. */
const UNDOABLE_MAX = 1000

const ALL_STATES = {
  status: 'all',
  type: undefined,
  toSeconds: Number.MAX_SAFE_INTEGER,
} as const

export type NotificationStore = Pick<Notifications, 'page' | 'ofBlock' | 'byIds' | 'onAdded'>

type NotificationDeps = Readonly<{
  model: VenueModel
  notifications: NotificationStore
  chainId: number
}>

/** A wallet with a subscription. */
type NotificationSubscriber = Readonly<{
  wallet: string
  resync: () => void
  /** Notifications of blocks that were sent, oldest first. */
  sent: StoredNotification[]
  /** Ids that were added off the chain and not sent yet. */
  added: Set<string>
}>

/** Opens the channel of each wallet, with one read per block for all of them. */
export class NotificationChannels {
  readonly #deps: NotificationDeps
  readonly #byWallet = new Map<string, Set<NotificationSubscriber>>()
  /** The notifications of an entry's block in the database, by wallet. */
  #block: Readonly<{ seq: number; found: Promise<ReadonlyMap<string, StoredNotification[]>> }>
  #stop: (() => void) | undefined

  constructor(deps: NotificationDeps) {
    this.#deps = deps
    this.#block = { seq: -1, found: Promise.resolve(new Map()) }
  }

  open(wallet: string, resync: () => void): PrivateChannel {
    const listening: NotificationSubscriber = { wallet, resync, sent: [], added: new Set() }
    this.#add(listening)
    return {
      carriesEvents: true,
      subject: 'all',
      snapshot: () => this.#snapshot(listening),
      onEntry: (affected) => this.#entryFrames(listening, affected),
      missed: (past) => this.#missed(listening, past),
      onTick: (_nowMs, isReading) => (isReading ? [] : this.#addedFrames(listening)),
      onClose: () => this.#remove(listening),
    }
  }

  #add(listening: NotificationSubscriber): void {
    const listeners = this.#byWallet.get(listening.wallet)
    if (listeners === undefined) this.#byWallet.set(listening.wallet, new Set([listening]))
    else listeners.add(listening)
    this.#stop ??= this.#deps.notifications.onAdded((added) => this.#onAdded(added))
  }

  #remove(listening: NotificationSubscriber): void {
    const listeners = this.#byWallet.get(listening.wallet)
    listeners?.delete(listening)
    if (listeners?.size === 0) this.#byWallet.delete(listening.wallet)
    if (this.#byWallet.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }

  #onAdded(news: AddedNotifications | undefined): void {
    if (news === undefined) {
      // Some may have been missed.
      for (const listenings of this.#byWallet.values())
        for (const { resync } of listenings) resync()
      return
    }
    for (const { added } of this.#byWallet.get(news.wallet) ?? [])
      for (const id of news.ids) added.add(id)
  }

  #entryFrames(
    listening: NotificationSubscriber,
    { isUndo, markets, accounts }: Affected,
  ): Promise<readonly Frame[]> | readonly Frame[] {
    const { head } = this.#deps.model
    if (head === undefined) return []
    if (isUndo) return this.#undoFrames(listening, head.number)
    // Price changes can warn accounts that did nothing themselves.
    if (markets.size > 0 || accounts.size > 0) return this.#blockFrames(listening, head.number)
    return []
  }

  async #blockFrames(
    { wallet, sent }: NotificationSubscriber,
    block: number,
  ): Promise<readonly Frame[]> {
    const byOwner = await this.#ofBlock(block)
    const ofWallet = byOwner.get(wallet) ?? []
    sent.push(...ofWallet)
    sent.splice(0, sent.length - UNDOABLE_MAX)
    return this.#updates(ofWallet)
  }

  #ofBlock(block: number): Promise<ReadonlyMap<string, StoredNotification[]>> {
    const { seq } = this.#deps.model
    if (this.#block.seq !== seq) {
      const byOwner = this.#deps.notifications
        .ofBlock([...this.#byWallet.keys()], block)
        .then((all) => Map.groupBy(all, ({ wallet }) => wallet))
      this.#block = { seq, found: byOwner }
    }
    return this.#block.found
  }

  /** After an undo the notifications of its blocks are gone. */
  async #undoFrames({ sent }: NotificationSubscriber, block: number): Promise<readonly Frame[]> {
    // Wait until pending rows of the same time are in `sent`.
    await undefined
    const isGone = ({ blockNumber = 0 }: StoredNotification) => blockNumber > block
    const ids = sent.filter(isGone).map(({ id }) => id)
    sent.splice(0, sent.length, ...sent.filter((notification) => !isGone(notification)))
    return ids.length === 0 ? [] : [{ type: 'undo', data: JSON.stringify({ ids }) }]
  }

  /**
   * Returns the notifications added off the chain. They have no entry of their own, so they wait
   * while a snapshot is read, which would treat them as older.
   */
  #addedFrames({
    wallet,
    added,
  }: NotificationSubscriber): Promise<readonly Frame[]> | readonly Frame[] {
    if (added.size === 0) return []
    const ids = [...added]
    added.clear()
    return this.#deps.notifications.byIds(wallet, ids).then((rows) => this.#updates(rows))
  }

  async #snapshot({ wallet, sent }: NotificationSubscriber): Promise<string> {
    const { head } = this.#deps.model
    const newest = await this.#newest(wallet, head?.number ?? 0)
    const sentIds = new Set(sent.map(({ id }) => id))
    sent.unshift(...newest.filter(({ id }) => !sentIds.has(id)).reverse())
    const notifications = newest.map((notification) => notificationBody(this.#deps, notification))
    return JSON.stringify({ timestamp: blockTime(head), notifications })
  }

  /**
   * Returns the notifications of blocks after `since`, and those added off the chain from the
   * second of `since` on; the client may already have some of the latter, with the same ids.
   * Undefined when blocks were taken back, since their notifications are unknown then, or when
   * there are too many.
   */
  async #missed(
    { wallet, sent }: NotificationSubscriber,
    { since, entries }: Past,
  ): Promise<MissedFrames> {
    if (entries.some(({ affected }) => affected.isUndo)) return undefined
    const head = entries.at(-1)?.header ?? since
    const page = await this.#deps.notifications.page({
      ...ALL_STATES,
      wallet,
      fromSeconds: since.seconds,
      after: undefined,
      isAscending: true,
      limit: MISSED_MAX,
    })
    if (page.length === MISSED_MAX) return undefined
    const isMissed = ({ blockNumber }: StoredNotification) =>
      blockNumber === undefined || (blockNumber > since.number && blockNumber <= head.number)
    const ids = page.filter(isMissed).map(({ id }) => id)
    const rows = ids.length === 0 ? [] : await this.#deps.notifications.byIds(wallet, ids)
    const sentIds = new Set(sent.map(({ id }) => id))
    sent.push(...rows.filter(({ id }) => !sentIds.has(id)))
    const byBlock = Map.groupBy(rows, ({ blockNumber }) => blockNumber)
    return [
      ...entries.flatMap((entry) =>
        framesAt(entry, this.#updates(byBlock.get(entry.header.number) ?? [])),
      ),
      // Each in its own message: parts belong to one entry, and these have none.
      ...(byBlock.get(undefined) ?? []).flatMap((added) => this.#updates([added])),
    ]
  }

  /** The feed will bring notifications of blocks beyond the model's head. */
  async #newest(wallet: string, toBlock: number): Promise<readonly StoredNotification[]> {
    const newest: StoredNotification[] = []
    let after: NotificationPosition | undefined
    for (;;) {
      const page = await this.#deps.notifications.page({
        ...ALL_STATES,
        wallet,
        fromSeconds: 0,
        after,
        isAscending: false,
        limit: SNAPSHOT_NOTIFICATIONS,
      })
      newest.push(...page.filter(({ blockNumber = 0 }) => blockNumber <= toBlock))
      if (newest.length >= SNAPSHOT_NOTIFICATIONS || page.length < SNAPSHOT_NOTIFICATIONS)
        return newest.slice(0, SNAPSHOT_NOTIFICATIONS)
      after = page.at(-1)
    }
  }

  #updates(notifications: readonly StoredNotification[]): readonly Frame[] {
    return separateFrames(
      'update',
      notifications.map((notification) =>
        JSON.stringify(notificationBody(this.#deps, notification)),
      ),
    )
  }
}
