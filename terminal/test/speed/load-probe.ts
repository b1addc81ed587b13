// Code that runs in a page while it loads, and measures the load there. Each function is sent to
// the browser as text, so it must not use anything around it.

import type { LoadFigures } from './figures.ts'

export type LoadWindow = { openvenueLoad: LoadFigures }

/** Watches the load from its start; the book counts as shown when its tenth row is painted. */
export function watchLoad(): void {
  const figures = { madeMs: 0, bookMs: 0, largestPaintMs: 0, layoutShift: 0, longTaskMs: 0 }
  Object.assign(globalThis, { openvenueLoad: figures })
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
    })
  watch('largest-contentful-paint', ({ startTime }) => {
    figures.largestPaintMs = startTime
  })
  watch('longtask', ({ duration }) => {
    figures.longTaskMs = Math.max(figures.longTaskMs, duration)
  })
  watch('layout-shift', (entry) => {
    figures.layoutShift += (entry as unknown as { value: number }).value
  })
  const isFull = (side: string) =>
    (document.querySelectorAll(`.${side} .price`)[9]?.textContent ?? '').trim() !== ''
  const look = () => {
    if (!isFull('bids') || !isFull('asks')) return void requestAnimationFrame(look)
    figures.madeMs = performance.now()
    // After this frame: it is painted by then.
    requestAnimationFrame(() =>
      setTimeout(() => {
        figures.bookMs = performance.now()
      }),
    )
  }
  look()
}
