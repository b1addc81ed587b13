// Which order is being edited: one at a time.
import { createSignal } from 'solid-js'

/** An order by its id, and the price that it was dragged to; empty where it was not. */
export type Edited = Readonly<{ id: string; at: string }>
export type EditOrder = (edited: Edited) => void

/** Returns what is edited now, and what begins and ends that. */
export function createEditing() {
  const [edited, setEdited] = createSignal<Edited>()
  return {
    edited,
    edit: (next: Edited) => setEdited(next),
    leave: () => setEdited(undefined),
  }
}
