// Remembers which positions could not be closed lately. One that can never be closed must not keep
// others from their turn, nor have the keeper pay in vain again and again.

/** After the second revert in a row; each further one doubles it. Chain seconds. */
export const REVERTED_SECONDS = 2
/** A position is tried at least this often, whatever it has cost. */
export const REVERTED_SECONDS_MAX = 60

type Failure = Readonly<{ turn: number; reverts: number }>

export class FailedCloses {
  readonly #failures = new Map<string, Failure>()
  #turn = 0

  /** Returns 0 for one that did not fail; of two others the lower one has waited longer. */
  rank(subject: string): number {
    return this.#failures.get(subject)?.turn ?? 0
  }

  /** Nothing was sent, since it would revert. */
  refused(subject: string): void {
    this.#note(subject, this.#countReverts(subject))
  }

  /** It reverted in a block. Returns for how many seconds it is not worth another fee. */
  reverted(subject: string): number {
    const reverts = this.#countReverts(subject) + 1
    this.#note(subject, reverts)
    // The first one is mostly a race that somebody else has won.
    if (reverts === 1) return 0
    return Math.min(REVERTED_SECONDS_MAX, REVERTED_SECONDS * 2 ** (reverts - 2))
  }

  /** It worked. */
  succeeded(subject: string): void {
    this.#failures.delete(subject)
  }

  /** Forgets all but those that are `wanted`. */
  keepOnly(wanted: (subject: string) => boolean): void {
    for (const subject of this.#failures.keys())
      if (!wanted(subject)) this.#failures.delete(subject)
  }

  #countReverts(subject: string): number {
    return this.#failures.get(subject)?.reverts ?? 0
  }

  #note(subject: string, reverts: number): void {
    this.#turn += 1
    this.#failures.set(subject, { turn: this.#turn, reverts })
  }
}
