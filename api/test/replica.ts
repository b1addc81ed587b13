// A primary and a replica that is as far behind as a test wants: two databases with the same
// blocks, one of them later.
import type { BlockChanges } from '@openvenue/core/changes'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'

type Step = (store: Store) => Promise<void>

export class LaggingReplica {
  readonly primary: Store
  readonly #replica: Store
  /** Steps that the replica lacks. */
  readonly #behind: Step[] = []
  /** Serialises the steps of all callers. */
  #catchingUp: Promise<void> = Promise.resolve()
  /** The databases read, in order. */
  readonly asked: ('replica' | 'primary')[] = []

  private constructor(primary: Store, replica: Store) {
    this.primary = primary
    this.#replica = replica
  }

  static async open(): Promise<LaggingReplica> {
    return new LaggingReplica(await openMemoryStore(), await openMemoryStore())
  }

  /** Entries that the replica lacks. */
  get lag(): number {
    return this.#behind.length
  }

  /** Reads the replica, unless the primary is requested. */
  get history(): AccountHistory {
    const names = Object.keys(this.primary.history) as (keyof AccountHistory)[]
    const reads = names.map((name) => {
      const read = (...args: readonly unknown[]) => {
        const from = args.at(-1) === 'primary' ? 'primary' : 'replica'
        this.asked.push(from)
        const { history } = from === 'primary' ? this.primary : this.#replica
        return (history[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args)
      }
      return [name, read]
    })
    return Object.fromEntries(reads) as AccountHistory
  }

  commit(block: BlockChanges): Promise<void> {
    return this.#do((store) => store.writer.commit([block], 0))
  }

  undoTo(number: number): Promise<void> {
    return this.#do((store) => store.writer.undoTo(number))
  }

  /** Removes the whole chain but keeps the keys, and clears the list of reads. */
  async wipe(): Promise<void> {
    await this.#do((store) => store.writer.wipeChain())
    await this.catchUp()
    this.asked.length = 0
  }

  /** Applies the next `count` steps of the primary to the replica, all by default. */
  async catchUp(count = this.#behind.length): Promise<void> {
    const steps = this.#behind.splice(0, count)
    this.#catchingUp = this.#catchingUp.then(async () => {
      for (const step of steps) await step(this.#replica)
    })
    await this.#catchingUp
  }

  async close(): Promise<void> {
    await this.primary.close()
    await this.#replica.close()
  }

  async #do(step: Step): Promise<void> {
    await step(this.primary)
    this.#behind.push(step)
  }
}
