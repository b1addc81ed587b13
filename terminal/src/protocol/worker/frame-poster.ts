// Posts changes to the page, at most once per frame; while the page is hidden, only its title. A
// pending member always has its newest value.
import type { FromWorker } from '../protocol.ts'

/** Frame time of a common screen. */
const FRAME_MS = 16
/** Time to collect the messages of a block, which arrive one after another. */
const GATHER_MS = 2
/** Update interval of a hidden page's title, which its tab shows. */
const TITLE_MS = 1_000

/**
 * Members that update continuously. Answers and problems are shown even while updates are paused.
 */
const MOVING: ReadonlySet<string> = new Set<keyof FromWorker>([
  ...(['title', 'book', 'trades', 'candles', 'depth', 'markets', 'sparks'] as const),
  ...(['trust', 'latency', 'fundingIn', 'status'] as const),
  ...(['account', 'positions', 'fills', 'ownMarks'] as const),
])

type MakeMessage = () => FromWorker[keyof FromWorker]

export class FramePoster {
  /** Pending members, each with the function that creates its value. */
  #changes: Partial<Record<keyof FromWorker, MakeMessage>> = {}
  readonly #awaited = new Map<string, () => void>()
  #isVisible = true
  #isFrozen = false
  #isPosting = false
  #postedMs = Number.NEGATIVE_INFINITY

  /** Posts the newest value with the next frame, or at once if no frame was posted lately. */
  show<Name extends keyof FromWorker>(name: Name, value: NonNullable<FromWorker[Name]>): void {
    this.showLater(name, () => value)
  }

  /**
   * Same as `show`, but creates the value when it is posted: changes while the page is hidden or
   * paused cost nothing, and none is lost.
   */
  showLater<Name extends keyof FromWorker>(name: Name, make: () => FromWorker[Name]): void {
    this.#changes[name] = make
    if (this.#isPosting || (!this.#isVisible && name !== 'title')) return
    this.#isPosting = true
    const pauseMs = this.#isVisible ? FRAME_MS : TITLE_MS
    const dueMs = this.#postedMs + pauseMs - performance.now()
    setTimeout(() => this.#post(), Math.max(GATHER_MS, dueMs))
  }

  /** Resolves when a member was posted for the first time. */
  first(name: keyof FromWorker): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited.set(name, resolve)
    })
  }

  get isVisible(): boolean {
    return this.#isVisible
  }

  /** A page that becomes visible gets the newest value of everything, in one frame. */
  visible(isVisible: boolean): void {
    this.#isVisible = isVisible
    if (isVisible) this.#post()
  }

  /** While paused, continuous members are held back; afterwards their newest values are posted. */
  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen
    this.#post()
  }

  #post(): void {
    this.#isPosting = false
    const isKept = ([name]: readonly [string, MakeMessage]) =>
      (this.#isFrozen && MOVING.has(name)) || (!this.#isVisible && name !== 'title')
    const all = Object.entries(this.#changes)
    const made = all
      .filter((change) => !isKept(change))
      .map(([name, make]) => [name, make()] as const)
    this.#changes = Object.fromEntries(all.filter(isKept))
    if (made.length === 0) return
    this.#postedMs = performance.now()
    postMessage(Object.fromEntries(made) satisfies FromWorker)
    for (const [name] of made) {
      this.#awaited.get(name)?.()
      this.#awaited.delete(name)
    }
  }
}
