// Safeguards act for an account while it is silent. API nodes store an account's rules, and the
// process with the relayer's lease acts on them.
import type { Order } from '@openvenue/core/records'
import type { Intent } from './intents.ts'

/** A pre-signed `CancelAll` for one market. */
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
  /** True: protective orders (reduce-only, with a trigger) are cancelled, too. */
  includesTriggers: boolean
  /** None: cancels by the venue as canceller. */
  cancelAlls: readonly PreSignedCancelAll[]
}>

/** An armed timer. Times are Unix milliseconds of the database's clock. */
export type CancelTimer = NewCancelTimer & Readonly<{ armedMs: number; triggerMs: number }>

export type MmpSettings = Readonly<{
  account: number
  wallet: string
  asset: string
  /** Window in which fills count; 0: disabled. */
  intervalSeconds: number
  /** Duration of a freeze; 0: until a reset. */
  frozenSeconds: number
  /** Maximum bought and sold amount together, millionths of a whole base unit, inclusive. */
  amountLimit: bigint
  /** Maximum net amount in either direction, same unit; undefined: no limit. */
  deltaLimit: bigint | undefined
}>

export type MmpRule = MmpSettings &
  Readonly<{
    /** Start of the count, Unix milliseconds of the database's clock, like `frozenMs`. */
    resetMs: number
    /** Start of the freeze; undefined: not frozen. It may have ended since. */
    frozenMs: number | undefined
  }>

/** Selects fills of protected orders in a market. */
export type MmpScan = Readonly<{
  account: number
  market: string
  afterSeconds: number
  /** Fills within a bucket are merged, dated as the newest of them. */
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

type DisconnectRule = Readonly<{ account: number; isEnabled: boolean }>

/** Changes after a given `changed`, and the newest value. */
export type SafeguardChanges = Readonly<{
  changed: number
  disconnects: readonly DisconnectRule[]
  mmp: readonly MmpRule[]
  /** The database's clock. */
  nowMs: number
}>

/** A node with sockets, and its number of heartbeats. */
export type SocketNode = Readonly<{ node: string; beats: number }>

/** Maximum number of included orders that are checked for excluding a held one. */
export const EXCLUDING_MAX = 10_000
/** Channel notified when rules have changed or connections have ended. */
export const SAFEGUARDS_CHANNEL = 'openvenue_safeguards'
/** No timer is shorter: one that is armed after a look for timers expires later than this. */
export const TIMER_MS_MIN = 5_000
/** Heartbeat interval of a node with sockets. */
export const NODE_BEAT_MS = 3_000
/** Silence after which a node counts as dead. */
export const NODE_SILENCE_MS = 10_000

export type Safeguards = Readonly<{
  /** Arms or re-arms the timer of an account; returns its end. */
  armTimer(timer: NewCancelTimer): Promise<Readonly<{ triggerMs: number }>>
  disarmTimer(account: number): Promise<void>
  /**
   * Expired timers, at most `limit`. One armed in the future by a clock that was since set back is
   * re-armed: it ends later, by its own duration at most.
   */
  dueTimers(limit: number): Promise<readonly CancelTimer[]>
  /** Milliseconds until the next timer expires; undefined: there is none. */
  nextTimerMs(): Promise<number | undefined>
  /** Removes a processed timer, unless it was re-armed. */
  endTimer(timer: Pick<CancelTimer, 'account' | 'armedMs'>): Promise<void>

  setDisconnect(rule: DisconnectRule): Promise<void>
  readDisconnect(account: number): Promise<boolean>
  /** Records a node's heartbeat; returns their number, which restarts once it was removed. */
  beat(node: string): Promise<number>
  nodes(): Promise<readonly SocketNode[]>
  /** Removes a node whose orders were processed, unless it has beaten since. */
  forgetNode(node: SocketNode): Promise<void>
  endConnections(connections: readonly string[]): Promise<void>
  /** At most `limit`. */
  endedConnections(limit: number): Promise<readonly string[]>
  forgetConnections(connections: readonly string[]): Promise<void>

  /** Replaces the rule, not frozen, with a new count. */
  setMmp(settings: MmpSettings): Promise<void>
  /** Unfreezes, with a new count; false: there is no such rule. */
  resetMmp(account: number, asset: string): Promise<boolean>
  /** Freezes the rule unless it was reset after `resetMs`. Returns whether it did. */
  freezeMmp(rule: Pick<MmpRule, 'account' | 'asset' | 'resetMs'>): Promise<boolean>
  readMmp(account: number): Promise<Readonly<{ rules: readonly MmpRule[]; nowMs: number }>>

  /** Fills of protected orders in blocks up to `blockNumber`, oldest first. */
  mmpFills(scans: readonly MmpScan[], blockNumber: number): Promise<readonly MmpFill[]>

  /** Rules that have changed after `changed`; -1 for all of them. */
  changesAfter(changed: number): Promise<SafeguardChanges>
  /** Calls `signal` when rules may have changed. Returns the function that stops it. */
  onChange(signal: () => void): () => void
  /**
   * Digests of held orders whose salt was spent by one of the newest EXCLUDING_MAX included ones,
   * for a new watcher, which has not seen those steps.
   */
  excluded(): Promise<readonly string[]>
  /** States of orders with children, by digest. */
  parents(ids: readonly string[]): Promise<readonly ParentFate[]>
  /** Held reduce-only orders among `ids` whose position ended or flipped since their acceptance. */
  orphaned(ids: readonly string[]): Promise<readonly string[]>
  stops(scan: StopScan): Promise<readonly StopOrder[]>
  countStops(account: number): Promise<number>
}>

/** A parent order in the database. */
export type ParentFate = Readonly<{
  id: string
  /** State of its intent; undefined: no longer stored. */
  state: string | undefined
  /** The chain's order as in records; undefined: not on chain. */
  order:
    | Readonly<{ filledLots: bigint; restingLots: bigint; status: string; reason: string | null }>
    | undefined
}>

/** An order with a trigger, and the chain's order if there is one. */
export type StopOrder = Readonly<{ intent: Intent; order: Order | undefined }>

/** A page by place of arrival, from `after` on, exclusive. */
type StopScan = Readonly<{
  account: number
  after: number | undefined
  isAscending: boolean
  limit: number
}>

/** Returns when a rule is unfrozen, Unix milliseconds; undefined: not frozen. */
export function thawMs({ frozenMs, frozenSeconds }: MmpRule): number | undefined {
  if (frozenMs === undefined) return undefined
  return frozenSeconds === 0 ? Number.POSITIVE_INFINITY : frozenMs + frozenSeconds * 1000
}

/** Returns whether a rule refuses new orders at `nowMs`. */
export const isFrozen = (rule: MmpRule, nowMs: number): boolean => nowMs < (thawMs(rule) ?? 0)
