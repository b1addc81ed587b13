// Posts what has changed to the page, once in a frame, and nothing while the page is hidden.
import type { FromWorker } from './protocol.ts'

const FRAME_MS = 33

/** What moves by itself. What answers somebody, and what is wrong, is shown though it is frozen. */
const MOVING: ReadonlySet<string> = new Set<keyof FromWorker>([
  ...(['book', 'trades', 'candles', 'markets', 'sparks'] as const),
  ...(['trust', 'latency', 'fundingIn', 'status'] as const),
])

export class FramePoster {
  #changes: { -readonly [Name in keyof FromWorker]?: FromWorker[Name] } = {}
  #isVisible = true
  #isFrozen = false
  #isPosting = false

  /** The newest of each is posted with the next frame. */
  show<Name extends keyof FromWorker>(name: Name, value: NonNullable<FromWorker[Name]>): void {
    this.#changes[name] = value as FromWorker[Name]
    if (this.#isPosting) return
    this.#isPosting = true
    setTimeout(() => this.#post(), FRAME_MS)
  }

  /** Once the page is seen again it gets the newest of everything, in one frame. */
  visible(isVisible: boolean): void {
    this.#isVisible = isVisible
    this.#post()
  }

  /** While it is frozen what moves by itself is kept; then comes the newest of it. */
  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen
    this.#post()
  }

  #post(): void {
    this.#isPosting = false
    if (!this.#isVisible) return
    const isKept = ([name]: readonly [string, unknown]) => this.#isFrozen && MOVING.has(name)
    const all = Object.entries(this.#changes)
    const changes: FromWorker = Object.fromEntries(all.filter((one) => !isKept(one)))
    this.#changes = Object.fromEntries(all.filter(isKept))
    if (Object.keys(changes).length > 0) postMessage(changes)
  }
}
