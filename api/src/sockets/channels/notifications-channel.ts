// notifications: the newest ones, then each as a block or something off the chain causes it.
import type { Header } from '@openvenue/core/events'
import type {
  AddedNotifications,
  NotificationPlace,
  Notifications,
  StoredNotification,
} from '@openvenue/store/notifications'
import { blockTime } from '@openvenue/wire/channels'
import { encodeNotification } from '@openvenue/wire/notifications'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Affected } from './affected.ts'
import type { OpenStreams } from './open-streams.ts'
import type { PrivateSource, PrivateStream, Told } from './private-stream.ts'

/** Notifications of a snapshot. */
export const SNAPSHOT_NOTIFICATIONS = 50
/**
 * Ids of notifications that an undo may take back: more than the blocks that are not final tell.
 */
const UNDOABLE_MAX = 1000

export type NotificationStore = Pick<Notifications, 'page' | 'ofBlock' | 'byIds' | 'onAdded'>

export type NotificationDeps = Readonly<{
  model: VenueModel
  streams: OpenStreams
  notifications: NotificationStore
  chainId: number
}>

/** One account that listens. */
type Listening = Readonly<{
  stream: PrivateStream
  /** Notifications of blocks that were told, oldest first. */
  told: StoredNotification[]
  /** Added off the chain and not told yet. */
  added: Set<string>
}>

/** The notifications of every account that listens, asked for once per block. */
export class NotificationFeed {
  readonly #deps: NotificationDeps
  readonly #byWallet = new Map<string, Set<Listening>>()
  #stops: (() => void)[] = []

  constructor(deps: NotificationDeps) {
    this.#deps = deps
  }

  /** Returns the source of an account's channel. */
  source(stream: PrivateStream): PrivateSource {
    const listening: Listening = { stream, told: [], added: new Set() }
    const { wallet } = stream.owner
    this.#add(wallet, listening)
    return {
      snapshot: () => this.#snapshot(wallet, listening),
      take: () => [],
      tick: () => this.#tellAdded(wallet, listening),
      close: () => this.#remove(wallet, listening),
    }
  }

  #add(wallet: string, listening: Listening): void {
    const known = this.#byWallet.get(wallet)
    if (known === undefined) this.#byWallet.set(wallet, new Set([listening]))
    else known.add(listening)
    if (this.#stops.length > 0) return
    const { streams, notifications } = this.#deps
    const listener = { take: (affected: Affected) => this.#take(affected), reload: () => {} }
    this.#stops = [
      streams.add({ kind: 'all' }, listener),
      notifications.onAdded((added) => {
        if (added === undefined) this.#repeat()
        else this.#hear(added)
      }),
    ]
  }

  /** News may have been missed. */
  #repeat(): void {
    for (const listenings of this.#byWallet.values())
      for (const { stream } of listenings) stream.repeat()
  }

  #hear({ wallet, ids }: AddedNotifications): void {
    for (const { added } of this.#byWallet.get(wallet) ?? []) for (const id of ids) added.add(id)
  }

  #remove(wallet: string, listening: Listening): void {
    const known = this.#byWallet.get(wallet)
    known?.delete(listening)
    if (known?.size === 0) this.#byWallet.delete(wallet)
    if (this.#byWallet.size > 0) return
    for (const stop of this.#stops) stop()
    this.#stops = []
  }

  #take({ isUndo, markets, accounts }: Affected): void {
    const { head } = this.#deps.model
    if (head === undefined) return
    if (isUndo) this.#takeBack(head)
    // Prices warn accounts that did nothing themselves.
    else if (markets.size > 0 || accounts.size > 0) this.#tellBlock(head)
  }

  #tellBlock({ number }: Header): void {
    const wallets = [...this.#byWallet.keys()]
    const reading = this.#deps.notifications
      .ofBlock(wallets, number)
      .then((found) => Map.groupBy(found, ({ wallet }) => wallet))
    for (const [wallet, listenings] of this.#byWallet)
      for (const { stream, told } of listenings)
        stream.tell(
          reading.then((found) => {
            const own = found.get(wallet) ?? []
            told.push(...own)
            told.splice(0, told.length - UNDOABLE_MAX)
            return this.#updateOf(own)
          }),
        )
  }

  /** After an undo the notifications of its blocks are gone. */
  #takeBack({ number }: Header): void {
    for (const listenings of this.#byWallet.values())
      for (const { stream, told } of listenings)
        stream.tell(
          Promise.resolve().then((): Told[] => {
            const isGone = ({ blockNumber = 0 }: StoredNotification) => blockNumber > number
            const ids = told.filter(isGone).map(({ id }) => id)
            told.splice(0, told.length, ...told.filter((notification) => !isGone(notification)))
            return ids.length === 0 ? [] : [{ type: 'undo', datas: [JSON.stringify({ ids })] }]
          }),
        )
  }

  /**
   * Tells what was added off the chain. It has no entry of its own, so it waits while a snapshot is
   * read, which would take it for older.
   */
  #tellAdded(wallet: string, { stream, added }: Listening): void {
    if (added.size === 0 || stream.isReading) return
    const ids = [...added]
    added.clear()
    const telling = this.#deps.notifications
      .byIds(wallet, ids)
      .then((found) => this.#updateOf(found))
    stream.tell(telling, false)
  }

  async #snapshot(wallet: string, { told }: Listening): Promise<string> {
    const { head } = this.#deps.model
    const rows = await this.#newest(wallet, head?.number ?? 0)
    const known = new Set(told.map(({ id }) => id))
    told.unshift(...rows.filter(({ id }) => !known.has(id)).reverse())
    const notifications = rows.map((row) => encodeNotification(row, this.#deps.chainId))
    return JSON.stringify({ timestamp: blockTime(head), notifications })
  }

  /** Those of blocks beyond the model's head the feed will bring. */
  async #newest(wallet: string, toBlock: number): Promise<readonly StoredNotification[]> {
    const newest: StoredNotification[] = []
    let after: NotificationPlace | undefined
    for (;;) {
      const page = await this.#deps.notifications.page({
        wallet,
        status: 'all',
        type: undefined,
        fromSeconds: 0,
        toSeconds: Number.MAX_SAFE_INTEGER,
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

  #updateOf(notifications: readonly StoredNotification[]): Told[] {
    if (notifications.length === 0) return []
    const { chainId } = this.#deps
    const datas = notifications.map((notification) =>
      JSON.stringify(encodeNotification(notification, chainId)),
    )
    return [{ type: 'update', datas }]
  }
}
