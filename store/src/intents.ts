// Intents: what the venue has promised to bring to the chain, signed orders and cancels. The API
// adds them before it answers, the relayer moves them on, and every step is an entry of a log that
// all nodes follow.

/**
 * `received`: held until its trigger is met or its parent fills. `queued`: waits for a transaction.
 * `sent`: a transaction carries it. `included`: the chain has done it. `refused`: the chain would
 * not. `expired`: its time passed first. `withdrawn`: taken back before it was sent.
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
export type LiveState = (typeof LIVE_STATES)[number]

/** What the chain has is not known yet: it is being read anew. */
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

/** What is sent, by kind. Whatever else is to be remembered of an order is unsigned. */
export type IntentPayload =
  | Readonly<{
      kind: 'order'
      order: OrderMembers
      signature: string
      /** Held by market-maker protection. */
      isMmp?: boolean
      /** The connection it ends with, by cancel-on-disconnect. */
      connection?: string
      /** The chain's time when it was accepted; absent in intents of older versions. */
      acceptedSeconds?: number
      /** Placed as a market order. */
      isMarket?: boolean
      /** Public id of the order that it replaces, on the chain or on its way. */
      edits?: string
    }>
  /** By the venue as canceller. `target` is the order's public id: its digest or the chain's. */
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
  /** EIP-712 digest of what is signed; of an unsigned cancel `cancel:` and its target. */
  id: string
  /** The account's number and, in lower case, its address. */
  account: number
  wallet: string
  /** Id of the market. */
  market: string
  /** The lane that is to carry it. */
  lane: string
  state: 'received' | 'queued'
  /** What it counts in blocks and queues. */
  gas: number
  payload: IntentPayload
  clientOrderId?: string | undefined
  /** The live intent that it replaces, whose client order id it may take. */
  takesNameOf?: string | undefined
  parentId?: string | undefined
  /** Unix seconds, the last in which it may be sent. Up to 2^256 - 1. */
  deadlineSeconds: bigint
  receivedNs: bigint
  /** The block by which it is promised to be in, or refused; 0 while it is held. */
  includeByBlock: number
}>

export type Intent = Omit<NewIntent, 'state' | 'takesNameOf'> &
  Readonly<{
    /** Its place in the log, which is the order of arrival. */
    seq: number
    state: IntentState
    /** The newest transaction that carried it, and the block that has it. */
    txHash: string | undefined
    blockNumber: number | undefined
    /** Why it ended: an error of the contract by its name, or a code of the venue. */
    reason: string | undefined
    updatedNs: bigint
  }>

/**
 * `known`: it was there already, as it stands. `clientOrderIdTaken`: by that live intent.
 * `ordersEver`: what the account has had added by now, itself included.
 */
export type AddOutcome =
  | Readonly<{ added: Intent; ordersEver: number }>
  | Readonly<{ known: Intent }>
  | Readonly<{ clientOrderIdTaken: string }>

/** A step from one of the states `from`; it is not made from any other. */
export type IntentMove = Readonly<{
  id: string
  from: readonly IntentState[]
  to: IntentState
  atNs: bigint
  /**
   * Not of what is queued and a transaction has carried: after a reorganisation that may come
   * again, though nobody sends it.
   */
  isUnsent?: boolean | undefined
  txHash?: string | undefined
  blockNumber?: number | undefined
  reason?: string | undefined
  /**
   * A new promise: of what is let go or asked for again; 0 for what is held again. It is in the log
   * alone: the intent keeps the first one, whose receipt is given out.
   */
  includeByBlock?: number | undefined
}>

/** `intent` comes with the first entry of each, and where the reader cannot know it. */
export type IntentLogEntry = Readonly<{
  seq: number
  id: string
  state: IntentState
  atNs: bigint
  txHash: string | undefined
  blockNumber: number | undefined
  reason: string | undefined
  /** What is promised from this entry on. */
  includeByBlock: number
  /** Set in the entry that began it. */
  intent: Intent | undefined
}>

/** What holds of an intent: the entry of the log that promised it last. */
export type PromiseEntry = Pick<IntentLogEntry, 'seq' | 'atNs' | 'includeByBlock'>

/** An order as the chain has it, by the id that was asked for. */
export type OrderOnChain = Readonly<{
  id: string
  market: string
  number: number
  status: 'open' | 'partial' | 'filled' | 'cancelled'
  isResting: boolean
  /** The block that placed it. */
  blockNumber: number
}>

/** Finished intents and their log are kept so long, unless an operator has it otherwise. */
export const INTENTS_KEPT_MS = 7 * 24 * 3600 * 1000
/** Intents of one transaction of the database. */
export const INTENTS_PER_COMMIT_MAX = 256
/** The channel that says that the log has grown. */
export const INTENTS_CHANNEL = 'openvenue_intents'

export type Intents = Readonly<{
  /**
   * Adds each, in this order; committed when it resolves. Concurrent callers share a transaction.
   */
  add(intents: readonly NewIntent[]): Promise<readonly AddOutcome[]>
  /** Makes each step that may be made; returns which were. Concurrent callers share, too. */
  move(moves: readonly IntentMove[]): Promise<readonly boolean[]>
  /**
   * The live intents, and the included ones whose order rests, by `seq`; and the entry of the log
   * at which this was so.
   */
  live(): Promise<Readonly<{ seq: number; intents: readonly Intent[] }>>
  /** Intents that were included in `fromBlock` or later. */
  includedFrom(fromBlock: number): Promise<readonly Intent[]>
  /** Intents that were refused or expired since, the newest 10,000. */
  givenUpSince(ns: bigint): Promise<readonly Intent[]>
  /** Entries after `seq`, in order, at most `limit`. */
  logAfter(seq: number, limit: number): Promise<readonly IntentLogEntry[]>
  find(ids: readonly string[]): Promise<readonly Intent[]>
  /**
   * The newest promise of each intent, by id: where it began, was let go, or was promised anew.
   */
  promisesOf(ids: readonly string[]): Promise<ReadonlyMap<string, PromiseEntry>>
  /**
   * Those of the orders, by digest or chain id, that the chain has, whatever became of them. Throws
   * `ChainUnread` while `awaitedBlock` says a block: one that is missing may be there all the same.
   */
  onChain(ids: readonly string[]): Promise<readonly OrderOnChain[]>
  /** The live one of an account with this client order id, or the newest that ended. */
  findByClientOrderId(account: number, clientOrderId: string): Promise<Intent | undefined>
  /**
   * How many orders an account has had added, with one more for each order or cancel that the chain
   * refused after it was sent, and when the newest was received or refused.
   */
  ordersEver(account: number): Promise<Readonly<{ orders: number; lastMs: number }>>
  /**
   * The block that the chain has to be read to first, since a backup of that block was restored, or
   * what was read of it went to be read for other contracts; undefined: it was. Until then what is
   * included looks as if it had been undone.
   */
  awaitedBlock(): Promise<number | undefined>
  /** Calls `signal` when the log may have grown. Returns what stops it. */
  onLog(signal: () => void): () => void
  /** Keeps what the relayer says of itself, and returns it with the time it was said. */
  writeStatus(status: string, nowMs: number): Promise<void>
  readStatus(): Promise<Readonly<{ status: string; updatedMs: number }> | undefined>
}>
