// notifications: the newest ones, then each as a block or something off the chain causes it.
import type { Header } from '@openvenue/core/events'
import type { AddedNotices, NoticePlace, Notices, StoredNotice } from '@openvenue/store/notices'
import { blockTime } from '@openvenue/wire/channels'
import { encodeNotification } from '@openvenue/wire/notifications'
import type { VenueModel } from '../../model/venue-model.ts'
import type { OpenStreams } from './open-streams.ts'
import type { PrivateSource, PrivateStream, Told } from './private-stream.ts'
import type { Touches } from './touches.ts'

/** Notices of a snapshot. */
export const SNAPSHOT_NOTICES = 50
/** Ids of notices that an undo may take back: more than the blocks that are not final tell. */
const UNDOABLE_MAX = 1000

export type NoticeStore = Pick<Notices, 'page' | 'ofBlock' | 'byIds' | 'onAdded'>

export type NoticeDeps = Readonly<{
  model: VenueModel
  streams: OpenStreams
  notices: NoticeStore
  chainId: number
}>

/** One account that listens. */
type Listening = Readonly<{
  stream: PrivateStream
  /** Notices of blocks that were told, oldest first. */
  told: StoredNotice[]
  /** Added off the chain and not told yet. */
  added: Set<string>
}>

/** The notices of every account that listens, asked for once per block. */
export class NoticeFeed {
  readonly #deps: NoticeDeps
  readonly #byWallet = new Map<string, Set<Listening>>()
  #stops: (() => void)[] = []

  constructor(deps: NoticeDeps) {
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
    const { streams, notices } = this.#deps
    const listener = { take: (touches: Touches) => this.#take(touches), reload: () => {} }
    this.#stops = [
      streams.add({ kind: 'all' }, listener),
      notices.onAdded((added) => {
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

  #hear({ wallet, ids }: AddedNotices): void {
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

  #take({ isUndo, markets, accounts }: Touches): void {
    const { head } = this.#deps.model
    if (head === undefined) return
    if (isUndo) this.#takeBack(head)
    // Prices warn accounts that did nothing themselves.
    else if (markets.size > 0 || accounts.size > 0) this.#tellBlock(head)
  }

  #tellBlock({ number }: Header): void {
    const wallets = [...this.#byWallet.keys()]
    const reading = this.#deps.notices
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

  /** After an undo the notices of its blocks are gone. */
  #takeBack({ number }: Header): void {
    for (const listenings of this.#byWallet.values())
      for (const { stream, told } of listenings)
        stream.tell(
          Promise.resolve().then((): Told[] => {
            const isGone = ({ blockNumber = 0 }: StoredNotice) => blockNumber > number
            const ids = told.filter(isGone).map(({ id }) => id)
            told.splice(0, told.length, ...told.filter((notice) => !isGone(notice)))
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
    const telling = this.#deps.notices.byIds(wallet, ids).then((found) => this.#updateOf(found))
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
  async #newest(wallet: string, toBlock: number): Promise<readonly StoredNotice[]> {
    const newest: StoredNotice[] = []
    let after: NoticePlace | undefined
    for (;;) {
      const page = await this.#deps.notices.page({
        wallet,
        status: 'all',
        type: undefined,
        fromSeconds: 0,
        toSeconds: Number.MAX_SAFE_INTEGER,
        after,
        isAscending: false,
        limit: SNAPSHOT_NOTICES,
      })
      newest.push(...page.filter(({ blockNumber = 0 }) => blockNumber <= toBlock))
      if (newest.length >= SNAPSHOT_NOTICES || page.length < SNAPSHOT_NOTICES)
        return newest.slice(0, SNAPSHOT_NOTICES)
      after = page.at(-1)
    }
  }

  #updateOf(notices: readonly StoredNotice[]): Told[] {
    if (notices.length === 0) return []
    const { chainId } = this.#deps
    const datas = notices.map((notice) => JSON.stringify(encodeNotification(notice, chainId)))
    return [{ type: 'update', datas }]
  }
}
