// What accounts are told: notices. Those of the chain are written with the block that caused them
// (`Writer.commit`), the others by `add`. Each is there once, whatever is told twice.

/** Notices that an account keeps, the newest; and how long it keeps them. */
export const NOTICES_PER_ACCOUNT_MAX = 10_000
export const NOTICE_DAYS_MAX = 400

/** A notice as it is kept. */
export type StoredNotice = Readonly<{
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

/** A notice of something off the chain. `id` names what it is about. */
export type OwnNotice = Pick<StoredNotice, 'wallet' | 'id' | 'type' | 'seconds' | 'data'>

/** Which notices of a wallet; both bounds are inclusive. */
export type NoticeFilter = Readonly<{
  wallet: string
  status: 'unread' | 'read' | 'all'
  type: string | undefined
  fromSeconds: number
  toSeconds: number
}>

export type NoticePlace = Readonly<{ seconds: number; id: string }>

/** The first `limit` of a filter beyond `after`, walking up or down. */
export type NoticeQuery = NoticeFilter &
  Readonly<{ after: NoticePlace | undefined; isAscending: boolean; limit: number }>

/** What a wallet wants to be told, and where. `types` holds only what was chosen. */
export type NoticePreferences = Readonly<{
  inApp: boolean
  websocket: boolean
  types: Readonly<Record<string, boolean>>
}>

export type Notices = Readonly<{
  page(query: NoticeQuery): Promise<readonly StoredNotice[]>
  count(filter: NoticeFilter): Promise<number>
  find(wallet: string, id: string): Promise<StoredNotice | undefined>
  /** Marks notices as read at `readMs`, or as unread (undefined). Returns how many changed. */
  mark(wallet: string, ids: readonly string[], readMs: number | undefined): Promise<number>
  /** Marks every notice up to `toSeconds` as read. Returns how many changed. */
  markAll(wallet: string, toSeconds: number, readMs: number): Promise<number>
  /** Deletes a notice for good; false when there is none. */
  remove(wallet: string, id: string): Promise<boolean>
  preferences(wallet: string): Promise<NoticePreferences>
  /** Changes what is given, leaves the rest, and returns all. */
  changePreferences(wallet: string, change: Partial<NoticePreferences>): Promise<NoticePreferences>

  /**
   * Adds notices of things off the chain, as the preferences of their wallets say. One that was
   * added before, deleted or not, is left alone.
   */
  add(notices: readonly OwnNotice[]): Promise<void>
  /** Adds a notice for every key that ends soon: within a day and the last tenth of its life. */
  addExpiring(nowMs: number): Promise<void>
  /**
   * For sockets: what block `number` told `wallets`, in order, where they want it pushed. To be
   * asked when the feed has brought the block; after an undo the notices of its blocks are gone.
   */
  ofBlock(wallets: readonly string[], number: number): Promise<readonly StoredNotice[]>
  /** For sockets: notices of a wallet by id, in order, where it wants them pushed. */
  byIds(wallet: string, ids: readonly string[]): Promise<readonly StoredNotice[]>
  /**
   * For sockets: calls `listener` with the ids of notices that any process added by `add` or
   * `addExpiring`, once they can be read; `byIds` leaves out those that are not to be pushed. With
   * undefined when news may have been missed. Returns a function that stops it.
   */
  onAdded(listener: (added: AddedNotices | undefined) => void): () => void
  /**
   * Deletes what accounts keep no longer, of a bounded number of wallets after `fromWallet` (''
   * first). Returns the wallet to go on from, '' at the end.
   */
  prune(nowSeconds: number, fromWallet: string): Promise<string>
}>

/** Ids of a wallet. */
export type AddedNotices = Readonly<{ wallet: string; ids: readonly string[] }>
