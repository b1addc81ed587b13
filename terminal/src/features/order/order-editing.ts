// Tracks the order being edited: one at a time.
import { createSignal } from 'solid-js'

/** An order id, and the price that it was dragged to; empty if it was not dragged. */
export type DraggedOrder = Readonly<{ id: string; at: string }>
export type EditOrder = (edited: DraggedOrder) => void

/** Returns the order being edited, and functions that start and end editing. */
export function createEditing() {
  const [edited, setEdited] = createSignal<DraggedOrder>()
  return {
    edited,
    edit: (next: DraggedOrder) => setEdited(next),
    leave: () => setEdited(undefined),
  }
}
