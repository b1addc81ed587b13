// Posts what has changed to the page, once in a frame; while the page is hidden, the text of its
// title alone. What waits is the newest of each member, however long it waits.
import type { FromWorker } from './protocol.ts'

/** A common screen draws no more often. */
const FRAME_MS = 16
/** Messages of a block come one after the other: the first waits so long for the others. */
const GATHER_MS = 2
/** The title of a hidden page, which its tab shows, changes no more often. */
const TITLE_MS = 1_000

/** What moves by itself. What answers somebody, and what is wrong, is shown though it is frozen. */
const MOVING: ReadonlySet<string> = new Set<keyof FromWorker>([
  ...(['title', 'book', 'trades', 'candles', 'depth', 'markets', 'sparks'] as const),
  ...(['trust', 'latency', 'fundingIn', 'status'] as const),
  ...(['account', 'positions', 'fills', 'own'] as const),
])

type Make = () => FromWorker[keyof FromWorker]

export class FramePoster {
  /** What is posted next, and what makes it then. */
  #changes: Partial<Record<keyof FromWorker, Make>> = {}
  readonly #awaited = new Map<string, () => void>()
  #isVisible = true
  #isFrozen = false
  #isPosting = false
  #postedMs = Number.NEGATIVE_INFINITY

  /** The newest of each is posted with the next frame, at once where none was posted lately. */
  show<Name extends keyof FromWorker>(name: Name, value: NonNullable<FromWorker[Name]>): void {
    this.showLater(name, () => value)
  }

  /**
   * The same, made when it is posted and not before: what waits while the page is hidden or frozen
   * costs nothing, and misses nothing.
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

  /** Once the page is seen again it gets the newest of everything, in one frame. */
  visible(isVisible: boolean): void {
    this.#isVisible = isVisible
    if (isVisible) this.#post()
  }

  /** While it is frozen what moves by itself is kept; then comes the newest of it. */
  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen
    this.#post()
  }

  #post(): void {
    this.#isPosting = false
    const isKept = ([name]: readonly [string, Make]) =>
      (this.#isFrozen && MOVING.has(name)) || (!this.#isVisible && name !== 'title')
    const all = Object.entries(this.#changes)
    const made = all.filter((one) => !isKept(one)).map(([name, make]) => [name, make()] as const)
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
