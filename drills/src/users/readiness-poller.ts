// Polls /ready of one API node like a balancer.
import { Loop } from '@openvenue/devnet/loop'

const PAUSE_MS = 200
/** Timeout of balancers. */
const ANSWER_MS_MAX = 2_000

export class ReadinessPoller {
  readonly polls: Readonly<{ atMs: number; isReady: boolean }>[] = []
  readonly #url: string
  readonly #loop: Loop

  constructor(apiUrl: string) {
    this.#url = `${apiUrl}/ready`
    this.#loop = new Loop(
      () => this.#poll(),
      () => PAUSE_MS,
      () => {},
    )
    this.#loop.start()
  }

  /** Returns whether the newest poll before `atMs` reported it as ready. */
  isReadyAt(atMs: number): boolean {
    return this.polls.findLast((poll) => poll.atMs <= atMs)?.isReady ?? false
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  async #poll(): Promise<void> {
    const status = await fetch(this.#url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.status
      })
      .catch(() => undefined)
    this.polls.push({ atMs: performance.now(), isReady: status === 200 })
  }
}
