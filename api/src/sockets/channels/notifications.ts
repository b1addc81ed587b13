// notifications: the newest ones, then each as a block or something off the chain causes it.
import type {
  AddedNotifications,
  NotificationPlace,
  Notifications,
  StoredNotification,
} from '@openvenue/store/notifications'
import { blockTime } from '@openvenue/wire/channels'
import type { VenueModel } from '../../model/venue-model.ts'
import { notificationBody } from '../../orders/notification-body.ts'
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
export const SNAPSHOT_NOTIFICATIONS = 50
/** Notifications that are looked through for those that a client missed. */
const MISSED_MAX = 1000
/** Ids of notifications that an undo may take back: more than blocks that are not final cause. */
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

/** One wallet that listens. */
type Listening = Readonly<{
  wallet: string
  resync: () => void
  /** Notifications of blocks that went out, oldest first. */
  sent: StoredNotification[]
  /** Added off the chain and not sent yet. */
  added: Set<string>
}>

/** Opens the channel of each wallet, and asks once per block for all of them. */
export class NotificationChannels {
  readonly #deps: NotificationDeps
  readonly #byWallet = new Map<string, Set<Listening>>()
  /** The notifications that the database has of the block of an entry, by wallet. */
  #block: Readonly<{ seq: number; found: Promise<ReadonlyMap<string, StoredNotification[]>> }>
  #stop: (() => void) | undefined

  constructor(deps: NotificationDeps) {
    this.#deps = deps
    this.#block = { seq: -1, found: Promise.resolve(new Map()) }
  }

  open(wallet: string, resync: () => void): PrivateChannel {
    const listening: Listening = { wallet, resync, sent: [], added: new Set() }
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

  #add(listening: Listening): void {
    const known = this.#byWallet.get(listening.wallet)
    if (known === undefined) this.#byWallet.set(listening.wallet, new Set([listening]))
    else known.add(listening)
    this.#stop ??= this.#deps.notifications.onAdded((added) => this.#onAdded(added))
  }

  #remove(listening: Listening): void {
    const known = this.#byWallet.get(listening.wallet)
    known?.delete(listening)
    if (known?.size === 0) this.#byWallet.delete(listening.wallet)
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
    listening: Listening,
    { isUndo, markets, accounts }: Affected,
  ): Promise<readonly Frame[]> | readonly Frame[] {
    const { head } = this.#deps.model
    if (head === undefined) return []
    if (isUndo) return this.#undoFrames(listening, head.number)
    // Prices warn accounts that did nothing themselves.
    if (markets.size > 0 || accounts.size > 0) return this.#blockFrames(listening, head.number)
    return []
  }

  async #blockFrames({ wallet, sent }: Listening, block: number): Promise<readonly Frame[]> {
    const found = await this.#ofBlock(block)
    const own = found.get(wallet) ?? []
    sent.push(...own)
    sent.splice(0, sent.length - UNDOABLE_MAX)
    return this.#updates(own)
  }

  #ofBlock(block: number): Promise<ReadonlyMap<string, StoredNotification[]>> {
    const { seq } = this.#deps.model
    if (this.#block.seq !== seq) {
      const found = this.#deps.notifications
        .ofBlock([...this.#byWallet.keys()], block)
        .then((all) => Map.groupBy(all, ({ wallet }) => wallet))
      this.#block = { seq, found }
    }
    return this.#block.found
  }

  /** After an undo the notifications of its blocks are gone. */
  async #undoFrames({ sent }: Listening, block: number): Promise<readonly Frame[]> {
    // After those that were found at the same time are among the sent.
    await undefined
    const isGone = ({ blockNumber = 0 }: StoredNotification) => blockNumber > block
    const ids = sent.filter(isGone).map(({ id }) => id)
    sent.splice(0, sent.length, ...sent.filter((notification) => !isGone(notification)))
    return ids.length === 0 ? [] : [{ type: 'undo', data: JSON.stringify({ ids }) }]
  }

  /**
   * Returns what was added off the chain. It has no entry of its own, so it waits while a snapshot
   * is read, which would take it for older.
   */
  #addedFrames({ wallet, added }: Listening): Promise<readonly Frame[]> | readonly Frame[] {
    if (added.size === 0) return []
    const ids = [...added]
    added.clear()
    return this.#deps.notifications.byIds(wallet, ids).then((found) => this.#updates(found))
  }

  async #snapshot({ wallet, sent }: Listening): Promise<string> {
    const { head } = this.#deps.model
    const newest = await this.#newest(wallet, head?.number ?? 0)
    const known = new Set(sent.map(({ id }) => id))
    sent.unshift(...newest.filter(({ id }) => !known.has(id)).reverse())
    const notifications = newest.map((one) => notificationBody(this.#deps, one))
    return JSON.stringify({ timestamp: blockTime(head), notifications })
  }

  /**
   * Returns what blocks after `since` caused, and what was added off the chain from the second of
   * `since` on: of that the client may have some, with the same id. Undefined where blocks were
   * taken back, since what they took with them is not known, or where there are too many.
   */
  async #missed({ wallet, sent }: Listening, { since, entries }: Past): Promise<MissedFrames> {
    if (entries.some(({ affected }) => affected.isUndo)) return undefined
    const head = entries.at(-1)?.header ?? since
    const found = await this.#deps.notifications.page({
      ...ALL_STATES,
      wallet,
      fromSeconds: since.seconds,
      after: undefined,
      isAscending: true,
      limit: MISSED_MAX,
    })
    if (found.length === MISSED_MAX) return undefined
    const isMissed = ({ blockNumber }: StoredNotification) =>
      blockNumber === undefined || (blockNumber > since.number && blockNumber <= head.number)
    const ids = found.filter(isMissed).map(({ id }) => id)
    const wanted = ids.length === 0 ? [] : await this.#deps.notifications.byIds(wallet, ids)
    const known = new Set(sent.map(({ id }) => id))
    sent.push(...wanted.filter(({ id }) => !known.has(id)))
    const byBlock = Map.groupBy(wanted, ({ blockNumber }) => blockNumber)
    return [
      ...entries.flatMap((entry) =>
        framesAt(entry, this.#updates(byBlock.get(entry.header.number) ?? [])),
      ),
      // Each on its own: parts are of one entry, and these are of none.
      ...(byBlock.get(undefined) ?? []).flatMap((added) => this.#updates([added])),
    ]
  }

  /** Those of blocks beyond the model's head the feed will bring. */
  async #newest(wallet: string, toBlock: number): Promise<readonly StoredNotification[]> {
    const newest: StoredNotification[] = []
    let after: NotificationPlace | undefined
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
      notifications.map((one) => JSON.stringify(notificationBody(this.#deps, one))),
    )
  }
}
