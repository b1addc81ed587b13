// Interface to the message server: it carries new entries of the feed and of the intents' log to
// the processes that follow them. The tables stay the truth: a message that is lost, late, repeated
// or wrong costs a read.
import type { Message, Origin, StreamName } from './message.ts'

/** The fate of messages. Sent: the first three. */
export const OUTCOMES = [
  'published',
  'dropped',
  'unconfirmed',
  'applied',
  'known',
  'early',
  'number',
  'held',
  'wrong',
  'foreign',
  'missed',
] as const
export type MessageOutcome = (typeof OUTCOMES)[number]

/** Receives a message, or the reason why one was rejected. */
type MessageHandler = (message: Message | 'wrong' | 'foreign') => MessageOutcome

export type Broadcast = Readonly<{
  /**
   * Publishes committed entries `first` to `last`; never throws. `encode` returns their text, or
   * undefined when only their numbers are sent. Resolves to whether the server has stored them.
   */
  publish(
    range: Readonly<{ stream: StreamName; first: number; last: number }>,
    encode: () => string | undefined,
  ): Promise<boolean>
  /** Returns whether the last message of this process to `stream` was stored. */
  isReliable(stream: StreamName): boolean
  /** Calls `onMessage` with each message of `stream`. Returns a function that stops it. */
  subscribe(stream: StreamName, onMessage: MessageHandler): () => void
  /** Returns whether the server is connected. */
  hasSession(): boolean
  /** Returns whether messages are being received. */
  isConnected(): boolean
  /** Counts an outcome that no message caused. */
  count(stream: StreamName, outcome: MessageOutcome): void
  /** Returns the number of messages by outcome. */
  counts(stream: StreamName): Readonly<Record<MessageOutcome, number>>
  /** Sets the database whose entries are published and accepted. Nothing is before. */
  setOrigin(origin: Origin): void
  close(): Promise<void>
}>
