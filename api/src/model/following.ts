// Starts and stops a model's following of the feed.
import { type FollowDeps, followModel, loadModel } from './follow.ts'

type FeedFollower = Readonly<{
  /** Loads the model and follows the feed from there. */
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Aborts when `stop` is called. */
  stopping: AbortSignal
  /** Rejects when the model cannot go on, and the process must end. */
  failed: Promise<never>
}>

/** Returns the following of a model, not yet started. */
export function createFollowing(deps: FollowDeps): FeedFollower {
  const stopping = new AbortController()
  const failing = Promise.withResolvers<never>()
  // Prevents an unhandled rejection when the caller does not await it before `stop`.
  failing.promise.catch(() => {})
  let following = Promise.resolve()
  return {
    stopping: stopping.signal,
    failed: failing.promise,
    start: async () => {
      await loadModel(deps, stopping.signal)
      following = followModel(deps, stopping.signal)
      following.catch(failing.reject)
    },
    stop: async () => {
      stopping.abort()
      await following.catch(() => {})
    },
  }
}
