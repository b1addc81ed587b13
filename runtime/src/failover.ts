// Asks several endpoints of the same service, such as nodes of one chain, until one answers.
// The one that answered is asked first from then on.
import type { OutageLog } from './outage.ts'

/** Asks one endpoint after another. Throws the last error, or the first that `isAnswer` accepts. */
type Failover<Endpoint> = <T>(
  ask: (endpoint: Endpoint) => Promise<T>,
  isAnswer?: (error: unknown) => boolean,
) => Promise<T>

/** Called when another endpoint than before answers, with its place and the failure before it. */
export type OnSwitch = (endpoint: number, failure: unknown) => void

/** Returns the function that logs that another node answers; undefined without a log. */
export const logSwitch = (log: Pick<OutageLog, 'warn'> | undefined): OnSwitch | undefined =>
  log && ((endpoint, err) => log.warn({ endpoint, err }, 'another node answers from now on'))

/** Returns a function that asks `endpoints` (at least one), each at most once per call. */
export function withFailover<Endpoint>(
  endpoints: readonly Endpoint[],
  onSwitch?: OnSwitch,
): Failover<Endpoint> {
  let first = 0
  return async (ask, isAnswer = () => false) => {
    const from = first
    let failure: unknown
    for (const step of endpoints.keys()) {
      const index = (from + step) % endpoints.length
      try {
        const answer = await ask(endpoints[index] as Endpoint)
        if (index !== first && step > 0) onSwitch?.(index, failure)
        first = index
        return answer
      } catch (error) {
        if (isAnswer(error)) throw error
        failure = error
      }
    }
    throw failure
  }
}
