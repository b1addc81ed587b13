// Draws parts of the page one after the other, each in a task of its own: no task is long, and what
// is seen first waits for nothing.
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'

const FRAME_MS = 16

/** Draws its children so many frames after what is around them. Their place must be kept. */
export function InTurn(props: Readonly<{ turn: number; children: JSX.Element }>) {
  const [isDue, setDue] = createSignal(false)
  const timer = setTimeout(() => setDue(true), props.turn * FRAME_MS)
  onCleanup(() => clearTimeout(timer))
  return <Show when={isDue()}>{props.children}</Show>
}
