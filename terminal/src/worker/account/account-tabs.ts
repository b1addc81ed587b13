// Has the tabs of one browser agree on the account: what one of them changes, the others hear of,
// and only one at a time changes it.

export type TabChange = 'changed' | 'signed out'

export class AccountTabs {
  readonly #channel: BroadcastChannel
  readonly #name: string

  constructor(apiUrl: string) {
    this.#name = `openvenue account of ${apiUrl}`
    this.#channel = new BroadcastChannel(this.#name)
  }

  /** Has a listener hear what another tab has changed. */
  onChange(listener: (change: TabChange) => void): void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabChange>) => listener(data))
  }

  /** Has the other tabs hear of a change. */
  publish(change: TabChange): void {
    this.#channel.postMessage(change)
  }

  /** Does `work` while no other tab does; `onWait` hears that one does, and is waited for. */
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
