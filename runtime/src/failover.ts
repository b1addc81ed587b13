// Asks several endpoints of the same service, such as nodes of one chain, until one answers.
// The one that answered is asked first from then on.

/** Asks one endpoint after another. Throws the last error, or the first that `isAnswer` accepts. */
type Failover<Endpoint> = <T>(
  ask: (endpoint: Endpoint) => Promise<T>,
  isAnswer?: (error: unknown) => boolean,
) => Promise<T>

/** Returns a function that asks `endpoints` (at least one), each at most once per call. */
export function withFailover<Endpoint>(endpoints: readonly Endpoint[]): Failover<Endpoint> {
  let first = 0
  return async (ask, isAnswer = () => false) => {
    const from = first
    let failure: unknown
    for (const step of endpoints.keys()) {
      const index = (from + step) % endpoints.length
      try {
        const answer = await ask(endpoints[index] as Endpoint)
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
