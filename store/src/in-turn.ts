// Several places that give the same service, such as nodes of one chain: one after the other is
// asked until one answers, and the one that did is asked first from then on.

/** Asks a place; throws what the last one met, or at once what `isAnswer` says is one. */
export type InTurn<Place> = <T>(
  ask: (place: Place) => Promise<T>,
  isAnswer?: (error: unknown) => boolean,
) => Promise<T>

/** Returns what asks `places`, of which there is at least one. Each is asked once at most. */
export function inTurn<Place>(places: readonly Place[]): InTurn<Place> {
  let first = 0
  return async (ask, isAnswer = () => false) => {
    const from = first
    let failure: unknown
    for (const step of places.keys()) {
      const index = (from + step) % places.length
      try {
        const answer = await ask(places[index] as Place)
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
