// Intents: signed orders and cancels that the venue has promised to relay. The API adds them before
// it answers, the relayer moves them, and every step is an entry of a log that all nodes follow.

/**
 * `received`: held until its trigger is met or its parent fills. `queued`: waits for a transaction.
 * `sent`: in a transaction. `included`: executed on chain. `refused`: refused by the chain.
 * `expired`: its deadline passed first. `withdrawn`: ended before it was sent.
 */
export type IntentState =
  | 'received'
  | 'queued'
  | 'sent'
  | 'included'
  | 'refused'
  | 'expired'
  | 'withdrawn'

export const LIVE_STATES = ['received', 'queued', 'sent'] as const

/** Thrown while the chain is being reindexed, so that its data is unknown. */
export class ChainUnread extends Error {
  override name = 'ChainUnread'

  constructor(block: number) {
    super(`what the chain has is known once it was read to block ${block}`)
  }
}

/** The signed members of an order as text: integers are decimal, bytes are hex. */
export type OrderMembers = Readonly<{
  account: string
  market: number
  isBuy: boolean
  limitPrice: string
  amount: string
  timeInForce: number
  reduceOnly: boolean
  triggerKind: number
  triggerPrice: string
  goodTil: string
  maxFills: number
  replaces: string
  replacesAmount: string
  salt: string
  deadline: string
}>

/** The request of an order, for logs and traces. It is in no hash or receipt. */
export type RequestTrace = Readonly<{
  /** X-Request-Id, at most 64 characters; absent for orders by socket. */
  id?: string | undefined
  /** W3C trace context of its acceptance, 55 characters. */
  traceparent?: string | undefined
}>

/** The content, by kind. Unsigned members of an order are stored with it. */
export type IntentPayload =
  | Readonly<{
      kind: 'order'
      order: OrderMembers
      signature: string
      /** Under market-maker protection. */
      isMmp?: boolean
      /** Connection with which it ends (cancel-on-disconnect). */
      connection?: string
      /** The chain's time at acceptance; absent in intents of older versions. */
      acceptedSeconds?: number
      /** Placed as a market order. */
      isMarket?: boolean
      /** Public id of the order that it replaces, on the chain or pending. */
      edits?: string
      request?: RequestTrace
    }>
  /** Sent by the venue as canceller. `target` is the order's public id: its digest or chain id. */
  | Readonly<{ kind: 'cancel'; target: string }>
  /** `orders` are chain ids. */
  | Readonly<{
      kind: 'signed_cancel'
      orders: readonly string[]
      deadline: string
      signature: string
    }>
  /** `orders` are the chain's numbers in the market. */
  | Readonly<{
      kind: 'signed_cancel_all'
      orders: readonly number[]
      salt: string
      deadline: string
      signature: string
    }>

export type NewIntent = Readonly<{
  /** EIP-712 digest of the signed message; for an unsigned cancel `cancel:` and its target. */
  id: string
  /** The account's number and, in lower case, its address. */
  account: number
  wallet: string
  /** Id of the market. */
  market: string
  /** The lane that carries it. */
  lane: string
  state: 'received' | 'queued'
  /** Its gas in blocks and queues. */
  gas: number
  payload: IntentPayload
  clientOrderId?: string | undefined
  /** The live intent that it replaces, whose client order id it may reuse. */
  takesNameOf?: string | undefined
  parentId?: string | undefined
  /** Unix seconds, the last in which it may be sent. Up to 2^256 - 1. */
  deadlineSeconds: bigint
  receivedNs: bigint
  /** The block by which it is promised to be included or refused; 0 while it is held. */
  includeByBlock: number
}>

export type Intent = Omit<NewIntent, 'state' | 'takesNameOf'> &
  Readonly<{
    /** Its place in the log, which is the order of arrival. */
    seq: number
    state: IntentState
    /** The newest transaction that carried it, and the block that includes it. */
    txHash: string | undefined
    blockNumber: number | undefined
    /** Why it ended: an error name of the contract, or a code of the venue. */
    reason: string | undefined
    updatedNs: bigint
  }>

/**
 * `known`: it existed already, in this state. `clientOrderIdTaken`: by that live intent.
 * `ordersEver`: number of the account's orders so far, including this one.
 */
export type AddResult =
  | Readonly<{ added: Intent; ordersEver: number }>
  | Readonly<{ known: Intent }>
  | Readonly<{ clientOrderIdTaken: string }>

/** A step from one of the states `from`; it does not apply in other states. */
export type IntentMove = Readonly<{
  id: string
  from: readonly IntentState[]
  to: IntentState
  atNs: bigint
  /**
   * Excludes queued intents that a transaction has carried: after a reorganisation it may be
   * included again without being resent.
   */
  isUnsent?: boolean | undefined
  txHash?: string | undefined
  blockNumber?: number | undefined
  reason?: string | undefined
  /**
   * A new promise, for a released or requeued intent; 0 when it is held again. It is only in the
   * log: the intent keeps the first one, whose receipt was given out.
   */
  includeByBlock?: number | undefined
}>

/** `intent` is set in each intent's first entry, and when the reader cannot know it. */
export type IntentLogEntry = Readonly<{
  seq: number
  id: string
  state: IntentState
  atNs: bigint
  txHash: string | undefined
  blockNumber: number | undefined
  reason: string | undefined
  /** The promised block from this entry on. */
  includeByBlock: number
  /** Set in the first entry. */
  intent: Intent | undefined
}>

/** The current promise of an intent: the log entry that made it. */
type PromiseEntry = Pick<IntentLogEntry, 'seq' | 'atNs' | 'includeByBlock'>

/** An order on chain, by the requested id. */
export type OrderOnChain = Readonly<{
  id: string
  market: string
  number: number
  status: 'open' | 'partial' | 'filled' | 'cancelled'
  isResting: boolean
  /** The block that placed it. */
  blockNumber: number
}>

/** Default retention of finished intents and their log. */
export const INTENTS_KEPT_MS = 7 * 24 * 3600 * 1000
/** Maximum number of intents per database transaction. */
export const INTENTS_PER_COMMIT_MAX = 256
/** Channel notified when the log grows. */
export const INTENTS_CHANNEL = 'openvenue_intents'

export type Intents = Readonly<{
  /** Adds intents in order; committed when it resolves. Concurrent callers share a transaction. */
  add(intents: readonly NewIntent[]): Promise<readonly AddResult[]>
  /** Makes the steps that apply; returns which did. Concurrent callers share a transaction, too. */
  move(moves: readonly IntentMove[]): Promise<readonly boolean[]>
  /** The live intents, and included ones whose order rests, by `seq`; and the view's log entry. */
  live(): Promise<Readonly<{ seq: number; intents: readonly Intent[] }>>
  /** Intents that were included in `fromBlock` or later. */
  includedFrom(fromBlock: number): Promise<readonly Intent[]>
  /** Intents that were refused or expired since, the newest 10,000. */
  givenUpSince(ns: bigint): Promise<readonly Intent[]>
  /** Entries after `seq`, in order, at most `limit`. See `entriesAfter`. */
  logAfter(seq: number, limit: number): Promise<readonly IntentLogEntry[]>
  find(ids: readonly string[]): Promise<readonly Intent[]>
  /** The newest promise of each intent, by id: its first, or the one at its release or renewal. */
  promisesOf(ids: readonly string[]): Promise<ReadonlyMap<string, PromiseEntry>>
  /**
   * The orders on chain among `ids`, by digest or chain id, in any state. Throws `ChainUnread`
   * while `awaitedBlock` returns a block, since a missing one may exist.
   */
  onChain(ids: readonly string[]): Promise<readonly OrderOnChain[]>
  /** The live intent of an account with this client order id, or the newest ended one. */
  findByClientOrderId(account: number, clientOrderId: string): Promise<Intent | undefined>
  /**
   * Number of an account's orders so far, plus one for each order or cancel that the chain refused
   * after it was sent, and the time of the newest receipt or refusal.
   */
  ordersEver(account: number): Promise<Readonly<{ orders: number; lastMs: number }>>
  /**
   * The block that the indexer must reach first, because a backup of that block was restored, or
   * the chain is reindexed for other contracts; undefined: reached. Until then, included intents
   * look undone.
   */
  awaitedBlock(): Promise<number | undefined>
  /** Calls `signal` when the log may have grown. Returns the function that stops it. */
  onLog(signal: () => void): () => void
  /** Stores the relayer's status with its time. */
  writeStatus(status: string, nowMs: number): Promise<void>
  readStatus(): Promise<Readonly<{ status: string; updatedMs: number }> | undefined>
}>
