// Posts what has changed to the page, once in a frame, and nothing while the page is hidden.
import type { FromWorker } from './protocol.ts'

const FRAME_MS = 33

export class FramePoster {
  #changes: { -readonly [Name in keyof FromWorker]?: FromWorker[Name] } = {}
  #isVisible = true
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

  #post(): void {
    this.#isPosting = false
    if (!this.#isVisible || Object.keys(this.#changes).length === 0) return
    postMessage(this.#changes satisfies FromWorker)
    this.#changes = {}
  }
}
