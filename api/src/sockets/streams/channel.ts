// Interface of a channel: the feed entries that it follows, the first messages of a subscriber, and
// the frames caused by an entry or by time. Channels return frames; streams publish them.
import type { FrameType } from '@openvenue/wire/channels'
import type { Owner } from '../../account/owner.ts'
import type { Affected } from './affected.ts'
import type { Past, PastEntry } from './past-entries.ts'

/** An entry of the feed, and its head block. */
export type FeedPosition = Readonly<{ seq: number; blockNumber: number }>

/** The entry of a frame, and of the frame before it; null in a snapshot. */
export type FramePosition = FeedPosition & Readonly<{ prevSeq: number | null }>

/** One message of a channel before it is numbered and encoded. */
export type Frame = Readonly<{
  type: FrameType
  /** JSON, or a function that encodes it for the position of the frame. */
  data: string | ((position: FramePosition) => string)
  /** Its number among the frames of one entry, and their total. */
  part?: readonly [part: number, parts: number]
  /** Its position, if not the model's when it was requested. */
  at?: FeedPosition
}>

/** Returns a frame for each of `datas`, numbered as parts when there are several. */
export const separateFrames = (type: FrameType, datas: readonly string[]): Frame[] =>
  datas.length === 1
    ? datas.map((data) => ({ type, data }))
    : datas.map((data, index) => ({ type, data, part: [index + 1, datas.length] }))

/** The feed entries that reach a channel. */
export type Subject =
  | Readonly<{ kind: 'market'; id: string }>
  /** All markets of the asset, and its index price. */
  | Readonly<{ kind: 'asset'; asset: string }>
  | Readonly<{ kind: 'account'; account: number }>
  /** The opening of its account. */
  | Readonly<{ kind: 'wallet'; wallet: string }>
  | Readonly<{ kind: 'all' }>

/** A public channel. */
export type PublicChannel = Readonly<{
  /**
   * True when each message is an event that happened once, such as a trade, and not the current
   * state. An old event sent first could pass for a new one, so clients that do not ask get no
   * snapshot.
   */
  carriesEvents?: boolean
  /**
   * True when `onEntry` can be called with past entries, because it uses nothing else of the model.
   */
  isRebuilt?: boolean
  subject: Subject
  /** Returns the data of a snapshot, as JSON. */
  snapshot: (position: FramePosition) => string
  /** Returns the frames of an entry that the model has applied. */
  onEntry: (affected: Affected) => readonly Frame[]
  /** Returns the frames that the passing of time causes. */
  onTick?: (nowMs: number) => readonly Frame[]
  /** Called before a broadcast snapshot, which replaces all pending changes. */
  onReset?: () => void
}>

/** Frames, or a promise of them; when it rejects, all subscribers get a fresh snapshot. */
export type FramesSoon = readonly Frame[] | Promise<readonly Frame[]>

export type MissedFrames = readonly Frame[] | undefined

/** Returns frames of a past entry with their position. */
export const framesAt = ({ seq, header }: PastEntry, frames: readonly Frame[]): Frame[] =>
  frames.map((frame) => ({ ...frame, at: { seq, blockNumber: header.number } }))

/** A channel of one wallet. */
export type PrivateChannel = Pick<PublicChannel, 'carriesEvents'> &
  Readonly<{
    /** True when each message is the whole state, so that missed messages are never needed. */
    isWhole?: boolean
    /** Entries of its account, or all of them. */
    subject: 'account' | 'all'
    /**
     * Returns the data of a snapshot as JSON, at the model's position when it is called, or the
     * data with another position. The model then holds the account's records, as in `onEntry`.
     */
    snapshot: (
      owner: Owner,
    ) => string | Promise<string | Readonly<{ data: string; at: FeedPosition }>>
    /** Returns the frames of an entry that the model has applied. */
    onEntry: (affected: Affected, owner: Owner) => FramesSoon
    /**
     * Returns the frames of past entries with their positions; undefined when they are unknown.
     * Absent: the channel cannot be rebuilt.
     */
    missed?: (past: Past, owner: Owner) => MissedFrames | Promise<MissedFrames>
    /** Returns frames that belong to no entry. `isReading`: a snapshot is being read. */
    onTick?: (nowMs: number, isReading: boolean) => FramesSoon
    onClose?: () => void
  }>
