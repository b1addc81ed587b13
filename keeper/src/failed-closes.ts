// Tracks positions whose close failed recently. A position that can never be closed must neither
// delay the others nor cost the keeper a fee again and again.

/** Backoff after the second revert in a row, chain seconds; each further revert doubles it. */
export const REVERTED_SECONDS = 2
/** Maximum backoff, chain seconds: a position is retried at least this often. */
export const REVERTED_SECONDS_MAX = 60

export class FailedCloses {
  readonly #failures = new Map<string, Readonly<{ turn: number; reverts: number }>>()
  #turn = 0

  /** Returns 0 for a position that has not failed; otherwise the lower rank has waited longer. */
  rank(subject: string): number {
    return this.#failures.get(subject)?.turn ?? 0
  }

  /** Records that a close was not sent because it would revert. */
  refused(subject: string): void {
    this.#note(subject, this.#countReverts(subject))
  }

  /** Records a revert in a block. Returns the backoff in seconds before it is worth another fee. */
  reverted(subject: string): number {
    const reverts = this.#countReverts(subject) + 1
    this.#note(subject, reverts)
    // A first revert is usually a race lost to another liquidator.
    if (reverts === 1) return 0
    return Math.min(REVERTED_SECONDS_MAX, REVERTED_SECONDS * 2 ** (reverts - 2))
  }

  /** Records a successful close. */
  succeeded(subject: string): void {
    this.#failures.delete(subject)
  }

  /** Forgets all positions except those for which `isKept` is true. */
  keepOnly(isKept: (subject: string) => boolean): void {
    for (const subject of this.#failures.keys())
      if (!isKept(subject)) this.#failures.delete(subject)
  }

  #countReverts(subject: string): number {
    return this.#failures.get(subject)?.reverts ?? 0
  }

  #note(subject: string, reverts: number): void {
    this.#turn += 1
    this.#failures.set(subject, { turn: this.#turn, reverts })
  }
}
