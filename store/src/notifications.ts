// Keeps the notifications of accounts. Those of the chain are written with the block that
// caused them (`Writer.commit`), the others by `add`. Each is there once, also when added twice.

/** Notifications that an account keeps, the newest; and how long it keeps them. */
export const NOTIFICATIONS_PER_ACCOUNT_MAX = 10_000
export const NOTIFICATION_DAYS_MAX = 400

/** A notification as it is kept. */
export type StoredNotification = Readonly<{
  /** Lower case. */
  wallet: string
  /** Unique within the wallet. Text order is order within a second. */
  id: string
  type: string
  seconds: number
  /** Undefined: it does not come from the chain. */
  blockNumber: number | undefined
  data: Readonly<Record<string, unknown>>
  /** Undefined: not read yet. */
  readMs: number | undefined
}>

/** A notification of something off the chain. `id` names what it is about. */
export type OwnNotification = Pick<
  StoredNotification,
  'wallet' | 'id' | 'type' | 'seconds' | 'data'
>

/** Which notifications of a wallet; both bounds are inclusive. */
export type NotificationFilter = Readonly<{
  wallet: string
  status: 'unread' | 'read' | 'all'
  type: string | undefined
  fromSeconds: number
  toSeconds: number
}>

export type NotificationPlace = Readonly<{ seconds: number; id: string }>

/** The first `limit` of a filter beyond `after`, reading up or down. */
export type NotificationQuery = NotificationFilter &
  Readonly<{ after: NotificationPlace | undefined; isAscending: boolean; limit: number }>

/** The notifications that a wallet wants, and where. `types` holds only what was chosen. */
export type NotificationPreferences = Readonly<{
  inApp: boolean
  websocket: boolean
  types: Readonly<Record<string, boolean>>
}>

export type Notifications = Readonly<{
  page(query: NotificationQuery): Promise<readonly StoredNotification[]>
  count(filter: NotificationFilter): Promise<number>
  find(wallet: string, id: string): Promise<StoredNotification | undefined>
  /**
   * Marks notifications as read at `readMs`, or as unread (undefined). Returns how many changed.
   */
  mark(wallet: string, ids: readonly string[], readMs: number | undefined): Promise<number>
  /** Marks every notification up to `toSeconds` as read. Returns how many changed. */
  markAll(wallet: string, toSeconds: number, readMs: number): Promise<number>
  /** Deletes a notification for good; false when there is none. */
  remove(wallet: string, id: string): Promise<boolean>
  preferences(wallet: string): Promise<NotificationPreferences>
  /** Changes what is given, leaves the rest, and returns all. */
  changePreferences(
    wallet: string,
    change: Partial<NotificationPreferences>,
  ): Promise<NotificationPreferences>

  /**
   * Adds notifications of things off the chain, as the preferences of their wallets say. One that
   * was added before, deleted or not, is left alone.
   */
  add(notifications: readonly OwnNotification[]): Promise<void>
  /**
   * Adds a notification for every key that ends soon: within a day and the last tenth of its life.
   */
  addExpiring(nowMs: number): Promise<void>
  /**
   * For sockets: of what block `number` notifies `wallets`, in order, where they want it pushed. To
   * be asked when the feed has brought the block; after an undo the notifications of its blocks are
   * gone.
   */
  ofBlock(wallets: readonly string[], number: number): Promise<readonly StoredNotification[]>
  /** For sockets: notifications of a wallet by id, in order, where it wants them pushed. */
  byIds(wallet: string, ids: readonly string[]): Promise<readonly StoredNotification[]>
  /**
   * For sockets: calls `listener` with the ids of notifications that any process added by `add` or
   * `addExpiring`, once they can be read; `byIds` leaves out those that are not to be pushed. With
   * undefined when news may have been missed. Returns a function that stops it.
   */
  onAdded(listener: (added: AddedNotifications | undefined) => void): () => void
  /**
   * Deletes what accounts keep no longer, of a bounded number of wallets after `fromWallet` (''
   * first). Returns the wallet to go on from, '' at the end.
   */
  prune(nowSeconds: number, fromWallet: string): Promise<string>
}>

/** Ids of a wallet. */
export type AddedNotifications = Readonly<{ wallet: string; ids: readonly string[] }>
