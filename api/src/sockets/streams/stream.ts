// Defines the channels of a node as sessions see them: named streams of messages to be opened.
import type { Caller } from '../../identity/caller.ts'

/**
 * One message of a channel, as it goes out. `seq` is the number of the feed entry that it carries
 * (for a snapshot: the last entry it contains); it is the same on every node.
 */
export type Message = Readonly<{ seq: number; text: string; isSnapshot: boolean }>

/** Hands a message to everybody who is subscribed to the channel. */
export type Publish = (message: Message) => void

/** A channel while it is open on this node: at least one connection listens. */
export type Stream = Readonly<{
  /** Whether its messages are events: then snapshots go only to those who asked for one. */
  carriesEvents: boolean
  /** Returns the entry of the last message, or where the channel began: the next one follows it. */
  seq(): number
  /**
   * Resolves once all that happens is published, where that takes more than to open the channel. To
   * be awaited by who listens without a snapshot.
   */
  ready?(): Promise<void>
  /**
   * Returns the messages that a new listener gets first: the state at the model's `seq`, with
   * nothing published between. Promised where the database is asked: what is published meanwhile
   * waits, and of that whatever is not newer than the snapshot is dropped.
   */
  snapshot(): readonly Message[] | Promise<readonly Message[]>
  /** Whether a client that comes back needs what it missed: then the channel stays open a while. */
  isResumed?: boolean
  /**
   * Resolves once `replay` knows what came after `seq`; undefined: it can already. Rejects when
   * it cannot be known now.
   */
  reach?(seq: number): Promise<void> | undefined
  /**
   * Returns the messages after `seq`, or undefined when some of them are not to be had. Promised
   * where the database is asked: as in `snapshot`, what is published meanwhile waits.
   */
  replay(seq: number): Replayed | Promise<Replayed>
  /** Nobody listens any more. */
  close(): void
}>

export type Replayed = readonly Message[] | undefined

export type ChannelKind =
  | Readonly<{ isPrivate: false; open: (publish: Publish) => Stream }>
  | Readonly<{ isPrivate: true; open: (caller: Caller, publish: Publish) => Stream }>

/** All channels of a node. A private one is opened once for each account that listens. */
export type Channels = Readonly<{
  /** Returns the channel `name`, or undefined when there is none. */
  find(name: string): ChannelKind | undefined
  /** Returns the names of all channels that can be subscribed to now. */
  names(): readonly string[]
}>
