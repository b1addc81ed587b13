// Keeps a node's model at the head of the feed.
import {
  type FeedFollower,
  type FeedSource,
  followFeed,
  loadSnapshot,
} from '@openvenue/store/feed/follow-feed'
import { windowsAt } from './snapshot-windows.ts'
import type { VenueModel } from './venue-model.ts'

export type FollowDeps = FeedSource &
  Readonly<{
    model: VenueModel
    nowMs: () => number
    /** Called whenever the database has answered a feed read. */
    feedRead?: () => void
  }>

/** Loads the first snapshot; retries until the database answers or `signal` aborts. */
export const loadModel = (deps: FollowDeps, signal: AbortSignal): Promise<void> =>
  loadSnapshot(deps, modelFollower(deps), signal)

/** Applies the feed to the model as it grows. Rejects only when an entry cannot be applied. */
export const followModel = (deps: FollowDeps, signal: AbortSignal): Promise<void> =>
  followFeed(deps, modelFollower(deps), signal)

const modelFollower = ({ model, nowMs, feedRead }: FollowDeps): FeedFollower => ({
  seq: () => model.seq,
  head: () => model.head,
  windows: () => windowsAt(Math.floor(nowMs() / 1000)),
  load: (snapshot) => model.load(snapshot),
  apply: (entry) => model.apply(entry),
  onRead: () => feedRead?.(),
  onBreak: () => {
    model.feedBreaks++
  },
})
