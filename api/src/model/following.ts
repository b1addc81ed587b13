// Starts and stops the following of the feed by a model.
import { type FollowDeps, followModel, loadModel } from './follow.ts'

export type Following = Readonly<{
  /** Loads the model and follows the feed from there. */
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Aborts when `stop` is called. */
  stopping: AbortSignal
  /** Rejects when the model can no longer hold, and the process must end. */
  failed: Promise<never>
}>

/** Returns the following of a model, not yet begun. */
export function createFollowing(deps: FollowDeps): Following {
  const stopping = new AbortController()
  const failing = Promise.withResolvers<never>()
  // Whoever does not ask must not be ended by an unhandled rejection before `stop`.
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
