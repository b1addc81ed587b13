// Keeps who hears of the model: each change by its kind, each entry, and each new beginning.
import type { Change, ChangeOf } from '@openvenue/core/changes'
import type { RecordKind } from '@openvenue/core/records'
import type { FeedEntry, Snapshot } from '@openvenue/store/store'

export class ModelListeners {
  readonly #byKind = new Map<RecordKind, ((change: never) => void)[]>()
  readonly onLoad: ((snapshot: Snapshot) => void)[] = []
  readonly onEntry: ((entry: FeedEntry) => void)[] = []

  on<K extends RecordKind>(what: K, listener: (change: ChangeOf<K>) => void): void {
    const listeners = this.#byKind.get(what)
    if (listeners === undefined) this.#byKind.set(what, [listener])
    else listeners.push(listener)
  }

  loaded(snapshot: Snapshot): void {
    for (const listener of this.onLoad) listener(snapshot)
  }

  /** Brings an entry to the listeners of its changes, then to those of entries. */
  applied(entry: FeedEntry): void {
    for (const change of entry.changes) this.#changed(change)
    for (const listener of this.onEntry) listener(entry)
  }

  #changed(change: Change): void {
    const listeners = this.#byKind.get(change.what)
    if (listeners !== undefined) for (const listener of listeners) listener(change as never)
  }
}
