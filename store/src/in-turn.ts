// Asks several endpoints of the same service, such as nodes of one chain, one after the other until
// one answers; the one that did is asked first from then on.

/** Asks an endpoint; throws what the last one met, or at once what `isAnswer` says is one. */
export type InTurn<Endpoint> = <T>(
  ask: (endpoint: Endpoint) => Promise<T>,
  isAnswer?: (error: unknown) => boolean,
) => Promise<T>

/** Returns what asks `endpoints`, of which there is at least one. Each is asked once at most. */
export function inTurn<Endpoint>(endpoints: readonly Endpoint[]): InTurn<Endpoint> {
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
