// Runs jobs one after the other, each until it has gone well: what is written down of a block comes
// before what is written down of the next.
import type { Clock } from '../clock.ts'

const RETRY_MS = 250

type Job = () => Promise<void>
type InOrderDeps = Readonly<{ clock: Clock; onFailure: (error: unknown) => void }>

/** Returns what adds a job, and resolves once it is done or `signal` aborts. */
export function inOrder(
  { clock, onFailure }: InOrderDeps,
  signal: AbortSignal,
): (job: Job) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  const untilDone = async (job: Job) => {
    while (!signal.aborted) {
      try {
        return await job()
      } catch (error) {
        onFailure(error)
        await clock.delay(RETRY_MS, signal)
      }
    }
  }
  return (job) => {
    last = last.then(() => untilDone(job))
    return last
  }
}
