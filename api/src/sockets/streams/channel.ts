// Defines a channel: which entries of the feed it follows, what a listener gets first, and which
// frames an entry or the passing of time adds. Channels return frames; streams publish them.
import type { FrameType } from '@openvenue/wire/channels'
import type { Affected } from './affected.ts'
import type { Past, PastEntry } from './past-entries.ts'

/** An entry of the feed, and the block that is the head there. */
export type FeedPosition = Readonly<{ seq: number; blockNumber: number }>

/** Where a frame stands, and the entry of the frame before it; null in a snapshot. */
export type FramePosition = FeedPosition & Readonly<{ prevSeq: number | null }>

/** One message of a channel before it is numbered and written. */
export type Frame = Readonly<{
  type: FrameType
  /** JSON, or what writes it for the position that the frame takes. */
  data: string | ((position: FramePosition) => string)
  /** Which of how many frames of one entry. */
  part?: readonly [part: number, parts: number]
  /** Where it stands, if not where the model stood when it was asked for. */
  at?: FeedPosition
}>

/** Returns a frame for each of `datas`; where there are several, each says which part it is. */
export const separateFrames = (type: FrameType, datas: readonly string[]): Frame[] =>
  datas.length === 1
    ? datas.map((data) => ({ type, data }))
    : datas.map((data, index) => ({ type, data, part: [index + 1, datas.length] }))

/** Which entries of the feed reach a channel. */
export type Subject =
  | Readonly<{ kind: 'market'; id: string }>
  /** All markets of the asset, and its index price. */
  | Readonly<{ kind: 'asset'; asset: string }>
  | Readonly<{ kind: 'account'; account: number }>
  /** The opening of its account. */
  | Readonly<{ kind: 'wallet'; wallet: string }>
  | Readonly<{ kind: 'all' }>

/** A channel for everybody. */
export type PublicChannel = Readonly<{
  /**
   * Each message says what happened once, such as a trade, and not how something is now. An old
   * one that came first would pass for a new one: whoever does not ask gets none.
   */
  carriesEvents?: boolean
  /** `onEntry` may be asked of past entries, too: it uses nothing else of the model. */
  isRebuilt?: boolean
  subject: Subject
  /** Returns the data of a snapshot, as JSON. */
  snapshot: (position: FramePosition) => string
  /** Returns the frames of an entry that the model has folded in. */
  onEntry: (affected: Affected) => readonly Frame[]
  /** Returns the frames that time alone causes. */
  onTick?: (nowMs: number) => readonly Frame[]
  /** A snapshot for everybody follows: nothing before it is left to send. */
  onReset?: () => void
}>

/** An account that listens. `account` is undefined while the chain has none for the wallet. */
export type Owner = Readonly<{ wallet: string; account: number | undefined }>

/** Frames, or a promise of them; where it is rejected, everybody gets a fresh snapshot. */
export type FramesSoon = readonly Frame[] | Promise<readonly Frame[]>

export type MissedFrames = readonly Frame[] | undefined

/** Returns frames of a past entry with their place. */
export const framesAt = ({ seq, header }: PastEntry, frames: readonly Frame[]): Frame[] =>
  frames.map((frame) => ({ ...frame, at: { seq, blockNumber: header.number } }))

/** A channel of one wallet. */
export type PrivateChannel = Pick<PublicChannel, 'carriesEvents'> &
  Readonly<{
    /** Each message is the whole state: what a client missed of it is of no use. */
    isWhole?: boolean
    /** Entries of its account, or all of them. */
    subject: 'account' | 'all'
    /**
     * Returns the data of a snapshot, as JSON, of where the model stands when it is called; or the
     * data and where else it stands. The model has what the account owns, then as in `onEntry`.
     */
    snapshot: (
      owner: Owner,
    ) => string | Promise<string | Readonly<{ data: string; at: FeedPosition }>>
    /** Returns the frames of an entry that the model has folded in. */
    onEntry: (affected: Affected, owner: Owner) => FramesSoon
    /**
     * Returns the frames of past entries, each with its place; undefined when they cannot be known.
     * Absent: the channel is not rebuilt.
     */
    missed?: (past: Past, owner: Owner) => MissedFrames | Promise<MissedFrames>
    /** Returns frames that belong to no entry. `isReading`: a snapshot is being read. */
    onTick?: (nowMs: number, isReading: boolean) => FramesSoon
    onClose?: () => void
  }>
