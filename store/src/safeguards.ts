// Safeguards: what acts for an account while it is silent. Nodes of the API write down what an
// account wants; the one process that holds the relayer's lease acts on it.
import type { Order } from '@openvenue/core/records'
import type { Intent } from './intents.ts'

/** A `CancelAll` that was signed beforehand, for one market. */
export type PreSignedCancelAll = Readonly<{
  /** EIP-712 digest. */
  digest: string
  /** Id of the market. */
  market: string
  salt: string
  /** Unix seconds. */
  deadline: string
  signature: string
}>

export type NewCancelTimer = Readonly<{
  account: number
  wallet: string
  timeoutMs: number
  /** Whether protective orders (reduce-only, with a trigger) go as well. */
  includesTriggers: boolean
  /** None: by the venue as canceller. */
  cancelAlls: readonly PreSignedCancelAll[]
}>

/** An armed timer. Times are of the database's clock, Unix milliseconds. */
export type CancelTimer = NewCancelTimer & Readonly<{ armedMs: number; triggerMs: number }>

export type MmpSettings = Readonly<{
  account: number
  wallet: string
  asset: string
  /** Fills of so many seconds count; 0: it is off. */
  intervalSeconds: number
  /** Frozen for so many seconds; 0: until it is reset. */
  frozenSeconds: number
  /** Bought and sold together, in millionths of a whole base unit; it may be reached. */
  amountLimit: bigint
  /** Bought less sold, either way, in the same; undefined: no limit. */
  deltaLimit: bigint | undefined
}>

export type MmpRule = MmpSettings &
  Readonly<{
    /** When counting began anew; Unix milliseconds of the database's clock, as the next. */
    resetMs: number
    /** Since when it is frozen; undefined: it is not. It may have thawed since. */
    frozenMs: number | undefined
  }>

/** What fills of protected orders in a market to read. */
export type MmpScan = Readonly<{
  account: number
  market: string
  afterSeconds: number
  /** Fills of so many seconds are one, as of the newest of them. */
  bucketSeconds: number
}>

/** Fills of protected orders of an account in a market, of one side and bucket of time. */
export type MmpFill = Readonly<{
  account: number
  market: string
  isBuy: boolean
  lots: bigint
  seconds: number
}>

export type DisconnectRule = Readonly<{ account: number; isEnabled: boolean }>

/** What changed after a `changed`, and the newest. */
export type SafeguardChanges = Readonly<{
  changed: number
  disconnects: readonly DisconnectRule[]
  mmp: readonly MmpRule[]
  /** The database's clock. */
  nowMs: number
}>

/** A node with sockets, and how often it has said that it lives. */
export type SocketNode = Readonly<{ node: string; beats: number }>

/** Included orders of which it is looked whether they exclude a held one. */
export const EXCLUDING_MAX = 10_000
/** The channel that says that rules have changed, or connections have ended. */
export const SAFEGUARDS_CHANNEL = 'openvenue_safeguards'
/** A node with sockets says so often that it lives. */
export const NODE_BEAT_MS = 1_000
/** A node that has said nothing for so long is dead. */
export const NODE_SILENCE_MS = 10_000

export type Safeguards = Readonly<{
  /** Arms the timer of an account, anew if it was; returns when it ends. */
  armTimer(timer: NewCancelTimer): Promise<Readonly<{ triggerMs: number }>>
  disarmTimer(account: number): Promise<void>
  /**
   * Timers that have ended, at most `limit`. One that was armed after now, by a clock that has been
   * set back since, begins anew: it ends later than it should, by its own time at most.
   */
  dueTimers(limit: number): Promise<readonly CancelTimer[]>
  /** Removes a timer that has been looked after, unless it was armed anew. */
  endTimer(timer: Pick<CancelTimer, 'account' | 'armedMs'>): Promise<void>

  setDisconnect(rule: DisconnectRule): Promise<void>
  readDisconnect(account: number): Promise<boolean>
  /** Says that a node lives; returns how often it has, which is 1 again once it was forgotten. */
  beat(node: string): Promise<number>
  nodes(): Promise<readonly SocketNode[]>
  /** Forgets a node whose orders have been looked after, unless it has beaten since. */
  forgetNode(node: SocketNode): Promise<void>
  endConnections(connections: readonly string[]): Promise<void>
  /** At most `limit`. */
  endedConnections(limit: number): Promise<readonly string[]>
  forgetConnections(connections: readonly string[]): Promise<void>

  /** Replaces the rule; it is not frozen, and counts from now on. */
  setMmp(settings: MmpSettings): Promise<void>
  /** Thaws, and counts from now on; false: there is no such rule. */
  resetMmp(account: number, asset: string): Promise<boolean>
  /** Freezes from now on, unless the rule was reset after `resetMs`. Returns whether. */
  freezeMmp(rule: Pick<MmpRule, 'account' | 'asset' | 'resetMs'>): Promise<boolean>
  readMmp(account: number): Promise<Readonly<{ rules: readonly MmpRule[]; nowMs: number }>>

  /** Fills of protected orders in blocks up to `blockNumber`, oldest first. */
  mmpFills(scans: readonly MmpScan[], blockNumber: number): Promise<readonly MmpFill[]>

  /** Rules that have changed after `changed`: -1 for all of them. */
  changesAfter(changed: number): Promise<SafeguardChanges>
  /** Calls `signal` when rules may have changed. Returns what stops it. */
  onChange(signal: () => void): () => void
  /**
   * Held orders whose salt one of the newest EXCLUDING_MAX included ones has spent: by digest. Who
   * begins to watch has not seen those steps.
   */
  excluded(): Promise<readonly string[]>
  /** What became of the orders that have children: by digest. */
  parents(ids: readonly string[]): Promise<readonly ParentFate[]>
  /**
   * Those of held reduce-only orders whose position has ended since they were accepted: closed, or
   * on the other side.
   */
  orphaned(ids: readonly string[]): Promise<readonly string[]>
  stops(scan: StopScan): Promise<readonly StopOrder[]>
  countStops(account: number): Promise<number>
}>

/** An order with children as the database knows it. */
export type ParentFate = Readonly<{
  id: string
  /** Of its intent; undefined: there is none any more. */
  state: string | undefined
  /** Of the chain's order, as records have it; undefined: it has none. */
  order:
    | Readonly<{ filledLots: bigint; restingLots: bigint; status: string; reason: string | null }>
    | undefined
}>

/** An order with a trigger, and the chain's order where there is one. */
export type StopOrder = Readonly<{ intent: Intent; order: Order | undefined }>

/** A page of them by their place of arrival, from `after` on and without it. */
export type StopScan = Readonly<{
  account: number
  after: number | undefined
  isAscending: boolean
  limit: number
}>

/** Returns when a rule thaws, Unix milliseconds; undefined: it is not frozen. */
export function thawMs({ frozenMs, frozenSeconds }: MmpRule): number | undefined {
  if (frozenMs === undefined) return undefined
  return frozenSeconds === 0 ? Number.POSITIVE_INFINITY : frozenMs + frozenSeconds * 1000
}

/** Returns whether a rule refuses new orders at `nowMs`. */
export const isFrozen = (rule: MmpRule, nowMs: number): boolean => nowMs < (thawMs(rule) ?? 0)
