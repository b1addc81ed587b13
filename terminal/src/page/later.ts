// Lazily loaded components. The page's host may be down by then, or serve another version: the
// failure is reported, and loading is retried.
import { type Component, createComponent, createMemo, createSignal, untrack } from 'solid-js'

/** Delay between attempts; it doubles each time. */
const AGAIN_MS = { first: 1_000, most: 15_000 } as const

const [missing, setMissing] = createSignal(0)

/** Number of parts that are needed but could not be loaded. */
export const missingParts = missing

type LazyComponent<Props> = (props: Props) => unknown

/** Returns a component that is loaded on first use and renders nothing until then. */
export function later<Props extends object>(
  load: () => Promise<LazyComponent<Props>>,
): Component<Props> {
  const [loaded, setLoaded] = createSignal<LazyComponent<Props>>()
  let isBegun = false
  return (props) => {
    if (!isBegun) void untilLoaded(load).then((part) => setLoaded(() => part))
    isBegun = true
    return createMemo(() => {
      const part = loaded()
      return part && untrack(() => createComponent(part as Component<Props>, props))
    }) as unknown as ReturnType<Component<Props>>
  }
}

async function untilLoaded<Result>(load: () => Promise<Result>): Promise<Result> {
  const first = await load().catch(() => undefined)
  if (first !== undefined) return first
  setMissing((count) => count + 1)
  for (let waitMs: number = AGAIN_MS.first; ; waitMs = Math.min(waitMs * 2, AGAIN_MS.most)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    const part = await load().catch(() => undefined)
    if (part === undefined) continue
    setMissing((count) => count - 1)
    return part
  }
}
