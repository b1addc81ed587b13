// Keeps the tabs of a browser in agreement on the account: changes are broadcast, and only one tab
// at a time makes them.

type TabChange = 'changed' | 'signed out'

export class AccountTabs {
  readonly #channel: BroadcastChannel
  readonly #name: string

  constructor(apiUrl: string) {
    this.#name = `openvenue account of ${apiUrl}`
    this.#channel = new BroadcastChannel(this.#name)
  }

  /** Registers a listener of changes by other tabs. */
  onChange(listener: (change: TabChange) => void): void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabChange>) => listener(data))
  }

  /** Broadcasts a change to the other tabs. */
  publish(change: TabChange): void {
    this.#channel.postMessage(change)
  }

  /**
   * Runs `work` under an exclusive lock of all tabs. `onWait` is called if another tab holds it.
   */
  async alone(work: () => Promise<void>, onWait: () => void): Promise<void> {
    const { locks } = navigator
    const isDone = await locks.request(this.#name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await work()
      return lock !== null
    })
    if (isDone) return
    onWait()
    await locks.request(this.#name, work)
  }
}
