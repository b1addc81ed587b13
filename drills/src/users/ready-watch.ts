// Polls /ready of one API node like a balancer.
import { Loop } from '@openvenue/devnet/loop'

const PAUSE_MS = 200
/** Timeout of balancers. */
const ANSWER_MS_MAX = 2_000

type Look = Readonly<{ atMs: number; isReady: boolean }>

export class ReadyWatch {
  readonly looks: Look[] = []
  readonly #url: string
  readonly #looking: Loop

  constructor(apiUrl: string) {
    this.#url = `${apiUrl}/ready`
    this.#looking = new Loop(
      () => this.#look(),
      () => PAUSE_MS,
      () => {},
    )
    this.#looking.start()
  }

  /** Returns whether the newest poll before `atMs` reported it as ready. */
  isReadyAt(atMs: number): boolean {
    return this.looks.findLast((look) => look.atMs <= atMs)?.isReady ?? false
  }

  async stop(): Promise<void> {
    await this.#looking.stop()
  }

  async #look(): Promise<void> {
    const status = await fetch(this.#url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.status
      })
      .catch(() => undefined)
    this.looks.push({ atMs: performance.now(), isReady: status === 200 })
  }
}
