// Notifications of accounts. `Writer.commit` writes the chain's with their block, `add` the others.
// Each exists once, even if added twice.

/** Maximum number of notifications per account, the newest, and their retention. */
export const NOTIFICATIONS_PER_ACCOUNT_MAX = 10_000
export const NOTIFICATION_DAYS_MAX = 400

/** A stored notification. */
export type StoredNotification = Readonly<{
  /** Lower case. */
  wallet: string
  /** Unique within the wallet. Text order is order within a second. */
  id: string
  type: string
  seconds: number
  /** Undefined: not from the chain. */
  blockNumber: number | undefined
  data: Readonly<Record<string, unknown>>
  /** Undefined: not read yet. */
  readMs: number | undefined
}>

/** A notification of an event off the chain, identified by `id`. */
export type OwnNotification = Pick<
  StoredNotification,
  'wallet' | 'id' | 'type' | 'seconds' | 'data'
>

/** Selects notifications of a wallet; both bounds are inclusive. */
export type NotificationFilter = Readonly<{
  wallet: string
  status: 'unread' | 'read' | 'all'
  type: string | undefined
  fromSeconds: number
  toSeconds: number
}>

export type NotificationPosition = Readonly<{ seconds: number; id: string }>

/** The first `limit` of a filter beyond `after`, ascending or descending. */
export type NotificationQuery = NotificationFilter &
  Readonly<{ after: NotificationPosition | undefined; isAscending: boolean; limit: number }>

/** The notifications that a wallet wants, and where. `types` only has explicit choices. */
export type NotificationPreferences = Readonly<{
  inApp: boolean
  websocket: boolean
  types: Readonly<Record<string, boolean>>
}>

export type Notifications = Readonly<{
  page(query: NotificationQuery): Promise<readonly StoredNotification[]>
  count(filter: NotificationFilter): Promise<number>
  find(wallet: string, id: string): Promise<StoredNotification | undefined>
  /** Marks notifications as read at `readMs` or as unread (undefined). Returns the changes. */
  mark(wallet: string, ids: readonly string[], readMs: number | undefined): Promise<number>
  /** Marks every notification up to `toSeconds` as read. Returns how many changed. */
  markAll(wallet: string, toSeconds: number, readMs: number): Promise<number>
  /** Deletes a notification permanently; false when there is none. */
  remove(wallet: string, id: string): Promise<boolean>
  preferences(wallet: string): Promise<NotificationPreferences>
  /** Changes the given preferences, keeps the others, and returns all. */
  changePreferences(
    wallet: string,
    change: Partial<NotificationPreferences>,
  ): Promise<NotificationPreferences>

  /**
   * Adds notifications of events off the chain, subject to preferences. One that was added before,
   * deleted or not, is not changed.
   */
  add(notifications: readonly OwnNotification[]): Promise<void>
  /** Adds a notification for every key within a day and the last tenth of its life to its end. */
  addExpiring(nowMs: number): Promise<void>
  /**
   * For sockets: notifications of `wallets` for block `number`, in order, where pushing is enabled.
   * Call it once the feed has the block; an undo deletes the notifications of its blocks.
   */
  ofBlock(wallets: readonly string[], number: number): Promise<readonly StoredNotification[]>
  /** For sockets: notifications of a wallet by id, in order, where pushing is enabled. */
  byIds(wallet: string, ids: readonly string[]): Promise<readonly StoredNotification[]>
  /**
   * For sockets: calls `listener` with the ids of notifications added by any process through `add`
   * or `addExpiring`, once they can be read; `byIds` excludes those not to be pushed. With
   * undefined when some may have been missed. Returns a function that stops it.
   */
  onAdded(listener: (added: AddedNotifications | undefined) => void): () => void
  /**
   * Deletes expired notifications of a bounded number of wallets after `fromWallet` ('' first).
   * Returns the wallet to continue from, '' at the end.
   */
  prune(nowSeconds: number, fromWallet: string): Promise<string>
}>

/** Ids of a wallet. */
export type AddedNotifications = Readonly<{ wallet: string; ids: readonly string[] }>
