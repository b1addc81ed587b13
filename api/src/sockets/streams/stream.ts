// Channels as sessions see them: named streams of messages that can be opened.
import type { Caller } from '../../identity/caller.ts'

/**
 * One encoded message of a channel. `seq` is the number of the feed entry that it carries (for a
 * snapshot: the last entry it contains); it is the same on every node.
 */
export type StreamMessage = Readonly<{ seq: number; text: string; isSnapshot: boolean }>

/** Sends a message to all subscribers of the channel. */
export type Publish = (message: StreamMessage) => void

/** A channel while it is open on this node, with at least one subscriber. */
export type Stream = Readonly<{
  /** True when its messages are events: then snapshots go only to clients that asked for one. */
  carriesEvents: boolean
  /** Returns the entry of the last message, or where the channel began: the next one follows it. */
  seq(): number
  /**
   * Resolves once everything that happens is published, where that takes more than opening the
   * channel. Subscribers without a snapshot must await it.
   */
  ready?(): Promise<void>
  /**
   * Returns the first messages of a new subscriber: the state at the model's `seq`, with nothing
   * published between. A promise where the database is queried: messages published meanwhile wait,
   * and those not newer than the snapshot are dropped.
   */
  snapshot(): readonly StreamMessage[] | Promise<readonly StreamMessage[]>
  /** True when a returning client needs missed messages: then the channel stays open a while. */
  isResumed?: boolean
  /**
   * Resolves once `replay` knows the messages after `seq`; undefined when it already does. Rejects
   * when they cannot be known now.
   */
  reach?(seq: number): Promise<void> | undefined
  /**
   * Returns the messages after `seq`, or undefined when some of them are unavailable. A promise
   * where the database is queried: as in `snapshot`, messages published meanwhile wait.
   */
  replay(seq: number): ReplayResult | Promise<ReplayResult>
  /** Called when the last subscriber has left. */
  close(): void
}>

export type ReplayResult = readonly StreamMessage[] | undefined

export type ChannelKind =
  | Readonly<{
      isPrivate: false
      /** Sends the state after each block; limited by connection. */
      isPerBlock?: boolean
      open: (publish: Publish) => Stream
    }>
  | Readonly<{ isPrivate: true; open: (caller: Caller, publish: Publish) => Stream }>

/** All channels of a node. A private one is opened once per subscribed account. */
export type Channels = Readonly<{
  /** Returns the channel `name`, or undefined when there is none. */
  find(name: string): ChannelKind | undefined
  /** Returns the names of all channels that can be subscribed to now. */
  names(): readonly string[]
}>
